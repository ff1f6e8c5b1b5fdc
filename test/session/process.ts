/** The other process of the tests with two: does one thing with a session, as told by its arguments. */
import { deliver, drop, createSession, openSession, type InboxMessage } from '../../src/session/index.ts';
import { appendAll, input, start } from './sessions.ts';

const [task, state = '', id = '', ...rest] = process.argv.slice(2);
const folder = `${state}/sessions/${id}`;
const say = (text: string): InboxMessage => ({ kind: 'input', data: { from: 'user', text } });
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Keeps the process alive until it is killed. */
function stay(): void {
  setInterval(() => undefined, 1000);
}

async function hold(): Promise<void> {
  await openSession(state, id);
  print('held');
  stay();
}

/** Appends for ever; the id of an event is printed when its append has resolved. */
async function append(): Promise<void> {
  const session = await openSession(state, id);
  let parent = session.skeleton.head;
  for (let count = 0; ; count += 1) {
    const text = `${count} ${'x'.repeat((count * 37) % 5000)}`;
    const event = await session.append({ parent, at: Date.now(), ...input(text) });
    parent = event.id;
    print(event.id);
    if (count % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

async function dropMany(): Promise<void> {
  const [name = '', count = '0'] = rest;
  for (let index = 0; index < Number(count); index += 1) await drop(folder, say(`${name} ${index}`));
}

async function deliverOne(): Promise<void> {
  const delivered = await deliver(folder, say(rest[0] ?? ''), { now: Date.now });
  print('event' in delivered ? `recorded ${delivered.event.id}` : `left for ${delivered.holder}`);
}

async function create(): Promise<void> {
  process.umask(Number.parseInt(rest[0] ?? '', 8));
  const session = await createSession(state, start);
  const blob = await session.blobs.put(Buffer.from('blob'));
  const writer = session.blobs.writer();
  writer.write(Buffer.from('blob in the making'));
  await writer.finish();
  await drop(session.folder, say('message'));
  await appendAll(session, [input(blob)]);
  print(session.id);
}

async function warn(): Promise<void> {
  process.emitWarning('before');
  const session = await createSession(state, start);
  process.emitWarning('after');
  await session.close();
}

const tasks: { [task: string]: () => Promise<void> } = { hold, append, dropMany, deliverOne, create, warn };
await tasks[task ?? '']?.();

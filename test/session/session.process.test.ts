import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createSession, follow, isLocked, list, openSession, readLog, scan, verify } from '../../src/session/index.ts';
import { appendAll, damageOf, eventsOf, input, newSession, reopen, start, temporaryState } from './sessions.ts';

const program = fileURLToPath(new URL('./process.ts', import.meta.url));

function startProcess(t: TestContext, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

/** Runs one task to its end and gives what it printed. */
function runProcess(...args: string[]): { stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return { stdout: stdout.trim(), stderr };
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return line;
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function closedSession(t: TestContext) {
  const { state, session, file } = await newSession(t);
  await session.close();
  return { state, id: session.id, folder: session.folder, file };
}

describe('the lock', () => {
  test('keeps a second process out, names the holder, and is free after kill -9', async (t) => {
    const { state, id, folder } = await closedSession(t);
    const holder = startProcess(t, 'hold', state, id);
    assert.equal(await firstLine(holder), 'held');
    const busy = { code: 'session-busy', message: new RegExp(`Process ${holder.pid} holds`) };
    await assert.rejects(openSession(state, id), busy);
    assert.equal(isLocked(folder), true);
    assert.equal(list(state)[0]!.running, true);
    await killed(holder);
    assert.equal(isLocked(folder), false);
    assert.equal(list(state)[0]!.running, false);
    await appendAll(await reopen(t, state, id), [input('next')]);
  });

  test('is not disturbed by those who look whether it is held', async (t) => {
    const { state, id, folder } = await closedSession(t);
    for (let count = 0; count < 20; count += 1) {
      assert.equal(isLocked(folder), false);
      const session = await openSession(state, id);
      assert.equal(isLocked(folder), true);
      await assert.rejects(openSession(state, id), { code: 'session-busy' });
      await session.close();
    }
  });

  test('is taken without a warning of SQLite, and without hiding others', (t) => {
    const { stderr } = runProcess('warn', temporaryState(t));
    assert.match(stderr, /before/);
    assert.match(stderr, /after/);
    assert.doesNotMatch(stderr, /SQLite/i);
  });
});

test('kill -9 loses nothing that was appended, at most tears the line being written', async (t) => {
  const { state, id, folder } = await closedSession(t);
  for (let round = 1; round <= 5; round += 1) {
    const child = startProcess(t, 'append', state, id);
    const acknowledged: string[] = [];
    const enough = round * 40;
    for await (const line of createInterface(child.stdout!)) {
      acknowledged.push(line);
      if (acknowledged.length === enough) child.kill('SIGKILL');
    }
    assert.ok(acknowledged.length >= enough);
    const ids = new Set(eventsOf(folder).map((event) => event.id));
    const lost = acknowledged.slice(0, -1).filter((id) => !ids.has(id));
    assert.deepEqual(lost, []);
    assert.ok(damageOf(folder).length <= round);
  }
  const { findings } = await verify(folder);
  const damaged = new Set(damageOf(folder).map(({ line }) => line));
  // A torn line is found, and its follower may be chained to what isn't whole; nothing else is.
  const strange = findings.filter(({ line }) => !damaged.has(line) && !damaged.has(line - 1));
  assert.deepEqual(strange, []);
});

test('what two processes drop at once reaches a third whole, each once and in the order of its sender', async (t) => {
  const { session } = await newSession(t);
  const count = 60;
  const senders = ['a', 'b'].map((name) =>
    startProcess(t, 'dropMany', join(session.folder, '..', '..'), session.id, name, `${count}`),
  );
  const ended = Promise.all(senders.map((sender) => once(sender, 'exit')));
  const texts: string[] = [];
  const drain = async (): Promise<void> => {
    const { deliveries, rejections } = await session.inbox.drain(() => false);
    assert.deepEqual(rejections, []);
    for (const delivery of deliveries) {
      const { message } = delivery;
      texts.push(message.kind === 'input' ? message.data.text : message.kind);
      await delivery.taken();
    }
  };
  const isOver = ended.then(() => true);
  const inAMoment = (): Promise<boolean> => new Promise((resolve) => setImmediate(resolve, false));
  while (!(await Promise.race([isOver, inAMoment()]))) await drain();
  await drain();
  for (const name of ['a', 'b']) {
    const own = texts.filter((text) => text.startsWith(name));
    assert.deepEqual(
      own,
      Array.from({ length: count }, (_, index) => `${name} ${index}`),
    );
  }
  assert.equal(texts.length, 2 * count);
});

test('a message from another process is left for the holder, and recorded where nobody holds', async (t) => {
  const { state, session } = await newSession(t);
  assert.equal(runProcess('deliverOne', state, session.id, 'one').stdout, `left for ${process.pid}`);
  await session.close();
  assert.match(runProcess('deliverOne', state, session.id, 'two').stdout, /^recorded /);
  const texts = eventsOf(session.folder).map((event) => event.kind === 'input' && event.data.text);
  assert.deepEqual(texts, [false, 'one', 'two']);
});

test('a reader follows what another process appends', async (t) => {
  const { state, id, folder } = await closedSession(t);
  const child = startProcess(t, 'append', state, id);
  const controller = new AbortController();
  let seen = 0;
  for await (const item of follow(folder, controller.signal)) {
    assert.ok('id' in item);
    seen += 1;
    if (seen === 100) await killed(child);
    if (seen === 100) controller.abort();
  }
  assert.equal(seen, 100);
});

for (const umask of ['000', '077', '277']) {
  test(`folders and files are their owner’s alone under umask ${umask}`, (t) => {
    const state = join(temporaryState(t), 'new', 'state');
    const { stdout: id } = runProcess('create', state, '', umask);
    const modes = new Map<string, string>();
    for (const entry of readdirSync(state, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      modes.set(path, (statSync(path).mode & 0o777).toString(8));
      // What the process that was killed left of its name is no secret, and made by the umask.
      if (entry.name === 'holder') modes.delete(path);
      else assert.equal(modes.get(path), entry.isDirectory() ? '700' : '600', path);
    }
    assert.ok(modes.size >= 9, [...modes.keys()].join(' '));
    assert.equal((statSync(join(state, '..')).mode & 0o777).toString(8), '700');
    assert.equal(eventsOf(join(state, 'sessions', id)).length, 2);
  });
}

test('a log of 200 MB is opened in bounded time and memory', async (t) => {
  const { state, session, file } = await newSession(t);
  const text = 'const answer = 42; // "quoted"\n'.repeat(250);
  let parent = session.skeleton.head;
  let count = 1;
  for (; statSync(file).size < 200e6;) {
    for (let batch = 0; batch < 500; batch += 1, count += 1) {
      parent = (await session.append({ parent, at: start.at + count, ...input(text) })).id;
    }
  }
  await session.close();
  appendFileSync(file, '{"id":"torn');
  const before = process.memoryUsage().rss;
  const startedAt = performance.now();
  const skeleton = scan(session.folder);
  let read = 0;
  for (const item of readLog(session.folder)) read += 'id' in item ? 1 : 0;
  const seconds = (performance.now() - startedAt) / 1000;
  const grown = (process.memoryUsage().rss - before) / 1e6;
  assert.equal(skeleton.head, parent);
  assert.deepEqual([skeleton.ids.length, read, skeleton.damage.length], [count, count, 1]);
  assert.ok(seconds < 30, `${seconds} s`);
  assert.ok(grown < 150, `${grown} MB`);
  const [next] = await appendAll(await reopen(t, state, session.id), [input('next')]);
  assert.equal(next!.parent, parent);
});

test('a full disk gives a named error, loses nothing, and the session goes on when there is room', async (t) => {
  const disk = mkdtempSync(join(tmpdir(), 'reins-session-'));
  t.after(() => {
    spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', disk]).status === 0;
  if (!mounted) return t.skip('a file system of its own can’t be mounted here');
  const session = await createSession(disk, start);
  let events = await appendAll(session, [input('first')]);
  await assert.rejects(
    async () => {
      for (;;) events = [...events, ...(await appendAll(session, [input('x'.repeat(3001))], events.at(-1)!.id))];
    },
    { code: 'log-append-failed', message: /ENOSPC/ },
  );
  await assert.rejects(session.append({ parent: null, at: 1, ...input('later') }), { code: 'log-append-failed' });
  await assert.rejects(session.blobs.put(Buffer.alloc(50_000)), { code: 'state-unwritable' });
  await session.close();
  assert.deepEqual(readdirSync(join(session.folder, 'blobs')), []);
  assert.deepEqual(eventsOf(session.folder).slice(1), events);
  const torn = readFileSync(join(session.folder, 'log.jsonl'));
  assert.equal(spawnSync('mount', ['-o', 'remount,size=1m', disk]).status, 0);
  const again = await reopen(t, disk, session.id);
  const [next] = await appendAll(again, [input('next')]);
  await again.close();
  assert.deepEqual(eventsOf(session.folder).slice(1), [...events, next]);
  assert.deepEqual(readFileSync(join(session.folder, 'log.jsonl')).subarray(0, torn.length), torn);
});

test('a folder that may only be read gives a named error, and can be read', async (t) => {
  if (process.getuid?.() === 0) return t.skip('root may write everywhere');
  const { state, id, folder, file } = await closedSession(t);
  chmodSync(file, 0o400);
  await assert.rejects(openSession(state, id), { code: 'state-unwritable' });
  chmodSync(file, 0o600);
  chmodSync(folder, 0o500);
  try {
    assert.equal(eventsOf(folder).length, 1);
    chmodSync(file, 0o000);
    assert.throws(() => scan(folder), { code: 'log-unreadable' });
    assert.equal(list(state)[0]!.damage.length, 1);
  } finally {
    chmodSync(folder, 0o700);
  }
  mkdirSync(join(state, 'locked'), { mode: 0o500 });
  await assert.rejects(createSession(join(state, 'locked'), start), { code: 'state-unwritable' });
});

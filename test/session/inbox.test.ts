import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { draftOf, drop, type InboxMessage } from '../../src/session/index.ts';
import { newSession } from './sessions.ts';

const say = (text: string): InboxMessage => ({ kind: 'input', data: { from: 'steer', text } });
const none = () => false;

async function newInbox(t: TestContext) {
  const { session } = await newSession(t);
  const folder = join(session.folder, 'inbox');
  return { session, inbox: session.inbox, folder, names: () => readdirSync(folder).sort() };
}

describe('the inbox', () => {
  test('gives what was dropped, in order, until each is taken', async (t) => {
    const { session, inbox, names } = await newInbox(t);
    const messages: InboxMessage[] = [
      say('one'),
      { kind: 'cancel', data: { by: 'second terminal', signal: 'SIGINT' } },
      { kind: 'answer', data: { ask: 'a1', by: 'user', decision: 'no', scope: 'once', reason: 'too wide' } },
      say('two\ud800\u2028'),
    ];
    const dropped: string[] = [];
    for (const message of messages) dropped.push(await drop(session.folder, message));
    assert.deepEqual(dropped, [...dropped].sort());
    assert.deepEqual(names(), dropped);

    const { deliveries, rejections } = await inbox.drain(none);
    assert.deepEqual(rejections, []);
    assert.deepEqual(
      deliveries.map(({ message }) => message),
      messages,
    );
    assert.deepEqual(
      deliveries.map(({ name }) => name),
      dropped,
    );
    assert.equal((await inbox.drain(none)).deliveries.length, 4, 'what wasn’t taken comes again');

    await deliveries[0]!.taken();
    await deliveries[0]!.taken();
    assert.deepEqual(
      (await inbox.drain(none)).deliveries.map(({ name }) => name),
      dropped.slice(1),
    );
  });

  test('a message that the log knows already is only taken away', async (t) => {
    const { session, inbox, names } = await newInbox(t);
    const recorded = await drop(session.folder, say('recorded before the crash'));
    const fresh = await drop(session.folder, say('new'));
    const { deliveries } = await inbox.drain((name) => name === recorded);
    assert.deepEqual(
      deliveries.map(({ name }) => name),
      [fresh],
    );
    assert.deepEqual(names(), [fresh]);
  });

  test('messages are for their owner alone, and half-written ones aren’t seen', async (t) => {
    const { session, inbox, folder } = await newInbox(t);
    const name = await drop(session.folder, say('one'));
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    writeFileSync(join(folder, '.half'), '{"kind":');
    writeFileSync(join(folder, '.half.json'), '{"kind":');
    writeFileSync(join(folder, 'note.txt'), 'no message');
    const { deliveries, rejections } = await inbox.drain(none);
    assert.deepEqual([deliveries.length, rejections.length], [1, 0]);
  });

  const malformed: [string, string | Buffer][] = [
    ['nothing', ''],
    ['no JSON', '{"kind":"input"'],
    ['no UTF-8', Buffer.from('{"kind":"input","data":{"from":"user","text":"\xff"}}', 'latin1')],
    ['another value', '[]'],
    ['null', 'null'],
    ['an unknown kind', '{"kind":"result","data":{}}'],
    ['a missing field', '{"kind":"input","data":{"from":"user"}}'],
    ['an unknown sender', '{"kind":"input","data":{"from":"nobody","text":""}}'],
    ['an unknown decision', '{"kind":"answer","data":{"ask":"a","by":"x","decision":"maybe","scope":"once"}}'],
  ];
  for (const [name, content] of malformed) {
    test(`${name} is named and moved aside, once`, async (t) => {
      const { session, inbox, folder, names } = await newInbox(t);
      writeFileSync(join(folder, '0.json'), content);
      const good = await drop(session.folder, say('good'));
      const { deliveries, rejections } = await inbox.drain(none);
      assert.deepEqual(
        rejections.map(({ name }) => name),
        ['0.json'],
      );
      assert.notEqual(rejections[0]!.why, '');
      assert.deepEqual(
        deliveries.map(({ name }) => name),
        [good],
      );
      assert.deepEqual(names(), [good, 'rejected']);
      assert.deepEqual(readFileSync(join(folder, 'rejected', '0.json')), Buffer.from(content));
      assert.deepEqual((await inbox.drain(none)).rejections, []);
    });
  }

  test('a link, a folder and a file of the same name as a rejected one are moved aside too', async (t) => {
    const { session, inbox, folder } = await newInbox(t);
    writeFileSync(join(folder, '0.json'), 'first');
    await inbox.drain(none);
    writeFileSync(join(folder, '0.json'), 'second');
    writeFileSync(join(session.folder, 'elsewhere'), JSON.stringify(say('not through a link')));
    symlinkSync(join(session.folder, 'elsewhere'), join(folder, '1.json'));
    mkdirSync(join(folder, '2.json'));
    const { rejections, deliveries } = await inbox.drain(none);
    assert.deepEqual(
      rejections.map(({ name }) => name),
      ['0.json', '1.json', '2.json'],
    );
    assert.deepEqual(deliveries, []);
    const aside = readdirSync(join(folder, 'rejected'));
    assert.equal(aside.length, 4);
    assert.equal(readFileSync(join(folder, 'rejected', '0.json'), 'utf8'), 'first');
  });

  test('what can’t be moved aside is named once and doesn’t come again', async (t) => {
    const { session, inbox, folder } = await newInbox(t);
    writeFileSync(join(folder, 'rejected'), 'a file in the way');
    writeFileSync(join(folder, '0.json'), 'no message');
    const first = await inbox.drain(none);
    assert.match(first.rejections[0]!.why, /stays where it is/);
    assert.deepEqual(await inbox.drain(none), { deliveries: [], rejections: [] });
    const name = await drop(session.folder, say('still works'));
    assert.deepEqual(
      (await inbox.drain(none)).deliveries.map((delivery) => delivery.name),
      [name],
    );
  });

  test('an inbox that is gone is empty, and made again by a drop', async (t) => {
    const { session, inbox, folder } = await newInbox(t);
    rmSync(folder, { recursive: true });
    assert.deepEqual(await inbox.drain(none), { deliveries: [], rejections: [] });
    await drop(session.folder, say('one'));
    assert.equal((await inbox.drain(none)).deliveries.length, 1);
  });

  test('whoever watches is told of a message, also of one that waited before', async (t) => {
    const { session, inbox } = await newInbox(t);
    await drop(session.folder, say('waited'));
    await new Promise<void>((resolve) => t.after(inbox.watch(resolve)));
    const [delivery] = (await inbox.drain(none)).deliveries;
    await delivery!.taken();
    const told = new Promise<void>((resolve) => t.after(inbox.watch(resolve)));
    await drop(session.folder, say('comes now'));
    await told;
  });

  test('a message becomes an event that names it', () => {
    assert.deepEqual(draftOf(say('x'), 'n.json'), {
      kind: 'input',
      data: { from: 'steer', text: 'x', message: 'n.json' },
    });
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { logFormat, type Draft } from '../../src/core/index.ts';
import { deliver, draftOf, drop, isLocked, type InboxMessage } from '../../src/session/index.ts';
import { appendAll, eventsOf, input, linesOf, newSession, reopen, writeLines } from './sessions.ts';

const now = () => 1_800_000_000_000;
const say = (text: string): InboxMessage => ({ kind: 'input', data: { from: 'user', text } });
const answer = (ask: string, by = 'user'): InboxMessage => ({
  kind: 'answer',
  data: { ask, by, decision: 'yes', scope: 'once' },
});
const ask: Draft = { kind: 'ask', data: { call: 'r/0', tool: 'shell', question: 'Run it?' } };
const result: Draft = { kind: 'result', data: { call: 'r/0', tool: 'shell', outcome: 'cancelled', text: '' } };

async function closedSession(t: TestContext, drafts: Draft[] = [input('task')]) {
  const { state, session, file } = await newSession(t);
  const events = await appendAll(session, drafts);
  await session.close();
  return { state, id: session.id, folder: session.folder, file, events };
}
const inboxOf = (folder: string): string[] =>
  readdirSync(join(folder, 'inbox')).filter((name) => name.endsWith('.json'));

describe('a message for a session that nobody holds', () => {
  test('is recorded at once, behind what waited', async (t) => {
    const { folder, events } = await closedSession(t);
    const waiting = await drop(folder, say('waited'));
    const delivered = await deliver(folder, say('now'), { now });
    const [first, second] = eventsOf(folder).slice(2);
    assert.deepEqual(delivered, { event: second });
    assert.deepEqual(first!.data, { from: 'user', text: 'waited', message: waiting });
    assert.equal(first!.parent, events.at(-1)!.id);
    assert.equal(second!.parent, first!.id);
    assert.equal(second!.at, now());
    assert.deepEqual(inboxOf(folder), []);
    assert.equal(isLocked(folder), false);
  });

  test('becomes the event that the caller makes of it', async (t) => {
    const { folder } = await closedSession(t);
    const toDraft = (_: InboxMessage, name: string): Draft => ({ kind: 'cancel', data: { by: 'x', message: name } });
    await deliver(folder, say('now'), { now, toDraft });
    assert.equal(eventsOf(folder).at(-1)!.kind, 'cancel');
  });

  test('isn’t recorded twice after a crash between recording and taking', async (t) => {
    const { folder } = await closedSession(t);
    const name = await drop(folder, say('once'));
    const content = readFileSync(join(folder, 'inbox', name));
    await deliver(folder, say('next'), { now });
    writeFileSync(join(folder, 'inbox', name), content);
    await deliver(folder, say('last'), { now });
    const texts = eventsOf(folder).map(({ kind, data }) => kind === 'input' && (data as { text: string }).text);
    assert.deepEqual(texts, [false, 'task', 'once', 'next', 'last']);
  });

  test('what is malformed is named in the log', async (t) => {
    const { folder } = await closedSession(t);
    writeFileSync(join(folder, 'inbox', '0.json'), '{}');
    await deliver(folder, say('now'), { now });
    const notice = eventsOf(folder).find(({ kind }) => kind === 'notice');
    assert.match(JSON.stringify(notice?.data), /inbox-rejected.*0\.json is malformed/);
  });

  test('a log of a newer Reins takes none, and none is left in the inbox', async (t) => {
    const { folder, file } = await closedSession(t);
    writeLines(
      file,
      linesOf(file).map((line) => line.toString().replace(`"format":${logFormat}`, `"format":${logFormat + 1}`)),
    );
    await assert.rejects(deliver(folder, say('now'), { now }), { code: 'session-newer' });
    assert.deepEqual(inboxOf(folder), []);
  });
});

describe('an answer', () => {
  test('to an open question is recorded; a second one is told that it comes late', async (t) => {
    const { folder, events } = await closedSession(t, [ask]);
    const [question] = events;
    await deliver(folder, answer(question!.id, 'first'), { now });
    await assert.rejects(deliver(folder, answer(question!.id, 'second'), { now }), { code: 'already-answered' });
    const answers = eventsOf(folder).filter(({ kind }) => kind === 'answer');
    assert.deepEqual(
      answers.map(({ data }) => (data as { by: string }).by),
      ['first'],
    );
    assert.deepEqual(inboxOf(folder), []);
  });

  test('to a question that isn’t there, or that its call’s result has closed, is refused', async (t) => {
    const { folder, events } = await closedSession(t, [ask, result]);
    await assert.rejects(deliver(folder, answer('nothing'), { now }), { code: 'question-missing' });
    await assert.rejects(deliver(folder, answer(events[0]!.id), { now }), { code: 'question-missing' });
    assert.equal(eventsOf(folder).length, 3);
    assert.deepEqual(inboxOf(folder), []);
  });

  test('that waited and comes second is moved aside and named', async (t) => {
    const { folder, events } = await closedSession(t, [ask]);
    const question = events[0]!.id;
    await drop(folder, answer(question, 'first'));
    const late = await drop(folder, answer(question, 'second'));
    await deliver(folder, say('now'), { now });
    assert.deepEqual(
      eventsOf(folder).map(({ kind }) => kind),
      ['session', 'ask', 'answer', 'notice', 'input'],
    );
    assert.deepEqual(readdirSync(join(folder, 'inbox', 'rejected')), [late]);
  });

  test('of one’s own that comes second to one that waited is refused', async (t) => {
    const { folder, events } = await closedSession(t, [ask]);
    const question = events[0]!.id;
    await drop(folder, answer(question, 'first'));
    await assert.rejects(deliver(folder, answer(question, 'second'), { now }), { code: 'already-answered' });
    assert.deepEqual(
      eventsOf(folder).map(({ kind }) => kind),
      ['session', 'ask', 'answer'],
    );
    assert.deepEqual(inboxOf(folder), []);
  });
});

test('a message for a session that is held is left for its holder', async (t) => {
  const { state, id, folder } = await closedSession(t);
  const session = await reopen(t, state, id);
  const delivered = await deliver(folder, say('for you'), { now });
  assert.ok('left' in delivered);
  assert.equal(delivered.holder, process.pid);
  assert.deepEqual(inboxOf(folder), [delivered.left]);
  assert.equal(eventsOf(folder).length, 2);
  const { deliveries } = await session.inbox.drain(() => false);
  assert.deepEqual(
    deliveries.map(({ message }) => message),
    [say('for you')],
  );
});

test('a title waits for whoever holds the session, and becomes the event', async (t) => {
  const { session } = await newSession(t);
  const message: InboxMessage = { kind: 'title', data: { text: 'The parser', by: 'reins title' } };
  const delivered = await deliver(session.folder, message, { now });
  assert.ok('left' in delivered);
  const { deliveries } = await session.inbox.drain(() => false);
  assert.deepEqual(
    deliveries.map((each) => draftOf(each.message, each.name)),
    [{ kind: 'title', data: { ...message.data, message: delivered.left } }],
  );
});

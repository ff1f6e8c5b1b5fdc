import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { messagesOf, run, type EventData } from '../../src/core/index.ts';
import { manualClock, scriptedCalls, scriptedModel, type MemoryLog, type Turn } from '../../src/testing/index.ts';
import { echo, kinds, open } from './drive.ts';

const long = 'x'.repeat(5_000);
const call = (text: string) => ({ name: 'echo', arguments: { text } });
const overflow = (times: number) => [{ status: 413, times }];

const compactions = (log: MemoryLog): EventData['compaction'][] =>
  log.events.flatMap((event) => (event.kind === 'compaction' ? [event.data] : []));

/** Gives a long text, another one each time. */
const give = (n: number) => ({ name: 'give', arguments: { n } });

async function drive(turns: Turn[]) {
  const clock = manualClock(1_000_000, { auto: true });
  // What was replied before may not be in a request any more: turns are counted.
  const model = scriptedModel({ turns, position: 'count' }, { clock });
  const calls = scriptedCalls({ echo, give: ({ n }) => `${long}${Number(n)}` });
  const parts = await open({ model, clock, calls, input: 'go' });
  return { ...parts, end: await run(parts.loop) };
}

describe('a conversation that doesn’t fit', () => {
  test('goes on when old results are elided, and the newest stay', async () => {
    const { log, end, view } = await drive([
      { calls: [give(1)] },
      { calls: [give(2)] },
      { calls: [give(3), call('short')] },
      { text: 'done', failures: overflow(1) },
    ]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'completed', answer: 'done' } });
    const [compaction, ...more] = compactions(log);
    assert.ok(compaction !== undefined && more.length === 0);
    assert.equal(compaction.elided.length, 2);
    assert.equal(compaction.gist, undefined);
    assert.ok(compaction.after < compaction.before - 2_000, `${compaction.before} to ${compaction.after}`);
    const results = messagesOf(view).flatMap((message) =>
      message.parts.flatMap((part) => (part.type === 'result' ? [part.text] : [])),
    );
    assert.match(results[0] ?? '', /^\[Elided to make room: 5001 characters/);
    assert.deepEqual(results.slice(2), [`${long}3`, 'short']);
    // The whole of what is elided is held in the record alone.
    const held = JSON.stringify([...view.transcript.calls.values()]).split(long).length - 1;
    assert.equal(held, 1);
  });

  test('then older turns give way, then it stops with a code, and isn’t asked as it is again', async () => {
    const { log, end } = await drive([
      { calls: [give(1)] },
      { calls: [give(2)] },
      { calls: [give(3)] },
      { text: 'never', failures: overflow(9) },
    ]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'provider', code: 'context-overflow' } });
    assert.ok('stop' in end && end.stop.detail.includes('results of tools'));
    assert.equal(compactions(log).length, 2);
    assert.equal(kinds(log).filter((kind) => kind === 'failure').length, 3);
  });

  test('stops at once when nothing can be elided', async () => {
    const { log, end } = await drive([{ calls: [call('short')] }, { text: 'never', failures: overflow(9) }]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'provider', code: 'context-overflow' } });
    assert.deepEqual(compactions(log), []);
    assert.equal(kinds(log).filter((kind) => kind === 'failure').length, 1);
  });

  test('later in the session is a case of its own', async () => {
    const { log, end } = await drive([
      { calls: [give(1)] },
      { calls: [give(2)] },
      { calls: [give(3)], failures: overflow(1) },
      { calls: [give(4)] },
      { calls: [give(5)] },
      { text: 'done', failures: overflow(1) },
    ]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'completed' } });
    assert.ok(compactions(log).length >= 2);
  });

  test('is told by a reply that was cut by the window, too', async () => {
    const { log, end } = await drive([
      { calls: [give(1)] },
      { calls: [give(2)] },
      { calls: [call('short')] },
      { text: 'I beg', stop: 'overflow' },
      { text: 'done' },
    ]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'completed', answer: 'done' } });
    assert.equal(compactions(log).length, 1);
    const notes = log.events.flatMap((event) => (event.kind === 'input' ? [event.data.code] : []));
    assert.deepEqual(notes, [undefined, 'reply-overflow']);
  });

  test('is told by a reply again and again: stops', async () => {
    const { log, end } = await drive([
      { calls: [give(1)] },
      { calls: [give(2)] },
      { calls: [call('short')] },
      { text: 'I beg', stop: 'overflow', repeat: 'forever' },
    ]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'provider', code: 'context-overflow' } });
    assert.ok(compactions(log).length <= 2);
  });
});

test('a compaction is the same after the log is read again', async () => {
  const turns: Turn[] = [{ calls: [call(long)] }, { calls: [call('b')] }, { text: 'done', failures: overflow(1) }];
  const { log, view } = await drive(turns);
  const again = await open({ turns, log });
  assert.deepEqual(messagesOf(again.view), messagesOf(view));
});

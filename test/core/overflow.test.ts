import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { messagesOf, run, type EventData } from '../../src/core/index.ts';
import type { MemoryLog, Turn } from '../../src/testing/index.ts';
import { kinds, open } from './drive.ts';

const long = 'x'.repeat(5_000);
const call = (text: string) => ({ name: 'echo', arguments: { text } });
const overflow = (times: number) => [{ status: 413, times }];

const compactions = (log: MemoryLog): EventData['compaction'][] =>
  log.events.flatMap((event) => (event.kind === 'compaction' ? [event.data] : []));

async function drive(turns: Turn[]) {
  const parts = await open({ turns, input: 'go' });
  return { ...parts, end: await run(parts.loop) };
}

describe('a conversation that doesn’t fit', () => {
  test('goes on when old results are elided, and the newest stay', async () => {
    const { log, end, view } = await drive([
      { calls: [call(long)] },
      { calls: [call(`${long}!`), call('short')] },
      { text: 'done', failures: overflow(1) },
    ]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'completed', answer: 'done' } });
    const [compaction, ...more] = compactions(log);
    assert.ok(compaction !== undefined && more.length === 0);
    assert.equal(compaction.elided.length, 1);
    assert.ok(compaction.after < compaction.before - 1_000, `${compaction.before} to ${compaction.after}`);
    const results = messagesOf(view).flatMap((message) =>
      message.parts.flatMap((part) => (part.type === 'result' ? [part.text] : [])),
    );
    assert.match(results[0] ?? '', /^\[Elided to make room: 5000 characters/);
    assert.deepEqual(results.slice(1), [`${long}!`, 'short']);
  });

  test('stops with a code when that wasn’t enough, and isn’t asked as it is again', async () => {
    const { log, end } = await drive([
      { calls: [call(long)] },
      { calls: [call(long)] },
      { text: 'never', failures: overflow(9) },
    ]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'provider', code: 'context-overflow' } });
    assert.equal(compactions(log).length, 1);
    assert.equal(kinds(log).filter((kind) => kind === 'failure').length, 2);
  });

  test('stops at once when nothing can be elided', async () => {
    const { log, end } = await drive([{ calls: [call('short')] }, { text: 'never', failures: overflow(9) }]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'provider', code: 'context-overflow' } });
    assert.deepEqual(compactions(log), []);
    assert.equal(kinds(log).filter((kind) => kind === 'failure').length, 1);
  });

  test('later in the session is a case of its own', async () => {
    const { log, end } = await drive([
      { calls: [call(long)] },
      { calls: [call(long)], failures: [] },
      { calls: [call(long)], failures: overflow(1) },
      { text: 'done', failures: overflow(1) },
    ]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'completed' } });
    assert.equal(compactions(log).length, 2);
  });

  test('is told by a reply that was cut by the window, too', async () => {
    const { log, end } = await drive([
      { calls: [call(long)] },
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
      { calls: [call(long)] },
      { calls: [call('short')] },
      { text: 'I beg', stop: 'overflow', repeat: 'forever' },
    ]);
    assert.partialDeepStrictEqual(end, { stop: { reason: 'provider', code: 'context-overflow' } });
    assert.equal(compactions(log).length, 1);
  });
});

test('a compaction is the same after the log is read again', async () => {
  const turns: Turn[] = [{ calls: [call(long)] }, { calls: [call('b')] }, { text: 'done', failures: overflow(1) }];
  const { log, view } = await drive(turns);
  const again = await open({ turns, log });
  assert.deepEqual(messagesOf(again.view), messagesOf(view));
});

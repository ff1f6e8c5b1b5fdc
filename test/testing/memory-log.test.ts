import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Draft, EventId, Log } from '../../src/core/index.ts';
import { failingLog, memoryLog } from '../../src/testing/index.ts';
import { testLogContract } from '../contracts/log.ts';

testLogContract('memoryLog', () => {
  const log = memoryLog();
  return { log, read: () => [...log.events], close: () => undefined };
});

const note = (text: string): Draft => ({ kind: 'input', data: { from: 'user', text } });
const append = (log: Log, text: string, parent: EventId | null = null) => log.append({ parent, at: 5, ...note(text) });

test('events get ids that grow and hang on events that are there', async () => {
  const log = memoryLog();
  const first = await append(log, 'a');
  const second = await append(log, 'b', first.id);
  assert.ok(second.id > first.id);
  assert.deepEqual(log.events, [first, second]);
  assert.deepEqual(second, { id: second.id, parent: first.id, at: 5, ...note('b') });
  await assert.rejects(append(log, 'c', 'nowhere'), /no event nowhere/);
  assert.equal(log.events.length, 2);
});

test('what was appended is what a file would hold, and can’t be changed', async () => {
  const log = memoryLog();
  const data = { from: 'user' as const, text: 'a', code: undefined as never };
  const event = await log.append({ parent: null, at: 1, kind: 'input', data });
  data.text = 'b';
  assert.deepEqual(event.data, { from: 'user', text: 'a' });
  assert.throws(() => Object.assign(event.data, { text: 'c' }), TypeError);
});

test('a log goes on from earlier events, whatever their ids', async () => {
  const earlier = memoryLog();
  const first = await append(earlier, 'a');
  const foreign = { ...first, id: 'zz-9' };
  const log = memoryLog([first, foreign]);
  const next = await append(log, 'b', foreign.id);
  const last = await append(log, 'c', next.id);
  assert.ok(next.id > foreign.id && last.id > next.id);
  const resumed = await append(memoryLog(log.events), 'd', last.id);
  assert.ok(resumed.id > last.id);
});

test('sync covers what is there', async () => {
  const log = memoryLog();
  await append(log, 'a');
  assert.equal(log.synced, 0);
  await log.sync();
  assert.equal(log.synced, 1);
});

test('a failing log fails on the Nth append and ever after', async () => {
  const inner = memoryLog();
  const log = failingLog(inner, { failAt: 2 });
  await append(log, 'a');
  await assert.rejects(append(log, 'b'), { code: 'ENOSPC' });
  await assert.rejects(append(log, 'c'), { code: 'ENOSPC' });
  await assert.rejects(log.sync(), { code: 'ENOSPC' });
  assert.deepEqual(
    inner.events.map((event) => event.data),
    [note('a').data],
  );
});

test('the event that fails may have been written all the same', async () => {
  const inner = memoryLog();
  const error = new Error('power lost');
  const log = failingLog(inner, { failAt: 1, written: true, error });
  await assert.rejects(append(log, 'a'), error);
  await assert.rejects(append(log, 'b'), error);
  assert.equal(inner.events.length, 1);
});

test('a failing sync fails what follows', async () => {
  const inner = memoryLog();
  const log = failingLog(inner, { failSyncAt: 2 });
  await append(log, 'a');
  await log.sync();
  await assert.rejects(log.sync(), { code: 'ENOSPC' });
  await assert.rejects(append(log, 'b'), { code: 'ENOSPC' });
  assert.equal(inner.synced, 1);
});

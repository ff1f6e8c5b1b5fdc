import assert from 'node:assert/strict';
import { appendFileSync, truncateSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Damage, Event } from '../../src/core/index.ts';
import { follow } from '../../src/session/index.ts';
import { appendAll, eventsOf, input, newSession } from './sessions.ts';

describe('following a log', () => {
  test('gives what is there, then what comes, until it is told to end', async (t) => {
    const { session } = await newSession(t);
    await appendAll(session, [input('one')]);
    const controller = new AbortController();
    t.after(() => controller.abort());
    const seen: (Event | Damage)[] = [];
    for await (const item of follow(session.folder, controller.signal)) {
      seen.push(item);
      if (seen.length === 2) await appendAll(session, [input('two')]);
      if (seen.length === 3) queueMicrotask(() => void appendAll(session, [input('x'.repeat(200_000))]));
      if (seen.length === 4) controller.abort();
    }
    assert.deepEqual(seen, eventsOf(session.folder));
  });

  test('waits for the rest of a half-written line', async (t) => {
    const { session, file } = await newSession(t);
    const [event] = await appendAll(session, [input('whole')]);
    const line = JSON.stringify({ ...event, id: 'later', prev: null });
    const controller = new AbortController();
    t.after(() => controller.abort());
    const following = follow(session.folder, controller.signal);
    for (let count = 0; count < 2; count += 1) await following.next();
    appendFileSync(file, line.slice(0, 40));
    const next = following.next();
    await appendLater(file, `${line.slice(40)}\n`);
    assert.deepEqual((await next).value, { ...event, id: 'later' });
    const last = following.next();
    controller.abort();
    assert.deepEqual(await last, { done: true, value: undefined });
  });

  test('names a log that isn’t there, and one that became shorter', async (t) => {
    const { session, file } = await newSession(t);
    const controller = new AbortController();
    t.after(() => controller.abort());
    const { signal } = controller;
    await assert.rejects(follow(`${session.folder}x`, signal).next(), { code: 'session-missing' });
    const following = follow(session.folder, signal);
    await following.next();
    truncateSync(file, 5);
    await assert.rejects(following.next(), { code: 'log-unreadable' });
  });

  test('ends at once with a signal that is aborted already', async (t) => {
    const { session } = await newSession(t);
    assert.deepEqual(await follow(session.folder, AbortSignal.abort()).next(), { done: true, value: undefined });
  });
});

/** Appends after the reader had its chance to see what was there before. */
async function appendLater(file: string, text: string): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  appendFileSync(file, text);
}

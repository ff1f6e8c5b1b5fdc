import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import {
  forkSession,
  listSessions,
  pruneSessions,
  titleSession,
  undoSession,
  type PruneOptions,
} from '../../src/harness/index.ts';
import type { Draft } from '../../src/core/index.ts';
import { createSession, openSession, sessionFolder } from '../../src/session/index.ts';
import { input, start, temporaryState } from '../session/sessions.ts';
import { shell } from '../support/calls.ts';
import { undoGround } from './undo-ground.ts';

const day = 24 * 3_600_000;
const stop: Draft = { kind: 'stop', data: { reason: 'completed', detail: '' } };
const result = (blob: string): Draft => ({
  kind: 'result',
  data: { call: 'a/0', tool: 'x', outcome: 'ok', text: '', blob },
});

function ground(t: TestContext) {
  const home = temporaryState(t);
  const env = { XDG_STATE_HOME: home };
  const state = join(home, 'reins');
  /** A session that was last used so many days after the first. */
  const session = async (days: number, drafts: Draft[], { workspace = '/w', blob = '' } = {}): Promise<string> => {
    const at = start.at + days * day;
    const made = await createSession(state, { ...start, workspace, at });
    const name = blob === '' ? undefined : await made.blobs.put(Buffer.from(blob));
    let parent = made.skeleton.head;
    for (const draft of [input('task'), ...(name === undefined ? [] : [result(name)]), ...drafts]) {
      ({ id: parent } = await made.append({ parent, at, ...draft }));
    }
    await made.close();
    return made.id;
  };
  const prune = async (options: PruneOptions) => {
    const dry = await pruneSessions(env, { ...options, dryRun: true });
    const wet = await pruneSessions(env, options);
    assert.deepEqual({ ...dry, dryRun: false }, wet, 'the dry run says what is done');
    return wet;
  };
  const left = async () => (await listSessions(env)).map(({ id }) => id);
  return { env, state, session, prune, left };
}

describe('what goes', () => {
  test('is what is older, beyond the newest of each workspace, or too much; the oldest first', async (t) => {
    const { env, session, prune, left } = ground(t);
    const ids: string[] = [];
    for (const days of [0, 1, 2, 3]) ids.push(await session(days, [stop]));
    const other = await session(0, [stop], { workspace: '/v' });
    assert.deepEqual(
      (await prune({ before: start.at + day / 2, workspace: '/w' })).removed.map((each) => each.session),
      [ids[0]],
    );
    assert.deepEqual(await left(), [...ids.slice(1), other].toSorted());
    const kept = await prune({ keep: 2 });
    assert.deepEqual([kept.removed.map((each) => each.session), kept.kept.new], [[ids[1]], 3]);
    assert.deepEqual((await prune({ before: start.at + 10 * day, keep: 2 })).removed, []);
    assert.deepEqual((await prune({ quota: 1_000_000 })).removed, []);
    const all = await pruneSessions(env, { quota: 0, dryRun: true });
    const most = all.freed.logs + all.freed.blobs;
    assert.deepEqual(
      (await prune({ quota: most - 1 })).removed.map((each) => each.session),
      [other],
    );
    assert.deepEqual(
      (await prune({ quota: 0 })).removed.map((each) => each.session),
      [ids[2], ids[3]],
    );
    assert.deepEqual(await left(), []);
    await assert.rejects(pruneSessions(env, {}), { code: 'usage-arguments' });
  });

  test('is never one that runs, waits, or has a name', async (t) => {
    const { env, state, session, prune, left } = ground(t);
    const running = await session(0, []);
    const held = await openSession(state, running);
    t.after(() => held.close());
    const waiting = await session(0, [{ kind: 'stop', data: { reason: 'waiting', detail: '' } }]);
    const ask: Draft = { kind: 'ask', data: { call: 'a/0', tool: 'shell', question: 'May I?' } };
    const asked = await session(0, [ask]);
    const named = await session(0, [stop, { kind: 'title', data: { text: 'keep me', by: 't' } }]);
    const unnamed = await session(0, [
      { kind: 'title', data: { text: 'x', by: 't' } },
      { kind: 'title', data: { text: '', by: 't' } },
    ]);
    const done = await session(0, [
      ask,
      { kind: 'answer', data: { ask: 'x', by: 't', decision: 'no', scope: 'once' } },
    ]);
    const report = await prune({ keep: 0 });
    assert.deepEqual(report.removed.map((each) => each.session).toSorted(), [done, unnamed].toSorted());
    assert.deepEqual(report.kept, { running: 1, waiting: 2, named: 1, new: 0 });
    assert.deepEqual(await left(), [running, waiting, asked, named].toSorted());
    await held.close();
    assert.deepEqual(
      (await pruneSessions(env, { keep: 0 })).removed.map((each) => each.session),
      [running],
    );
  });

  test('frees a blob when the last session that has it goes', async (t) => {
    const { env, session, prune, state } = ground(t);
    const text = 'b'.repeat(5000);
    const id = await session(0, [stop], { blob: text });
    const forked = await forkSession(env, id);
    const first = await prune({ before: start.at + day });
    assert.deepEqual([first.removed.map((each) => each.session), first.freed.blobs], [[id], 0]);
    const [blob = ''] = readdirSync(join(sessionFolder(state, forked), 'blobs'));
    assert.equal(readFileSync(join(sessionFolder(state, forked), 'blobs', blob), 'utf8'), text);
    const second = await prune({ keep: 0 });
    assert.deepEqual([second.removed.map((each) => each.session), second.freed.blobs], [[forked], 5000]);
  });

  test('is also what was cut off while it was made or removed, a day later, and nothing of somebody else', async (t) => {
    const { state, session, prune } = ground(t);
    await session(0, [stop]);
    const place = (name: string, at: number) => {
      const folder = join(state, 'sessions', name);
      mkdirSync(folder);
      utimesSync(folder, at / 1000, at / 1000);
      return folder;
    };
    const old = place('.20260101-000000-abcdef', Date.now() - 2 * day);
    const young = place('.20260101-000000-abcdeg', Date.now());
    const foreign = place('.somebody', Date.now() - 2 * day);
    assert.equal((await prune({ keep: 5 })).leftovers, 1);
    assert.deepEqual(
      [old, young, foreign].map((folder) => existsSync(folder)),
      [false, true, true],
    );
  });
});

test('snapshots go with the last session that may need them: a fork can take back what its origin did', async (context) => {
  const place = await undoGround(context);
  const { env } = place;
  place.put('a.txt', `${'before'.repeat(2000)}\n`);
  const run = await place.work([{ calls: [shell('echo after > a.txt')] }]);
  // By way of another fork, which goes with its origin.
  const between = await forkSession(env, run.session);
  const forked = await forkSession(env, between);
  await pruneSessions(env, { keep: 0, dryRun: true });
  await titleSession(env, forked, 'the last');
  const report = await pruneSessions(env, { keep: 0 });
  const gone = report.removed.map(({ session }) => session).toSorted();
  assert.deepEqual([gone, report.freed.snapshots], [[run.session, between].toSorted(), 0]);
  await undoSession(env, forked);
  assert.equal(place.text('a.txt'), `${'before'.repeat(2000)}\n`);
  await titleSession(env, forked, '');
  const foretold = await pruneSessions(env, { keep: 0, dryRun: true });
  const last = await pruneSessions(env, { keep: 0 });
  assert.deepEqual(foretold.freed, last.freed);
  assert.deepEqual(
    last.removed.map(({ session }) => session),
    [forked],
  );
  assert.ok(last.freed.snapshots > 0, 'what its origin had taken goes with it');
  const kept = readdirSync(join(env.HOME ?? '', '.local/state/reins/checkpoints'), {
    recursive: true,
    encoding: 'utf8',
  });
  assert.deepEqual(
    kept.filter((path) => /objects\/\w\w\/|\.pack$|manifest$/.test(path)),
    [],
  );
});

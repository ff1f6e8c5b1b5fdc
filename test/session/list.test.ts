import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createSession, latest, list, type Session } from '../../src/session/index.ts';
import { appendAll, input, newSession, start, temporaryState } from './sessions.ts';

describe('the list of sessions', () => {
  test('is empty where there are none', (t) => {
    assert.deepEqual(list(temporaryState(t)), []);
  });

  test('tells of each what it is about, how it ended and whether it runs', async (t) => {
    const { state, session } = await newSession(t);
    await appendAll(session, [
      { kind: 'input', data: { from: 'harness', text: 'a note' } },
      input(`Fix it.${'x'.repeat(300)}`),
      { kind: 'stop', data: { reason: 'limit', code: 'limit-turns', detail: 'Out of turns.' } },
    ]);
    const summary = {
      id: session.id,
      folder: session.folder,
      workspace: '/work/space',
      input: `Fix it.${'x'.repeat(193)}`,
      start: start.at,
      last: start.at + 2,
      stop: { reason: 'limit', code: 'limit-turns', detail: 'Out of turns.' },
      damage: [],
    };
    assert.deepEqual(list(state), [{ ...summary, running: true }]);
    await session.close();
    assert.deepEqual(list(state), [{ ...summary, running: false }]);
  });

  test('doesn’t take a stop for the last word when the session went on', async (t) => {
    const { state, session } = await newSession(t);
    await appendAll(session, [{ kind: 'stop', data: { reason: 'completed', detail: '' } }, input('more')]);
    assert.equal(list(state)[0]!.stop, undefined);
  });

  test('names what is damaged, and hides nothing', async (t) => {
    const state = temporaryState(t);
    const ids: string[] = [];
    for (const [index, damage] of [
      (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('session', 'sessiom')),
      (file: string) => rmSync(file),
      (file: string) => writeFileSync(file, ''),
      (file: string) => writeFileSync(file, '{"id":"half', { flag: 'a' }),
    ].entries()) {
      const { session, file } = await newSession(t, state).then(async (made) => {
        await made.session.close();
        return made;
      });
      damage(file);
      ids.push(session.id);
      assert.equal(ids.length, index + 1);
    }
    mkdirSync(join(state, 'sessions', '20250101-000000-empty0'));
    const found = new Map(list(state).map((summary) => [summary.id, summary]));
    assert.deepEqual([...found.keys()], ['20250101-000000-empty0', ...ids.toSorted()]);
    assert.match(found.get(ids[0]!)!.damage[0]!, /line 1: an event of the unknown kind "sessiom"/);
    assert.match(found.get(ids[1]!)!.damage[0]!, /There is no log/);
    assert.match(found.get(ids[2]!)!.damage[0]!, /empty/);
    assert.deepEqual(found.get(ids[3]!)!.damage, ['line 2: half a line']);
    assert.equal(found.get(ids[3]!)!.workspace, '/work/space');
  });
});

describe('the latest session is found', () => {
  test('as the one of a workspace that something was recorded in last', async (t) => {
    const state = temporaryState(t);
    const made: Session[] = [];
    for (const workspace of ['/a', '/a', '/b', '/a']) {
      const session = await createSession(state, { ...start, workspace });
      await session.close();
      made.push(session);
    }
    const [early, late, other, broken] = made;
    const touch = (index: number, seconds: number) =>
      utimesSync(join(made[index]!.folder, 'log.jsonl'), seconds, seconds);
    writeFileSync(join(broken!.folder, 'log.jsonl'), 'no log');
    for (const [index, seconds] of [2000, 1000, 3000, 4000].entries()) touch(index, seconds);
    assert.equal(latest(state, '/a'), early!.id);
    touch(1, 2500);
    assert.equal(latest(state, '/a'), late!.id);
    assert.equal(latest(state, '/b'), other!.id);
    assert.equal(latest(state, '/c'), undefined);
    assert.equal(latest(temporaryState(t), '/a'), undefined);
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { realpathSync } from 'node:fs';
import { createSession } from '../../src/harness/index.ts';
import { spent, useOfTree, type Draft } from '../../src/core/index.ts';
import { createSession as createLog } from '../../src/session/index.ts';
import { ground, type Ground } from './ground.ts';

const source = { wire: 'script', model: 'script' };
const request = (cost: number): Draft => ({
  kind: 'request',
  data: {
    turn: 1,
    attempt: 1,
    source,
    fingerprint: 'f',
    base: null,
    kept: 0,
    tail: '',
    bytes: 0,
    extends: true,
    reserved: { input: 1, output: 1, cost },
  },
});
const reply = (id: string, cost: number): Draft => ({
  kind: 'reply',
  data: { request: id, source, parts: [], stop: 'end', firstByte: 1, elapsed: 1, cost },
});

/** A log as a process that was killed left it: what `write` records, and no end. */
async function left(at: Ground, write: (record: (draft: Draft) => Promise<string>) => Promise<void>): Promise<string> {
  const state = join(at.env['HOME'] ?? '', '.local', 'state', 'reins');
  const workspace = realpathSync(at.workspace);
  const log = await createLog(state, { workspace, reins: '0.0.0', at: 1 });
  let parent = log.skeleton.head;
  await write(async (draft) => {
    const event = await log.append({ parent, at: 2, ...draft });
    parent = event.id;
    return event.id;
  });
  await log.close();
  return log.id;
}

test('a session that is taken up again after a crash counts what its children had used, at any depth, and what was out', async (t) => {
  const model = join(realpathSync('test/scenarios'), 'keeps-line-ends', 'scenario.json');
  const at = await ground(t);
  const grandchild = await left(at, async (record) => {
    await record(reply(await record(request(0.5)), 0.2));
    await record(request(0.3)); // No answer came.
  });
  const child = await left(at, async (record) => {
    await record({ kind: 'child', data: { session: grandchild } });
    await record(reply(await record(request(0.5)), 0.1));
  });
  const ended = await left(at, (record) => record(request(5)).then(() => undefined));
  const root = await left(at, async (record) => {
    await record({ kind: 'child', data: { session: child } });
    await record({ kind: 'child', data: { session: ended } });
    await record({ kind: 'child-end', data: { session: ended, cost: 0.4, turns: 1, calls: 0 } });
  });
  const lost = await left(at, (record) => record({ kind: 'child', data: { session: 'gone' } }).then(() => undefined));
  const open = (resume: string) =>
    createSession({ ...at, resume, settings: { mode: 'plan', model: `script:${model}` } });
  const session = await open(root);
  assert.ok(Math.abs(spent(session.view.ledger) - 1) < 1e-9, `${spent(session.view.ledger)}`);
  assert.equal(useOfTree(session.view.ledger).turns, 3);
  assert.ok(!session.view.ledger.costUnknown);
  await session.close();
  const unknown = await open(lost);
  assert.ok(unknown.view.ledger.costUnknown);
  await unknown.close();
});

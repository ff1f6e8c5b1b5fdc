import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadGrants, revokeGrant, saveGrant } from '../../src/config/index.ts';
import { createSetting } from './places.ts';

test('grants are kept for a workspace, in order, each once', (t) => {
  const { workspace, env, home } = createSetting(t);
  assert.deepEqual(loadGrants({ workspace, env }), { shapes: [], grants: [] });
  for (const shape of ['b *', 'a', 'b *', 'quotes "and"\nlines']) saveGrant({ workspace, env }, shape);
  const { shapes, grants, problem } = loadGrants({ workspace, env });
  assert.deepEqual(shapes, ['b *', 'a', 'quotes "and"\nlines']);
  assert.deepEqual([grants.map(({ shape }) => shape), problem], [shapes, undefined]);
  for (const { at } of grants) assert.match(at, /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(loadGrants({ workspace: home, env }), { shapes: [], grants: [] });
  const [file] = readdirSync(join(home, '.local/state/reins/grants'));
  assert.equal(statSync(join(home, '.local/state/reins/grants', file!)).mode & 0o777, 0o600);
});

test('the line of a process that died while it wrote costs no other grant', (t) => {
  const { workspace, env, home } = createSetting(t);
  saveGrant({ workspace, env }, 'before');
  const folder = join(home, '.local/state/reins/grants');
  appendFileSync(join(folder, readdirSync(folder)[0]!), '\n{"workspace":"x","sha');
  saveGrant({ workspace, env }, 'after');
  const { shapes, problem } = loadGrants({ workspace, env });
  assert.deepEqual(shapes, ['before', 'after']);
  assert.match(problem ?? '', /1 damaged line/);
});

test('grants that came with the repository do not count', (t) => {
  const setting = createSetting(t);
  const env = { ...setting.env, XDG_STATE_HOME: join(setting.workspace, 'state') };
  saveGrant({ workspace: setting.workspace, env }, 'anything');
  const { shapes, problem } = loadGrants({ workspace: setting.workspace, env });
  assert.deepEqual(shapes, []);
  assert.match(problem ?? '', /inside the workspace/);
});

test('a shape that is blank or far too long is refused', (t) => {
  const { workspace, env } = createSetting(t);
  assert.throws(() => saveGrant({ workspace, env }, ' '), { code: 'usage-arguments' });
  assert.throws(() => saveGrant({ workspace, env }, 'x'.repeat(2001)), { code: 'usage-arguments' });
  saveGrant({ workspace, env }, 'x'.repeat(2000));
});

test('what is taken back is gone, can be granted again, and costs no other grant', (t) => {
  const place = createSetting(t);
  for (const shape of ['a', 'b', 'c']) saveGrant(place, shape);
  revokeGrant(place, 'b');
  revokeGrant(place, 'never granted');
  assert.deepEqual(loadGrants(place).shapes, ['a', 'c']);
  saveGrant(place, 'b');
  assert.deepEqual(loadGrants(place).shapes, ['a', 'c', 'b']);
});

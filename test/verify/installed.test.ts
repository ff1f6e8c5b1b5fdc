import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { changedSince } from '../../src/verify/tampering/installed.ts';
import { Repository } from './repository.ts';

const mark = 'node_modules/.package-lock.json';
const program = 'node_modules/.bin/vitest';

function changed(t: TestContext, writes: readonly string[], ran: readonly string[], since = 0): string[] {
  const workspace = new Repository(t);
  let last = 0;
  for (const path of writes) {
    // The system's clock of files is coarse: each is to be later than the one before.
    const at = (): number => statSync(join(workspace.root, path)).ctimeMs;
    for (workspace.write(path, 'x'); at() <= last;) workspace.write(path, 'y');
    last = at();
  }
  const places = { workspace: workspace.root, searchPath: process.env['PATH'] ?? '' };
  return changedSince(['npx vitest run'], { since, ran }, places);
}

test('an installed program that the task changed counts, unless an installation of its own did', (t) => {
  const later = Date.now() + 60_000;
  assert.deepEqual(changed(t, [program], [], later), []);
  assert.deepEqual(changed(t, [program], []), [program]);
  for (const ran of ['npm ci', 'cd x && npm --silent install', 'pnpm i', 'yarn', 'yarn && ls', 'bun add vitest'])
    assert.deepEqual(changed(t, [program, mark], [ran]), [], ran);
  for (const ran of ['npm test', `touch ${mark}`, 'yarn test', 'npm ls', 'echo installed'])
    assert.deepEqual(changed(t, [program, mark], [ran]), [program], ran);
  assert.deepEqual(changed(t, [mark, program], ['npm ci']), [program]);
  assert.deepEqual(changed(t, ['node_modules/.bin/sh', mark], ['npm ci']), ['node_modules/.bin/sh']);
});

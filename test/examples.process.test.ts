import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');

async function runExample(t: TestContext, name: string): Promise<{ stdout: string; stderr: string }> {
  const home = mkdtempSync(join(tmpdir(), 'reins-example-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], HOME: home };
  const file = join(root, 'examples', name, 'main.ts');
  return promisify(execFile)(process.execPath, ['--conditions=reins-source', file], { env, cwd: root });
}

test('an embedder’s own tool is used, in under 40 lines', async (t) => {
  const { stdout, stderr } = await runExample(t, 'embed');
  assert.equal(stdout, 'It is sunny in Lisbon.\n');
  assert.match(stderr, /request\n(.*\n)*reply\nverdict\nstart\nresult\nrequest\n(.*\n)*stop\n/);
  assert.ok(readFileSync(join(root, 'examples/embed/main.ts'), 'utf8').split('\n').length < 40);
});

test('a whole session is driven item by item', async (t) => {
  const { stdout, stderr } = await runExample(t, 'step');
  assert.equal(stdout, 'This program drives a session by hand.\n');
  const items = stderr.match(/^(ask-model|run-call)/gm);
  assert.deepEqual(items, ['ask-model', 'run-call', 'ask-model']);
});

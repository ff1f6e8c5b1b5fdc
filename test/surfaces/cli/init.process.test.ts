import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { linesOf, openBench } from './command-line.ts';

test('init shows before it writes, writes only what is not there, and trusts what it wrote', async (context) => {
  const bench = openBench(context);
  const { workspace } = bench;
  bench.file('package.json', JSON.stringify({ scripts: { test: 'node --test' } }));
  const settings = join(workspace, '.reins', 'settings.json');

  for (const words of [['init'], ['init', '--dry-run'], ['init', '--json']]) {
    const shown = await bench.reins(words);
    assert.equal(shown.exit, 0, shown.err);
    assert.match(shown.out, /npm test/);
    assert.equal(existsSync(join(workspace, '.reins')), false);
  }

  const written = await bench.reins(['init', '--yes']);
  assert.equal(written.exit, 0, written.err);
  assert.match(written.out, /settings\.json:\n[^]*npm test[^]*Written: /);
  assert.deepEqual(JSON.parse(readFileSync(settings, 'utf8')), { checks: [{ command: 'npm test' }] });
  assert.match(readFileSync(join(workspace, 'AGENTS.md'), 'utf8'), /npm test/);
  assert.equal((await bench.reins(['trust', '--show'])).exit, 0);

  bench.file('AGENTS.md', 'mine\n');
  bench.file('.reins/settings.json', '{}');
  const again = await bench.reins(['init', '--yes', '--json']);
  assert.partialDeepStrictEqual(linesOf(again.out)[0], { written: [] });
  assert.equal(readFileSync(join(workspace, 'AGENTS.md'), 'utf8'), 'mine\n');
  assert.equal(readFileSync(settings, 'utf8'), '{}');
  assert.equal((await bench.reins(['trust', '--show'])).exit, 1);
  assert.equal((await bench.reins(['init', '--yes', '--dry-run'])).exit, 2);
});

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBench } from './command-line.ts';

test('a map is printed, with what is left out and why, and nothing of what may not be read', async (t) => {
  const bench = openBench(t);
  const write = (path: string, text: string): void => writeFileSync(join(bench.workspace, path), text);
  mkdirSync(join(bench.workspace, '.reins'), { recursive: true });
  write('.reins/settings.json', JSON.stringify({ deny: ['read(closed/**)'] }));
  mkdirSync(join(bench.workspace, 'closed'));
  write('closed/inner.ts', 'export function closedThing() {}\n');
  write('.env.ts', 'export const envThing = 1;\n');
  write('store.ts', 'export function openStore(a = "\u001b[31m") {}\n');
  write('user.ts', "import { openStore } from './store.ts';\nexport const useStore = () => openStore();\n");
  write('packed.js', `var packed = [${'1,'.repeat(4_000)}];\n`);
  const shown = await bench.reins(['map', 'openStore', '--tokens', '200']);
  assert.equal(shown.exit, 0);
  assert.match(
    shown.out,
    /^store\.ts\n 1: export function openStore\(a = "[^\u001b]+"\)\nuser\.ts\n 2: export const useStore = \(\)$/m,
  );
  assert.match(shown.err, /^\d of \d symbols, \d of \d files; about \d+ of 200 tokens\.$/m);
  assert.match(shown.err, /^left out, lines as machines write them: 1 \(packed\.js\)$/m);
  assert.match(shown.err, /^left out, may not be read: 2$/m);
  assert.doesNotMatch(shown.out + shown.err, /closed|env/);
  const { out } = await bench.reins(['map', '--path', join(bench.workspace, 'user.ts'), '--json']);
  const { paths, budget, anew } = JSON.parse(out) as { paths: string[]; budget: number; anew: number };
  assert.deepEqual([paths.includes('user.ts'), budget, anew < 5], [true, 1024, true]);
  const outside = await bench.reins(['map', '--path', join(bench.workspace, '..', 'other')]);
  assert.deepEqual([outside.exit, outside.out], [2, '']);
  assert.match(outside.err, /--path "[^"]*other" is outside of the workspace /);
  assert.ok(!readdirSync(bench.workspace).some((name) => name.includes('map')));
});

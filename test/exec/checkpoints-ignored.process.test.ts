import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { openStore, write } from './checkpoints-bench.ts';
import { git, makeFolder } from './workbench.ts';

const names = ['a', 'b', 'ab', 'a.b', '.a', 'a b', 'A', '#a', '!b', 'aab', '[a]', 'a\\b', 'aé'];
const folders = ['', 'a/', 'b/', 'a/b/', 'ab/a/', 'b/a/b/', '.a/'];

/** Patterns as people write them, and as nobody would. */
const piece = fc.constantFrom(
  'a',
  'b',
  'ab',
  '.',
  '*',
  '?',
  '**',
  '/',
  '[ab]',
  '[!a]',
  '[^b]',
  '[a-b]',
  '[]a]',
  '[[:alpha:]]',
  '[a',
  '\\a',
  '\\',
  ' ',
  '\\ ',
  '#',
  'é',
  'A',
);
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '!', '/', '\\!', '**/'),
    fc.array(piece, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('', '', '/', '/**', ' ', '\r'),
  )
  .map(([start, middle, end]) => start + middle.join('') + end)
  // Git itself takes an escaped slash for one thing here and for another there.
  .filter((text) => !text.includes('\\/'));
const patterns = fc.array(pattern, { maxLength: 5 });

test('what counts as ignored is what Git ignores', { timeout: 110_000 }, async (t) => {
  const root = makeFolder(t);
  git(root, 'init', '-q', '-b', 'main');
  for (const folder of folders)
    for (const name of names) {
      if (!folders.includes(`${folder}${name}/`) && !['a', 'b', 'ab', '.a'].includes(name))
        write(root, folder + name, 'x');
      else if (!folders.some((other) => other.startsWith(`${folder}${name}/`))) write(root, folder + name, 'x');
    }
  const store = openStore(t, root, { ignoredBytes: { each: 0, all: 0 } });
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('.git'));
  const rules = fc.record({
    top: patterns,
    inner: patterns,
    exclude: patterns,
    tracked: fc.array(fc.constantFrom(...all), { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(rules, async ({ top, inner, exclude, tracked }) => {
      write(root, '.gitignore', top.join('\n'));
      write(root, 'a/.gitignore', inner.join('\n'));
      write(root, '.git/info/exclude', `${exclude.join('\n')}\n`);
      rmSync(join(root, '.git/index'), { force: true });
      for (const path of tracked) git(root, '--literal-pathspecs', 'add', '-f', '--', path);
      const listed = git(root, 'ls-files', '--others', '--ignored', '--exclude-standard', '-z').split('\0');
      const expected = listed.filter((path) => path !== '' && !path.endsWith('.gitignore')).toSorted();
      const { missing } = await store.take();
      const found = missing.map(({ path }) => path).filter((path) => !path.endsWith('.gitignore'));
      assert.deepEqual(found.toSorted(), expected);
    }),
    { numRuns: 40 },
  );
});

test('a hostile pattern takes no more time than any other', async (t) => {
  const root = makeFolder(t, { [`${'a'.repeat(200)}.txt`]: 'x', [`${'a/'.repeat(60)}b`]: 'x' });
  git(root, 'init', '-q');
  write(
    root,
    '.gitignore',
    `${'*a'.repeat(100)}c\n${'**/'.repeat(50)}${'a*'.repeat(50)}/c\n${'[[:alpha:]]*'.repeat(60)}z\n${'a'.repeat(900_000)}\n`,
  );
  const store = openStore(t, root);
  const began = performance.now();
  await store.take();
  assert.ok(performance.now() - began < 5_000);
});

/** What Git makes of an index, and what is read of it without Git. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createGitFacts } from '../../src/exec/index.ts';
import { makeFolder } from './workbench.ts';

const environment = { PATH: process.env['PATH'], HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1' };
function git(folder: string, ...words: string[]): void {
  const own = ['-c', 'user.name=A', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...own, ...words], { cwd: folder, env: environment, stdio: 'ignore' });
}

const factsAt = (folder: string) =>
  createGitFacts({ home: '/nowhere', environment: { PATH: environment.PATH } })(folder);

/** A repository with another one in it, which its index names. */
function nested(root: string, format: 'sha1' | 'sha256'): string {
  const inner = join(root, 'deep/sub');
  mkdirSync(inner, { recursive: true });
  for (const folder of [root, inner]) git(folder, 'init', '-q', `--object-format=${format}`);
  writeFileSync(join(inner, 'f'), 'f');
  for (const name of ['a', 'deep/b', 'deep/sub-not', 'z'.repeat(200)]) writeFileSync(join(root, name), name);
  git(inner, 'add', '.');
  git(inner, 'commit', '-qm', 'inner');
  git(root, 'add', '.');
  return inner;
}

describe('a repository within a repository', () => {
  for (const format of ['sha1', 'sha256'] as const) {
    for (const version of ['2', '4'] as const) {
      test(`is found in an index of version ${version} with ${format}, and what it runs counts`, (t) => {
        const root = makeFolder(t);
        const inner = nested(root, format);
        git(root, 'update-index', '--index-version', version);
        assert.equal(factsAt(root).runs, undefined);
        git(inner, 'config', 'core.fsmonitor', 'touch x');
        assert.match(factsAt(root).runs ?? '', /^deep\/sub: core\.fsmonitor=touch x/);
      });
    }
  }

  test('is found with entries that have more flags, too', (t) => {
    const root = makeFolder(t);
    const inner = nested(root, 'sha1');
    git(root, 'update-index', '--skip-worktree', 'a');
    git(inner, 'config', 'filter.x.clean', 'touch x');
    assert.match(factsAt(root).runs ?? '', /^deep\/sub: filter\.x\.clean/);
  });

  test('can’t be ruled out where the index is damaged', (t) => {
    const root = makeFolder(t);
    nested(root, 'sha1');
    truncateSync(join(root, '.git/index'), 150);
    assert.match(factsAt(root).runs ?? '', /index can’t be read/);
  });

  test('of a clone without all objects is said to fetch', (t) => {
    const root = makeFolder(t);
    git(root, 'init', '-q');
    git(root, 'config', 'remote.origin.promisor', 'true');
    assert.equal(factsAt(root).fetches, true);
  });
});

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createSearcher, type SearcherOptions } from '../../src/exec/index.ts';
import type { Found, SearchRequest } from '../../src/tools/index.ts';
import { makeFolder, pidsIn, until, write } from './workbench.ts';

const open = new AbortController().signal;
const child = fileURLToPath(new URL('./search-child.ts', import.meta.url));
const one: Found = { lines: ['a.txt:1:foo'], total: 1, files: 1 };

function search(
  workspace: string,
  request: Partial<SearchRequest> = {},
  options: Partial<SearcherOptions> = {},
  signal = open,
): Promise<Found | { refused: string }> {
  const searcher = createSearcher({ workspace, environment: {}, ...options });
  return searcher.search({ pattern: 'foo', path: workspace, limit: 100, ...request }, signal);
}

/** An executable script, outside of the workspace. */
function script(folder: string, name: string, text: string): string {
  write(join(folder, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, name), 0o755);
  return join(folder, name);
}

describe('which program searches', () => {
  /** Where the package with ripgrep isn't installed. */
  const withoutPackage = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name === '@vscode/ripgrep') throw new Error('not installed');
      return next(name, context);
    } });`)}`;

  function searchWithout(workspace: string, path: string): Found {
    const options = JSON.stringify({ environment: { PATH: path } });
    const output = execFileSync(process.execPath, ['--import', withoutPackage, child, workspace, options], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return JSON.parse(output) as Found;
  }

  async function fakeRipgrep(folder: string, name: string, version: string): Promise<string> {
    const { rgPath } = await import('@vscode/ripgrep');
    const log = join(folder, 'log');
    const told = `case "$*" in *--version*) echo "ripgrep ${version}"; exit;; esac`;
    return script(folder, name, `echo "$*" >> '${log}'\n${told}\nexec '${rgPath}' "$@"`);
  }

  test('without the package, a recent one in PATH', async (t) => {
    const workspace = makeFolder(t, { 'a.txt': 'foo' });
    const folder = makeFolder(t);
    await fakeRipgrep(folder, 'bin/rg', '15.2.0');
    assert.deepEqual(searchWithout(workspace, `${folder}/bin`), one);
    assert.match(readFileSync(join(folder, 'log'), 'utf8'), /--version\n[^]*--no-config .*--regexp=foo/);
  });

  test('an old one in PATH is not used', async (t) => {
    const workspace = makeFolder(t, { 'a.txt': 'foo' });
    const folder = makeFolder(t);
    await fakeRipgrep(folder, 'bin/rg', '13.0.0');
    assert.deepEqual(searchWithout(workspace, `${folder}/bin`), one);
    assert.equal(readFileSync(join(folder, 'log'), 'utf8'), '--no-config --version\n');
  });

  test('never one in the workspace', async (t) => {
    const workspace = makeFolder(t, { 'a.txt': 'foo' });
    const folder = makeFolder(t);
    await fakeRipgrep(folder, 'real', '15.0.0');
    script(join(workspace, 'bin'), 'rg', `touch '${folder}/ran'`);
    assert.deepEqual(searchWithout(workspace, `${workspace}/bin:bin`), one);
    assert.ok(!existsSync(join(folder, 'ran')));
  });

  test('one that can’t be started or dies is replaced by the own walk', async (t) => {
    const workspace = makeFolder(t, { 'a.txt': 'foo' });
    const folder = makeFolder(t, { 'no-program': 'x' });
    const dying = script(folder, 'dying', 'kill -9 $$');
    for (const program of [dying, join(folder, 'no-program'), join(folder, 'nothing')])
      assert.deepEqual(await search(workspace, {}, { program }), one, program);
  });
});

describe('what can’t change the answer', () => {
  test('settings of ripgrep and the user’s own ignore files', async (t) => {
    const home = makeFolder(t, { rc: '--files-with-matches\n--max-count=0\n', '.config/git/ignore': 'a.txt\n' });
    const workspace = makeFolder(t, { 'a.txt': 'foo', '.git/HEAD': '' });
    for (const program of [undefined, null]) {
      const options = program === null ? { program } : {};
      const output = execFileSync(process.execPath, [child, workspace, JSON.stringify(options)], {
        encoding: 'utf8',
        env: { HOME: home, RIPGREP_CONFIG_PATH: join(home, 'rc'), PATH: process.env['PATH'] },
      });
      assert.deepEqual(JSON.parse(output), one);
    }
  });

  test('patterns, globs and names that look like options', async (t) => {
    const workspace = makeFolder(t, { '--pre=touch ran': '--files\n', '-e': '--files\n' });
    for (const program of [undefined, null]) {
      const options = program === null ? { program } : {};
      assert.deepEqual(await search(workspace, { pattern: '--files' }, options), {
        lines: ['--pre=touch ran:1:--files', '-e:1:--files'],
        total: 2,
        files: 2,
      });
      assert.deepEqual(await search(workspace, { pattern: '-', glob: '-e' }, options), {
        lines: ['-e:1:--files'],
        total: 1,
        files: 1,
      });
      assert.partialDeepStrictEqual(await search(workspace, { type: '--pre' }, options), {
        refused: 'there is no file type "--pre"; use a glob instead, such as *.ext',
      });
    }
  });

  test('what can’t be looked at is named, and the rest is found', async (t) => {
    const workspace = makeFolder(t, { 'a.txt': 'foo', 'closed/b.txt': 'foo', 'c.txt': 'foo' });
    chmodSync(workspace, 0o755);
    chmodSync(join(workspace, 'closed'), 0);
    chmodSync(join(workspace, 'c.txt'), 0);
    const isRoot = process.getuid?.() === 0;
    const ask = (options: string) =>
      spawnSync(process.execPath, [child, workspace, options], {
        encoding: 'utf8',
        cwd: '/',
        env: {},
        // A superuser may look at everything.
        ...(isRoot && { uid: 65_534, gid: 65_534 }),
      });
    const answers = [ask('{}'), ask('{"program":null}')];
    chmodSync(join(workspace, 'closed'), 0o755);
    if (isRoot && answers[0]?.status !== 0) return t.skip('another user can’t read this folder');
    for (const result of answers) {
      assert.deepEqual(JSON.parse(result.stdout), {
        ...one,
        incomplete: 'can’t be looked at: c.txt (no permission), closed (no permission)',
      });
    }
  });
});

describe('an end in any case', () => {
  const engines: [string, Partial<SearcherOptions>][] = [
    ['ripgrep', {}],
    ['the own walk', { program: null }],
  ];
  // Twice as long with each further letter, for an engine that tries one way after the other.
  const endless = { pattern: '^(a|aa)+$', text: `${'a'.repeat(60)}b\n` };

  test('a pattern that would take for ever is ended at the time limit, and what was found is told', async (t) => {
    const workspace = makeFolder(t, { 'a.txt': 'aaa\n', 'b.txt': endless.text, 'c.txt': 'aaa\n' });
    const begin = performance.now();
    const found = await search(workspace, { pattern: endless.pattern }, { program: null, timeLimit: 4000 });
    assert.deepEqual(found, { lines: ['a.txt:1:aaa'], total: 1, files: 1, incomplete: 'stopped after 4 s' });
    assert.ok(performance.now() - begin < 20_000);
    // Ripgrep knows no such pattern.
    assert.partialDeepStrictEqual(await search(workspace, { pattern: endless.pattern }), { total: 2 });
  });

  test('a cancel ends such a pattern at once', async (t) => {
    const workspace = makeFolder(t, { 'b.txt': endless.text });
    const controller = new AbortController();
    const begin = performance.now();
    const answer = search(workspace, { pattern: endless.pattern }, { program: null }, controller.signal);
    setTimeout(() => controller.abort(), 300);
    assert.deepEqual(await answer, { refused: 'the search was cancelled' });
    assert.ok(performance.now() - begin < 5_000);
  });

  test('ripgrep is ended by the time and by a cancel, and nothing of it is left', async (t) => {
    const workspace = makeFolder(t, { 'a.txt': 'foo' });
    // It waits for somebody to write rules into this.
    execFileSync('mkfifo', [join(workspace, '.gitignore')]);
    const found = await search(workspace, {}, { timeLimit: 500 });
    assert.partialDeepStrictEqual(found, { incomplete: 'stopped after 0.5 s' });
    const controller = new AbortController();
    const answer = search(workspace, {}, {}, controller.signal);
    await until('it searches', () => pidsIn(workspace).length > 0);
    controller.abort();
    assert.deepEqual(await answer, { refused: 'the search was cancelled' });
    assert.deepEqual(pidsIn(workspace), []);
    assert.deepEqual(await search(workspace, {}, { program: null }), one);
  });

  test('pipes and sockets are passed over', async (t) => {
    const workspace = makeFolder(t, { 'a.txt': 'foo' });
    execFileSync('mkfifo', [join(workspace, 'pipe')]);
    for (const [, options] of engines) {
      assert.deepEqual(await search(workspace, {}, options), one);
      assert.partialDeepStrictEqual(await search(workspace, { path: join(workspace, 'pipe') }, options), {
        refused: 'pipe is neither a file nor a folder',
      });
    }
  });

  /** The answer, and megabytes by which this process grew meanwhile. */
  async function measured(workspace: string, request: Partial<SearchRequest>, options: Partial<SearcherOptions>) {
    global.gc?.();
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    const found = await search(workspace, request, { timeLimit: 90_000, ...options });
    clearInterval(watch);
    return { found, growth: (most - before) / 1_000_000 };
  }

  function bigFile(t: TestContext, name: string, chunk: string, megabytes: number, last: string): string {
    const workspace = makeFolder(t);
    const file = openSync(join(workspace, name), 'w');
    const bytes = Buffer.alloc(1_000_000, chunk);
    for (let written = 0; written < megabytes; written++) writeSync(file, bytes);
    writeSync(file, last);
    closeSync(file);
    return workspace;
  }

  test('a line of 400 megabytes is searched in bounded memory, or told', async (t) => {
    const workspace = bigFile(t, 'line.txt', 'abcdefgh', 400, 'needle');
    write(join(workspace, 'small.txt'), 'needle\n');
    const { found, growth } = await measured(workspace, { pattern: 'needle' }, {});
    assert.ok('lines' in found);
    assert.deepEqual([found.total, found.files, found.incomplete], [2, 2, undefined]);
    assert.match(found.lines[0] ?? '', /^line\.txt:1:(abcdefgh){50} \[\.\.\. more than \d+ characters\]$/);
    assert.ok(growth < 200, `${growth} MB`);
    const own = await measured(workspace, { pattern: 'needle' }, { program: null });
    assert.deepEqual(own.found, {
      lines: ['small.txt:1:needle'],
      total: 1,
      files: 1,
      incomplete: 'can’t be looked at: line.txt (too large to be searched without ripgrep)',
    });
    assert.ok(own.growth < 400, `${own.growth} MB`);
  });

  test('millions of matches are counted, not held', async (t) => {
    const line = 'a line that matches, again and again, of 50 letters\n'.slice(-50);
    const workspace = bigFile(t, 'many.txt', line, 200, '');
    for (const [name, options] of engines) {
      const { found, growth } = await measured(workspace, { pattern: 'matches', limit: 3, context: 1 }, options);
      assert.partialDeepStrictEqual(found, { total: 4_000_000, files: 1 }, name);
      assert.ok('lines' in found && found.lines.length === 3, JSON.stringify(found));
      assert.ok(growth < 250, `${name}: ${growth} MB`);
    }
  });

  test('a folder of many levels and many names', async (t) => {
    const workspace = makeFolder(t);
    const deep = Array.from({ length: 200 }, (_, level) => `d${level}`).join('/');
    mkdirSync(join(workspace, deep), { recursive: true });
    writeFileSync(join(workspace, deep, 'x'), 'foo');
    for (let index = 0; index < 3000; index++)
      writeFileSync(join(workspace, `f${index}`), index % 1000 === 0 ? 'foo' : '');
    const expected = { lines: [`${deep}/x:1:foo`, 'f0:1:foo', 'f1000:1:foo', 'f2000:1:foo'], total: 4, files: 4 };
    for (const [, options] of engines) {
      assert.deepEqual(await search(workspace, {}, options), expected);
      const searcher = createSearcher({ workspace, environment: {}, ...options });
      const found = await searcher.find({ glob: 'f*', path: workspace, limit: 2 }, open);
      assert.deepEqual(found, { lines: ['f0', 'f1'], total: 3000, files: 3000 });
    }
  });
});

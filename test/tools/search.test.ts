import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFiles } from '../../src/exec/index.ts';
import { searchSession } from './search-bench.ts';

describe('search', () => {
  test('shows lines with their places, and nothing else where that is all', async () => {
    await using session = await searchSession({
      'src/a.ts': 'one\nfoo(1);\n',
      'b.md': 'foo\n',
      '.gitignore': 'out\n',
      'out/x': 'foo',
    });
    const result = await session.call('search', { pattern: 'foo' });
    assert.deepEqual([result.outcome, result.text], ['ok', 'b.md:1:foo\nsrc/a.ts:2:foo(1);']);
    assert.equal(result.changes, undefined);
    assert.equal(result.mayHaveChanged, undefined);
  });

  test('every argument does what it says', async () => {
    await using session = await searchSession({ 'a.ts': 'Foo {\n}\nfoo\n', 'b.js': 'foo\nbar\n', 'sub/c.ts': 'foo\n' });
    const text = async (args: object) => (await session.call('search', { pattern: 'foo', ...args })).text;
    assert.equal(await text({ path: 'sub' }), 'sub/c.ts:1:foo');
    assert.equal(await text({ path: 'a.ts' }), 'a.ts:3:foo');
    assert.equal(await text({ glob: '*.js' }), 'b.js:1:foo');
    assert.equal(await text({ type: 'ts' }), 'a.ts:3:foo\nsub/c.ts:1:foo');
    assert.equal(await text({ ignore_case: true, path: 'a.ts' }), 'a.ts:1:Foo {\na.ts:3:foo');
    assert.equal(await text({ context: 1, glob: '*.js' }), 'b.js:1:foo\nb.js-2-bar');
    assert.equal(await text({ pattern: '\\{\\n\\}', multiline: true }), 'a.ts:1:Foo {\na.ts:2:}');
    assert.equal(await text({ output: 'files' }), 'a.ts\nb.js\nsub/c.ts');
    assert.equal(await text({ output: 'counts', ignore_case: true }), 'a.ts:2\nb.js:1\nsub/c.ts:1');
    assert.equal(
      await text({ limit: 1 }),
      'a.ts:3:foo\n[2 matching lines of 3 in 3 files left out; narrow it by path, glob or type, or raise limit.]',
    );
  });

  test('100 matches are shown unless more are asked for', async () => {
    await using session = await searchSession({ a: 'foo\n'.repeat(101) });
    const usual = await session.call('search', { pattern: 'foo' });
    assert.match(usual.text, /\na:100:foo\n\[1 matching line of 101 in 1 file left out;/);
    const more = await session.call('search', { pattern: 'foo', limit: 101 });
    assert.match(more.text, /\na:101:foo$/);
  });

  test('where nothing is found, it says what was searched and what may be the cause', async () => {
    await using session = await searchSession({ 'src/a.ts': 'Foo', 'b.md': '' });
    const all = await session.call('search', { pattern: 'foo' });
    assert.deepEqual(
      [all.outcome, all.text],
      ['ok', 'No match in the workspace. Ignored files are left out; case counts unless ignore_case is set.'],
    );
    const some = await session.call('search', {
      pattern: 'bar',
      path: 'src',
      glob: '*.ts',
      type: 'ts',
      ignore_case: true,
    });
    assert.equal(some.text, 'No match in src matching *.ts of type ts. Ignored files are left out.');
  });

  test('control characters are made visible', async () => {
    await using session = await searchSession({ a: 'foo \x1b[31m \x07 \x9b\tbar\r\n', 'b\nc': 'foo' });
    const result = await session.call('search', { pattern: 'foo' });
    assert.equal(result.text, 'a:1:foo \u241b[31m \u2407 \ufffd\tbar\nb\u240ac:1:foo'.replace('\ufffd', '\\x9b'));
  });

  test('what can’t be searched is an error that says why and what helps', async () => {
    await using session = await searchSession({ a: 'foo', link: { link: '/etc' } });
    const refused: [args: object, told: RegExp][] = [
      [
        { pattern: 'foo(' },
        /^Nothing was searched: .*unclosed group, at character 4.*put a backslash before each: .*\.$/,
      ],
      [{ pattern: '' }, /^pattern is empty\. Nothing was searched\.$/],
      [{ pattern: 'foo', glob: '{a' }, /^Nothing was searched: "\{a" is no glob/],
      [{ pattern: 'foo', type: 'rs' }, /no file type "rs"; near it are rust, rst/],
      [{ pattern: 'foo', path: 'nowhere' }, /^Nothing was searched: there is no nowhere\.$/],
      [{ pattern: 'foo', limit: 0 }, /^limit: must be 1 to 1000, got 0/],
      [{ pattern: 'foo', limit: 1001 }, /^limit: must be 1 to 1000, got 1001/],
      [{ pattern: 'foo', context: -1 }, /^context: must be 0 to 20 lines, got -1/],
      [{ pattern: 'foo', context: 21 }, /^context: must be 0 to 20 lines/],
      [{ pattern: 'foo', include: '*.ts' }, /^include: unknown; known are, nearest first, /],
      [{ pattern: 'foo', output: 'content' }, /output/],
      [{ pattern: 1 }, /pattern/],
    ];
    for (const [args, told] of refused) {
      const result = await session.call('search', { ...args });
      assert.equal(result.outcome, 'error', JSON.stringify(args));
      assert.match(result.text, told);
    }
    for (const path of ['..', '/etc', 'link', 'a\0b']) {
      const result = await session.call('search', { pattern: 'foo', path });
      assert.notEqual(result.outcome, 'ok', path);
    }
  });

  test('it only reads, and what it reads is named, so that it runs beside other reading', async () => {
    await using session = await searchSession({ 'src/a': 'foo' });
    const tool = session.registry.get('search');
    assert.ok(tool !== undefined && tool.idempotent);
    const { path } = session.workspace;
    const context = { files: createFiles({ workspace: path }), seen: () => undefined, folder: () => path };
    const effectsOf = (asked?: string) =>
      tool.effects({ pattern: 'foo', ...(asked !== undefined && { path: asked }) }, context);
    assert.deepEqual(await effectsOf(), { effects: ['read'], resources: [{ access: 'read', path }] });
    assert.deepEqual(await effectsOf('src/../src'), {
      effects: ['read'],
      resources: [{ access: 'read', path: `${path}/src` }],
    });
  });
});

/** The contract of searchers: what is found, what is left out, and in which words, whatever looks for it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { temporaryWorkspace, type TemporaryWorkspace, type WorkspaceFile } from '../../src/testing/index.ts';
import type { FindRequest, Found, Searcher, SearchRequest } from '../../src/tools/index.ts';

type MakeSearcher = (workspace: string) => Searcher;
type Files = { [path: string]: WorkspaceFile };

const open = new AbortController().signal;

/** A searcher over a workspace; paths are relative to it. */
interface Bench {
  workspace: TemporaryWorkspace;
  search: (request: Partial<SearchRequest> & { pattern: string }) => Promise<Found | { refused: string }>;
  find: (request: Partial<FindRequest> & { glob: string }) => Promise<Found | { refused: string }>;
  /** The lines that were found; fails where something was refused. */
  lines: (request: Partial<SearchRequest> & { pattern: string }) => Promise<string[]>;
  paths: (glob: string, path?: string) => Promise<string[]>;
  refusal: (request: Partial<SearchRequest> & { pattern: string }) => Promise<string>;
}

function benchOver(workspace: TemporaryWorkspace, searcher: Searcher): Bench {
  const at = (path = '.') => (path === '.' ? workspace.path : `${workspace.path}/${path}`);
  const search: Bench['search'] = (request) =>
    searcher.search({ limit: 100, ...request, path: at(request.path) }, open);
  const find: Bench['find'] = (request) => searcher.find({ limit: 100, ...request, path: at(request.path) }, open);
  const found = (answer: Found | { refused: string }): Found => {
    assert.ok(!('refused' in answer), JSON.stringify(answer));
    assert.equal(answer.incomplete, undefined);
    return answer;
  };
  return {
    workspace,
    search,
    find,
    lines: async (request) => found(await search(request)).lines,
    paths: async (glob, path) => found(await find({ glob, ...(path !== undefined && { path }) })).lines,
    refusal: async (request) => {
      const answer = await search(request);
      assert.ok('refused' in answer, JSON.stringify(answer));
      return answer.refused;
    },
  };
}

const utf16 = (text: string, bigEndian = false): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};

/** Runs the suite over what the factory makes. */
export function testSearcherContract(name: string, make: MakeSearcher): void {
  const withFiles =
    (files: Files, body: (bench: Bench) => Promise<void>, git = false) =>
    async (): Promise<void> => {
      const workspace = await temporaryWorkspace({ files, git });
      try {
        await body(benchOver(workspace, make(workspace.path)));
      } finally {
        await workspace.dispose();
      }
    };

  describe(`${name}: what is found`, () => {
    test(
      'lines with their paths and numbers, sorted by path, folder by folder',
      withFiles(
        { 'b.txt': 'x\nfoo 1\n', 'a/z.txt': 'foo 2\n', 'a-b.txt': 'foo 3', 'a/b/c.txt': 'foo 4\n' },
        async ({ search }) => {
          assert.deepEqual(await search({ pattern: 'foo' }), {
            lines: ['a/b/c.txt:1:foo 4', 'a/z.txt:1:foo 2', 'a-b.txt:1:foo 3', 'b.txt:2:foo 1'],
            total: 4,
            files: 4,
          });
        },
      ),
    );

    test(
      'paths, and counts of lines',
      withFiles({ a: 'foo foo\nfoo\n', b: 'foo\n', c: 'bar\n' }, async ({ search }) => {
        assert.deepEqual(await search({ pattern: 'foo', output: 'files' }), { lines: ['a', 'b'], total: 2, files: 2 });
        assert.deepEqual(await search({ pattern: 'foo', output: 'counts' }), {
          lines: ['a:2', 'b:1'],
          total: 2,
          files: 2,
        });
      }),
    );

    test(
      'no more than the limit, and how many there are in all',
      withFiles({ a: 'foo\n'.repeat(5), b: 'foo\n'.repeat(5), c: 'foo\n' }, async ({ search, find }) => {
        const at = async (limit: number) => search({ pattern: 'foo', limit });
        assert.deepEqual(await at(7), {
          lines: ['a:1:foo', 'a:2:foo', 'a:3:foo', 'a:4:foo', 'a:5:foo', 'b:1:foo', 'b:2:foo'],
          total: 11,
          files: 3,
        });
        for (const limit of [1, 5, 6, 10, 11, 12]) {
          const found = await at(limit);
          assert.partialDeepStrictEqual(found, { total: 11, files: 3 });
          assert.ok('lines' in found && found.lines.length === Math.min(limit, 11));
        }
        for (const output of ['files', 'counts'] as const) {
          const found = await search({ pattern: 'foo', output, limit: 2 });
          assert.partialDeepStrictEqual(found, { total: 3, files: 3 });
          assert.ok('lines' in found && found.lines.length === 2);
        }
        assert.deepEqual(await find({ glob: '*', limit: 2 }), { lines: ['a', 'b'], total: 3, files: 3 });
      }),
    );

    test(
      'lines around matches, joined where they touch, set apart where they don’t',
      withFiles({ a: '1\n2 foo\n3\n4\n5 foo\n6\n7\n8\n9\n10 foo\n', b: 'foo\n' }, async ({ lines }) => {
        assert.deepEqual(await lines({ pattern: 'foo', context: 1 }), [
          'a-1-1',
          'a:2:2 foo',
          'a-3-3',
          'a-4-4',
          'a:5:5 foo',
          'a-6-6',
          '--',
          'a-9-9',
          'a:10:10 foo',
          '--',
          'b:1:foo',
        ]);
        // Behind the last match that is wanted, the lines up to the next one still stand.
        assert.deepEqual(await lines({ pattern: 'foo', context: 2, limit: 1 }), [
          'a-1-1',
          'a:2:2 foo',
          'a-3-3',
          'a-4-4',
        ]);
        assert.deepEqual(await lines({ pattern: 'foo', context: 0, limit: 1 }), ['a:2:2 foo']);
      }),
    );

    test(
      'matches over several lines, where that is asked for',
      withFiles({ a: 'one {\n  two\n}\nthree {\n}\n' }, async ({ lines, refusal, search }) => {
        assert.deepEqual(await lines({ pattern: '\\{\\s+two\\s+\\}', multiline: true }), [
          'a:1:one {',
          'a:2:  two',
          'a:3:}',
        ]);
        assert.deepEqual(await lines({ pattern: '\\{\\n\\}', multiline: true }), ['a:4:three {', 'a:5:}']);
        assert.deepEqual(await search({ pattern: '\\{\\s+.', multiline: true, output: 'counts' }), {
          lines: ['a:4'],
          total: 1,
          files: 1,
        });
        assert.match(await refusal({ pattern: 'one \\{\\n' }), /"\\n" is not allowed.*set multiline/);
        assert.deepEqual(await lines({ pattern: 'one.*three', multiline: true }), []);
        assert.equal((await lines({ pattern: '(?s)one.*three', multiline: true })).length, 4);
      }),
    );

    test(
      'letter case counts unless it is told not to',
      withFiles({ a: 'Foo\nfoo\nFOO\nÄ\nä\n' }, async ({ lines }) => {
        assert.deepEqual(await lines({ pattern: 'foo' }), ['a:2:foo']);
        assert.deepEqual(await lines({ pattern: 'foo', ignoreCase: true }), ['a:1:Foo', 'a:2:foo', 'a:3:FOO']);
        assert.deepEqual(await lines({ pattern: '(?i)ä' }), ['a:4:Ä', 'a:5:ä']);
      }),
    );

    test(
      'the end of a line is before a carriage return, too',
      withFiles({ a: 'foo\r\nfoo \r\nbar' }, async ({ lines }) => {
        assert.deepEqual(await lines({ pattern: 'foo$' }), ['a:1:foo']);
        assert.deepEqual(await lines({ pattern: '^foo.$' }), ['a:2:foo ']);
        assert.deepEqual(await lines({ pattern: 'foo\\r' }), ['a:1:foo']);
        assert.deepEqual(await lines({ pattern: '\\s$' }), ['a:2:foo ']);
      }),
    );

    test(
      'a pattern is what Rust’s regular expressions say it is',
      withFiles({ a: 'naïve\n12\n日本\n_x\na-b\n\n' }, async ({ lines }) => {
        const numbers = async (pattern: string) => (await lines({ pattern })).map((line) => Number(line.split(':')[1]));
        assert.deepEqual(await numbers('^\\w+$'), [1, 2, 3, 4]);
        assert.deepEqual(await numbers('[[:alpha:]&&[^a]]'), [1, 4, 5]);
        assert.deepEqual(await numbers('\\p{Han}{2}'), [3]);
        assert.deepEqual(await numbers('(?x) a - b # a comment\n'), [5]);
        assert.deepEqual(await numbers('\\x{65e5}|\\u005f'), [3, 4]);
        assert.deepEqual(await numbers('^$'), [6]);
        assert.deepEqual(await numbers('\\bb\\b'), [5]);
        assert.deepEqual(await numbers('(?i:N)aï'), [1]);
      }),
    );
  });

  describe(`${name}: where it looks`, () => {
    test(
      'what Git ignores is left out: rules at every depth, taken back, of the repository alone',
      withFiles(
        {
          '.gitignore': '*.log\n/build/\n!keep.log\ndeep/\n',
          'a.log': 'foo',
          'keep.log': 'foo',
          'build/x': 'foo',
          'src/build/x': 'foo',
          'src/deep/x': 'foo',
          'src/.gitignore': '!a.log\nb.txt\n',
          'src/a.log': 'foo',
          'src/b.txt': 'foo',
          'b.txt': 'foo',
          secret: 'foo',
        },
        async ({ lines, workspace }) => {
          await workspace.write('.git/info/exclude', 'secret\n');
          const expected = ['b.txt', 'keep.log', 'src/a.log', 'src/build/x'];
          assert.deepEqual(await lines({ pattern: 'foo', output: 'files' }), expected);
          assert.deepEqual(await lines({ pattern: 'foo', output: 'files', path: 'src' }), ['src/a.log', 'src/build/x']);
        },
        true,
      ),
    );

    test(
      'rules hold without a repository, too, and those of .ignore and .rgignore are stronger',
      withFiles(
        { '.gitignore': 'a\nb\n', '.ignore': '!a\nc\n', '.rgignore': '!c\n', a: 'foo', b: 'foo', c: 'foo', d: 'foo' },
        async ({ paths }) => {
          assert.deepEqual(await paths('?'), ['a', 'c', 'd']);
        },
      ),
    );

    test(
      'a .git is never looked into, hidden files are, links are not followed',
      withFiles(
        {
          '.env': 'foo',
          '.github/x': 'foo',
          '.git/config': 'foo',
          'sub/.git': 'foo',
          real: 'foo',
          link: { link: 'real' },
          out: { link: '/' },
        },
        async ({ paths, lines, refusal, find }) => {
          assert.deepEqual(await paths('**'), ['.env', '.github/x', 'real']);
          assert.deepEqual(await lines({ pattern: 'foo', output: 'files' }), ['.env', '.github/x', 'real']);
          assert.match(await refusal({ pattern: 'foo', path: '.git' }), /never searched/);
          assert.match(await refusal({ pattern: 'foo', path: '.git/config' }), /never searched/);
          assert.match(await refusal({ pattern: 'foo', path: 'out' }), /outside the workspace/);
          assert.match(await refusal({ pattern: 'foo', path: 'nothing' }), /there is no/);
          assert.partialDeepStrictEqual(await find({ glob: '*', path: 'real' }), {
            refused: 'real is a file, not a folder',
          });
          // A link that is named leads to what it names, and that is told by its real name.
          assert.deepEqual(await lines({ pattern: 'foo', path: 'link' }), ['real:1:foo']);
        },
      ),
    );

    test(
      'what is named is searched, ignored or not',
      withFiles(
        { '.gitignore': 'out/\n*.min.js\n', 'out/x.js': 'foo', 'out/y.min.js': 'foo', 'z.min.js': 'foo' },
        async ({ lines }) => {
          assert.deepEqual(await lines({ pattern: 'foo' }), []);
          assert.deepEqual(await lines({ pattern: 'foo', path: 'out' }), ['out/x.js:1:foo']);
          assert.deepEqual(await lines({ pattern: 'foo', path: 'z.min.js' }), ['z.min.js:1:foo']);
          assert.deepEqual(await lines({ pattern: 'foo', path: 'z.min.js', glob: '*.ts', type: 'py' }), [
            'z.min.js:1:foo',
          ]);
        },
      ),
    );

    test(
      'globs',
      withFiles(
        Object.fromEntries(
          ['a.ts', 'b.tsx', 'src/a.ts', 'src/sub/c.ts', 'src/é.js', 'test/a.ts', '[x].md'].map((path) => [path, 'foo']),
        ),
        async ({ paths, lines, workspace, find }) => {
          assert.deepEqual(await paths('*.ts'), ['a.ts', 'src/a.ts', 'src/sub/c.ts', 'test/a.ts']);
          assert.deepEqual(await paths('/*.ts'), ['a.ts']);
          assert.deepEqual(await paths('./*.ts'), ['a.ts']);
          assert.deepEqual(await paths('src/*.ts'), ['src/a.ts']);
          assert.deepEqual(await paths('src/**/*.ts'), ['src/a.ts', 'src/sub/c.ts']);
          assert.deepEqual(await paths('src/'), ['src/a.ts', 'src/sub/c.ts', 'src/é.js']);
          assert.deepEqual(await paths('**/sub/**'), ['src/sub/c.ts']);
          assert.deepEqual(await paths('*.{ts,js}', 'src'), ['src/a.ts', 'src/sub/c.ts', 'src/é.js']);
          assert.deepEqual(await paths('b.ts{,x}'), ['b.tsx']);
          assert.deepEqual(await paths('?.js'), ['src/é.js']);
          assert.deepEqual(await paths('[!a].ts*'), ['b.tsx', 'src/sub/c.ts']);
          assert.deepEqual(await paths('\\[x\\].md'), ['[x].md']);
          assert.deepEqual(await paths(`${workspace.path}/src/*.ts`), ['src/a.ts']);
          assert.deepEqual(await paths('!src'), ['[x].md', 'a.ts', 'b.tsx', 'test/a.ts']);
          assert.deepEqual(await lines({ pattern: 'foo', glob: '!*.ts', output: 'files' }), [
            '[x].md',
            'b.tsx',
            'src/é.js',
          ]);
          assert.deepEqual(await lines({ pattern: 'foo', glob: 'sub/*', path: 'src', output: 'files' }), [
            'src/sub/c.ts',
          ]);
          for (const glob of ['[a', '{a', 'a}', 'a\\']) {
            const found = await find({ glob });
            assert.ok('refused' in found && /is no glob/.test(found.refused), JSON.stringify(found));
          }
        },
      ),
    );

    test(
      'a glob never brings back what is ignored',
      withFiles(
        { '.gitignore': 'node_modules\n*.gen.ts\n', 'node_modules/a.ts': '', 'x.gen.ts': '', 'y.ts': '' },
        async ({ paths }) => {
          for (const glob of ['*.ts', '**', '**/*', '*'])
            assert.ok(!(await paths(glob)).some((path) => /gen|node/.test(path)), glob);
        },
      ),
    );

    test(
      'types of files, alone and with a glob',
      withFiles(
        { 'a.ts': 'foo', 'b.tsx': 'foo', 'c.py': 'foo', Makefile: 'foo', 'test/d.ts': 'foo' },
        async ({ lines, refusal }) => {
          const of = (type: string, glob?: string) =>
            lines({ pattern: 'foo', type, output: 'files', ...(glob !== undefined && { glob }) });
          assert.deepEqual(await of('ts'), ['a.ts', 'b.tsx', 'test/d.ts']);
          assert.deepEqual(await of('ts', '!test'), ['a.ts', 'b.tsx']);
          assert.deepEqual(await of('make'), ['Makefile']);
          assert.match(await refusal({ pattern: 'foo', type: 'tsx' }), /no file type "tsx"; near it are ts/);
          assert.match(await refusal({ pattern: 'foo', type: '__proto__' }), /no file type/);
        },
      ),
    );
  });

  describe(`${name}: odd content`, () => {
    test(
      'of a binary file only the name is told',
      withFiles(
        { 'a.bin': 'foo\0foo\nfoo\n', 'b.txt': 'foo\n', 'late.bin': `foo\n${'x\n'.repeat(100_000)}\0` },
        async ({ search, lines }) => {
          assert.deepEqual(await search({ pattern: 'foo' }), {
            lines: ['a.bin: binary file matches', 'b.txt:1:foo', 'late.bin: binary file matches'],
            total: 3,
            files: 3,
          });
          assert.deepEqual(await search({ pattern: 'foo', limit: 1 }), {
            lines: ['a.bin: binary file matches'],
            total: 3,
            files: 3,
          });
          assert.deepEqual(await lines({ pattern: 'foo', context: 2 }), [
            'a.bin: binary file matches',
            '--',
            'b.txt:1:foo',
            '--',
            'late.bin: binary file matches',
          ]);
          assert.deepEqual(await lines({ pattern: 'foo', output: 'counts' }), [
            'a.bin: binary file matches',
            'b.txt:1',
            'late.bin: binary file matches',
          ]);
          assert.deepEqual(await lines({ pattern: 'foo', output: 'files' }), ['a.bin', 'b.txt', 'late.bin']);
          assert.deepEqual(await lines({ pattern: 'foo', path: 'a.bin' }), ['a.bin: binary file matches']);
          assert.deepEqual(await lines({ pattern: 'foo', path: 'a.bin', multiline: true }), [
            'a.bin: binary file matches',
          ]);
          assert.deepEqual(await lines({ pattern: 'nothing' }), []);
        },
      ),
    );

    test(
      'UTF-16 and marks are read, bytes that are no text stand in nobody’s way',
      withFiles(
        {
          le: utf16('foo é\nbar\n'),
          be: utf16('foo 日\n', true),
          mark: '\ufefffoo\n',
          latin: Buffer.from('caf\xe9 foo\n', 'latin1'),
        },
        async ({ lines }) => {
          assert.deepEqual(await lines({ pattern: '^foo' }), ['be:1:foo 日', 'le:1:foo é', 'mark:1:foo']);
          assert.deepEqual(await lines({ pattern: 'foo$' }), ['latin:1:caf\ufffd foo', 'mark:1:foo']);
          assert.deepEqual(await lines({ pattern: 'caf. foo' }), [], 'a byte that is no text is no character');
          assert.deepEqual(await lines({ pattern: '日' }), ['be:1:foo 日']);
        },
      ),
    );

    test(
      'names with line breaks, colons and bytes that are no text',
      withFiles(
        { 'a\nb': 'foo', 'c:1:foo': 'foo', '-e': 'foo', ' ': 'foo', 日: 'foo' },
        async ({ lines, paths, workspace }) => {
          const { writeFileSync } = await import('node:fs');
          writeFileSync(Buffer.concat([Buffer.from(`${workspace.path}/x`), Buffer.from([0xff])]), '1\n2\nfoo\n');
          const names = [' ', '-e', 'a\u240ab', 'c:1:foo', 'x\ufffd', '日'];
          assert.deepEqual(await paths('**'), names);
          assert.deepEqual(
            await lines({ pattern: 'foo' }),
            names.map((path) => `${path}:${path.startsWith('x') ? 3 : 1}:foo`),
          );
        },
      ),
    );

    test(
      'a long line is cut around its match',
      withFiles(
        {
          a: `${'x'.repeat(1000)}needle${'y'.repeat(1000)}\n`,
          b: `${'é'.repeat(50_000)}needle\n`,
          c: `needle${'🎉'.repeat(400)}\n`,
          d: `${'z'.repeat(394)}needle\n`,
          e: `${'\u65e5'.repeat(400_000)}needle${'x'.repeat(3_000_000)}\nnext\n`,
        },
        async ({ lines }) => {
          const [a, b, c, d, e] = await lines({ pattern: 'needle' });
          assert.equal(a, `a:1:[... 900 characters] ${'x'.repeat(100)}needle${'y'.repeat(294)} [... 706 characters]`);
          assert.equal(b, `b:1:[... 49606 characters] ${'é'.repeat(394)}needle`);
          assert.equal(c, `c:1:needle${'🎉'.repeat(197)} [... 406 characters]`);
          assert.equal(d, `d:1:${'z'.repeat(394)}needle`);
          assert.match(
            e ?? '',
            /^e:1:日{400} \[\.\.\. more than \d+ characters\]$/,
            'a match beyond a megabyte isn’t looked for',
          );
          assert.deepEqual(
            (await lines({ pattern: 'next', context: 1 })).map((line) => line.slice(0, 8)),
            ['e-1-日日日日', 'e:2:next'],
          );
          assert.match((await lines({ pattern: 'needle(?:y+)\\s', multiline: true }))[0] ?? '', /^a:1:x{400} \[/);
        },
      ),
    );

    test(
      'nothing that is found is no line: empty files, empty lines, a last line without end',
      withFiles({ empty: '', blank: '\n', two: 'a\n\n', open: 'a\nb' }, async ({ lines }) => {
        assert.deepEqual(await lines({ pattern: '' }), ['blank:1:', 'open:1:a', 'open:2:b', 'two:1:a', 'two:2:']);
        assert.deepEqual(await lines({ pattern: '^$' }), ['blank:1:', 'two:2:']);
        assert.deepEqual(await lines({ pattern: 'b$' }), ['open:2:b']);
      }),
    );
  });

  describe(`${name}: what can’t be done`, () => {
    const bad: [pattern: string, told: RegExp][] = [
      ['foo(', /unclosed group, at character 4: foo»\(«\. To find brackets.*\\\(/],
      ['foo)', /unopened group, at character 4: foo»\)«/],
      ['foo)(', /unopened group/],
      ['[a-', /unclosed character class, at character 1: »\[«a-/],
      ['a{2', /unclosed counted repetition, at character 2: a»\{«2\./],
      ['function() {', /repetition operator missing expression|unclosed counted repetition|valid decimal/],
      ['*.ts', /repetition operator missing expression, at character 1: »\*«\.ts/],
      ['a{3,1}', /start must be <= the end/],
      ['[z-a]', /invalid character class range/],
      ['\\q', /unrecognized escape sequence, at character 1: »\\q«\. To find a backslash itself/],
      ['(?=x)', /look-around.*not supported.*plainer pattern/],
      ['(a)\\1', /backreferences are not supported/],
      ['\\p{Nonsense}', /Unicode property not found/],
      ['(?z)', /unrecognized flag/],
      ['a\nb', /"\\n" is not allowed in a regex\. To search across line ends, set multiline/],
      ['a\0b', /NUL/],
      ['\ud800', /surrogate/],
      ['x'.repeat(10_001), /more than 10000 characters/],
    ];
    test(
      'a pattern that is none is told with the reason, the place and what helps',
      withFiles({ a: 'foo' }, async ({ refusal, lines }) => {
        for (const [pattern, told] of bad) assert.match(await refusal({ pattern }), told, pattern.slice(0, 20));
        for (const pattern of ['a{2}', '\\{', '}', ']', '\\(\\)', 'x'.repeat(10_000)]) await lines({ pattern });
      }),
    );

    test(
      'a cancel ends it at once',
      withFiles({ a: 'foo' }, async ({ workspace }) => {
        const searcher = make(workspace.path);
        const cancelled = AbortSignal.abort();
        const request = { pattern: 'foo', glob: '*', path: workspace.path, limit: 1 };
        assert.deepEqual(await searcher.search(request, cancelled), { refused: 'the search was cancelled' });
        assert.deepEqual(await searcher.find(request, cancelled), { refused: 'the search was cancelled' });
        assert.partialDeepStrictEqual(await searcher.search(request, open), { total: 1 });
      }),
    );

    test(
      'searches at the same time don’t mix',
      withFiles({ a: 'foo\n', b: 'bar\n' }, async ({ lines, paths }) => {
        const results = await Promise.all([
          lines({ pattern: 'foo' }),
          lines({ pattern: 'bar' }),
          paths('a'),
          lines({ pattern: 'o+' }),
        ]);
        assert.deepEqual(results, [['a:1:foo'], ['b:1:bar'], ['a'], ['a:1:foo']]);
      }),
    );
  });
}

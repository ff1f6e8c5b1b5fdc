/** Both searchers give the same answers, byte for byte: over random trees with ignore files, random requests and random patterns. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { createSearcher, type Searcher } from '../../src/exec/index.ts';
import type { FindRequest, SearchRequest } from '../../src/tools/index.ts';

const open = new AbortController().signal;

function searchers(workspace: string): Searcher[] {
  return [
    createSearcher({ workspace, environment: {} }),
    createSearcher({ workspace, environment: {}, program: null }),
  ];
}

type Asked = ['search', SearchRequest] | ['find', FindRequest];

async function assertAgreement(both: Searcher[], [kind, request]: Asked): Promise<void> {
  const answers = await Promise.all(
    both.map((searcher) => (kind === 'find' ? searcher.find(request, open) : searcher.search(request, open))),
  );
  assert.deepEqual(answers[1], answers[0], JSON.stringify(request));
}

// oxfmt-ignore
const names = [
  'a', 'b', 'src', 'foo', 'foo.ts', 'bar.js', 'x.log', 'build', '.hidden', 'é', '-dash', '[x]', 'a b', 'FOO',
  'foo.ts.bak', 'node_modules', '!neg', '#hash', 'c:d', '{y}', 'a\\b', 'new\nline', 'bytes\u0000', 'z.min.js',
  'package.json', 'Makefile',
];
// oxfmt-ignore
const rules = [
  'foo', '/foo', 'foo/', '*.log', '!x.log', '*.ts', '!foo.ts', 'build/', '/src/*', '!/src/foo.ts', '**/b', 'a/**',
  'a/**/b', 'src/**', '**', '*', '!*/', '!a', '[a-c]', '[!a]', '*.{ts,js}', '\\!neg', '\\#hash', '# comment', '',
  ' ', 'foo ', 'foo\\ ', '?', '??', 'é', '[é]', '/a/b', 'a/b', '!a/b', '**/foo/', 'foo/**', '{a', '[a', 'a]', '\\',
  '\\a', '*/', '/**/x.log', '.hidden', '!.hidden', '.*', 'node_modules', '**/node_modules/**', '*.min.js', '**foo',
  'foo**', '/**', 'a//b', './a', '\\[x\\]', '{y}', 'new*', 'bytes?', '\ufeffa', 'foo\\', 'a\\\\b', '*[!o]', '[]a]',
  '[a-]', '[--a]',
];
// oxfmt-ignore
const contents = [
  'foo\nbar\nbaz\n', 'foo', '', '\n', '\n\n', 'a\nfoo\nb\nfoo\nc\nd\ne\nfoo\n', 'FOO bar\r\nfoo\r\n', 'x\0y foo\n',
  'é ß 日本 foo\n', 'b\x80 foo\n', `${'foo '.repeat(300)}\n`, `${'x'.repeat(500)}needle${'y'.repeat(700)}\nfoo`,
  `${'a\n'.repeat(50)}foo\n${'b\n'.repeat(50)}`, '\tfoo\x1b[31m\n', 'foo\rbar\n',
  ...[65_535, 65_536, 65_537].map((length) => `${'z'.repeat(length)}foo\nfoo\n`),
  `${'日本語'.repeat(200)}foo${'🎉'.repeat(300)}`,
];
// oxfmt-ignore
const patterns = [
  'foo', 'FOO', '^foo', 'foo$', 'o+', '\\bfoo\\b', '^$', '', '.', 'bar|foo', 'a\\nfoo', 'foo\\s+b', '[^a]\\n', 'x.y',
  'needle', 'é', '\\w+', '\\s$', '(?s)foo.*b', '^', '$', 'z{3}', 'b\\n?a', '\\xff', '.*foo', '日', '\\Afoo', 'foo\\z',
  '(', '[a-', 'a{2', '\\q', '(?=x)', 'foo)', '\\1', 'foo\\nbar\\n', '\\r', 'b[^x]*f', '🎉{2}', '\\p{Han}+', '\\w+!',
];
// oxfmt-ignore
const globs = [
  '*.ts', '!*.ts', 'src/**', '**/foo*', '*', 'a', '[a-c]*', '{a,b}/**', '!src', 'foo/', '*.{ts,js}', '**/*.ts', 'é',
  '?', '/foo', 'src/*', '!a/**', '[x', '{a', '\\[x\\]', 'new*', 'bytes*', '**',
];

const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map((steps) => steps.join('/'));
const encoding = fc.constantFrom('utf8', 'utf8', 'utf8', 'utf16le', 'utf16be');
const file = fc.record({ path, content: fc.constantFrom(...contents), encoding });
const ignoreFile = fc.record({
  path: fc.tuple(
    fc.option(path),
    fc.constantFrom('.gitignore', '.gitignore', '.ignore', '.rgignore', '.git/info/exclude'),
  ),
  rules: fc.array(fc.constantFrom(...rules), { minLength: 1, maxLength: 6 }),
  end: fc.constantFrom('\n', '\r\n'),
});
const tree = fc.record({
  files: fc.array(file, { minLength: 2, maxLength: 14 }),
  ignoreFiles: fc.array(ignoreFile, { maxLength: 4 }),
  /** What lies above the workspace, or makes it a repository. */
  around: fc.subarray(['repository', 'jujutsu', 'repository above', 'rules above', 'git rules above', 'links']),
});
type Tree = typeof tree extends fc.Arbitrary<infer T> ? T : never;

const limit = fc.constantFrom(1, 2, 3, 5, 10, 100);
const asked = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('find' as const), glob: fc.constantFrom(...globs), limit }) },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        kind: fc.constant('search' as const),
        pattern: fc.constantFrom(...patterns),
        glob: fc.constantFrom(...globs),
        type: fc.constantFrom('ts', 'js', 'make', 'json', 'nope'),
        ignoreCase: fc.boolean(),
        context: fc.constantFrom(0, 1, 2, 5),
        multiline: fc.boolean(),
        output: fc.constantFrom('lines' as const, 'files' as const, 'counts' as const),
        limit,
      },
      { requiredKeys: ['kind', 'pattern', 'limit'] },
    ),
  },
);

/** A path in bytes, in which a NUL stands for a byte that is no UTF-8. */
const bytesOf = (folder: string, name: string): Buffer => {
  const bytes = Buffer.from(`${folder}/${name}`);
  return Buffer.from(bytes.map((byte) => (byte === 0 ? 0xff : byte)));
};

function put(folder: string, name: string, content: Buffer): void {
  const at = bytesOf(folder, name);
  try {
    mkdirSync(at.subarray(0, at.lastIndexOf('/')), { recursive: true });
    writeFileSync(at, content);
  } catch {
    // Another file is where this one's folder would be.
  }
}

function encoded(text: string, as: string): Buffer {
  if (as === 'utf8') return Buffer.from(text, text.includes('\x80') ? 'latin1' : 'utf8');
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return as === 'utf16be' ? bytes.swap16() : bytes;
}

/** Builds the tree; gives its workspace. */
function build(outer: string, { files, ignoreFiles, around }: Tree): string {
  const workspace = join(outer, 'w');
  mkdirSync(workspace);
  for (const { path: name, content, encoding: as } of files) put(workspace, name, encoded(content, as));
  for (const {
    path: [folder, name],
    rules: lines,
    end,
  } of ignoreFiles)
    put(workspace, folder === null ? name : `${dirname(folder)}/${name}`, Buffer.from(lines.join(end)));
  if (around.includes('repository')) put(workspace, '.git/info/exclude', Buffer.from('x.log\n!foo\n'));
  if (around.includes('jujutsu')) put(workspace, 'src/.jj/foo', Buffer.from('foo'));
  if (around.includes('repository above')) mkdirSync(join(outer, '.git'));
  if (around.includes('rules above')) writeFileSync(join(outer, '.ignore'), '/w/a\nb\n');
  if (around.includes('git rules above')) writeFileSync(join(outer, '.gitignore'), '/w/src\nFOO\n');
  if (around.includes('links')) {
    symlinkSync('/etc', join(workspace, 'link'));
    symlinkSync('foo', join(workspace, 'linked'));
  }
  return workspace;
}

describe('both searchers agree', () => {
  test('over random trees and requests', async () => {
    const requests = fc.array(fc.tuple(fc.nat(), asked), { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(tree, requests, async (grown, wanted) => {
        const outer = realpathSync(mkdtempSync(join(tmpdir(), 'reins-agree-')));
        try {
          const workspace = build(outer, grown);
          const both = searchers(workspace);
          // Mostly the whole, now and then a file or a folder in it.
          const places = grown.files.flatMap(({ path: name }) => ['.', '.', dirname(name), name]);
          for (const [place, { kind, ...request }] of wanted) {
            const at = join(workspace, places[place % places.length] ?? '.');
            await assertAgreement(both, [kind, { ...request, path: at }] as Asked);
          }
        } finally {
          rmSync(outer, { recursive: true });
        }
      }),
      { numRuns: 20 },
    );
  });

  // oxfmt-ignore
  const atoms = [
    'a', 'b', 'ab', 'A', 'é', 'ß', 'K', 'ſ', '1', '_', ' ', '.', '^', '$', '\\b', '\\B', '\\w', '\\W', '\\d', '\\D',
    '\\s', '\\S', '\\A', '\\z', '[a-c]', '[^a]', '[[:alpha:]]', '[^\\W\\d]', '[a-z&&[^b]]', '[\\w--[ab]]', '[a~~b]',
    '\\p{L}', '\\P{Lu}', '\\pL', '(?i)', '(?i:a)', '(?s:.)', '(?-m:^)', '(?-m:$)', '\\<', '\\>', '\\b{start}',
    '\\b{end-half}', '\\x61', '\\u{e9}', '-', '\\-', '\\.', '\\t', '[[:^digit:]]', '[]a]', '[^]a]', '[a-]', '(a|b)',
    '(?:a|)', '(?P<n>a)', '|', '(', '[', ']', '{', '}', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '{2', '\\q',
    '\\1', '(?=', '[--a]', '{ 1 , 2 }', 'a{2}{3}', '[\\]a]', '(?U)a+', '(?R)', '\\p{greek}', '\\p{scx:Latin}',
    '[\\n]', '\\n', '\\r', '\\s*$', '(?mi-s)', '[a\\-z]', '[\\b]', '[a-\\d]', '[z-a]',
  ];
  // oxfmt-ignore
  const subject = [
    'a', 'b', 'ab', 'aab', 'abb', 'A', 'aé', 'éa', 'ß', 'K', 'ſs', '12', 'a1', '_a', 'a b', ' ab ', '', 'a.b', '-',
    'a-b', 'aba', 'AB', 'a\tb', 'x\ry', 'crlf\r', '\r', '日本', 'e\u0301', 'ΑΩα', '🎉a', '{', '[x]', 'a(b)',
  ].join('\n');

  test('over random patterns', async () => {
    const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'reins-agree-')));
    writeFileSync(
      join(workspace, 'file'),
      Buffer.concat([Buffer.from(`${subject}\nb`), Buffer.from([0xff]), Buffer.from('a\n')]),
    );
    const both = searchers(workspace);
    const pattern = fc.array(fc.constantFrom(...atoms), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    // Which parts of a pattern have flags of their own can be more than JavaScript knows; that is told by name.
    const isRipgrepAlone = (answer: object): boolean =>
      'refused' in answer && /only ripgrep/.test(String(answer.refused));
    try {
      await fc.assert(
        fc.asyncProperty(pattern, fc.boolean(), fc.boolean(), async (random, ignoreCase, multiline) => {
          const request = { pattern: random, ignoreCase, multiline, path: workspace, limit: 1000 };
          const [first, second] = await Promise.all(both.map((searcher) => searcher.search(request, open)));
          if (!isRipgrepAlone(second ?? {})) assert.deepEqual(second, first, JSON.stringify(request));
        }),
        { numRuns: 120 },
      );
    } finally {
      rmSync(workspace, { recursive: true });
    }
  });
});

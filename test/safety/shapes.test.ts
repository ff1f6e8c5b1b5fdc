import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createPolicy, parseShape } from '../../src/safety/index.ts';

describe('shapes', () => {
  const good = [
    'read',
    'my-tool',
    'mcp__x__y',
    'shell(npm test)',
    'shell(npm *)',
    "shell(git log --format='%h')",
    'write(src/**)',
    'edit(./a.ts)',
    'read(*.md)',
    ' shell( npm test ) ',
  ];
  for (const text of good) test(`is one: ${text}`, () => assert.ok(!('problem' in parseShape(text))));

  const bad: [string, RegExp][] = [
    ['', /no shape/],
    ['a b', /no shape/],
    ['shell(', /no shape/],
    ['shell)', /no shape/],
    ['*', /no shape/],
    ['shell()', /parentheses are empty/],
    ['shell(a && b)', /one plain command; this has `&`/],
    ['shell(npm run test:*)', /stands alone at the end/],
    ['shell(* rm)', /stands alone at the end/],
    ['shell($X)', /this has `\$`/],
    ['shell(A=1 b)', /as its first word/],
    ["shell('a)", /quote that isn’t closed/],
    ["shell('')", /this has no command/],
    ["shell(a 'b\tc')", /control character in quotes/],
    ['write(/etc/**)', /relative to the workspace/],
    ['write(../x)', /relative to the workspace/],
    ['write(~/x)', /relative to the workspace/],
  ];
  for (const [text, expected] of bad) {
    test(`is none: ${text}`, () => {
      const parsed = parseShape(text);
      assert.match('problem' in parsed ? parsed.problem : '', expected);
    });
  }
});

describe('path patterns', () => {
  const matches = (pattern: string, path: string): boolean => {
    const policy = createPolicy({
      mode: 'ask',
      rules: [{ effect: 'allow', shape: `write(${pattern})`, from: 'user' }],
      sandboxed: false,
      workspace: '/w',
    });
    return (
      policy.judge({
        tool: 'write',
        arguments: {},
        effects: { effects: ['write'], resources: [{ access: 'write', path: `/w/${path}` }] },
      }).decision === 'allow'
    );
  };
  const table: [string, string[], string[]][] = [
    ['a.ts', ['a.ts'], ['b.ts', 'x/a.ts', 'aXts', 'a.tsx']],
    ['*.ts', ['a.ts', '.ts'], ['x/a.ts', 'a.tsx']],
    ['src/*', ['src/a'], ['src', 'src/a/b', 'xsrc/a']],
    ['src/**', ['src/a', 'src/a/b/c'], ['src', 'srcx/a', 'x/src/a']],
    ['**/a.ts', ['a.ts', 'x/a.ts', 'x/y/a.ts'], ['xa.ts', 'x/ba.ts']],
    ['src/**/t/*.ts', ['src/t/a.ts', 'src/x/y/t/a.ts'], ['src/a.ts', 'src/t/x/a.ts']],
    ['a?c', ['abc'], ['ac', 'a/c']],
    ['**', ['a', 'a/b'], []],
    ['**/**/x', ['x', 'a/b/x'], ['y']],
    ['a[b]+(c)', ['a[b]+(c)'], ['ab']],
    ['ü/*', ['ü/😀'], ['u/x']],
  ];
  for (const [pattern, yes, no] of table) {
    test(pattern, () => {
      for (const path of yes) assert.equal(matches(pattern, path), true, path);
      for (const path of no) assert.equal(matches(pattern, path), false, path);
    });
  }

  test('a hostile pattern takes no long time', () => {
    const started = performance.now();
    matches('**/*a'.repeat(40), 'a/'.repeat(500));
    assert.ok(performance.now() - started < 2_000);
  });
});

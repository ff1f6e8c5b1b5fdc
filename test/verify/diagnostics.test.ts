import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createDiagnostics, type DiagnosticsOptions } from '../../src/verify/index.ts';
import { temporaryWorkspace } from '../../src/testing/index.ts';

type Given = Partial<DiagnosticsOptions> & { files?: { [name: string]: string } };

/** Diagnostics of a real folder; nothing is run unless a test says what. */
async function looking(t: TestContext, { files = {}, ...options }: Given = {}) {
  const workspace = await temporaryWorkspace({ files });
  const diagnostics = createDiagnostics({
    workspace: workspace.path,
    syntax: true,
    linters: [],
    servers: [],
    timeout: 15_000,
    read: (path) => readFile(path).catch(() => null),
    display: (path) => relative(workspace.path, path),
    matches: (glob, name) => name.endsWith(glob.replace('*', '')),
    run: async () => assert.fail('nothing is to be run'),
    start: async () => ({ refused: 'not here' }),
    ...options,
  });
  t.after(async () => {
    await diagnostics.close();
    await workspace.dispose();
  });
  const path = (name: string) => join(workspace.path, name);
  return {
    path,
    /** Changes a file as a call would, and gives what is said of it. */
    change: async (name: string, text: string | Buffer): Promise<string> => {
      await diagnostics.before([path(name)]);
      await writeFile(path(name), text);
      return diagnostics.after([path(name)], new AbortController().signal);
    },
  };
}

const samples: [name: string, good: string, bad: string][] = [
  ['a.ts', 'export const a: number = 1;\n', 'export const a: number = (1;\n'],
  ['a.tsx', 'export const a = <b>x</b>;\n', 'export const a = <b>x</c;\n'],
  ['a.js', 'function f() {\n  return 1;\n}\n', 'function f() {\n  return 1;\n'],
  ['a.mjs', 'export default [1];\n', 'export default [1;\n'],
  ['a.py', 'def f():\n    return 1\n', 'def f(:\n    return 1\n'],
  ['a.go', 'package a\n\nfunc f() int { return 1 }\n', 'package a\n\nfunc f( int { return 1 }\n'],
  ['a.rs', 'fn f() -> i32 { 1 }\n', 'fn f( -> i32 { 1 }\n'],
  ['a.java', 'class A { int f() { return 1; } }\n', 'class A { int f() { return 1; }\n'],
  ['a.rb', 'def f\n  1\nend\n', 'def f(\n  1\nend\n'],
  ['a.php', '<?php\nfunction f() { return 1; }\n', '<?php\nfunction f( { return 1; }\n'],
  ['a.cs', 'class A { int F() { return 1; } }\n', 'class A { int F( { return 1; } }\n'],
  ['a.cpp', 'int f() { return 1; }\n', 'int f( { return 1; }\n'],
  ['a.css', 'a { color: red; }\n', 'a { color: red;\n'],
  ['a.sh', 'if true; then\n  echo a\nfi\n', 'if true; then\n  echo a\n'],
  ['a.json', '{ "a": [1] }\n', '{ "a": [1 }\n'],
];

describe('the syntax of an edited file', () => {
  for (const [name, good, bad] of samples) {
    test(`is read in ${name}: a mistake is told with its line, and what is right isn’t`, async (t) => {
      const { change } = await looking(t, { files: { [name]: good } });
      const told = await change(name, bad);
      assert.match(told, new RegExp(`^New in ${name} since before this call:\nline \\d+:\\d+, syntax: `));
      assert.match(told, /^> \d+\t/m);
      assert.equal(await change(name, `${good}\n`), '');
    });
  }

  test('what was wrong before is not told again, also where it has moved', async (t) => {
    const broken = 'const a = (1;\nconst b = 2;\n';
    const { change } = await looking(t, { files: { 'a.ts': broken } });
    assert.equal(await change('a.ts', `// a line more\n\n${broken}`), '');
    assert.match(await change('a.ts', `${broken}const c = ];\n`), /line 3:/);
  });

  test('a new file is looked at as a whole', async (t) => {
    const { change } = await looking(t);
    assert.match(await change('new.ts', 'let x = {;\n'), /New in new\.ts/);
  });

  test('what is no text, too large, of no known kind or gone is left alone', async (t) => {
    const { change } = await looking(t);
    assert.equal(await change('a.ts', Buffer.from([0, 1, 2, 3])), '');
    assert.equal(await change('big.ts', 'let x = (1;\n'.repeat(100_000)), '');
    assert.equal(await change('a.unknown', 'let x = (1;\n'), '');
    const { change: silent } = await looking(t, { syntax: false });
    assert.equal(await silent('a.ts', 'let x = (1;\n'), '');
  });

  test('many mistakes are counted, long lines are cut, and nothing in them reaches a terminal', async (t) => {
    const { change } = await looking(t);
    const told = await change('a.ts', `let \u001b[31m x = ;${'y'.repeat(5_000)}\n${'let z = ;\n'.repeat(200)}`);
    assert.match(told, /and \d+ more$/);
    assert.ok(told.length < 12_000, `${told.length}`);
    assert.doesNotMatch(told, /\u001b/);
  });
});

describe('a linter', () => {
  const outcome = { exit: 1, timedOut: false, cancelled: false, tail: '' };
  const linters = [{ files: '*.py', command: 'lint {file}' }];

  test('is run before and after, with the file as one word, and only what is new is told', async (t) => {
    const commands: string[] = [];
    const outputs = ["a'b.py:1:1: old\n", "a'b.py:2:1: old\na'b.py:1:3: fresh\nother.py:1:1: not meant\n"];
    const { change } = await looking(t, {
      syntax: false,
      linters,
      files: { "a'b.py": 'import x\n' },
      run: async ({ command }) => {
        commands.push(command);
        return { ...outcome, head: outputs.shift() ?? '' };
      },
    });
    const told = await change("a'b.py", 'y = 1\nimport x\n');
    assert.match(told, /line 1:3, lint: fresh\n> 1\ty = 1/);
    assert.doesNotMatch(told, /old|not meant/);
    assert.deepEqual(commands, Array(2).fill(String.raw`lint 'a'\''b.py'`));
  });

  test('that fails without naming a line is told as a whole; one that is missing, late or not started is not', async (t) => {
    const runs = [
      { ...outcome, exit: 0, head: '' },
      { ...outcome, head: 'everything is wrong' },
    ];
    const { change } = await looking(t, {
      syntax: false,
      linters,
      files: { 'a.py': '' },
      run: async () => runs.shift()!,
    });
    assert.match(await change('a.py', 'x\n'), /lint: everything is wrong/);
    for (const odd of [{ exit: 127 }, { timedOut: true }, { notStarted: 'no sandbox' }, { cancelled: true }]) {
      const run = async () => ({ ...outcome, head: 'a.py:1:1: no', ...odd });
      const { change: other } = await looking(t, { syntax: false, linters, files: { 'a.py': '' }, run });
      assert.equal(await other('a.py', 'x\n'), '');
    }
  });

  test('that never ends is left at the time limit', async (t) => {
    const run = (_: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('over'))));
    const { change } = await looking(t, { syntax: false, linters, files: { 'a.py': '' }, run, timeout: 100 });
    assert.equal(await change('a.py', 'x\n'), '');
  });
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createDiagnostics, type Program } from '../../src/verify/index.ts';
import { temporaryWorkspace } from '../../src/testing/index.ts';

/** A program as the hands give it, without a sandbox around. */
function startIn(folder: string) {
  return async (command: string): Promise<Program> => {
    const child = spawn('/bin/sh', ['-c', `exec ${command}`], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.on('error', () => undefined);
    const ended = once(child, 'exit').then(() => undefined);
    return {
      write: (bytes) => void child.stdin.write(bytes),
      onOutput: (listener) => void child.stdout.on('data', listener),
      ended,
      end: async () => {
        child.kill('SIGKILL');
        await ended;
      },
    };
  };
}

async function served(t: TestContext, command: string, files: { [name: string]: string }, timeout = 30_000) {
  const workspace = await temporaryWorkspace({ files });
  const diagnostics = createDiagnostics({
    workspace: workspace.path,
    syntax: false,
    linters: [],
    servers: [{ files: '*.ts', command, language: 'typescript' }],
    timeout,
    read: (path) => readFile(path).catch(() => null),
    display: (path) => relative(workspace.path, path),
    matches: (_, name) => name.endsWith('.ts'),
    run: async () => assert.fail('nothing is to be run'),
    start: startIn(workspace.path),
  });
  t.after(async () => {
    await diagnostics.close();
    await workspace.dispose();
  });
  return async (name: string, text: string): Promise<string> => {
    const path = join(workspace.path, name);
    await diagnostics.before([path]);
    await writeFile(path, text);
    return diagnostics.after([path], new AbortController().signal);
  };
}

const compiler = fileURLToPath(new URL('../../node_modules/typescript-native/bin/tsc', import.meta.url));

describe('a language server', () => {
  test('of another maker is started, shown each text, and asked: only new findings are told', async (t) => {
    const files = {
      'tsconfig.json': '{}',
      'a.ts': 'export const a: number = "old";\n',
      'b.ts': 'export const b = 1;\n',
    };
    const change = await served(t, `'${process.execPath}' '${compiler}' --lsp --stdio`, files);
    const told = await change('a.ts', 'export const a: number = "old";\nexport const c: string = 1;\n');
    assert.match(
      told,
      /New in a\.ts since before this call:\nline 2:14, .*Type 'number' is not assignable to type 'string'/,
    );
    assert.doesNotMatch(told, /line 1:/);
    assert.equal(await change('b.ts', 'export const b = 2;\n'), '');
  });

  test('that publishes by itself is waited for, and what it says of an older text is not taken', async (t) => {
    const publishing = fileURLToPath(new URL('./publishing-server.mjs', import.meta.url));
    const change = await served(t, `'${process.execPath}' '${publishing}'`, { 'a.ts': 'good\n' });
    assert.match(await change('a.ts', 'good\nbad\n'), /line 2:1, .*bad word/);
    assert.equal(await change('a.ts', 'good\n'), '');
  });

  for (const [name, command] of [
    ['that isn’t there', 'no-such-language-server'],
    ['that ends at once', 'true'],
    ['that talks of other things', 'yes nonsense'],
    ['that is silent', 'sleep 600'],
  ] as const) {
    test(`${name} costs no more than the time limit, and nothing is told`, async (t) => {
      const change = await served(t, command, { 'a.ts': 'good\n' }, 500);
      assert.equal(await change('a.ts', 'bad\n'), '');
    });
  }
});

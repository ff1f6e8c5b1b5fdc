import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { linesOf, openBench } from './command-line.ts';

/** A folder with links to the programs that the demo needs, and to none that make a sandbox. */
function pathWithoutSandbox(context: TestContext, path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'reins-path-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const find = (program: string) =>
    path
      .split(delimiter)
      .map((each) => join(each, program))
      .find((each) => existsSync(each));
  for (const program of ['node', 'git', 'env', 'sh', 'bash']) {
    const found = find(program);
    if (found !== undefined) symlinkSync(found, join(folder, program));
  }
  return folder;
}

describe('the demo', () => {
  const ways: [string, (context: TestContext, path: string) => string][] = [
    ['as this machine is', (_context, path) => path],
    ['without bubblewrap', pathWithoutSandbox],
  ];
  for (const [name, pathOf] of ways) {
    test(`does the whole job, ${name}`, async (context) => {
      const bench = openBench(context);
      const temporary = mkdtempSync(join(tmpdir(), 'reins-demo-test-'));
      context.after(() => rmSync(temporary, { recursive: true, force: true }));
      // A Git configuration that would break the demo's own repository.
      bench.file(
        '../home/.gitconfig',
        '[commit]\n\tgpgsign = true\n[core]\n\thooksPath = /nowhere\n[user]\n\tuseConfigOnly = true\n',
      );
      const PATH = pathOf(context, bench.environment['PATH'] ?? '');
      const { exit, out, err } = await bench.reins(['demo'], { environment: { TMPDIR: temporary, PATH } });
      assert.equal(exit, 0, err);
      assert.match(out, /^Two bugs are fixed: /);
      assert.match(
        err,
        // Where bubblewrap is missing, Landlock may hold.
        name === 'without bubblewrap'
          ? /· mode (edit\nMode edit, with shell\(node --test|auto\nMode auto)/
          : /· mode (auto|edit)\nMode \1/,
      );

      const steps = [
        /✗ shell node --test test\/invoice\.test\.js \(exit 1/,
        /✓ edit src\/invoice\.js/,
        /^Fixed: the total now counts every piece/m,
        /✗ check node --test \(failed, exit 1/,
        /✓ edit src\/money\.js/,
        /✓ check node --test \(passed/,
        /^-    sum \+= line\.price;\n\+    sum \+= line\.price \* line\.quantity;$/m,
        /^completed: /m,
        /checks {3}✓ node --test passed/,
        /This was a rehearsal/,
      ].map((step) => err.search(step));
      assert.deepEqual(
        steps.filter((place) => place < 0),
        [],
        err,
      );
      assert.deepEqual(
        steps,
        steps.toSorted((a, b) => a - b),
      );

      const id = /log (\S+) --verify ([0-9a-f]{64})/.exec(err);
      assert.equal((await bench.reins(['log', id?.[1] ?? '', '--verify', id?.[2] ?? ''])).exit, 0);
      const events = linesOf((await bench.reins(['log', id?.[1] ?? '', '--json'])).out);
      assert.deepEqual(
        events.filter(({ kind }) => kind === 'evidence').map(({ data }) => (data as { passed: boolean }).passed),
        [false, true],
      );
    });
  }

  test('leaves the bundled project as it is', () => {
    const source = new URL('../../../examples/demo/workspace/src/invoice.js', import.meta.url);
    assert.match(readFileSync(source, 'utf8'), /sum \+= line\.price;/);
  });
});

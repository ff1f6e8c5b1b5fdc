import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyEdits, openDocument } from '../../src/tools/edits/index.ts';

/** Why a text isn't found in a file. */
async function missing(file: string, old: string): Promise<string[]> {
  const document = await openDocument(Buffer.from(file));
  assert.ok(!('problem' in document));
  const result = applyEdits(document, [{ old, new: `${old}!`, all: false }]);
  assert.ok('problem' in result, 'it was found');
  return result.problem.split('\n');
}

describe('a hint is found in bounded time', () => {
  // Generous: each takes a fraction of this; quadratic work would take minutes.
  const bound = 10_000;
  const cases: [name: string, file: string, old: string][] = [
    [
      'in 200,000 lines',
      Array.from({ length: 200_000 }, (_, index) => `const value${index} = ${index};\n`).join(''),
      'const value150000 =  150000;',
    ],
    ['in one line of 5 MB', 'abc def '.repeat(650_000), 'abc  def'],
    ['for a text of 20,000 lines', 'const a = 1;\n'.repeat(20_000), 'const a =  1;\n'.repeat(20_000)],
    ['for a line of 1 MB', 'x y\n'.repeat(1000), 'x  '.repeat(350_000)],
    ['among blanks', ' \t'.repeat(400_000), `a${' '.repeat(100_000)}`],
    ['among backslashes', '\\'.repeat(500_000), `\\n${'\\'.repeat(1000)}x`],
  ];
  for (const [name, file, old] of cases) {
    test(name, async () => {
      const started = performance.now();
      await missing(file, old);
      assert.ok(performance.now() - started < bound);
    });
  }

  test('in a large file it is the right one', async () => {
    const [, file, old] = cases[0]!;
    assert.equal((await missing(file, old))[2], '150001\tconst value150000 = 150000;');
  });
});

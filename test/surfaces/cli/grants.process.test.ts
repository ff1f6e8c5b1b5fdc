import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saveGrant } from '../../../src/config/index.ts';
import { openBench } from './command-line.ts';

interface Row {
  number: number;
  shape: string;
  at: string;
  workspace: string;
}

test('grants are listed, taken back one by one or all, and what isn’t there is said', async (t) => {
  const bench = openBench(t);
  const place = { workspace: bench.workspace, env: bench.environment };
  const list = async (): Promise<Row[]> => {
    const { exit, out } = await bench.reins(['grants', '--json']);
    assert.equal(exit, 0);
    return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
  };
  for (const shape of ['shell(npm test *)', 'write(a.txt)', 'shell(git add *)']) saveGrant(place, shape);
  const rows = await list();
  assert.deepEqual(
    rows.map(({ number, shape }) => [number, shape]),
    [
      [1, 'shell(npm test *)'],
      [2, 'write(a.txt)'],
      [3, 'shell(git add *)'],
    ],
  );
  const { out: shown } = await bench.reins(['grants']);
  assert.match(shown, /^1 +\d{4}-\d\d-\d\d \d\d:\d\d +shell\(npm test \*\) +\(.+\)$/m);
  const [byNumber, unknown] = await Promise.all([
    bench.reins(['grants', '--revoke', '2']),
    bench.reins(['grants', '--revoke', 'shell(rm *)']),
  ]);
  assert.equal(byNumber.out, 'Taken back: write(a.txt)\n');
  assert.equal(unknown.exit, 2);
  assert.match(unknown.err, /Nothing is granted as "shell\(rm \*\)"/);
  await bench.reins(['grants', '--revoke', 'shell(npm test *)']);
  assert.deepEqual(
    (await list()).map(({ shape }) => shape),
    ['shell(git add *)'],
  );
  assert.equal((await bench.reins(['grants', '--all'])).exit, 0);
  assert.deepEqual(await list(), []);
  assert.equal((await bench.reins(['grants', '--all', '--revoke', '1'])).exit, 2);
});

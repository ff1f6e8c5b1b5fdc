import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { describe, test, type TestContext } from 'node:test';
import type { CacheReport, ContextReport } from '../../../src/harness/index.ts';
import { linesOf, openBench, type Bench } from './command-line.ts';

const calls = [{ name: 'read', arguments: { path: 'a.txt' } }];

/** A session with a run of two requests, and one more in another mode, whose prompt differs. */
async function broken(t: TestContext): Promise<{ bench: Bench; id: string }> {
  const bench = openBench(t);
  bench.file('a.txt', 'alpha\n');
  const first = bench.scenario({ turns: [{ text: 'I look.', calls }, { text: 'It says alpha.' }] });
  const run = await bench.reins(['run', '--json', '--mode', 'plan', '--model', first, 'look into a.txt']);
  assert.equal(run.exit, 0, run.err);
  const id = String(linesOf(run.out).at(-1)?.['session']);
  const turns = [{ text: 'It does.' }];
  const second = bench.scenario({ position: 'count', turns });
  const more = await bench.reins(['run', '--resume', id, '--mode', 'ask', '--model', second, 'are you sure?']);
  assert.equal(more.exit, 0, more.err);
  return { bench, id };
}

async function bodyOf(bench: Bench, id: string, number: number): Promise<Buffer> {
  const { out, exit, err } = await bench.reins(['log', id, '--request', String(number)]);
  assert.equal(exit, 0, err);
  return Buffer.from(out);
}

describe('reins log --cache', () => {
  test('tells which requests extend and which break, at the byte where the bodies part', async (t) => {
    const { bench, id } = await broken(t);
    const { out, exit, err } = await bench.reins(['log', id, '--cache', '--json']);
    assert.equal(exit, 0, err);
    const { requests, totals } = JSON.parse(out) as CacheReport;
    assert.deepEqual(
      requests.map(({ number, turn, attempt, prefix, outcome }) => [number, turn, attempt, prefix, outcome]),
      [
        [1, 1, 1, 'first', 'reply'],
        [2, 2, 1, 'extends', 'reply'],
        [3, 3, 1, 'broke', 'reply'],
      ],
    );
    const [before, after] = [await bodyOf(bench, id, 2), await bodyOf(bench, id, 3)];
    const differs = after.findIndex((byte, at) => byte !== before[at]);
    const broke = requests[2]?.broke;
    assert.deepEqual([broke?.part, broke?.at], ['system', differs]);
    assert.ok(broke?.tokens !== undefined && broke.tokens > 0);
    assert.deepEqual([totals.requests, totals.broke, totals.lost.tokens], [3, 1, broke.tokens]);
    assert.ok((totals.reported.hits ?? 0) > 0, 'the rehearsal reports what a cache would have had');
  });

  test('shows the same to people, of the session that is named and of the latest', async (t) => {
    const { bench, id } = await broken(t);
    const shown = await bench.reins(['log', '--cache', id]);
    assert.match(shown.out, /^request +turn +prefix +uncached +cached +written +hits +cost$/m);
    assert.match(shown.out, /^ {4}broke at byte [\d,]+, the system prompt, ~[\d,]+ tokens lost/m);
    assert.match(shown.out, /^3 requests: 1 extend the one before, 1 broke it$/m);
    assert.equal((await bench.reins(['log', '--cache', '-C', bench.workspace], { folder: tmpdir() })).out, shown.out);
    const both = await bench.reins(['log', id, '--cache', '--verify']);
    assert.equal(both.exit, 2);
    assert.match(both.err, /--cache and --verify exclude each other/);
  });
});

describe('reins context', () => {
  test('shows the next request of a session, of the one that is named and of the latest', async (t) => {
    const { bench, id } = await broken(t);
    const { out, exit, err } = await bench.reins(['context', id, '--json']);
    assert.equal(exit, 0, err);
    const report = JSON.parse(out) as ContextReport;
    assert.deepEqual([report.session, report.workspace], [id, bench.workspace]);
    assert.equal(
      report.layers.reduce((sum, { bytes }) => sum + bytes, 0),
      report.total.bytes,
    );
    assert.ok(report.total.bytes > (await bodyOf(bench, id, 3)).length, 'what was said since is in it');
    const shown = await bench.reins(['context', id]);
    assert.match(shown.out, new RegExp(`^The next request of session ${id}, to script/rehearsed`));
    assert.match(shown.out, /^ {4}read a\.txt +~\d+ /m);
    assert.equal((await bench.reins(['context', '--continue'])).out, shown.out);
    // Nothing was recorded by looking.
    assert.equal(
      linesOf((await bench.reins(['log', id, '--json'])).out).filter(({ kind }) => kind === 'request').length,
      3,
    );
  });

  test('shows a fresh start, without a key, a session or the network', async (t) => {
    const bench = openBench(t);
    const shown = await bench.reins(['context']);
    assert.equal(shown.exit, 0, shown.err);
    assert.match(shown.out, new RegExp(`^The first request in ${bench.workspace}, to `));
    assert.match(shown.out, /^tools \(9\) +~/m);
    assert.match(shown.out, /^No model is configured and no key is there/m);
    assert.equal((await bench.reins(['context', '-C', bench.workspace], { folder: tmpdir() })).out, shown.out);
    assert.equal((await bench.reins(['sessions', '--all'])).out, '');
    const other = await bench.reins(['context', '--model', 'openai/gpt-6.2-sol', '--mode', 'plan', '--json']);
    assert.equal((JSON.parse(other.out) as ContextReport).model, 'openai/gpt-6.2-sol');
  });

  test('shows the instruction files in force and those left out, of a fresh start and of a session', async (t) => {
    const bench = openBench(t);
    bench.file('AGENTS.md', 'Use tabs.\n');
    bench.file('CLAUDE.md', '@AGENTS.md\n');
    bench.file('lib/AGENTS.md', 'Use spaces.\n');
    bench.file('lib/b.txt', 'b\n');
    const shown = await bench.reins(['context', '--instructions']);
    assert.equal(shown.exit, 0, shown.err);
    assert.match(shown.out, /^1 instruction file in force with 10 bytes/);
    assert.match(shown.out, /^ {2}AGENTS\.md +10$/m);
    assert.match(shown.out, /^Left out:\n {2}CLAUDE\.md: it only imports others$/m);
    const read = [{ name: 'read', arguments: { path: 'lib/b.txt' } }];
    const script = bench.scenario({ turns: [{ calls: read }, { text: 'Done.' }] });
    const run = await bench.reins(['run', '--mode', 'plan', '--model', script, 'look']);
    assert.equal(run.exit, 0, run.err);
    const later = await bench.reins(['context', '--continue', '--instructions', '--json']);
    const { files, bytes } = JSON.parse(later.out) as ContextReport['instructions'];
    assert.deepEqual(
      files.map(({ path, since }) => [path, since]),
      [
        ['AGENTS.md', 'start'],
        ['lib/AGENTS.md', 'later'],
      ],
    );
    assert.equal(bytes, 22);
  });

  test('says what can’t be shown', async (t) => {
    const bench = openBench(t);
    for (const [words, said] of [
      [['nobody'], /session/],
      [['--continue'], /no session/],
      [['nobody', '--continue'], /exclude each other/],
      [['nobody', '--model', 'x'], /--model is for a fresh start/],
      [['--mode', 'plam'], /Did you mean plan\?/],
      [['--model', 'nobody/x'], /no provider/],
      [['-C', '/nowhere'], /nowhere/],
      [['a', 'b'], /argument too many/],
    ] as [string[], RegExp][]) {
      const { exit, err, out } = await bench.reins(['context', ...words]);
      assert.deepEqual([exit, out], [2, ''], err);
      assert.match(err, said);
    }
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { linesOf, openBench, type Bench } from './command-line.ts';

/** A session that has ended, and the outcome that was printed. */
async function finished(bench: Bench) {
  bench.file('a.txt', 'alpha\n');
  const calls = [{ name: 'read', arguments: { path: 'a.txt' } }];
  const model = bench.scenario({ turns: [{ text: 'I look.', calls }, { text: 'It says alpha.' }] });
  const { out, err } = await bench.reins(['run', '--json', '--model', model, 'look into a.txt']);
  const outcome = linesOf(out).at(-1);
  assert.equal(outcome?.['exit'], 0, err);
  return {
    id: String(outcome['session']),
    log: String(outcome['log']),
    head: String(outcome['head']),
    lines: linesOf(out),
  };
}

describe('reins log', () => {
  test('shows a line an event, of the session that was named and of the latest', async (context) => {
    const bench = openBench(context);
    const { id, lines } = await finished(bench);
    const shown = await bench.reins(['log', id]);
    assert.equal(shown.exit, 0, shown.err);
    const kinds = shown.out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ +/)[2]);
    assert.deepEqual(
      kinds,
      lines.slice(0, -1).map(({ kind }) => kind),
    );
    assert.match(shown.out, /input {7}user: look into a\.txt$/m);
    assert.equal((await bench.reins(['log'])).out, shown.out);
    assert.equal((await bench.reins(['log', '-C', bench.workspace], { folder: tmpdir() })).out, shown.out);
  });

  test('writes the exact bytes of a request', async (context) => {
    const bench = openBench(context);
    const { id, lines } = await finished(bench);
    const requests = lines
      .filter(({ kind }) => kind === 'request')
      .map(({ data }) => data as { fingerprint: string; bytes: number });
    for (const [index, { fingerprint, bytes }] of requests.entries()) {
      const { out, exit } = await bench.reins(['log', id, '--request', String(index + 1)]);
      assert.equal(exit, 0);
      assert.equal(Buffer.byteLength(out), bytes);
      assert.equal(createHash('sha256').update(out).digest('hex'), fingerprint);
    }
    const missing = await bench.reins(['log', id, '--request', String(requests.length + 1)]);
    assert.notEqual(missing.exit, 0);
    assert.equal(missing.out, '');
  });

  test('verifies, and says what is wrong and where', async (context) => {
    const bench = openBench(context);
    const { id, log, head } = await finished(bench);
    const whole = await bench.reins(['log', id, '--verify', head]);
    assert.equal(whole.exit, 0, whole.out + whole.err);
    assert.match(whole.out, /nothing is wrong; the last line has the hash [0-9a-f]{64}\n$/);
    assert.equal((await bench.reins(['log', id, '--verify', 'f'.repeat(64)])).exit, 1);

    const bytes = readFileSync(log, 'utf8').split('\n');
    const edited = bytes.findIndex((line) => line.includes('"kind":"input"'));
    writeFileSync(
      log,
      bytes.map((line, index) => (index === edited ? line.replace('look into', 'rm -rf on') : line)).join('\n'),
    );
    const wrong = await bench.reins(['log', id, '--verify']);
    assert.equal(wrong.exit, 1);
    assert.match(wrong.out, /^line \d+: /m);
    const json = await bench.reins(['log', id, '--verify', '--json']);
    assert.equal(json.exit, 1);
    assert.notDeepEqual((JSON.parse(json.out) as { problems: unknown[] }).problems, []);

    appendFileSync(log, '{"torn');
    assert.match((await bench.reins(['log', id])).out, /^line \d+ is damaged \(.*; 6 bytes\)$/m);
  });

  test('follows what is added', async (context) => {
    const bench = openBench(context);
    const { id } = await finished(bench);
    const follow = bench.start(['log', id, '--follow']);
    await follow.until('out', /stop {8}completed/);
    await bench.reins(['say', id, 'one more thing']);
    await follow.until('out', /input {7}user: one more thing/);
    follow.child.kill('SIGINT');
    assert.equal((await follow.ended).exit, 130);
  });

  test('ends quietly when its reader has enough', async (context) => {
    const bench = openBench(context);
    const { id } = await finished(bench);
    const log = bench.start(['log', id, '--follow']);
    await log.until('out', /stop/);
    log.child.stdout.destroy();
    await bench.reins(['say', id, 'more']);
    const ended = await log.ended;
    assert.deepEqual([ended.exit, ended.err], [0, '']);
  });
});

describe('from a second terminal', () => {
  const slow = { turns: [{ text: 'Too late.', wait: 60_000 }] };

  /** A run that waits for its model. */
  async function waiting(context: TestContext) {
    const bench = openBench(context);
    const run = bench.start(['run', '--json', '--model', bench.scenario(slow), 'wait']);
    await run.until('out', /"kind":"request"/);
    const { out } = await bench.reins(['sessions', '--json']);
    return { bench, run, session: JSON.parse(out) as { id: string; state: string; task: string } };
  }

  test('a run is cancelled', async (context) => {
    const { bench, run, session } = await waiting(context);
    assert.deepEqual([session.state, session.task], ['running', 'wait']);
    assert.equal((await bench.reins(['cancel', session.id])).exit, 0);
    const ended = await run.ended;
    assert.equal(ended.exit, 130, ended.err);
    assert.equal(linesOf(ended.out).at(-1)?.['outcome'], 'cancelled');
  });

  test('a run is told something', async (context) => {
    const { bench, run, session } = await waiting(context);
    assert.equal((await bench.reins(['say', session.id, 'look at b.txt too'])).exit, 0);
    await run.until('out', /"from":"steer","text":"look at b\.txt too"/);
    assert.equal((await bench.reins(['say', session.id, '--follow-up', 'then c.txt'])).exit, 0);
    await run.until('out', /"from":"follow-up","text":"then c\.txt"/);
  });

  test('what can’t be is said: exit 2', async (context) => {
    const bench = openBench(context);
    const { id } = await finished(bench);
    for (const words of [
      ['cancel', 'nowhere'],
      ['say', 'nowhere', 'x'],
      ['answer', id, 'yes'],
      ['say', id, ' '],
      ['say', id, '--steer', '--follow-up', 'x'],
      ['cancel'],
      ['answer', id, 'maybe'],
    ]) {
      const ended = await bench.reins(words);
      assert.deepEqual([ended.exit, ended.out], [2, ''], words.join(' '));
      assert.match(ended.err, /^reins: /);
    }
    assert.equal((await bench.reins(['answer', id])).out, 'No question is open.\n');
  });
});

describe('what there is', () => {
  test('sessions are listed for their workspace, and all of them', async (context) => {
    const bench = openBench(context);
    const { id } = await finished(bench);
    assert.match((await bench.reins(['sessions'])).out, new RegExp(`^${id}  .*  completed  look into a\\.txt\n$`));
    const elsewhere = await bench.reins(['sessions'], { folder: realpathSync(tmpdir()) });
    assert.deepEqual([elsewhere.exit, elsewhere.out], [0, '']);
    assert.match(elsewhere.err, /--all/);
    assert.match(
      (await bench.reins(['sessions', '--all'], { folder: realpathSync(tmpdir()) })).out,
      new RegExp(`^${id} .*${bench.workspace}: look`),
    );
  });

  test('settings are shown with their origin', async (context) => {
    const bench = openBench(context);
    bench.file('.reins/settings.json', '{\n  // ours\n  "mode": "plan"\n}');
    const { out, exit } = await bench.reins(['config']);
    assert.equal(exit, 0);
    assert.match(out, new RegExp(`^mode +"plan" +${join(bench.workspace, '.reins/settings.json')}:3$`, 'm'));
    assert.match(out, /^limits\.turns +100 +default$/m);
    const json = JSON.parse((await bench.reins(['config', '--json'])).out) as { rows: { key: string }[] };
    assert.ok(json.rows.some(({ key }) => key === 'mode'));
  });

  test('the doctor says what is enforced', async (context) => {
    const bench = openBench(context);
    const { out } = await bench.reins(['doctor']);
    assert.match(out, /^✓ Reins +\d+\.\d+\.\d+ on Node /m);
    assert.match(out, /^[✓✗] sandbox +/m);
    const json = JSON.parse((await bench.reins(['doctor', '--json'])).out) as { rows: { name: string; ok: boolean }[] };
    assert.ok(json.rows.some(({ name, ok }) => name === 'Reins' && ok));
  });

  test('help and version', async (context) => {
    const bench = openBench(context);
    const help = await bench.reins(['help']);
    assert.deepEqual([help.exit, help.err], [0, '']);
    assert.match(help.out, /^ {2}run {8}Do a task/m);
    assert.equal((await bench.reins(['run', '--help'])).out, (await bench.reins(['help', 'run'])).out);
    assert.match((await bench.reins(['--version'])).out, /^\d+\.\d+\.\d+\n$/);
    const nothing = await bench.reins([]);
    assert.deepEqual([nothing.exit, nothing.out], [2, '']);
    assert.match((await bench.reins(['sesions'])).err, /Did you mean sessions\?/);
  });
});

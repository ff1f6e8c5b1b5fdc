import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { openBench, type Bench } from './command-line.ts';

const read = { name: 'read', arguments: { path: 'a.txt' } };
const edit = { name: 'edit', arguments: { path: 'a.txt', old: 'alpha', new: 'beta' } };
const turns = [{ text: 'I look.', calls: [read, edit] }, { text: 'Done.' }];

/** A bench with a session that changed a file. */
async function past(context: TestContext): Promise<Bench> {
  const bench = openBench(context);
  bench.file('a.txt', 'alpha\n');
  const ran = await bench.reins([
    'run',
    '--mode',
    'edit',
    '--check',
    'none',
    '--model',
    bench.scenario({ turns }),
    'go',
  ]);
  assert.equal(ran.exit, 0, ran.err);
  bench.file('a.txt', 'alpha\n');
  return bench;
}

const leftIn = (bench: Bench): string[] =>
  readdirSync(bench.environment['TMPDIR'] ?? '').filter((name) => name.startsWith('reins-rehearsal-'));

describe('reins rehearse', () => {
  test('plays the latest session of the workspace; nothing differs: exit code 0', async (context) => {
    const bench = await past(context);
    const ended = await bench.reins(['rehearse']);
    assert.equal(ended.exit, 0, ended.err + ended.out);
    assert.match(ended.out, /^rehearsal of session \S+ \(script\/rehearsed\), in a copy of /);
    assert.match(ended.out, /1\.1 read a\.txt +allow +ok +same\n +1\.2 edit a\.txt +allow +ok +same/);
    assert.match(ended.out, /changed alike: a\.txt\nend: completed\n\nNothing differs\.\n$/);
    assert.deepEqual(leftIn(bench), []);
    assert.equal((await bench.reins(['sessions'])).out.trim().split('\n').length, 1);
  });

  test('says what differs, and ends with exit code 3', async (context) => {
    const bench = await past(context);
    const ended = await bench.reins(['rehearse', '--deny', 'edit']);
    assert.equal(ended.exit, 3, ended.err);
    assert.match(ended.out, /1\.2 edit a\.txt +allow → deny +ok → denied/);
    assert.match(ended.out, /\d differences:\n {2}1\.2 edit: verdict allow by mode:edit then, deny by rule:edit now\./);
    assert.match(ended.out, /changed only then: a\.txt/);
  });

  test('writes one JSON object', async (context) => {
    const bench = await past(context);
    const [summary] = (await bench.reins(['sessions', '--json'])).out.trim().split('\n');
    const { id } = JSON.parse(summary ?? '') as { id: string };
    const ended = await bench.reins(['rehearse', id.slice(0, 18), '--json'], { folder: '/' });
    assert.equal(ended.exit, 0, ended.err);
    const report = JSON.parse(ended.out) as { [key: string]: unknown };
    assert.deepEqual(Object.keys(report), [
      'session',
      'workspace',
      'model',
      'commit',
      'notes',
      'same',
      'differences',
      'stops',
      'calls',
      'checks',
      'changed',
      'setup',
    ]);
    assert.deepEqual([report['session'], report['same'], report['workspace']], [id, true, bench.workspace]);
    assert.equal(ended.out.trimEnd().split('\n').length, 1);
  });

  test('keeps the copy and says where, and how to look into it', async (context) => {
    const bench = await past(context);
    const ended = await bench.reins(['rehearse', '--keep']);
    assert.equal(ended.exit, 0, ended.err);
    const [, folder = '', , session = ''] =
      /kept in (\S+):\n {2}XDG_STATE_HOME=(\S+) \S+ log (\S+)\n/.exec(ended.out) ?? assert.fail(ended.out);
    assert.deepEqual(readdirSync(folder).toSorted(), ['scenario.json', 'state', 'workspace']);
    const log = await bench.reins(['log', session], { environment: { XDG_STATE_HOME: join(folder, 'state') } });
    assert.equal(log.exit, 0, log.err);
    assert.match(log.out, /edit a\.txt/);
  });

  test('refuses what it can’t make sense of: exit code 2', async (context) => {
    const bench = await past(context);
    const refused: [string[], RegExp][] = [
      [['nowhere'], /No session has “nowhere”/],
      [['nowhere', '-C', '.'], /exclude each other/],
      [['--mode', 'wild'], /--mode can’t be "wild"/],
      [['--check', 'none', '--check', 'true'], /stands alone/],
      [['a', 'b'], /too many/],
    ];
    for (const [words, expected] of refused) {
      const ended = await bench.reins(['rehearse', ...words]);
      assert.equal(ended.exit, 2, words.join(' '));
      assert.match(ended.err, expected);
    }
  });

  test('is cancelled by a signal, and leaves nothing', async (context) => {
    const bench = openBench(context);
    const slow = [{ calls: [{ name: 'shell', arguments: { command: 'sleep 1' } }] }, { text: 'Done.' }];
    const words = ['--mode', 'edit', '--allow', 'shell(*)'];
    await bench.reins(['run', ...words, '--check', 'none', '--model', bench.scenario({ turns: slow }), 'wait']);
    const running = bench.start(['rehearse', ...words]);
    while (leftIn(bench).length === 0) await new Promise((resolve) => setImmediate(resolve));
    running.child.kill('SIGINT');
    const ended = await running.ended;
    assert.deepEqual([ended.exit, ended.signal], [130, null], ended.err);
    assert.deepEqual(leftIn(bench), []);
  });
});

describe('reins run --record and replay:', () => {
  test('keep a run and play it back; the help names both', async (context) => {
    const bench = openBench(context);
    bench.file('a.txt', 'alpha\n');
    const common = ['run', '--mode', 'edit', '--check', 'none'];
    const recorded = await bench.reins([...common, '--record', 'tape', '--model', bench.scenario({ turns }), 'go']);
    assert.equal(recorded.exit, 0, recorded.err);
    assert.deepEqual(readdirSync(join(bench.workspace, 'tape')), ['0001.json', '0002.json']);
    bench.file('a.txt', 'alpha\n');
    const replayed = await bench.reins([...common, '--model', 'replay:tape', 'go']);
    assert.deepEqual([replayed.exit, replayed.out], [0, recorded.out], replayed.err);
    const other = await bench.reins([...common, '--json', '--model', 'replay:tape', 'go on']);
    assert.equal(other.exit, 1);
    assert.match(other.out, /"code":"replay-diverged"/);
    const again = await bench.reins([...common, '--record', 'tape', '--model', 'replay:tape', 'go']);
    assert.equal(again.exit, 2);
    assert.match(again.err, /holds 2 cassettes already/);
    const help = await bench.reins(['help', 'run']);
    assert.match(help.out, /--record DIR/);
    assert.match(help.out, /replay:DIR/);
    assert.match((await bench.reins(['help'])).out, /^ {2}rehearse /m);
  });
});

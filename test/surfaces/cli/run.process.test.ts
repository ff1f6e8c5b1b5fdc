import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { linesOf, commandLine, openBench } from './command-line.ts';

const greeting = { turns: [{ text: 'Hello.' }] };
const readCall = { name: 'read', arguments: { path: 'a.txt' } };

describe('standard input', () => {
  test('is not touched when the task is an argument', async (context) => {
    const bench = openBench(context);
    const run = bench.start(['run', '--model', bench.scenario(greeting), 'greet'], { stdin: 'open' });
    const ended = await run.ended;
    assert.deepEqual([ended.exit, ended.out], [0, 'Hello.\n'], ended.err);

    // What was in the pipe is still there for the next program.
    const through = ['sh', '-c', '"$@"; cat', 'sh', process.execPath, commandLine];
    const next = bench.start(['run', '--model', bench.scenario(greeting), 'greet'], { through, stdin: 'open' });
    next.child.stdin.end('not yours\n');
    assert.equal((await next.ended).out, 'Hello.\nnot yours\n');
  });

  test('is the task with -', async (context) => {
    const bench = openBench(context);
    const model = bench.scenario({ turns: [{ text: 'Hello.', expect: { contains: 'two\nlines' } }] });
    const run = bench.start(['run', '--model', model, '-'], { stdin: 'open' });
    run.child.stdin.write('two\n');
    run.child.stdin.end('lines\n');
    assert.equal((await run.ended).exit, 0, run.text.err);
  });

  test('that is empty is a usage error, and makes no session', async (context) => {
    const bench = openBench(context);
    const ended = await bench.reins(['run', '--json', '--model', bench.scenario(greeting), '-']);
    assert.equal(ended.exit, 2);
    assert.equal(linesOf(ended.out).length, 1);
    assert.equal((await bench.reins(['sessions'])).out, '');
  });
});

describe('standard output', () => {
  test('has the answer alone; the steps are on standard error', async (context) => {
    const bench = openBench(context);
    bench.file('a.txt', 'alpha\n');
    const model = bench.scenario({ turns: [{ text: 'I look.', calls: [readCall] }, { text: 'It says alpha.' }] });
    const ended = await bench.reins(['run', '--model', model, 'look']);
    assert.equal(ended.out, 'It says alpha.\n');
    assert.match(ended.err, /^I look\.\n✓ read a\.txt$/m);
    assert.doesNotMatch(ended.err, /It says alpha/);
  });

  test('shows escapes of the model, and obeys none', async (context) => {
    const bench = openBench(context);
    const text = '\u001b]0;owned\u0007done\u009b2J';
    const model = () => bench.scenario({ turns: [{ text }] });
    const plain = await bench.reins(['run', '--model', model(), 'x']);
    assert.equal(plain.out, '\\x1b]0;owned\\x07done\\x9b2J\n');
    const json = await bench.reins(['run', '--json', '--model', model(), 'x']);
    assert.doesNotMatch(json.out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    assert.equal(linesOf(json.out).at(-1)?.['answer'], text);
  });

  test('may go away: the work is done all the same', async (context) => {
    const bench = openBench(context);
    bench.file('a.txt', 'alpha\n');
    const turns = [{ calls: [readCall] }, { text: 'It says alpha.', wait: 300 }];
    const run = bench.start(['run', '--json', '--model', bench.scenario({ turns }), 'look']);
    await run.until('out', /"kind":"request"/);
    run.child.stdout.destroy();
    const ended = await run.ended;
    assert.deepEqual([ended.exit, ended.signal], [0, null], ended.err);
    const log = await bench.reins(['log', '--json']);
    const stop = linesOf(log.out).at(-1) as { kind?: string; data?: { reason: string } } | undefined;
    assert.deepEqual([stop?.kind, stop?.data?.reason], ['stop', 'completed']);
  });

  test('that is full is said, and costs nothing else', async (context) => {
    const bench = openBench(context);
    const through = ['sh', '-c', 'exec "$@" >/dev/full', 'sh', process.execPath, commandLine];
    const ended = await bench.reins(['run', '--model', bench.scenario(greeting), 'greet'], { through });
    assert.equal(ended.exit, 0);
    assert.match(ended.err, /standard output can’t be written \(ENOSPC\)/);
  });
});

describe('the lines of --json', () => {
  test('are the events as recorded, in their order, and the outcome', async (context) => {
    const bench = openBench(context);
    bench.file('a.txt', 'alpha\n');
    const model = bench.scenario({ turns: [{ calls: [readCall] }, { text: 'It says alpha.' }] });
    const { out } = await bench.reins(['run', '--json', '--model', model, 'look']);
    const lines = linesOf(out);
    const outcome = lines.at(-1) as {
      log: string;
      session: string;
      head: string;
      turns: number;
      calls: number;
      type: string;
    };
    const recorded = readFileSync(outcome.log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { prev: _prev, ...event } = JSON.parse(line) as { [key: string]: unknown };
        return { type: 'event', ...event };
      });
    const { version, ...first } = lines[0] ?? { type: 'none' };
    assert.equal(version, 1);
    assert.deepEqual([first, ...lines.slice(1, -1)], recorded);
    assert.deepEqual([lines[0]?.['kind'], lines.at(-2)?.['kind']], ['session', 'stop']);
    assert.deepEqual([outcome.turns, outcome.calls], [2, 1]);
    const again = await bench.reins(['log', outcome.session, '--json']);
    assert.deepEqual(linesOf(again.out), recorded);
    assert.equal((await bench.reins(['log', outcome.session, '--verify', outcome.head])).exit, 0);
  });

  test('of a resumed session are only the new ones', async (context) => {
    const bench = openBench(context);
    const model = bench.scenario({ turns: [{ text: 'One.' }, { text: 'Two.' }] });
    const first = linesOf((await bench.reins(['run', '--json', '--model', model, 'first'])).out);
    const second = linesOf((await bench.reins(['run', '--json', '--continue', '--model', model, 'second'])).out);
    assert.equal(second.at(-1)?.['session'], first.at(-1)?.['session']);
    assert.deepEqual([second.at(-1)?.['answer'], second.at(-1)?.['turns']], ['Two.', 2]);
    const old = new Set(first.map(({ id }) => id));
    assert.deepEqual(
      second.filter((line) => line['id'] !== undefined && old.has(line['id'])),
      [],
    );
    assert.equal(second[0]?.['version'], 1);
  });

  test('have deltas only where they were asked for; those of a failed try are voided by name', async (context) => {
    const bench = openBench(context);
    const turns = [{ text: 'A long answer in several deltas.', failures: [{ cut: 'in-text' as const }] }];
    bench.file('../config/reins/settings.json', '{ "retries": { "firstPause": 1 } }');
    const deltas = linesOf(
      (await bench.reins(['run', '--json', '--deltas', '--model', bench.scenario({ turns }), 'x'])).out,
    );
    const requests = deltas.filter(({ kind, type }) => type === 'event' && kind === 'request').map(({ id }) => id);
    assert.equal(requests.length, 2);
    const voided = deltas.findIndex(({ kind, type }) => type === 'delta' && kind === 'void');
    assert.equal(deltas[voided]?.['request'], requests[0]);
    const textOf = (request: unknown) =>
      deltas
        .filter((line) => line.type === 'delta' && line['kind'] === 'text' && line['request'] === request)
        .map((line) => line['text'])
        .join('');
    assert.ok('A long answer'.startsWith(textOf(requests[0]).slice(0, 13)) && textOf(requests[0]) !== '');
    assert.equal(textOf(requests[1]), 'A long answer in several deltas.');
    const lastOfFirst = deltas.findLastIndex((line) => line['kind'] === 'text' && line['request'] === requests[0]);
    assert.ok(lastOfFirst < voided);

    const plain = linesOf((await bench.reins(['run', '--json', '--model', bench.scenario({ turns }), 'x'])).out);
    assert.deepEqual(
      plain.filter(({ type }) => type === 'delta'),
      [],
    );
  });
});

test('a failed request is seen, with the time of the next try', async (context) => {
  const bench = openBench(context);
  bench.file('../config/reins/settings.json', '{ "retries": { "firstPause": 1 } }');
  const model = bench.scenario({ turns: [{ text: 'Hello.', failures: [{ status: 529 }] }] });
  const ended = await bench.reins(['run', '--model', model, 'greet']);
  assert.equal(ended.exit, 0, ended.err);
  assert.match(ended.err, /^! the model did not answer: .*provider-overloaded, HTTP 529\); next try in \d/m);
});

test('a resumption with a raised limit goes on where it stopped', async (context) => {
  const bench = openBench(context);
  bench.file('a.txt', 'alpha\n');
  const model = bench.scenario({
    turns: [{ calls: [readCall] }, { calls: [readCall] }, { calls: [readCall] }, { text: 'Done.' }],
  });
  const stopped = await bench.reins(['run', '--model', model, '--max-turns', '2', 'look']);
  assert.equal(stopped.exit, 4, stopped.err);
  const id = /^ {2}session {2}(\S+)$/m.exec(stopped.err)?.[1] ?? '';
  assert.match(stopped.err, new RegExp(`go on .*resume ${id} .*--max-turns N`));
  const resumed = await bench.reins(['run', '--resume', id.slice(0, -2), '--model', model, '--max-turns', '20']);
  assert.deepEqual([resumed.exit, resumed.out], [0, 'Done.\n'], resumed.err);
});

test('a denied call is told to the model and listed, and the run completes', async (context) => {
  const bench = openBench(context);
  const call = { name: 'shell', arguments: { command: 'touch x' } };
  const model = () =>
    bench.scenario({ turns: [{ calls: [call] }, { text: 'I may not.', expect: { results: [{ error: true }] } }] });
  const denied = await bench.reins(['run', '--mode', 'ask', '--model', model(), 'try'], { stdin: 'open' });
  assert.deepEqual([denied.exit, denied.out], [0, 'I may not.\n'], denied.err);
  assert.match(denied.err, /✗ shell touch x \(denied: /);
  assert.match(denied.err, /^ {2}denied {3}/m);
  const allowed = await bench.reins([
    'run',
    '--mode',
    'ask',
    '--allow',
    'shell(touch x)',
    '--model',
    bench.scenario({ turns: [{ calls: [call] }, { text: 'I may.' }] }),
    'try',
  ]);
  assert.match(allowed.err, /✓ shell touch x/);
  assert.doesNotMatch(allowed.err, /^ {2}denied/m);
});

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { nobodyThere } from '../../harness/ground.ts';
import { answer as answerWith, serve, textReply } from '../../model/loopback.ts';
import { isInstalled, commandLine, openBench, type Bench, type Started } from './command-line.ts';

const skip = isInstalled('script', ['--version'], /util-linux/) ? false : 'script of util-linux is not installed';

const call = { name: 'shell', arguments: { command: 'echo one >> effect' } };
const scenario = { turns: [{ calls: [call] }, { text: 'I am done.' }] };

/** Starts a run on a terminal of its own; standard output goes to the file `answer`, so that the terminal shows standard error alone. */
function onTerminal(bench: Bench, words: string[], environment: { [name: string]: string } = {}): Started {
  const command = [process.execPath, commandLine, 'run', '--check', 'none', ...words]
    .map((word) => `'${word}'`)
    .join(' ');
  return bench.start(['-qefc', `exec ${command} > answer`, '/dev/null'], {
    through: ['script'],
    stdin: 'open',
    environment,
  });
}

const asked = /r: no, and say why > $/;
const effect = (bench: Bench): string => {
  try {
    return readFileSync(join(bench.workspace, 'effect'), 'utf8');
  } catch {
    return ''; // Nothing was run.
  }
};
const answer = (bench: Bench): string => readFileSync(join(bench.workspace, 'answer'), 'utf8');
const sessionOf = ({ text }: Started): string => /session (\S+) ·/.exec(text.out)?.[1] ?? '';

describe('an ask on a terminal', { skip, concurrency: 2 }, () => {
  test('yes runs the call, once', async (context) => {
    const bench = openBench(context);
    const run = onTerminal(bench, ['--mode', 'ask', '--model', bench.scenario(scenario), 'go']);
    await run.until('out', asked);
    assert.equal(effect(bench), '');
    run.child.stdin.write('y\n');
    const ended = await run.ended;
    assert.equal(ended.exit, 0, ended.out);
    assert.equal(effect(bench), 'one\n');
    assert.equal(answer(bench), 'I am done.\n');
  });

  test('accepts a plan, which is carried out at once by the next run of the session', async (context) => {
    const bench = openBench(context);
    const write = (path: string) => ({ calls: [{ name: 'write', arguments: { path, content: 'one\n' } }] });
    const turns = [write('.reins/plan.md'), { text: 'Ready.' }, write('effect'), { text: 'I am done.' }];
    const run = onTerminal(bench, ['--mode', 'plan', '--model', bench.scenario({ turns }), 'go']);
    await run.until('out', /n: reject > $/);
    run.child.stdin.write('e\n');
    const ended = await run.ended;
    assert.equal(ended.exit, 0, ended.out);
    assert.match(ended.out, /mode plan[^]*mode edit[^]*completed/);
    assert.deepEqual([effect(bench), answer(bench)], ['one\n', 'I am done.\n']);
  });

  test('what was typed before is no answer', async (context) => {
    const bench = openBench(context);
    const turns = [{ calls: [call], wait: 500 }, { text: 'I may not.' }];
    const run = onTerminal(bench, ['--mode', 'ask', '--model', bench.scenario({ turns }), 'go']);
    await run.until('out', /session /);
    run.child.stdin.write('y\n');
    await run.until('out', asked);
    run.child.stdin.write('n\n');
    assert.equal((await run.ended).exit, 0);
    assert.equal(effect(bench), '');
  });

  test('no with a reason tells the model', async (context) => {
    const bench = openBench(context);
    const turns = [{ calls: [call] }, { text: 'Understood.', expect: { contains: 'use a temporary file' } }];
    const run = onTerminal(bench, ['--mode', 'ask', '--model', bench.scenario({ turns }), 'go']);
    await run.until('out', asked);
    run.child.stdin.write('r\n');
    await run.until('out', /why > $/);
    run.child.stdin.write('use a temporary file\n');
    const ended = await run.ended;
    assert.equal(ended.exit, 0, ended.out);
    assert.equal(answer(bench), 'Understood.\n');
    assert.equal(effect(bench), '');
  });

  test('always lets the shape pass in the next run too', async (context) => {
    const bench = openBench(context);
    const plain = { name: 'shell', arguments: { command: 'touch effect' } };
    const first = onTerminal(bench, [
      '--mode',
      'ask',
      '--model',
      bench.scenario({ turns: [{ calls: [plain] }, { text: 'a' }] }),
      'go',
    ]);
    await first.until('out', /a: always shell\(touch effect\) .*> $/);
    first.child.stdin.write('a\n');
    assert.equal((await first.ended).exit, 0);
    const second = await bench.reins([
      'run',
      '--mode',
      'ask',
      '--check',
      'none',
      '--model',
      bench.scenario({ turns: [{ calls: [plain] }, { text: 'b' }] }),
      'go',
    ]);
    assert.match(second.err, /✓ shell touch effect/);
  });

  test('Ctrl-C cancels', async (context) => {
    const bench = openBench(context);
    const run = onTerminal(bench, ['--mode', 'ask', '--model', bench.scenario(scenario), 'go']);
    await run.until('out', asked);
    run.child.stdin.write('\u0003');
    const ended = await run.ended;
    assert.equal(ended.exit, 130, ended.out);
    assert.match(ended.out, /cancelled/);
    assert.equal(effect(bench), '');
  });

  test('Ctrl-D leaves it open: exit 9, answered from elsewhere, resumed', async (context) => {
    const bench = openBench(context);
    const model = bench.scenario(scenario);
    const run = onTerminal(bench, ['--mode', 'ask', '--model', model, 'go']);
    await run.until('out', asked);
    run.child.stdin.write('\u0004');
    const ended = await run.ended;
    assert.equal(ended.exit, 9, ended.out);
    const id = sessionOf(run);
    assert.match((await bench.reins(['answer', id])).out, /echo one >> effect/);
    assert.equal((await bench.reins(['answer', id, 'yes'])).exit, 0);
    const resumed = await bench.reins(['run', '--resume', id, '--mode', 'ask', '--check', 'none', '--model', model]);
    assert.deepEqual([resumed.exit, resumed.out], [0, 'I am done.\n'], resumed.err);
    assert.equal(effect(bench), 'one\n');
  });

  test('is withdrawn when it is answered from a second terminal', async (context) => {
    const bench = openBench(context);
    const run = onTerminal(bench, ['--mode', 'ask', '--model', bench.scenario(scenario), 'go']);
    await run.until('out', asked);
    const second = await bench.reins(['answer', sessionOf(run), 'yes']);
    assert.equal(second.exit, 0, second.err);
    const ended = await run.ended;
    assert.equal(ended.exit, 0, ended.out);
    assert.match(ended.out, /no answer needed here any more/);
    assert.equal(effect(bench), 'one\n');
  });

  test('NO_COLOR means no colours; without it there are some', async (context) => {
    const bench = openBench(context);
    const run = (environment: { [name: string]: string }) =>
      onTerminal(bench, ['--model', bench.scenario({ turns: [{ text: 'Hello.' }] }), 'go'], environment).ended;
    assert.doesNotMatch((await run({ NO_COLOR: '1' })).out, /\u001b/);
    assert.match((await run({})).out, /\u001b\[32m/);
  });
});

describe('a question of the model', { skip, concurrency: 2 }, () => {
  const question = { question: 'Which database?', options: ['SQLite', 'PostgreSQL'], default: 'PostgreSQL' };
  const asking = (contains: string) => ({
    turns: [{ calls: [{ name: 'ask', arguments: question }] }, { text: 'Understood.', expect: { contains } }],
  });
  const choosing = /own words, or Enter for the default > $/;

  for (const [name, typed, told] of [
    ['by number', '1\n', 'Answer (by terminal)'],
    ['by Enter', '\n', 'Answer (by terminal)'],
    ['in own words', 'neither of them\n', 'neither of them'],
    ['by nobody, after Ctrl-D', '\u0004', 'Nobody is there to answer'],
  ] as const) {
    test(`is answered on a terminal ${name}`, async (context) => {
      const bench = openBench(context);
      const run = onTerminal(bench, ['--mode', 'plan', '--model', bench.scenario(asking(told)), 'go']);
      await run.until('out', choosing);
      assert.match(run.text.out, /\? Which database\?\s+1: SQLite\s+2: PostgreSQL \(default\)/);
      run.child.stdin.write(typed);
      const ended = await run.ended;
      assert.equal(ended.exit, 0, ended.out);
      assert.equal(answer(bench), 'Understood.\n');
    });
  }

  test('is cancelled on a terminal by Ctrl-C', async (context) => {
    const bench = openBench(context);
    const run = onTerminal(bench, ['--mode', 'plan', '--model', bench.scenario(asking('never asked for')), 'go']);
    await run.until('out', choosing);
    run.child.stdin.write('\u0003');
    const ended = await run.ended;
    assert.equal(ended.exit, 130, ended.out);
    assert.match(ended.out, /no answer needed here any more/);
  });

  test('isn’t put with --json: its default counts at once', async (context) => {
    const bench = openBench(context);
    const words = ['--json', '--mode', 'plan', '--model', bench.scenario(asking('Nobody is there to answer')), 'go'];
    const ended = await onTerminal(bench, words).ended;
    assert.equal(ended.exit, 0, ended.out);
    assert.doesNotMatch(ended.out, /own words, or Enter/);
  });

  test('isn’t put without a terminal: its default counts at once', async (context) => {
    const bench = openBench(context);
    const model = bench.scenario(asking('the default counts: "PostgreSQL"'));
    const ended = await bench.reins(['run', '--mode', 'plan', '--check', 'none', '--model', model, 'go']);
    assert.deepEqual([ended.exit, ended.out], [0, 'Understood.\n'], ended.err);
  });
});

describe('a local model on a terminal, when nothing is configured', { skip, concurrency: 2 }, () => {
  /** A server that lists one model and answers; all others are looked for where nobody is. */
  async function localServer(context: TestContext, bench: Bench): Promise<string> {
    const server = await serve(context, ({ method }, response) => {
      if (method !== 'GET') return answerWith(response, textReply('From here.'));
      return response.end(JSON.stringify({ data: [{ id: 'qwen3:8b' }, { id: 'other' }] }));
    });
    const config = join(bench.environment['XDG_CONFIG_HOME'] ?? '', 'reins');
    mkdirSync(config, { recursive: true });
    const ollama = { baseUrl: server.url, wire: 'anthropic' };
    writeFileSync(join(config, 'settings.json'), JSON.stringify({ providers: { ...nobodyThere, ollama } }));
    return server.url;
  }

  test('is offered by name, and yes takes it for this run', async (context) => {
    const bench = openBench(context);
    const url = await localServer(context, bench);
    const run = onTerminal(bench, ['--mode', 'plan', 'go']);
    await run.until('out', /n: no > $/);
    assert.match(run.text.out, new RegExp(`${url} answers\\.\\s+Use ollama/qwen3:8b \\(1 more: reins models\\)\\?`));
    run.child.stdin.write('perhaps\n');
    await run.until('out', /n: no > .*n: no > $/s);
    run.child.stdin.write('y\n');
    const ended = await run.ended;
    assert.equal(ended.exit, 0, ended.out);
    assert.match(ended.out, /ollama\/qwen3:8b was chosen/);
    assert.equal(answer(bench), 'From here.\n');
  });

  for (const [name, typed] of [
    ['no', 'n\n'],
    ['Ctrl-D', '\u0004'],
  ] as const) {
    test(`isn’t used after ${name}, and the ways on are named`, async (context) => {
      const bench = openBench(context);
      await localServer(context, bench);
      const run = onTerminal(bench, ['go']);
      await run.until('out', /n: no > $/);
      run.child.stdin.write(typed);
      const ended = await run.ended;
      assert.equal(ended.exit, 2, ended.out);
      assert.match(ended.out, /--model ollama\/qwen3:8b.*reins demo/s);
      assert.equal(answer(bench), '');
    });
  }
});

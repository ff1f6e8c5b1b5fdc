import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { exitCodeOf } from '../../../src/harness/index.ts';
import { linesOf, commandLine, openBench, type Bench, type StartOptions } from './command-line.ts';

interface Ending {
  outcome: string;
  exit: number;
  code?: string;
  /** Standard output for people: the answer, or nothing. */
  answer: string;
  words(bench: Bench): string[];
  options?: (bench: Bench) => StartOptions;
}

const writeCall = { name: 'write', arguments: { path: 'new.txt', content: 'new\n' } };
const shellCall = { name: 'shell', arguments: { command: 'touch x' } };

/** One way to each exit code, and to each kind of it that a person can meet. */
const endings: { [name: string]: Ending } = {
  'completed without changes': {
    outcome: 'completed',
    exit: 0,
    answer: 'Hello.\n',
    words: (bench) => ['--model', bench.scenario({ turns: [{ text: 'Hello.' }] }), 'greet'],
  },
  'completed with a check that passes': {
    outcome: 'completed',
    exit: 0,
    answer: 'Written.\n',
    words: (bench) => {
      const model = bench.scenario({ turns: [{ calls: [writeCall] }, { text: 'Written.' }] });
      return ['--mode', 'edit', '--model', model, '--check', 'test -f new.txt', 'write'];
    },
  },
  'completed with checks waived': {
    outcome: 'completed',
    exit: 0,
    answer: 'Written.\n',
    words: (bench) => {
      const model = bench.scenario({ turns: [{ calls: [writeCall] }, { text: 'Written.' }] });
      return ['--mode', 'edit', '--model', model, '--check', 'none', 'write'];
    },
  },
  'a state folder that can’t be made': {
    outcome: 'error',
    exit: 1,
    code: 'state-unwritable',
    answer: '',
    words: (bench) => ['--model', bench.scenario({ turns: [{ text: 'Hello.' }] }), 'greet'],
    options: (bench) => ({ environment: { XDG_STATE_HOME: bench.file('not-a-folder', '') } }),
  },
  'a task that is missing': { outcome: 'usage', exit: 2, code: 'usage-arguments', answer: '', words: () => [] },
  'an option that is unknown': {
    outcome: 'usage',
    exit: 2,
    code: 'usage-arguments',
    answer: '',
    words: () => ['--modle', 'x', 'y'],
  },
  'a workspace that is missing': {
    outcome: 'usage',
    exit: 2,
    code: 'workspace-missing',
    answer: '',
    words: (bench) => ['-C', join(bench.workspace, 'nowhere'), 'greet'],
  },
  'settings that are invalid': {
    outcome: 'usage',
    exit: 2,
    code: 'config-invalid',
    answer: '',
    words: (bench) => {
      bench.file('.reins/settings.json', '{ "mode": "yolo" }');
      return ['greet'];
    },
  },
  'a scenario that is missing': {
    outcome: 'usage',
    exit: 2,
    code: 'scenario-invalid',
    answer: '',
    words: () => ['--model', 'script:nowhere.json', 'greet'],
  },
  'a key that is missing': {
    outcome: 'usage',
    exit: 2,
    code: 'key-missing',
    answer: '',
    words: () => ['--model', 'claude-sonnet-4-5', 'greet'],
  },
  'a session that is missing': {
    outcome: 'usage',
    exit: 2,
    code: 'session-missing',
    answer: '',
    words: (bench) => ['--resume', 'nowhere', '--model', bench.scenario({ turns: [{ text: 'x' }] })],
  },
  'changes without a check': {
    outcome: 'unverified',
    exit: 3,
    code: 'checks-missing',
    answer: 'Written.\n',
    words: (bench) => {
      const model = bench.scenario({ turns: [{ calls: [writeCall] }, { text: 'Written.' }] });
      return ['--mode', 'edit', '--model', model, 'write'];
    },
  },
  'a check that fails and fails': {
    outcome: 'unverified',
    exit: 3,
    code: 'checks-failed',
    answer: 'Written.\n',
    words: (bench) => {
      const model = bench.scenario({ turns: [{ calls: [writeCall] }, { text: 'Written.', repeat: 'forever' }] });
      return ['--mode', 'edit', '--model', model, '--check', 'false', 'write'];
    },
  },
  'a limit': {
    outcome: 'limit',
    exit: 4,
    code: 'limit-turns',
    answer: '',
    words: (bench) => {
      bench.file('a.txt', 'a\n');
      const read = { name: 'read', arguments: { path: 'a.txt' } };
      const model = bench.scenario({ turns: [{ calls: [read], repeat: 'forever' }] });
      return ['--model', model, '--max-turns', '2', 'read'];
    },
  },
  'refusals that leave no way on': {
    outcome: 'denied',
    exit: 5,
    code: 'denials',
    answer: '',
    words: (bench) => [
      '--mode',
      'ask',
      '--model',
      bench.scenario({ turns: [{ calls: [shellCall], repeat: 'forever' }] }),
      'try',
    ],
  },
  'a provider that refuses the key': {
    outcome: 'provider',
    exit: 7,
    code: 'provider-auth',
    answer: '',
    words: (bench) => {
      const failures = [{ status: 401, times: 'forever' as const }];
      return ['--model', bench.scenario({ turns: [{ text: 'Hello.', failures }] }), 'greet'];
    },
  },
  'a model that declines': {
    outcome: 'refused',
    exit: 8,
    answer: '',
    words: (bench) => ['--model', bench.scenario({ turns: [{ text: 'No.', stop: 'refusal' }] }), 'greet'],
  },
};

describe('each ending has its exit code, and says so in both forms', { concurrency: 2 }, () => {
  const entries = Object.entries(endings);
  const firstOfEach = entries.filter(
    ([, { exit }], index) => entries.findIndex(([, each]) => each.exit === exit) === index,
  );
  for (const [name, ending] of firstOfEach) {
    test(`${ending.exit}: ${name}, for people`, async (context) => {
      const bench = openBench(context);
      const ended = await bench.reins(['run', ...ending.words(bench)], ending.options?.(bench));
      assert.equal(ended.exit, ending.exit, ended.err);
      assert.equal(ended.out, ending.answer);
      assert.match(ended.err, ending.exit === 0 ? /^completed: /m : /\S/);
      assert.doesNotMatch(ended.err, /\u001b/);
    });
  }
  for (const [name, ending] of entries) {
    test(`${ending.exit}: ${name}, with --json`, async (context) => {
      const bench = openBench(context);
      const ended = await bench.reins(['run', '--json', ...ending.words(bench)], ending.options?.(bench));
      assert.equal(ended.exit, ending.exit, ended.err);
      const lines = linesOf(ended.out);
      const last = lines.at(-1);
      assert.equal(lines[0]?.['version'], 1);
      assert.deepEqual(
        { type: last?.type, outcome: last?.['outcome'], exit: last?.['exit'], code: last?.['code'] },
        { type: 'outcome', outcome: ending.outcome, exit: ending.exit, code: ending.code },
      );
      assert.deepEqual([...new Set(lines.slice(0, -1).map(({ type }) => type))], lines.length > 1 ? ['event'] : []);
    });
  }
});

test('6: the code of being stuck is fixed too', () => {
  assert.equal(exitCodeOf('stuck'), 6);
});

describe('130 and 143: a signal cancels, and the record says so', () => {
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 143],
  ] as const;
  const slow = { turns: [{ text: 'Too late.', wait: 60_000 }] };

  for (const [signal, exit] of signals) {
    test(`${signal}, while the model is asked`, async (context) => {
      const bench = openBench(context);
      const run = bench.start(['run', '--json', '--model', bench.scenario(slow), 'wait']);
      await run.until('out', /"kind":"request"/);
      run.child.kill(signal);
      const ended = await run.ended;
      assert.equal(ended.exit, exit, ended.err);
      const lines = linesOf(ended.out);
      assert.deepEqual(
        lines.slice(-2).map((line) => [line['kind'], line['outcome'], line['exit']]),
        [
          ['stop', undefined, undefined],
          [undefined, 'cancelled', exit],
        ],
      );
      assert.ok(lines.some((line) => line['kind'] === 'cancel'));
    });
  }

  test('SIGINT, while a command runs: the command is ended', async (context) => {
    const bench = openBench(context);
    const marker = join(bench.workspace, 'beat');
    const call = { name: 'shell', arguments: { command: 'while :; do echo tick >> beat; sleep 0.05; done' } };
    const model = bench.scenario({ turns: [{ calls: [call] }, { text: 'Never.' }] });
    const run = bench.start(['run', '--mode', 'unsafe', '--model', model, '--check', 'none', 'beat']);
    await run.until('err', /session /);
    await until(() => sizeOf(marker) > 0);
    run.child.kill('SIGINT');
    const ended = await run.ended;
    assert.equal(ended.exit, 130, ended.err);
    assert.equal(ended.out, '');
    assert.match(ended.err, /✗ shell while .*\(cancelled/);
    const size = sizeOf(marker);
    await new Promise((resolve) => setTimeout(resolve, 200)); // Long enough for four more beats.
    assert.equal(sizeOf(marker), size);
  });

  test('a second SIGINT ends at once, with an outcome', async (context: TestContext) => {
    const bench = openBench(context);
    const call = { name: 'shell', arguments: { command: "trap '' INT TERM; sleep 30" } };
    const run = bench.start([
      'run',
      '--json',
      '--mode',
      'unsafe',
      '--model',
      bench.scenario({ turns: [{ calls: [call] }] }),
      'wait',
    ]);
    await run.until('out', /"kind":"start"/);
    run.child.kill('SIGINT');
    await run.until('err', /once more ends at once/);
    run.child.kill('SIGINT');
    const ended = await run.ended;
    assert.equal(ended.exit, 130);
    assert.equal(linesOf(ended.out).at(-1)?.['exit'], 130);
  });
});

describe('a log that can’t be written any more', () => {
  test('ends the run with an outcome that says so', async (context) => {
    const bench = openBench(context);
    bench.file('large.txt', `${'x'.repeat(79)}\n`.repeat(1000));
    writeFileSync(join(bench.workspace, 'a.txt'), 'a\n');
    const read = { name: 'read', arguments: { path: 'large.txt' } };
    const model = bench.scenario({ turns: [{ calls: [read] }, { text: 'Never.' }] });
    // The shell's limit on file sizes stands for a disk that is full: 24 blocks of 512 bytes hold the setup, not the result.
    const through = ['sh', '-c', 'ulimit -f 24; exec "$@"', 'sh', process.execPath, commandLine];
    const ended = await bench.reins(['run', '--json', '--model', model, 'read'], { through });
    assert.equal(ended.exit, 1, ended.err);
    const last = linesOf(ended.out).at(-1);
    assert.deepEqual([last?.['outcome'], last?.['exit'], last?.['code']], ['error', 1, 'log-append-failed']);
    assert.ok(typeof last?.['session'] === 'string');
  });
});

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!holds()) {
    assert.ok(Date.now() < deadline, 'it did not come in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

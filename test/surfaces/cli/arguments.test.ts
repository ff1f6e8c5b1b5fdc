import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseArguments, UsageError } from '../../../src/surfaces/cli/arguments.ts';
import { answerFrom, command as answer } from '../../../src/surfaces/cli/commands/answer.ts';
import { commandNames, loadCommand } from '../../../src/surfaces/cli/commands/index.ts';
import { command as log, identify } from '../../../src/surfaces/cli/commands/log.ts';
import { command as run, requestFrom } from '../../../src/surfaces/cli/commands/run.ts';
import { commandHelp } from '../../../src/surfaces/cli/help.ts';
import { platformRefusal } from '../../../src/surfaces/cli/platform.ts';
import { otherWords, unknownCommand } from '../../../src/surfaces/cli/unknown-command.ts';

const readTask = () => Promise.resolve('from standard input');
const requested = (...words: string[]) => requestFrom(parseArguments(run, words), readTask);

/** What a run is asked for, without what is the same everywhere. */
function asked(...words: string[]) {
  const { workspace: _workspace, trust: _trust, deltas: _deltas, again: _again, ...rest } = requested(...words);
  return rest;
}

test('a run that goes on is given again what shapes it, and not what was for once', () => {
  const once = '-C /w --json --record r --report x --image a.png';
  const kept = '--max-cost 2 --trust --profile own --style concise --deny a --deny b --append-prompt Briefly.';
  const { again } = requested('go', ...`${once} ${kept}`.split(' '));
  const words = again.map(([name, value]) => `${name} ${value}`);
  assert.deepEqual(words, [
    'max-cost 2',
    'trust ',
    'profile own',
    'style concise',
    'deny a',
    'deny b',
    'append-prompt Briefly.',
  ]);
});

function refused(words: string[], saying: RegExp): void {
  assert.throws(
    () => requested(...words),
    (error: unknown) => {
      assert.ok(error instanceof UsageError, String(error));
      assert.match(error.message, saying);
      return true;
    },
  );
}

describe('what `run` understands', () => {
  const task = 'fix it';
  const base = { settings: {}, task, mayAsk: true };
  const understood: [string, string[], object][] = [
    ['a task alone', [task], base],
    ['a task after --', ['--', '--model'], { ...base, task: '--model' }],
    ['a task before the options', [task, '--mode', 'plan'], { ...base, settings: { mode: 'plan' } }],
    ['a resumption without a task', ['--resume', 'abc'], { settings: {}, resume: 'abc', mayAsk: true }],
    ['a resumption with a task', ['--resume=abc', task], { ...base, resume: 'abc' }],
    ['--continue', ['--continue'], { settings: {}, resume: { latest: true }, mayAsk: true }],
    ['a model', ['--model', 'script:x.json', task], { ...base, settings: { model: 'script:x.json' } }],
    [
      'how the model works',
      ['--effort', 'xhigh', '--thinking', '1024', '--temperature', '.5', task],
      { ...base, settings: { effort: 'xhigh', thinking: 1024, temperature: 0.5 } },
    ],
    [
      'how it works, at the edges',
      ['--effort=none', '--thinking=off', '--temperature=2', task],
      { ...base, settings: { effort: 'none', thinking: 'off', temperature: 2 } },
    ],
    [
      'thinking as the model sees fit, without chance',
      ['--thinking', 'adaptive', '--temperature', '0', task],
      { ...base, settings: { thinking: 'adaptive', temperature: 0 } },
    ],
    ['a style', ['--style', 'concise', task], { ...base, settings: { style: 'concise' } }],
    ['a text for the prompt', ['--append-prompt', '@more.md', task], { ...base, appendPrompt: '@more.md' }],
    [
      'several checks',
      ['--check', 'a', '--check=b', '--check', 'a', task],
      { ...base, settings: { checks: ['a', 'b'] } },
    ],
    ['no checks', ['--check', 'none', task], { ...base, settings: { checks: 'waived' } }],
    ['a check that looks like an option', ['--check=-x', task], { ...base, settings: { checks: ['-x'] } }],
    [
      'shapes in their order',
      ['--allow', 'shell(b)', '--deny', 'write', '--allow', 'shell(a)', task],
      { ...base, settings: { allow: ['shell(b)', 'shell(a)'], deny: ['write'] } },
    ],
    [
      'the smallest counts',
      ['--max-turns', '1', '--max-calls=1', task],
      { ...base, settings: { limits: { turns: 1, calls: 1 } } },
    ],
    [
      'fractions of minutes and dollars',
      ['--max-minutes', '0.5', '--max-cost', '.01', task],
      { ...base, settings: { limits: { minutes: 0.5, cost: 0.01 } } },
    ],
    [
      'limits that are lifted',
      ['--max-turns=none', '--max-calls=none', '--max-minutes=none', '--max-cost=none', task],
      { ...base, settings: { limits: { turns: null, calls: null, minutes: null, cost: null } } },
    ],
    ['output tokens', ['--max-output-tokens', '500', task], { ...base, settings: { limits: { outputTokens: 500 } } }],
  ];
  for (const [name, words, expected] of understood) {
    test(name, () => assert.deepEqual(asked(...words), expected));
  }

  for (const mode of ['plan', 'ask', 'edit', 'auto', 'unsafe']) {
    test(`mode ${mode}`, () => assert.equal(asked('--mode', mode, task).settings.mode, mode));
  }

  test('the folder, trust and the JSON lines', () => {
    assert.equal(requested('-C', '/some/where', task).workspace, '/some/where');
    assert.equal(requested('-C/some/where', task).workspace, '/some/where');
    assert.equal(requested(task).workspace, process.cwd());
    assert.deepEqual([requested(task).trust, requested('--trust', task).trust], [false, true]);
    assert.deepEqual([requested('--json', task).deltas, requested('--json', '--deltas', task).deltas], [false, true]);
  });

  test('a task on standard input is read later, and nobody can be asked there', async () => {
    const request = requested('-');
    assert.equal(request.mayAsk, false);
    assert.ok(typeof request.task === 'function');
    assert.equal(await request.task(), 'from standard input');
  });
});

describe('what `run` refuses', () => {
  const refusals: [string, string[], RegExp][] = [
    ['a contract that isn’t there', ['--contract', '/no/such.json', 'task'], /such\.json": there is no such file\.$/],
    ['no task', [], /There is no task/],
    ['an empty task', [' \n'], /The task is empty/],
    ['two tasks', ['fix', 'it'], /argument too many: "it"\. The task is one argument: put it in quotation marks/],
    [
      'an unknown option, with the one that was meant',
      ['--modle', 'x', 'task'],
      /--modle is unknown\. Did you mean --model\?/,
    ],
    ['an unknown option that is like none', ['--frobnicate', 'task'], /--frobnicate is unknown\.$/],
    ['an unknown short option', ['-x', 'task'], /-x is unknown; known are -C, -h/],
    ['an option twice', ['--model', 'a', '--model', 'b', 'task'], /--model is given twice/],
    ['a switch twice', ['--json', '--json', 'task'], /--json is given twice/],
    ['an option without its value', ['task', '--model'], /--model needs a value: --model MODEL/],
    ['an option that took the next one', ['--model', '--json', 'task'], /--model needs a value.*write --model=--json/],
    ['a switch with a value', ['--json=yes', 'task'], /--json takes no value/],
    ['--resume and --continue', ['--resume', 'a', '--continue'], /exclude each other/],
    ['an empty --resume', ['--resume=', 'task'], /--resume needs the ID/],
    ['--deltas without --json', ['--deltas', 'task'], /--deltas adds to --json/],
    [
      'a mode that isn’t one, with the one that was meant',
      ['--mode', 'edti', 'task'],
      /--mode can’t be "edti"\. Did you mean edit\?/,
    ],
    ['a mode that isn’t one', ['--mode', 'yolo', 'task'], /one of plan, ask, edit, auto, unsafe/],
    ['an empty check', ['--check', ' ', 'task'], /--check needs a command/],
    ['checks and none', ['--check', 'none', '--check', 'a', 'task'], /--check none stands alone/],
    ['an empty shape', ['--allow=', 'task'], /--allow needs the shape/],
    ['an empty model', ['--model=', 'task'], /--model needs the name/],
    [
      'an effort that isn’t one',
      ['--effort', 'very', 'task'],
      /--effort can’t be "very"\. It is one of none, low, medium, high, xhigh, max/,
    ],
    ...['on', '1023', '-5', '2e3', ''].map((value): [string, string[], RegExp] => [
      `--thinking=${value}`,
      [`--thinking=${value}`, 'task'],
      /--thinking must be off, adaptive, or a budget of at least 1024 tokens/,
    ]),
    ...['2.1', '-1', 'hot', '', '1e0'].map((value): [string, string[], RegExp] => [
      `--temperature=${value}`,
      [`--temperature=${value}`, 'task'],
      /--temperature must be a number from 0 to 2/,
    ]),
    ...['0', '-1', '1.5', '1e3', '0x10', ' 5', '', 'many', '9007199254740993', 'NONE'].map(
      (value): [string, string[], RegExp] => [
        `--max-turns=${value}`,
        [`--max-turns=${value}`, 'task'],
        /--max-turns must be a whole number of at least 1, or none/,
      ],
    ),
    ...['0', '-1', '1e3', 'Infinity', '.', '', '1,5', '0.0'].map((value): [string, string[], RegExp] => [
      `--max-cost=${value}`,
      [`--max-cost=${value}`, 'task'],
      /--max-cost must be a number above 0, or none/,
    ]),
    [
      'no limit on output tokens',
      ['--max-output-tokens', 'none', 'task'],
      /must be a whole number of at least 1, not "none"/,
    ],
  ];
  for (const [name, words, saying] of refusals) {
    test(name, () => refused(words, saying));
  }

  test('what was typed can’t write to the terminal', () => {
    refused(['--mode', '\u001b]0;x\u0007', 'task'], /^[^\u001b\u0007]*$/);
    refused(['--\u001b[2J', 'task'], /^[^\u001b]*$/);
  });
});

describe('`log` tells an ID from a hash', () => {
  const hash = 'a'.repeat(64);
  const identified = (...words: string[]) => identify(parseArguments(log, words));
  const understood: [string[], object][] = [
    [[], {}],
    [['2026'], { id: '2026' }],
    [['--verify'], {}],
    [['--verify', hash], { hash }],
    [['--verify', '2026'], { id: '2026' }],
    [['2026', '--verify'], { id: '2026' }],
    [['2026', '--verify', hash], { id: '2026', hash }],
    [['--verify', hash, '2026'], { id: '2026', hash }],
    [[`--verify=${hash}`, '2026'], { id: '2026', hash }],
  ];
  for (const [words, expected] of understood) {
    test(`log ${words.join(' ').replaceAll(hash, 'HASH')}`, () => assert.deepEqual(identified(...words), expected));
  }
  for (const words of [['2026', '--verify', 'abc'], ['--verify=abc'], ['2026', '2027'], ['a', 'b', 'c']]) {
    test(`not log ${words.join(' ')}`, () => assert.throws(() => identified(...words), UsageError));
  }
});

describe('`answer` takes yes or no', () => {
  const answered = (...words: string[]) => answerFrom(parseArguments(answer, ['ID', ...words]));
  assert.deepEqual(answered('--choice', 'blue'), { decision: 'yes', scope: 'once', reason: 'blue' });
  assert.throws(() => answered('yes', '--choice', 'blue'), /--choice is the whole answer/);
  test('what it understands', () => {
    assert.equal(answered(), undefined);
    assert.deepEqual(answered('yes'), { decision: 'yes', scope: 'once' });
    assert.deepEqual(answered('yes', '--always'), { decision: 'yes', scope: 'always' });
    assert.deepEqual(answered('no', '--reason', 'too wide', '--ask', 'q'), {
      decision: 'no',
      scope: 'once',
      ask: 'q',
      reason: 'too wide',
    });
  });
  for (const words of [['maybe'], ['no', '--always'], ['yes', '--reason', 'x'], ['--always'], ['yes', 'no']]) {
    test(`not answer ID ${words.join(' ')}`, () => assert.throws(() => answered(...words), UsageError));
  }
});

describe('help', () => {
  for (const name of commandNames) {
    test(`says every option of ${name}`, async () => {
      const command = await loadCommand(name);
      assert.ok(command !== undefined);
      assert.equal(command.name, name);
      const text = commandHelp(command);
      for (const option of command.options) assert.ok(text.includes(`--${option.name}`), option.name);
      assert.match(text, new RegExp(`^Usage: reins ${name}`, 'm'));
    });

    test(`shows calls of ${name} that it takes`, async () => {
      const command = await loadCommand(name);
      assert.ok(command !== undefined && command.examples.length > 0);
      for (const example of command.examples) {
        const [called, ...words] = (example.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
        assert.equal(called, name);
        parseArguments(command, words);
        assert.ok(commandHelp(command).includes(`\n  reins ${example}\n`));
      }
    });
  }

  test('names that every object has are no commands', async () => {
    assert.equal(await loadCommand('constructor'), undefined);
    assert.equal(await loadCommand('__proto__'), undefined);
  });

  test('an unknown command is led to the one that is meant, where that can be told', () => {
    const said = (name: string) => unknownCommand(name).message;
    assert.match(said('settings'), /Did you mean config\?/);
    assert.match(said('sesions'), /Did you mean sessions\?/);
    assert.match(said('fix the test'), /A task is given to run/);
    for (const name of ['constructor', 'qqqqqqqq']) assert.match(said(name), /is unknown\.$/);
    for (const name of Object.values(otherWords)) assert.ok(commandNames.includes(name), name);
    for (const word of Object.keys(otherWords)) assert.ok(!commandNames.includes(word), word);
  });
});

describe('platforms', () => {
  test('are refused with advice or taken', () => {
    assert.match(platformRefusal('win32', '24.0.0') ?? '', /WSL/);
    assert.match(platformRefusal('linux', '20.11.1') ?? '', /22\.19 or newer/);
    assert.match(platformRefusal('linux', '22.18.9') ?? '', /22\.19 or newer/);
    assert.equal(platformRefusal('linux', '22.19.0'), undefined);
    assert.equal(platformRefusal('darwin', '24.21.0'), undefined);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Approver, CallOutcome } from '../../src/core/index.ts';
import { manualClock, recordingApprover } from '../../src/testing/index.ts';
import { defineTool, type CallHook, type ToolContext } from '../../src/tools/index.ts';
import { toolSession } from './session.ts';

const harmless = { effects: ['read' as const], resources: [] };

/** A tool without arguments that does this. */
const doing = (execute: (context: ToolContext) => unknown, timeout?: number) =>
  defineTool({
    name: 'act',
    description: 'Acts.',
    input: { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false },
    effects: harmless,
    execute: (_, context) => execute(context) as string,
    ...(timeout === undefined ? {} : { timeout }),
  });

describe('look-up and validation reach no human and run nothing', () => {
  test('an unknown name: the list of names, the nearest first', async () => {
    const approver = recordingApprover(['yes']);
    await using session = await toolSession({ approver, policy: { mode: 'ask' } });
    const result = await session.call('edits', { path: 'a' });
    assert.equal(result.outcome, 'error');
    assert.match(
      result.text,
      /^There is no tool "edits"; nothing was run\. The tools are, nearest first: edit, .*shell.*\.$/,
    );
    assert.equal(result.failed, 'not-found');
    const odd = await session.call(`\x1b[2J${'x'.repeat(500)}`, {});
    assert.ok(odd.text.length < 300);
    assert.doesNotMatch(odd.text, /\x1b/);
    assert.deepEqual(approver.questions, []);
    assert.deepEqual(session.kinds(), ['result', 'result']);
  });

  const broken: [string, string, RegExp][] = [
    [
      'cut',
      '{"path":"f.txt","old":',
      /weren’t valid JSON: they end in the middle, after 22 characters: “\.\.\.{"path":"f\.txt","old":”\. Nothing was run\. Send the call again.*in smaller parts/,
    ],
    ['garbled', '{"path": f.txt, "x": 1}', /at character 10, where “\.\.\.{"path": ” is followed by “f\.txt/],
    ['empty', '', /were empty/],
    ['no object', '["a"]', /valid JSON but no object/],
  ];
  for (const [name, raw, expected] of broken) {
    test(`malformed arguments: ${name}`, async () => {
      await using session = await toolSession({ files: { 'f.txt': 'x\n' } });
      const result = await session.call('edit', raw);
      assert.equal(result.outcome, 'error');
      assert.match(result.text, expected);
      assert.deepEqual(session.kinds(), ['result']);
    });
  }

  test('a write that was cut leaves the file alone', async () => {
    const readme = 'line\n'.repeat(80);
    await using session = await toolSession({ files: { 'readme.md': readme } });
    await session.call('read', { path: 'readme.md' });
    const result = await session.call('write', '{"path":"readme.md","content":"half of i');
    assert.match(result.text, /smaller parts/);
    assert.equal((await session.workspace.read('readme.md')).toString(), readme);
  });

  test('arguments are checked as they are: path, what was expected, what came', async () => {
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      input: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          offset: { type: 'integer', description: 'First line' },
          limit: { type: 'integer', minimum: 1 },
        },
        required: ['path'],
        additionalProperties: false,
      },
      effects: harmless,
      execute: () => 'done',
    });
    await using session = await toolSession({ tools: [look] });
    const result = await session.call('look', { path: 7, offset: '3', limit: 0, lines: [1] });
    assert.equal(result.outcome, 'error');
    assert.equal(
      result.text,
      [
        'The arguments of look don’t fit its schema; nothing was run:',
        '- lines: unknown; known are, nearest first, limit, path, offset',
        '- path: must be string, got 7',
        '- offset: must be integer, got "3"',
        '- limit: must be >= 1, got 0',
        'Send the call again with this corrected.',
      ].join('\n'),
    );
    assert.match((await session.call('look', {})).text, /- path: missing, expected string/);
    assert.match((await session.call('look', { path: 'a', offset: null })).text, /offset: must be integer, got null/);
    assert.match((await session.call('look', { path: 'a', offset: 1.5 })).text, /offset: must be integer, got 1\.5/);
    assert.deepEqual(session.kinds(), ['result', 'result', 'result', 'result']);
  });

  test('what is wrong inside nested arguments is named by its path', async () => {
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      input: {
        type: 'object',
        properties: {
          edits: {
            type: 'array',
            items: { type: 'object', properties: { line: { type: 'integer' } }, required: ['line'] },
          },
        },
      },
      effects: harmless,
      execute: () => 'done',
    });
    await using session = await toolSession({ tools: [tool] });
    const result = await session.call('act', { edits: [{ line: 1 }, { line: 'x'.repeat(500) }, {}] });
    assert.match(result.text, /- edits\.1\.line: must be integer, got "x{79}\.\.\. \(string\)/);
    assert.match(result.text, /- edits\.2\.line: missing, expected integer/);
    assert.ok(result.text.length < 500);
  });

  test('an argument that there isn’t is named where it stands, with those that there are, the nearest first', async () => {
    const edit = {
      type: 'object',
      properties: { from: { type: 'integer' }, to: { type: 'integer' }, text: { type: 'string' } },
      additionalProperties: false,
    } as const;
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      input: { type: 'object', properties: { edits: { type: 'array', items: edit } }, additionalProperties: false },
      effects: harmless,
      execute: () => 'done',
    });
    await using session = await toolSession({ tools: [tool] });
    const { text } = await session.call('act', { edits: [{ from: 1 }, { form: 1 }], edit: [] });
    assert.deepEqual(text.split('\n').slice(1, -1), [
      '- edit: unknown; known are, nearest first, edits',
      '- edits.1.form: unknown; known are, nearest first, from, to, text',
    ]);
  });

  test('odd names in a path are shown as they are, harmless to a terminal', async () => {
    const property = { type: 'object', properties: { '~\n\x1b': { type: 'integer' } } } as const;
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      input: { type: 'object', properties: { 'a/b': property } },
      effects: harmless,
      execute: () => 'done',
    });
    await using session = await toolSession({ tools: [tool] });
    const { text } = await session.call('act', { 'a/b': { '~\n\x1b': 'x' } });
    assert.match(text, /- a\/b\.~\n\u241b: must be integer, got "x"/);
  });

  test('what may not be there at all is said, too', async () => {
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      input: { type: 'object', properties: { never: false } } as const,
      effects: harmless,
      execute: () => 'done',
    });
    await using session = await toolSession({ tools: [tool] });
    assert.match((await session.call('act', { never: 1 })).text, /- never: not allowed here/);
  });

  test('of many names the nearest are shown and the others counted', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `argument_${index}`);
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      input: {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
        additionalProperties: false,
      },
      effects: harmless,
      execute: () => 'done',
    });
    const others = Array.from({ length: 60 }, (_, index) =>
      defineTool({
        ...tool,
        name: `tool_${index}`,
        timeout: 1,
        effects: harmless,
        execute: () => '',
        summary: () => '',
      }),
    );
    await using session = await toolSession({ tools: [tool, ...others] });
    const { text } = await session.call('act', { argument_77: 'x' });
    assert.match(text, /known are, nearest first, argument_7, .*, and 30 more$/m);
    const missing = await session.call('tool_77', {});
    assert.match(missing.text, /nearest first: tool_17, .*, and 31 more\.$/);
  });
});

describe('the trail of a call', () => {
  test('verdict, start, result; the verdict holds arguments and resources', async () => {
    await using session = await toolSession({ files: { a: 'x\n' }, policy: { mode: 'edit' } });
    await session.call('read', { path: './a' });
    assert.deepEqual(session.kinds(), ['verdict', 'start', 'result']);
    const [verdict] = session.verdicts();
    assert.equal(verdict?.decision, 'allow');
    assert.equal(verdict?.by, 'mode:edit');
    assert.deepEqual(verdict?.arguments, { path: './a' });
    assert.deepEqual(verdict?.resources, [{ access: 'read', path: `${session.workspace.path}/a` }]);
  });

  test('a denial names rule and reason and what would be allowed', async () => {
    await using session = await toolSession({ policy: { mode: 'plan' } });
    const result = await session.call('write', { path: 'a', content: 'x' });
    assert.equal(result.outcome, 'denied');
    assert.equal(
      result.text,
      'Denied by mode:plan: mode plan allows reading, and writing the plan; say what you would do instead. Nothing was run.',
    );
    assert.deepEqual(session.kinds(), ['verdict', 'result']);
    assert.deepEqual(await session.workspace.tree(), {});
  });

  test('a question holds tool, call and shape; yes lets it run', async () => {
    const approver = recordingApprover(['yes']);
    await using session = await toolSession({ approver, policy: { mode: 'edit' } });
    const result = await session.call('shell', { command: 'echo hi', description: 'Greet' });
    assert.equal(result.outcome, 'ok');
    assert.deepEqual(session.kinds(), ['verdict', 'ask', 'answer', 'start', 'result']);
    const [question] = approver.questions;
    assert.equal(question?.question, 'run: echo hi\n(the model says: Greet)');
    assert.equal(question?.shape, 'shell(echo hi)');
    assert.equal(question?.tool, 'shell');
  });

  test('a person who is asked sees what would be written; of what is long, both ends', async () => {
    const approver = recordingApprover(['no', 'no', 'no']);
    await using session = await toolSession({ files: { a: 'x\n' }, approver, policy: { mode: 'ask' } });
    await session.call('read', { path: 'a' });
    await session.call('edit', { path: 'a', old: 'x', new: 'y\nz' });
    await session.call('write', { path: 'b', content: 'new\n' });
    await session.call('shell', { command: `true ${' '.repeat(20_000)}; rm -rf x` });
    const questions = approver.questions.map(({ question }) => question);
    assert.equal(questions[0], 'edit a\n- x\n+ y\n+ z');
    assert.equal(questions[1], 'write b (4 bytes)\nnew\n');
    assert.match(questions[2] ?? '', /^run: true +\n\[\.\.\. 16,020 characters not shown \.\.\.\]\n +; rm -rf x$/);
  });

  test('no is a denial with the person’s reason, and nothing runs', async () => {
    const approver = recordingApprover([{ by: 'ann', decision: 'no', scope: 'once', reason: 'use the script' }]);
    await using session = await toolSession({ approver, policy: { mode: 'edit' } });
    const result = await session.call('shell', { command: 'touch a' });
    assert.equal(result.outcome, 'denied');
    assert.match(
      result.text,
      /^Not allowed: ann said no\. Reason: use the script\nIt was asked because mode edit asks/,
    );
    assert.deepEqual(session.kinds(), ['verdict', 'ask', 'answer', 'result']);
    assert.deepEqual(await session.workspace.tree(), {});
  });

  test('always grants this shape and no wider one', async () => {
    const approver = recordingApprover(['always', 'no', 'no']);
    await using session = await toolSession({ approver, policy: { mode: 'edit' } });
    assert.equal((await session.call('shell', { command: 'echo hi' })).outcome, 'ok');
    assert.equal((await session.call('shell', { command: 'echo  hi' })).outcome, 'ok');
    assert.equal(session.verdicts()[1]?.by, 'grant:shell(echo hi)');
    assert.equal((await session.call('shell', { command: 'echo hi there' })).outcome, 'denied');
    assert.equal((await session.call('shell', { command: 'echo hi; true' })).outcome, 'denied');
    assert.equal(approver.questions.length, 3);
    assert.equal(approver.questions[2]?.shape, undefined);
  });

  test('an approver that fails has said no', async () => {
    const approver: Approver = { ask: () => Promise.reject(new Error('terminal gone')) };
    await using session = await toolSession({ approver, policy: { mode: 'edit' } });
    const result = await session.call('shell', { command: 'touch a' });
    assert.equal(result.outcome, 'denied');
    assert.match(result.text, /could not be put: terminal gone/);
  });

  test('the question can’t move a terminal’s cursor', async () => {
    const approver = recordingApprover(['no']);
    await using session = await toolSession({ approver, policy: { mode: 'edit' } });
    await session.call('shell', { command: 'rm -rf x \x1b[2K\recho hello' });
    assert.doesNotMatch(approver.questions[0]?.question ?? '', /[\x1b\r]/);
  });

  test('later leaves the question open; what conflicts with it waits too, what doesn’t goes on', async () => {
    let answers: 'later' | 'yes' = 'later';
    const approver = recordingApprover(() => answers);
    await using session = await toolSession({ files: { a: 'x\n', b: 'y\n' }, approver, policy: { mode: 'ask' } });
    await session.callAll([['read', { path: 'a' }]]);
    await session.reply([
      ['edit', { path: 'a', old: 'x', new: '1' }],
      ['read', { path: 'b' }],
      ['read', { path: 'a' }],
    ]);
    await session.run();
    assert.deepEqual(
      session.results().map(({ text }) => text),
      ['1\tx', '1\ty'],
    );
    assert.deepEqual(
      session.open().map(({ name }) => name),
      ['edit', 'read'],
    );
    answers = 'yes';
    await session.run();
    assert.equal(session.results().at(-1)?.text, '1\t1');
    assert.equal(
      session.kinds().filter((kind) => kind === 'ask').length,
      1,
      'the open question is put again, not anew',
    );
  });
});

describe('a call goes on from where its fold stands', () => {
  test('a verdict without start: not judged twice, then run', async () => {
    await using session = await toolSession({ files: { a: 'x\n' } });
    await session.reply([['read', { path: 'a' }]]);
    const [open] = session.open();
    const verdict = {
      call: open!.key,
      tool: 'read',
      decision: 'allow' as const,
      by: 'mode:ask',
      reason: 'r',
      arguments: { path: 'a' },
      resources: [],
    };
    await session.recorder.record({ kind: 'verdict', data: verdict });
    await session.run();
    assert.deepEqual(session.kinds(), ['verdict', 'start', 'result']);
    assert.equal(session.results()[0]?.text, '1\tx');
  });

  test('an answer that came from elsewhere counts, also with its always', async () => {
    const approver = recordingApprover(['later']);
    await using session = await toolSession({ approver, policy: { mode: 'edit' } });
    await session.reply([['shell', { command: 'echo hi' }]]);
    const signal = new AbortController().signal;
    assert.equal(await session.calls.prepare(session.open()[0]!, session.recorder.record, signal), undefined);
    const ask = session.open()[0]!.ask!;
    await session.recorder.record({ kind: 'answer', data: { ask, by: 'phone', decision: 'yes', scope: 'always' } });
    const prepared = await session.calls.prepare(session.open()[0]!, session.recorder.record, signal);
    assert.deepEqual(prepared?.arguments, { command: 'echo hi' });
    assert.equal(
      session.policy.judge({
        tool: 'shell',
        arguments: {},
        effects: { effects: ['execute'], resources: 'unknown', command: 'echo hi' },
      }).by,
      'grant:shell(echo hi)',
    );
    assert.equal(approver.questions.length, 1);
  });

  test('a recorded denial gets its result, and is denied whatever holds now', async () => {
    await using session = await toolSession();
    await session.reply([['write', { path: 'a', content: 'x' }]]);
    const [open] = session.open();
    const verdict = {
      call: open!.key,
      tool: 'write',
      decision: 'deny' as const,
      by: 'rule:write',
      reason: 'no.',
      arguments: open!.arguments,
      resources: [],
    };
    await session.recorder.record({ kind: 'verdict', data: verdict });
    await session.run();
    assert.equal(session.results()[0]?.text, 'Denied by rule:write: no. Nothing was run.');
    assert.deepEqual(await session.workspace.tree(), {});
  });

  test('an allowance of before doesn’t outlive a stricter mode', async () => {
    await using session = await toolSession({ policy: { mode: 'plan' } });
    await session.reply([['write', { path: 'a', content: 'x' }]]);
    const [open] = session.open();
    const verdict = {
      call: open!.key,
      tool: 'write',
      decision: 'allow' as const,
      by: 'mode:edit',
      reason: 'r',
      arguments: open!.arguments,
      resources: [],
    };
    await session.recorder.record({ kind: 'verdict', data: verdict });
    await session.run();
    assert.equal(session.results()[0]?.outcome, 'denied');
    assert.deepEqual(
      session.verdicts().map(({ by }) => by),
      ['mode:edit', 'mode:plan'],
    );
  });

  test('what had started never runs again: interrupted, outcome unknown', async () => {
    await using session = await toolSession();
    await session.reply([['shell', { command: 'touch a' }]]);
    const [open] = session.open();
    await session.recorder.record({ kind: 'start', data: { call: open!.key, tool: 'shell' } });
    await session.run();
    const [result] = session.results();
    assert.equal(result?.outcome, 'interrupted');
    assert.match(result?.text ?? '', /its outcome is unknown/);
    assert.equal(result?.mayHaveChanged, true);
    assert.deepEqual(await session.workspace.tree(), {});
  });

  test('execute and finish can be done by another process', async () => {
    await using session = await toolSession({ files: { a: 'x\n' } });
    await session.reply([['read', { path: 'a' }]]);
    const signal = new AbortController().signal;
    const prepared = await session.calls.prepare(session.open()[0]!, session.recorder.record, signal);
    await using other = await toolSession();
    const outcome: CallOutcome = { outcome: 'ok', text: 'done elsewhere' };
    await other.reply([['read', { path: 'a' }]]);
    await other.calls.finish(prepared!, outcome, 12, other.recorder.record);
    assert.equal(other.log.events.at(-1)?.kind, 'result');
  });
});

describe('hooks', () => {
  test('may rewrite: the effective arguments and who changed them are recorded, judged and run', async () => {
    const hook: CallHook = { name: 'redirect', before: async () => ({ arguments: { path: 'b' } }) };
    await using session = await toolSession({ files: { a: 'a\n', b: 'b\n' }, hooks: [hook] });
    const result = await session.call('read', { path: 'a' });
    assert.equal(result.text, '1\tb');
    assert.deepEqual(session.verdicts()[0]?.changedBy, ['redirect']);
    assert.deepEqual(session.verdicts()[0]?.arguments, { path: 'b' });
  });

  test('may not smuggle in what the schema or the policy refuses', async () => {
    const bad: CallHook = { name: 'bad', before: async () => ({ arguments: { path: 7 } }) };
    await using session = await toolSession({ files: { a: 'a\n' }, hooks: [bad] });
    assert.match((await session.call('read', { path: 'a' })).text, /^Changed by bad\. The arguments of read/);
    const out: CallHook = { name: 'out', before: async () => ({ arguments: { path: '/etc/passwd' } }) };
    await using other = await toolSession({ files: { a: 'a\n' }, hooks: [out] });
    assert.equal((await other.call('read', { path: 'a' })).outcome, 'denied');
  });

  test('may block; one that fails blocks too', async () => {
    const block: CallHook = {
      name: 'guard',
      before: async ({ tool }) => (tool === 'write' ? { block: 'not today.' } : undefined),
    };
    await using session = await toolSession({ files: { a: 'a\n' }, hooks: [block] });
    const result = await session.call('write', { path: 'b', content: '' });
    assert.equal(result.text, 'Denied by hook:guard: not today. Nothing was run.');
    assert.equal(session.verdicts()[0]?.by, 'hook:guard');
    assert.equal((await session.call('read', { path: 'a' })).outcome, 'ok');
    const broken: CallHook = { name: 'broken', before: () => Promise.reject(new Error('oops')) };
    await using other = await toolSession({ files: { a: 'a\n' }, hooks: [broken] });
    assert.match((await other.call('read', { path: 'a' })).text, /hook:broken: the hook failed: oops/);
  });

  test('may append to a result; one that fails is said there', async () => {
    const hooks: CallHook[] = [
      { name: 'lint', after: async (call, outcome) => ({ append: `[lint of ${call.tool}: ${outcome.outcome}]` }) },
      { name: 'broken', after: () => Promise.reject(new Error('oops')) },
    ];
    await using session = await toolSession({ files: { a: 'a\n' }, hooks });
    assert.equal(
      (await session.call('read', { path: 'a' })).text,
      '1\ta\n[lint of read: ok]\n[The hook broken failed: oops]',
    );
  });

  test('are not asked again about what was judged', async () => {
    let asked = 0;
    const approver = recordingApprover(['later', 'yes']);
    const hook: CallHook = {
      name: 'count',
      before: async () => {
        asked += 1;
        return undefined;
      },
    };
    await using session = await toolSession({ hooks: [hook], approver, policy: { mode: 'edit' } });
    await session.reply([['shell', { command: 'true' }]]);
    await session.run();
    await session.run();
    assert.equal(session.results()[0]?.outcome, 'ok');
    assert.equal(asked, 1);
  });
});

describe('execution is bounded', () => {
  const failures: [string, () => unknown, RegExp][] = [
    [
      'throws',
      () => {
        throw new Error('bad luck');
      },
      /^act failed: bad luck$/,
    ],
    [
      'throws no error',
      () => {
        throw 'text' as unknown as Error;
      },
      /^act failed: text$/,
    ],
    ['rejects', () => Promise.reject(new Error('late')), /^act failed: late$/],
    ['returns nothing', () => undefined, /neither a text nor an outcome/],
    ['returns a number', () => 7, /neither a text nor an outcome/],
    ['returns a bad outcome', () => ({ outcome: 'fine', text: 'x' }), /neither a text nor an outcome/],
  ];
  for (const [name, execute, expected] of failures) {
    test(`a tool that ${name} gives an error result; the next call runs`, async () => {
      await using session = await toolSession({ tools: [doing(execute)] });
      const result = await session.call('act', {});
      assert.equal(result.outcome, 'error');
      assert.match(result.text, expected);
      assert.equal((await session.call('act', {})).outcome, 'error');
    });
  }

  test('a tool that can’t say what it would do, or how to show itself, harms nobody', async () => {
    const input = { type: 'object', properties: {} } as const;
    const fail = () => {
      throw new Error('bad luck');
    };
    const unsure = defineTool({ name: 'unsure', description: 'x', input, effects: fail, execute: () => 'ran' });
    const mute = defineTool({ name: 'mute', description: 'x', input, summary: fail, execute: () => 'ran' });
    const approver = recordingApprover(['yes']);
    await using session = await toolSession({ tools: [unsure, mute], approver, policy: { mode: 'edit' } });
    const result = await session.call('unsure', {});
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /unsure failed to say what it would do, so it wasn’t run: bad luck/);
    assert.equal((await session.call('mute', {})).text, 'ran');
    assert.equal(approver.questions[0]?.question, 'mute {}');
  });

  test('60 seconds are the limit of a tool that sets none; one that listens ends with its own words', async () => {
    const clock = manualClock();
    const listening = doing(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    );
    await using session = await toolSession({ tools: [listening], clock });
    await session.reply([['act', {}]]);
    const running = session.run();
    assert.equal(await clock.untilAsleep(), 60_000);
    await clock.advance(59_999);
    assert.equal(session.results().length, 0);
    await clock.advance(1);
    await running;
    assert.equal(session.results()[0]?.text, 'act timed out after 60 seconds. act failed: stopped');
    assert.equal(session.results()[0]?.outcome, 'error');
  });

  test('one that doesn’t listen is left behind after a grace of 2 seconds', async () => {
    const clock = manualClock();
    await using session = await toolSession({ tools: [doing(() => new Promise(() => undefined), 5_000)], clock });
    await session.reply([['act', {}]]);
    const running = session.run();
    assert.equal(await clock.untilAsleep(), 5_000);
    await clock.advance(7_000);
    await running;
    const [result] = session.results();
    assert.equal(result?.text, 'act timed out after 5 seconds. act doesn’t stop; it may still be at work.');
    assert.equal(result?.mayHaveChanged, true);
  });

  test('a cancel reaches every call at work; none starts after it', async () => {
    const started: string[] = [];
    const tool = doing(({ signal, call }) => {
      started.push(call);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    await using session = await toolSession({ tools: [tool] });
    await session.reply(Array.from({ length: 12 }, () => ['act', {}]));
    const running = session.run();
    while (started.length < 10) await new Promise((resolve) => setImmediate(resolve));
    session.cancel();
    await running;
    assert.equal(started.length, 10);
    assert.deepEqual(
      [...new Set(session.results().map(({ outcome, text }) => `${outcome}: ${text}`))],
      ['cancelled: Cancelled. act failed: stopped'],
    );
    assert.equal(session.open().length, 2);
  });

  test('a record that fails ends the others and is thrown; nothing is started after it', async () => {
    const seen: string[] = [];
    const tool = doing(({ signal, call }) => {
      seen.push(call);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('ended')));
    });
    await using session = await toolSession({ tools: [tool] });
    await session.reply(Array.from({ length: 5 }, () => ['act', {}]));
    let starts = 0;
    const record: typeof session.recorder.record = (draft) => {
      if (draft.kind === 'start' && (starts += 1) === 3) return Promise.reject(new Error('disk full'));
      return session.recorder.record(draft);
    };
    const running = session.calls.run(session.open(), record, new AbortController().signal, () => undefined);
    await assert.rejects(running, /disk full/);
    assert.equal(seen.length, 2);
    assert.equal(session.results().length, 2);
  });

  test('what a tool reports of changes stands; silence of one that could write means it may have', async () => {
    const input = { type: 'object', properties: {} } as const;
    const effects = { effects: ['write' as const], resources: 'unknown' as const };
    const silent = defineTool({ name: 'silent', description: 'x', input, effects, execute: () => 'ok' });
    const exact = defineTool({
      name: 'exact',
      description: 'x',
      input,
      effects,
      execute: () => ({ outcome: 'ok', text: 'ok', changes: [] }),
    });
    const reader = defineTool({ name: 'reader', description: 'x', input, effects: harmless, execute: () => 'ok' });
    await using session = await toolSession({ tools: [silent, exact, reader] });
    assert.equal((await session.call('silent', {})).mayHaveChanged, true);
    assert.equal((await session.call('exact', {})).mayHaveChanged, undefined);
    assert.equal((await session.call('reader', {})).mayHaveChanged, undefined);
  });
});

describe('what the model is shown is bounded', () => {
  const saying = (text: string) => doing(() => text);

  test('25,000 characters are whole, one more is head and tail with the whole in a blob', async () => {
    const fits = 'x'.repeat(25_000);
    await using session = await toolSession({ tools: [saying(fits)] });
    const whole = await session.call('act', {});
    assert.equal(whole.text, fits);
    assert.equal(whole.blob, undefined);
    const long = `${'h'.repeat(12_500)}${'t'.repeat(12_501)}`;
    await using other = await toolSession({ tools: [saying(long)] });
    const cut = await other.call('act', {});
    assert.ok(cut.text.length <= 25_000, String(cut.text.length));
    const left =
      /^h+\n\[\.\.\. ([\d,]+) characters of 25,001 characters left out here; all of it is kept in blob ([0-9a-f]{64}) \.\.\.\]\nt+$/.exec(
        cut.text,
      );
    assert.ok(left);
    const shown = (cut.text.match(/h{100,}|t{100,}/g) ?? []).join('').length;
    assert.equal(Number(left[1]?.replaceAll(',', '')) + shown, 25_001);
    assert.equal(cut.blob, left[2]);
    assert.equal(cut.bytes, 25_001);
    assert.equal(other.blobs.get(left[2] ?? '')?.toString(), long);
  });

  test('a character is never cut in two', async () => {
    await using session = await toolSession({ tools: [saying('😀'.repeat(20_000))] });
    const { text } = await session.call('act', {});
    assert.ok(text.isWellFormed());
    assert.doesNotMatch(text, /\ufffd/);
  });

  test('where the blob can’t be kept it says so', async () => {
    await using session = await toolSession({ tools: [saying('x'.repeat(30_000))], brokenBlobs: true });
    const { text, blob, bytes } = await session.call('act', {});
    assert.match(text, /it could not be kept: no space left/);
    assert.equal(blob, undefined);
    assert.equal(bytes, 30_000);
  });

  test('terminal escapes and blank results', async () => {
    await using session = await toolSession({ tools: [saying('a\x1b]0;x\x07b\x9bc\u0000')] });
    assert.equal((await session.call('act', {})).text, 'a\u241b]0;x\u2407b\\x9bc\u2400');
    await using blank = await toolSession({ tools: [saying(' \n\t')] });
    assert.equal((await blank.call('act', {})).text, '(no output)');
  });
});

describe('an allowed first word allows nothing else, for real', () => {
  const attempts = [
    'git log && rm victim',
    'git log; rm victim',
    'git log\nrm victim',
    'echo $(rm victim)',
    'echo x | xargs -I{} rm victim',
    'git log & rm victim',
    'echo a > victim',
    'env rm victim',
    "sh -c 'rm victim'",
    'git log --output=victim',
    '/bin/rm victim',
  ];
  test('the victim stays, each refusal has its rule and reason, and the control runs', async () => {
    const rules = [
      { effect: 'allow' as const, shape: 'shell(git log)', from: 'user' as const },
      { effect: 'allow' as const, shape: 'shell(echo *)', from: 'user' as const },
      { effect: 'deny' as const, shape: 'shell(rm)', from: 'user' as const },
    ];
    await using session = await toolSession({ files: { victim: 'alive\n' }, policy: { mode: 'edit', rules } });
    for (const command of attempts) {
      const result = await session.call('shell', { command });
      assert.equal(result.outcome, 'denied', command);
      const verdict = session.verdicts().at(-1);
      assert.match(`${verdict?.by}: ${verdict?.reason}`, /^(rule:shell\(rm\)|mode:edit): ./, command);
    }
    assert.deepEqual(await session.workspace.tree(), { victim: 'alive\n' });
    assert.equal((await session.call('shell', { command: 'echo "a && rm b"' })).text, 'a && rm b\nExit code: 0');
  });
});

describe('nobody there means no, at once', () => {
  test('each asked call is denied and the rest goes on', async () => {
    const nobody: Approver = {
      ask: async () => ({ by: 'nobody', decision: 'no', scope: 'once', reason: 'nobody is there to answer' }),
    };
    await using session = await toolSession({ files: { a: 'x\n' }, approver: nobody, policy: { mode: 'ask' } });
    const results = await session.callAll([
      ['shell', { command: 'echo hi | cat' }],
      ['read', { path: '../outside.txt' }],
      ['read', { path: 'a' }],
    ]);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['denied', 'denied', 'ok'],
    );
    assert.match(results[0]?.text ?? '', /^Not allowed\. Reason: nobody is there to answer/);
  });
});

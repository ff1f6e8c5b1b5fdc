import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { ReinsError, type JsonObject } from '../../src/core/index.ts';
import { manualClock, recordingApprover } from '../../src/testing/index.ts';
import {
  createRegistry,
  defineTool,
  toolSet,
  type CallHook,
  type Tool,
  type ToolDefinition,
} from '../../src/tools/index.ts';
import { ownCalls } from './own-calls.ts';
import type { Asked, SessionOptions } from './session.ts';

const input = { type: 'object', properties: {}, additionalProperties: false } as const;

const named = (name: string, more: Partial<ToolDefinition<typeof input>> = {}): Tool =>
  defineTool({
    name,
    description: 'Does it.',
    input,
    effects: { effects: ['read'], resources: [] },
    execute: () => name,
    ...more,
  });

const issue = defineTool({
  name: 'read_issue',
  description: 'Read an issue of this project by its number.',
  input: {
    type: 'object',
    properties: { number: { type: 'integer', minimum: 1 } },
    required: ['number'],
    additionalProperties: false,
  },
  keywords: ['ticket', 'bug report'],
  deferral: 'always',
  effects: { effects: ['network'], resources: [] },
  execute: ({ number }) => `issue ${number}`,
});

const later = (name: string, description: string, keywords: string[] = []): Tool =>
  named(name, { description, keywords, deferral: 'always' });

const zoo = [
  issue,
  later('createIssue', 'Open a new one in the tracker.'),
  later('search_issues', 'Find issues by a query, with labels and states. Gives their numbers.'),
  later('list_pull_requests', 'List the pull requests that wait for a review.'),
  later('deploy', 'Bring a build to a stage.', ['release', 'ship']),
  later('HTTPFetch', 'Load a page.'),
];

const wide = { window: 200_000, ownDeferral: false };

async function session(tools: Tool[], options: SessionOptions = {}) {
  const set = toolSet(createRegistry(tools), wide);
  const own = await ownCalls({ tools: [...tools], ...options, own: { registry: set.registry } });
  return { ...own, set, [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() };
}

describe('which tools the model is told of', () => {
  const many = (amount: number, more: Partial<ToolDefinition<typeof input>> = {}): Tool[] =>
    Array.from({ length: amount }, (_, index) => named(`tool_${String(index).padStart(2, '0')}`, more));

  test('up to 15 all of them; from 16 on those that don’t mind are found by a search', () => {
    const fifteen = toolSet(createRegistry(many(15)), wide);
    assert.deepEqual([fifteen.specs.length, fifteen.deferred], [15, []]);
    assert.equal(fifteen.registry.get('find_tools'), undefined);
    const sixteen = toolSet(createRegistry([...many(15), named('core', { deferral: 'never' })]), wide);
    assert.deepEqual(
      sixteen.specs.map(({ name }) => name),
      ['core', 'find_tools', 'use_tool'],
    );
    assert.deepEqual(
      sixteen.deferred,
      many(15).map(({ name }) => name),
    );
    assert.ok(sixteen.deferred.every((name) => sixteen.registry.get(name) !== undefined));
  });

  test('also where they take more than a tenth of the window', () => {
    const tools = [named('core', { deferral: 'never' }), named('large', { description: 'x'.repeat(3_000) })];
    const tokens = Math.ceil(Buffer.byteLength(JSON.stringify(createRegistry(tools).specs())) / 3);
    const set = (window: number) => toolSet(createRegistry(tools), { window, ownDeferral: false });
    assert.deepEqual(set(tokens * 10).deferred, []);
    assert.deepEqual(set(tokens * 10 - 10).deferred, ['large']);
  });

  test('those that must be found are, however few there are; they don’t make it crowded', () => {
    const tools = [...many(15), ...zoo];
    const { specs, deferred } = toolSet(createRegistry(tools), wide);
    assert.equal(specs.length, 17);
    assert.deepEqual(deferred, zoo.map(({ name }) => name).toSorted());
  });

  test('where all are never deferred, none is', () => {
    assert.deepEqual(toolSet(createRegistry(many(30, { deferral: 'never' })), wide).deferred, []);
  });

  test('the list is the same whatever the order, and names all that can be found', () => {
    const tools = [...many(3), ...zoo];
    const [one, other] = [tools, tools.toReversed()].map((each) => toolSet(createRegistry(each), wide));
    assert.equal(JSON.stringify(one), JSON.stringify(other));
    const find = one?.specs.find(({ name }) => name === 'find_tools');
    for (const { name } of zoo) assert.ok(find?.description.includes(name));
  });

  test('for a wire that defers by itself they stand behind the others, marked, with their schemas', () => {
    const { specs, deferred } = toolSet(createRegistry([...many(3), ...zoo]), { window: 200_000, ownDeferral: true });
    assert.deepEqual(
      specs.map((spec) => spec.deferred ?? false),
      [...Array.from({ length: 5 }, () => false), ...zoo.map(() => true)],
    );
    assert.deepEqual(
      specs.slice(5).map(({ name }) => name),
      deferred,
    );
    const { additionalProperties: _, ...told } = issue.input;
    assert.deepEqual(specs.find(({ name }) => name === 'read_issue')?.input, told);
  });

  test('two tools of few words and a bounded list of names, for a hundred times as many', () => {
    const specs = (tools: Tool[]) => toolSet(createRegistry(tools), wide).specs;
    const tokens = (some: unknown) => countTokens(JSON.stringify(some));
    assert.ok(tokens(specs([later('a', 'One.')])) <= 120, String(tokens(specs([later('a', 'One.')]))));
    const thousand = many(1_000, { deferral: 'always' });
    assert.ok(tokens(specs(thousand)) <= 800);
    assert.match(specs(thousand)[0]?.description ?? '', / and \d{3} more\.$/);
  });

  test('the names of the two are not for others', () => {
    const isUsage = (error: unknown) => error instanceof ReinsError && error.code === 'usage-arguments';
    for (const name of ['find_tools', 'use_tool']) {
      assert.throws(() => createRegistry([named(name)]), isUsage);
      assert.throws(() => createRegistry([named(name)], { replace: [name] }), isUsage);
    }
  });
});

describe('find_tools', () => {
  const found = async (query: string, tools: Tool[] = zoo) => {
    await using own = await session([...tools, named('quiet', { deferral: 'never' })]);
    const result = await own.call('find_tools', { query });
    return { ...result, found: (result.facts?.['found'] ?? []) as string[] };
  };

  const queries: [string, string, string[]][] = [
    ['by a word of the name', 'deploy', ['deploy']],
    ['by a word of the description', 'tracker', ['createIssue']],
    ['by a keyword', 'ship it', ['deploy']],
    ['by several words, the best first', 'search issues by label', ['search_issues', 'read_issue', 'createIssue']],
    ['names count more than descriptions', 'pull request', ['list_pull_requests']],
    ['names are taken apart where their case changes', 'create', ['createIssue']],
    ['also after capitals', 'http', ['HTTPFetch']],
    ['one or many of a thing is the same', 'tickets', ['read_issue']],
    ['whatever the case', 'DEPLOY', ['deploy']],
    ['a whole name finds that tool alone', 'search_issues', ['search_issues']],
  ];
  for (const [name, query, expected] of queries) {
    test(name, async () => assert.deepEqual((await found(query)).found.slice(0, expected.length), expected));
  }

  test('shows description and schema, and how to call', async () => {
    const { outcome, text } = await found('ticket');
    assert.equal(outcome, 'ok');
    assert.equal(
      text,
      [
        'read_issue: Read an issue of this project by its number.',
        `arguments: ${JSON.stringify(issue.input)}`,
        '',
        'Call a tool by its own name where it is in your list now, else through use_tool.',
      ].join('\n'),
    );
  });

  test('select: gives tools by name, says which there aren’t and which are told anyway', async () => {
    const { found: names, text } = await found(' Select: deploy,read_issue , deploy,deplo, quiet,');
    assert.deepEqual(names, ['deploy', 'read_issue']);
    assert.match(text, /There is no tool “deplo”; the nearest are deploy, /);
    assert.match(text, /quiet is in your list already: call it\./);
  });

  const nothing: [string, string, RegExp][] = [
    ['words that no tool has', 'quantum', /^No tool fits “quantum”\. There are: HTTPFetch, createIssue, deploy, /],
    ['no words', ' ', /^No tool fits/],
    ['only signs', '--- ???', /^No tool fits/],
    ['an empty selection', 'select:,', /^No tool fits/],
    ['names that no tool has', 'select:x', /^There is no tool “x”; the nearest are /],
    ['a tool of the list', 'quiet', /^quiet is in your list already/],
    ['a name out of the language', 'select:__proto__', /^There is no tool “__proto__”/],
  ];
  for (const [name, query, expected] of nothing) {
    test(`finds nothing by ${name}, and says what there is`, async () => {
      const { outcome, failed, found: names, text } = await found(query);
      assert.deepEqual([outcome, failed, names], ['error', 'not-found', []]);
      assert.match(text, expected);
    });
  }

  test('is bounded, whatever is asked and however long descriptions and schemas are', async () => {
    const large = Array.from({ length: 20 }, (_, index) =>
      later(`large_${index}`, 'a large thing '.repeat(300), ['large']),
    );
    const byWords = await found('large', large);
    assert.equal(byWords.found.length, 5);
    assert.ok(byWords.text.length <= 20_500, String(byWords.text.length));
    const bySelection = await found(`select:${large.map(({ name }) => name).join()}`, large);
    assert.ok(bySelection.text.length <= 20_500);
    assert.ok(bySelection.found.length >= 9 && bySelection.found.length < 20);
    assert.match(bySelection.text, /No room for large_\d+, .*: select them by name\./);
    const greedy = await found(
      `select:${Array.from({ length: 50_000 }, (_, index) => `no_tool_${index}`).join()}`,
      large,
    );
    assert.ok(greedy.text.length < 5_000);
    assert.match(greedy.text, /Only the first 20 names were looked at\.$/);
    const long = await found('x'.repeat(100_000));
    assert.ok(long.text.length < 1_000);
  });
});

describe('use_tool', () => {
  const use = (name: string, args: JsonObject, more: JsonObject = {}): Asked => [
    'use_tool',
    { name, arguments: args, ...more },
  ];

  test('is a call of the tool that it names: verdict, start and result say so', async () => {
    await using own = await session([issue]);
    const result = await own.call(...use('read_issue', { number: 7 }));
    assert.equal(result.text, 'issue 7');
    assert.deepEqual(own.kinds(), ['verdict', 'start', 'result']);
    const [verdict] = own.verdicts();
    assert.deepEqual([verdict?.tool, verdict?.arguments], ['read_issue', { number: 7 }]);
    assert.deepEqual([own.start()[0]?.tool, result.tool], ['read_issue', 'read_issue']);
  });

  test('its arguments are checked by the schema of that tool, its own by its own', async () => {
    await using own = await session([issue]);
    const wrong = await own.call(...use('read_issue', { number: '7', page: 1 }));
    assert.deepEqual(wrong.text.split('\n').slice(0, -1), [
      'The arguments of read_issue don’t fit its schema; nothing was run:',
      '- page: unknown; known are, nearest first, number',
      '- number: must be integer, got "7"',
    ]);
    const odd = await own.call('use_tool', { name: 'read_issue', arguments: '{"number":7}' });
    assert.match(odd.text, /^The arguments of use_tool don’t fit .*\n- arguments: must be object, got "/);
    const cut = await own.call('use_tool', '{"name":"read_is');
    assert.match(cut.text, /^The arguments of use_tool weren’t valid JSON/);
    assert.deepEqual(
      [wrong, odd, cut].map(({ failed, tool }) => [failed, tool]),
      [
        ['schema', 'read_issue'],
        ['schema', 'use_tool'],
        ['schema', 'use_tool'],
      ],
    );
    assert.deepEqual(own.kinds(), ['result', 'result', 'result']);
  });

  test('names no tool, or itself', async () => {
    await using own = await session([issue]);
    const missing = await own.call(...use('read_isue', {}));
    assert.match(
      missing.text,
      /^There is no tool "read_isue"; nothing was run\. The tools are, nearest first: read_issue, /,
    );
    assert.equal(missing.failed, 'not-found');
    const itself = await own.call(...use('use_tool', { name: 'read_issue', arguments: { number: 1 } }));
    assert.equal(itself.text, 'use_tool calls other tools, not itself. Nothing was run.');
    assert.deepEqual(own.kinds(), ['result', 'result']);
  });

  test('rules, hooks and questions are about the tool that it names', async () => {
    const rules = [{ effect: 'deny' as const, shape: 'read_issue', from: 'user' as const }];
    await using denied = await session([issue], { policy: { mode: 'unsafe', rules } });
    assert.equal((await denied.call(...use('read_issue', { number: 1 }))).outcome, 'denied');
    assert.equal(denied.verdicts()[0]?.by, 'rule:read_issue');

    const seen: string[] = [];
    const hook: CallHook = {
      name: 'watch',
      before: async (call) => void seen.push(call.tool, JSON.stringify(call.arguments)),
    };
    const approver = recordingApprover(['yes']);
    await using asked = await session([issue], { policy: { mode: 'edit' }, hooks: [hook], approver });
    assert.equal((await asked.call(...use('read_issue', { number: 1 }))).text, 'issue 1');
    assert.deepEqual(seen, ['read_issue', '{"number":1}']);
    assert.equal(approver.questions[0]?.tool, 'read_issue');
    assert.equal(approver.questions[0]?.question, 'read_issue {"number":1}');
  });

  test('an allowance for use_tool itself allows nothing', async () => {
    const rules = [{ effect: 'allow' as const, shape: 'use_tool', from: 'user' as const }];
    await using own = await session([issue], { policy: { mode: 'edit', rules }, approver: recordingApprover(['no']) });
    assert.equal((await own.call(...use('read_issue', { number: 1 }))).outcome, 'denied');
  });

  test('what says how it is to be run may stand with either of them', async () => {
    const clock = manualClock();
    const slow = named('slow', { deferral: 'always', timeout: 100_000, execute: () => new Promise(() => undefined) });
    await using own = await session([slow], { clock });
    const asked: [JsonObject, JsonObject, number][] = [
      [{}, { time_limit: 90 }, 90_000],
      [{ time_limit: 5 }, {}, 5_000],
      [{ time_limit: 5 }, { time_limit: 3 }, 3_000],
    ];
    for (const [inner, outer, limit] of asked) {
      const began = clock.now();
      const running = own.call(...use('slow', inner, outer));
      assert.equal((await clock.untilAsleep()) - began, limit);
      await clock.advance(limit + 2_000);
      await running;
    }
    assert.match((await own.call(...use('slow', {}, { time_limit: 101 }))).text, /time_limit: must be <= 100, /);
    assert.match(
      (await own.call(...use('slow', {}, { time_limit: 0 }))).text,
      /^The arguments of use_tool .*\n- time_limit/,
    );
  });

  test('same calls are the same, by whichever name they came', async () => {
    let ran = 0;
    const count = named('count', { deferral: 'always', idempotent: true, execute: () => `run ${(ran += 1)}` });
    await using own = await session([count]);
    const results = await own.callAll([['count', {}], use('count', {})]);
    assert.deepEqual([ran, results[0]?.text], [1, 'run 1']);
    assert.match(results[1]?.text ?? '', /^The same call as call 1 of this reply/);
  });

  test('goes on from a recorded verdict after a restart', async () => {
    const approver = recordingApprover(['later', 'yes']);
    await using own = await session([issue], { policy: { mode: 'edit' }, approver });
    await own.reply([use('read_issue', { number: 3 })]);
    await own.run();
    assert.deepEqual(own.kinds(), ['verdict', 'ask']);
    await own.run();
    assert.equal(own.results()[0]?.text, 'issue 3');
    assert.deepEqual(own.kinds(), ['verdict', 'ask', 'answer', 'start', 'result']);
  });

  test('one that was interrupted is named by what it called', async () => {
    await using own = await session([issue], { policy: { mode: 'edit' }, approver: recordingApprover(['yes']) });
    await own.reply([use('read_issue', { number: 3 })]);
    const prepared = await own.calls.prepare(own.open()[0]!, own.recorder.record, own.signal);
    assert.deepEqual(prepared, { key: own.open()[0]!.key, tool: 'read_issue', arguments: { number: 3 } });
    await own.run();
    assert.partialDeepStrictEqual(own.results(), [{ tool: 'read_issue', outcome: 'interrupted' }]);
  });

  test('a tool that was found can be called by its own name, too', async () => {
    await using own = await session([issue]);
    assert.equal((await own.call('read_issue', { number: 2 })).text, 'issue 2');
  });
});

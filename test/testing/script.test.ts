import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Scenario } from '../../src/testing/index.ts';
import { post, textIn } from './support/raw-client.ts';
import { serve } from './support/running.ts';

type Said = { role: 'user' | 'assistant'; content: unknown };

const user = (content: unknown): Said => ({ role: 'user', content });
const assistant = (content: unknown): Said => ({ role: 'assistant', content });
const request = (messages: Said[], more: object = {}) => ({
  model: 'm',
  max_tokens: 9,
  stream: true,
  messages,
  ...more,
});

/** A conversation with a server that was started for it: says things and keeps what is replied. */
async function talk(context: TestContext, scenario: Scenario) {
  const server = await serve(context, scenario);
  const messages: Said[] = [];
  const say = async (content: unknown, more: object = {}) => {
    messages.push(user(content));
    const answer = await post(server.url, request(messages, more));
    if (answer.status !== 200) return `${answer.status} ${answer.text}`;
    messages.push(assistant(textIn(answer.text)));
    return textIn(answer.text);
  };
  return { server, messages, say };
}

test('turns come in their order, then the scenario is over', async (context) => {
  const { say, server } = await talk(context, { turns: [{ text: 'one' }, { text: 'two' }] });
  assert.equal(await say('a'), 'one');
  assert.equal(await say('b'), 'two');
  assert.match(await say('c'), /^400 .*the scenario has no turn 3/);
  assert.deepEqual(
    server.refusals.map(({ request, rule }) => [request, rule]),
    [[3, 'over']],
  );
});

test('after the last turn comes what the scenario says', async (context) => {
  const { say } = await talk(context, { turns: [{ text: 'one' }], after: { text: 'more' } });
  assert.deepEqual([await say('a'), await say('b'), await say('c')], ['one', 'more', 'more']);
});

test('a server that starts later goes on where the conversation is', async (context) => {
  const scenario = { turns: [{ text: 'one' }, { text: 'two' }, { text: 'three' }] };
  const server = await serve(context, scenario);
  const history = [user('a'), assistant('one'), user('b'), assistant('two'), user('c')];
  assert.equal(textIn((await post(server.url, request(history))).text), 'three');
  assert.equal(textIn((await post(server.url, request(history.slice(0, 3)))).text), 'two', 'and back again');
});

test('counting goes by replies, whatever the conversation holds', async (context) => {
  const server = await serve(context, {
    position: 'count',
    turns: [{ text: 'one', failures: [{ status: 500 }] }, { text: 'two' }],
  });
  const texts = [];
  for (let attempt = 0; attempt < 3; attempt += 1)
    texts.push(textIn((await post(server.url, request([user('a')]))).text));
  assert.deepEqual(texts, ['', 'one', 'two']);
});

test('a turn repeats as often as it says', async (context) => {
  const { say } = await talk(context, {
    turns: [
      { text: 'twice', repeat: 2 },
      { text: 'ever', repeat: 'forever' },
    ],
  });
  const said = [];
  for (let index = 0; index < 6; index += 1) said.push(await say('a'));
  assert.deepEqual(said, ['twice', 'twice', 'ever', 'ever', 'ever', 'ever']);
});

test('a rule comes whenever it fits and uses up no turn, also for a server that starts later', async (context) => {
  const scenario: Scenario = {
    turns: [{ text: 'one' }, { text: 'two' }],
    anyTurn: [
      { when: { contains: 'limit' }, text: 'closing' },
      { when: { contains: ['both', 'of them'], lacks: 'not' }, text: 'both' },
    ],
  };
  const { say, messages } = await talk(context, scenario);
  assert.equal(await say('a'), 'one');
  assert.equal(await say('the limit is near'), 'closing');
  assert.equal(await say('both of them'), 'both');
  const later = await serve(context, scenario);
  const answer = await post(later.url, request([...messages, user('both of them, not')]));
  assert.equal(textIn(answer.text), 'two');
});

test('what goes on after a pause counts, joined to it or not', async (context) => {
  const scenario = { turns: [{ text: ['a', 'b'], stop: 'pause' }, { text: 'c' }, { text: 'd' }] };
  const server = await serve(context, scenario);
  const text = (content: string) => ({ type: 'text', text: content });
  const next = async (...messages: Said[]) => textIn((await post(server.url, request(messages))).text);
  assert.equal(await next(user('x'), assistant([text('a'), text('b')])), 'c');
  assert.equal(await next(user('x'), assistant([text('a'), text('b'), text('c')]), user('y')), 'd');
  assert.equal(await next(user('x'), assistant([text('a'), text('b')]), assistant([text('c')]), user('y')), 'd');
  assert.equal(await next(user('x'), assistant([text('a'), text('b')]), user('steer')), 'c');
});

test('pauses without a block come to an end too', async (context) => {
  const server = await serve(context, { turns: [{ raw: [], stop: 'pause', repeat: 'forever' }] }, { strict: false });
  const blocks = ['a', 'b', 'c'].map((text) => ({ type: 'text', text }));
  assert.equal((await post(server.url, request([user('x'), assistant(blocks), user('y')]))).status, 200);
});

const call = { type: 'tool_use', id: 't1', name: 'read', input: {} };
const afterCall = (content: unknown, error = false) => [
  user('go'),
  assistant([call]),
  user([
    { type: 'tool_result', tool_use_id: 't1', content, is_error: error },
    { type: 'text', text: 'note' },
  ]),
];

const expectations: [string, NonNullable<Scenario['turns'][number]['expect']>, string?][] = [
  ['a text in a result', { contains: 'A-7' }],
  ['a text beside it', { contains: ['A-7', 'note'] }],
  ['a text that isn’t there', { contains: 'go' }, 'the last user message lacks \\"go\\"; it says \\"A-7\\\\nnote\\"'],
  ['a text that is there', { lacks: 'note' }, 'the last user message has \\"note\\"'],
  ['a text in an earlier message', { anywhere: 'go' }],
  ['a text in no message', { anywhere: 'stop' }, 'the conversation lacks \\"stop\\"'],
  ['a system prompt', { system: 'be kind' }],
  ['another system prompt', { system: 'be rude' }, 'the system prompt lacks'],
  ['tools', { tools: ['write', 'read'] }],
  ['a missing tool', { tools: ['edit'] }, 'the tool edit isn’t offered; offered: read, write'],
  ['results by tool and outcome', { results: [{ name: 'read', error: false, contains: 'A-', lacks: 'B' }] }],
  ['too many results', { results: [{}, {}] }, 'has 1 results, not 2'],
  ['results of another tool', { results: [{ name: 'write' }] }, 'result 1 (read) isn’t of write'],
  ['another outcome', { results: [{ error: true }] }, 'result 1 (read) is no error: \\"A-7\\"'],
  ['another result', { results: [{ contains: 'B' }] }, 'result 1 (read) lacks \\"B\\"'],
];
for (const [name, expect, fault] of expectations) {
  test(`an expectation of ${name} ${fault ? 'refuses the request' : 'lets it through'}`, async (context) => {
    const server = await serve(context, { turns: [{ text: 'one' }, { text: 'two', expect }] });
    const tools = ['read', 'write'].map((tool) => ({ name: tool, input_schema: { type: 'object' } }));
    const answer = await post(server.url, request(afterCall('A-7'), { system: 'please be kind', tools }));
    if (fault === undefined) return assert.equal(textIn(answer.text), 'two');
    assert.equal(answer.status, 400);
    assert.ok(answer.text.includes(`turn 2 of the scenario: `) && answer.text.includes(fault), answer.text);
    return assert.equal(server.refusals[0]?.rule, 'expectation');
  });
}

test('results that are blocks are read as well', async (context) => {
  const expect = { results: [{ error: true, contains: 'in a block' }] };
  const server = await serve(context, { turns: [{ text: 'one' }, { text: 'two', expect }] });
  const answer = await post(server.url, request(afterCall([{ type: 'text', text: 'in a block' }], true)));
  assert.equal(textIn(answer.text), 'two');
});

test('values take the place of their names, everywhere in a reply, and of no others', async (context) => {
  const turns = [
    {
      text: 'in ${workspace}/a, ${HOME}, $${workspace}, ${toString}',
      calls: [{ name: 'read', arguments: { path: ['${workspace}/b'] } }],
    },
  ];
  const server = await serve(context, { turns }, { values: { workspace: '/w$&' } });
  const answer = await post(server.url, request([user('a')], { stream: false }));
  const { content } = JSON.parse(answer.text) as { content: [{ text: string }, { input: unknown }] };
  assert.equal(content[0].text, 'in /w$&/a, ${HOME}, ${workspace}, ${toString}');
  assert.deepEqual(content[1].input, { path: ['/w$&/b'] });
});

test('ids are the same in every rehearsal, and never one that the conversation has', async (context) => {
  // Counting lets every conversation come to the first turn, whatever is in it.
  const scenario: Scenario = { turns: [{ calls: [{ name: 'read' }, { name: 'read' }] }], position: 'count' };
  const idsAfter = async (message: Said) => {
    const server = await serve(context, scenario, { strict: false });
    const answer = await post(server.url, request([message], { stream: false }));
    const { content } = JSON.parse(answer.text) as { content: { id: string }[] };
    return content.map(({ id }) => id);
  };
  const ids = await idsAfter(user('a'));
  assert.equal(new Set(ids).size, 2);
  assert.deepEqual(await idsAfter(user('b')), ids);
  const others = await idsAfter(assistant([{ ...call, id: ids[0] }]));
  assert.ok(!others.includes(ids[0]!) && others[1] === ids[1]);
});

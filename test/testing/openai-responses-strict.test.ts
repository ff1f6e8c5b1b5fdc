import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { strictRules, type Scenario } from '../../src/testing/index.ts';
import { responsesEnvelopeCases, responsesInputCases } from './support/openai-responses-cases.ts';
import { functionOutput, items, said } from './support/openai-responses-parts.ts';
import { postResponses } from './support/openai-running.ts';
import { testCases } from './support/openai-strict.ts';
import { user, type Json } from './support/request-parts.ts';
import { serve } from './support/running.ts';

const cases = { ...responsesInputCases, ...responsesEnvelopeCases };

test('responses: every rule of the strict mode has its cases', () => {
  // Marks are no part of this wire: a key that isn't known is refused as such.
  assert.deepEqual(new Set([...Object.keys(cases), 'signatures', 'marks']), new Set(strictRules));
});

testCases('responses', cases, (url, body) => postResponses(url, { model: 'model-a', ...body }));

test('responses: nothing is refused when the mode is off', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }], position: 'count', strict: false });
  const input = [{ type: 'function_call' }, { role: 'odd' }, 5, null, { role: 'user', content: { a: 1 } }];
  const answer = await postResponses(server.url, { input, extra: true, tools: 'no', previous_response_id: 'resp_1' });
  assert.equal(answer.status, 200);
});

test('responses: an input may end with the model where it paused', async (context) => {
  const server = await serve(context, { turns: [{ text: 'a', stop: 'pause' }, { text: 'b' }] });
  const ask = async (...input: Json[]) => (await postResponses(server.url, { model: 'm', ...items(...input) })).status;
  assert.equal(await ask(user('x'), said('a')), 200);
  assert.equal(await ask(user('x'), said('a'), user('y'), said('b')), 400);
});

test('responses: an overflow has its code', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }], window: 100 });
  const { status, text } = await postResponses(server.url, { model: 'm', input: 'x'.repeat(1000) });
  assert.equal(status, 400);
  assert.match(text, /"Your input exceeds the context window of this model\..*"code":"context_length_exceeded"/);
});

const scenario: Scenario = {
  turns: [
    { blocks: [{ thinking: 'first' }, { redacted: 'hidden' }, { call: { name: 'read', id: 'a' } }] },
    { thinking: 'second', text: 'I look.', calls: [{ name: 'read', id: 'b' }] },
    { text: 'done' },
  ],
};
const sealing = { store: false, include: ['reasoning.encrypted_content'] };

interface Asked {
  more?: Json;
  url?: string;
}

/** The output of the first two responses, and a way to send it all again, to the same server or another. */
async function twoTurns(context: TestContext, settings: Json = sealing) {
  const server = await serve(context, scenario);
  const ask = async (input: Json[], { more = {}, url = server.url }: Asked = {}) => {
    const { status, text } = await postResponses(url, { model: 'model-a', ...settings, ...items(...input), ...more });
    const body = JSON.parse(text) as { output?: Json[]; error?: { message: string; code: string | null } };
    return { status, output: body.output ?? [], error: body.error };
  };
  const first = (await ask([user('go')])).output;
  const start = (one: Json[]) => [user('go'), ...one, functionOutput('a')];
  const second = (await ask(start(first))).output;
  const history = (one: Json[], two: Json[]) => [...start(one), ...two, functionOutput('b')];
  return { ask, history, first, second };
}

type Outputs = { first: Json[]; second: Json[] };
const without = (output: Json[], type: string) => output.filter((item) => item['type'] !== type);
const changed = (output: Json[], change: Json) =>
  output.map((item) => (item['type'] === 'reasoning' ? { ...item, ...change } : item));

const refused: { [name: string]: [(outputs: Outputs) => Outputs, RegExp, number?] } = {
  'a changed seal': [
    ({ first, second }) => ({ first: changed(first, { encrypted_content: 'aGlkZGVu' }), second }),
    /^The encrypted content aGlk\.\.\. could not be verified/,
  ],
  'reasoning without its seal': [
    ({ first, second }) => ({ first, second: changed(second, { encrypted_content: null }) }),
    /^Item with id 'rs_\w+' not found\. Items are not persisted/,
    404,
  ],
  'a reference to what isn’t stored': [
    ({ first, second }) => ({ first: [{ type: 'item_reference', id: 'msg_1' }, ...first], second }),
    /^Item with id 'msg_1' not found/,
    404,
  ],
  'reasoning without what it led to': [
    ({ first, second }) => ({ first: [...first, { ...first[0], id: undefined }], second }),
    /^Item '' of type 'reasoning' was provided without its required following item/,
  ],
  'the latest call without its reasoning': [
    ({ first, second }) => ({ first, second: without(second, 'reasoning') }),
    /^Item 'fc_\w+' of type 'function_call' was provided without its required 'reasoning' item: 'rs_\w+'/,
  ],
};
for (const [name, [change, message, status]] of Object.entries(refused)) {
  test(`responses, signatures: ${name} is refused`, async (context) => {
    const { ask, history, first, second } = await twoTurns(context);
    const outputs = change({ first, second });
    const answer = await ask(history(outputs.first, outputs.second));
    assert.equal(answer.status, status ?? 400);
    assert.match(answer.error?.message ?? '', message);
  });
}

const accepted: { [name: string]: [(outputs: Outputs) => Outputs, Json?] } = {
  'reasoning as it came': [(outputs) => outputs],
  'reasoning without its id': [({ first, second }) => ({ first: changed(first, { id: undefined }), second })],
  'no reasoning with earlier calls': [({ first, second }) => ({ first: without(first, 'reasoning'), second })],
  'no reasoning where it isn’t asked for': [
    ({ first, second }) => ({ first: without(first, 'reasoning'), second: without(second, 'reasoning') }),
    { include: [] },
  ],
  'no reasoning where there is none': [
    ({ first, second }) => ({ first, second: without(second, 'reasoning') }),
    { reasoning: { effort: 'none' } },
  ],
  'no reasoning of another model': [
    ({ first, second }) => ({ first: without(first, 'reasoning'), second: without(second, 'reasoning') }),
    { model: 'model-b' },
  ],
};
for (const [name, [change, more]] of Object.entries(accepted)) {
  test(`responses, signatures: ${name} is accepted`, async (context) => {
    const { ask, history, first, second } = await twoTurns(context);
    const outputs = change({ first, second });
    const answer = await ask(history(outputs.first, outputs.second), more ? { more } : {});
    assert.equal(answer.error?.message, undefined);
    assert.equal(answer.output.length, 1);
  });
}

test('responses: reasoning goes to a server that started later, and to no other model', async (context) => {
  const { ask, history, first, second } = await twoTurns(context);
  const { url } = await serve(context, scenario);
  assert.equal((await ask(history(first, second), { url })).status, 200);
  const other = await ask(history(first, second), { more: { model: 'model-b' } });
  assert.deepEqual([other.status, other.error?.code], [400, 'invalid_encrypted_content']);
});

test('responses: what is stored needs no seal; nobody else knows it', async (context) => {
  const { ask, history, first, second } = await twoTurns(context, { include: [] });
  assert.equal((await ask(history(first, second))).status, 200);
  const { url } = await serve(context, scenario);
  assert.equal((await ask(history(first, second), { url })).status, 404);
});

test('responses: only a stored response can be gone on from', async (context) => {
  const { ask } = await twoTurns(context);
  for (const more of [{ previous_response_id: 'resp_1' }, { conversation: 'conv_1' }]) {
    const { status, error } = await ask([user('on')], { more });
    assert.ok(status === 400 || status === 404);
    assert.match(error?.message ?? '', /not found/);
  }
});

test('responses: seals in a recorded stream count as issued for the model that was asked, and for no other', async (context) => {
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'recorded==' };
  const raw = [
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: {} },
  ];
  const server = await serve(context, () => ({ raw }));
  const status = async (model: string, ...input: Json[]) =>
    (await postResponses(server.url, { model, ...sealing, ...items(user('a'), ...input) })).status;
  await status('m');
  assert.equal(await status('m', item, said('b'), user('c')), 200);
  assert.equal(await status('n', item, said('b'), user('c')), 400);
});

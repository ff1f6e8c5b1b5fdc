import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@google/genai';
import { startModelServer, strictRules, type ModelServer, type Scenario } from '../../src/testing/index.ts';
import { geminiCases } from './support/gemini-cases.ts';
import { ask, googleClient, type Chunk } from './support/gemini-client.ts';
import { call, hello, model, response, talk, user } from './support/gemini-parts.ts';
import { serve } from './support/running.ts';

const scenario: Scenario = { window: 10_000, position: 'count', turns: [{ text: 'fine', repeat: 'forever' }] };

test('every rule of the strict mode has its cases', () => {
  assert.deepEqual(new Set([...Object.keys(geminiCases), 'signatures']), new Set(strictRules));
});

let shared: Promise<ModelServer>;
test.before(() => {
  shared = startModelServer(scenario);
});
test.after(async () => (await shared).close());

for (const [rule, { refused, accepted }] of Object.entries(geminiCases)) {
  for (const [name, body] of Object.entries(refused)) {
    test(`gemini ${rule}: ${name} is refused, for good`, async (context) => {
      const server = await serve(context, scenario);
      const first = await ask(server.url, body);
      const second = await ask(server.url, body);
      assert.equal(first.status, rule === 'marks' ? 403 : 400);
      assert.equal(second.status, first.status);
      assert.deepEqual(
        server.refusals.filter((refusal) => refusal.rule !== rule),
        [],
      );
      const { error } = JSON.parse(first.text) as Chunk;
      assert.deepEqual(
        { ...error, message: '' },
        {
          code: first.status,
          message: '',
          status: rule === 'marks' ? 'PERMISSION_DENIED' : 'INVALID_ARGUMENT',
          details: [],
        },
      );
    });

    if (rule !== 'window') {
      test(`gemini ${rule}: ${name} is refused for that alone`, async (context) => {
        const server = await serve(context, { ...scenario, window: 1e9, strict: { except: [rule as never] } });
        const answer = await ask(server.url, body);
        assert.equal(answer.status, 200, answer.text);
      });
    }
  }
  for (const [name, body] of Object.entries(accepted)) {
    test(`gemini ${rule}: ${name} is accepted`, async () => {
      const answer = await ask((await shared).url, body);
      assert.equal(answer.status, 200, answer.text);
    });
  }
}

test('the official client is told of a refusal in the provider’s words', async (context) => {
  const server = await serve(context, scenario);
  const refusals: [unknown, RegExp][] = [
    [[{ role: 'user', parts: [] }], /contents\.parts must not be empty/],
    [
      talk(user('a'), model([call(), call()]), user([response()]))['contents'],
      /number of function response parts is equal to the number of function call parts/,
    ],
    ['x'.repeat(50_000), /input token count \(\d+\) exceeds the maximum number of tokens allowed \(10000\)/],
  ];
  for (const [contents, words] of refusals) {
    const asking = googleClient(server).models.generateContentStream({ model: 'model-a', contents: contents as never });
    const error = await asking.catch((failure: unknown) => failure);
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.status, 400);
    assert.match(error.message, words);
    assert.match(error.message, /INVALID_ARGUMENT/);
  }
});

test('an unknown field is named with its place', async (context) => {
  const server = await serve(context, scenario);
  const said = async (body: object) => JSON.parse((await ask(server.url, body)).text) as { error: { message: string } };
  const words = 'Invalid JSON payload received. Unknown name';
  assert.equal((await said({ ...hello, x: 1 })).error.message, `${words} "x": Cannot find field.`);
  const parameters = { type: 'object', properties: { a: { type: 'string', const: 'b' } } };
  const declared = { ...hello, tools: [{ functionDeclarations: [{ name: 'a', parameters }] }] };
  assert.equal(
    (await said(declared)).error.message,
    `${words} "const" at 'tools[0].function_declarations[0].parameters.properties[a]': Cannot find field.`,
  );
});

test('a conversation may end with the model where it paused', async (context) => {
  const server = await serve(context, { turns: [{ text: 'a', stop: 'pause' }, { text: 'b' }] });
  assert.equal((await ask(server.url, talk(user('x'), model('a')))).status, 200);
  assert.equal((await ask(server.url, talk(user('x'), model('a'), user('y'), model('b')))).status, 400);
});

test('counting asks for no limit of output and takes a whole request', async (context) => {
  const server = await serve(context, scenario);
  const count = async (body: object) => (await ask(server.url, body, { method: 'countTokens' })).status;
  assert.equal(await count(hello), 200);
  assert.equal(await count({ generateContentRequest: { model: 'models/model-a', ...hello } }), 200);
  assert.equal(await count({ generateContentRequest: { ...hello, x: 1 } }), 400);
  assert.equal(await count({ generateContentRequest: hello, contents: [] }), 400);
  assert.equal(await count(talk(user('x'.repeat(100_000)))), 200, 'what is too long can be counted');
});

test('nothing is refused when the mode is off', async (context) => {
  const server = await serve(context, { ...scenario, strict: false });
  const body = { contents: [model([call()]), user(''), { role: 'odd' }, 5, null], extra: true, tools: 'no' };
  assert.equal((await ask(server.url, body)).status, 200);
});

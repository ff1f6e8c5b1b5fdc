import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startModelServer, strictRules, type ModelServer, type Scenario } from '../../src/testing/index.ts';
import { post } from './support/raw-client.ts';
import { conversationCases } from './support/conversation-cases.ts';
import { envelopeCases } from './support/envelope-cases.ts';
import { assistant, call, hello, result, talk, text, user, type Json } from './support/request-parts.ts';
import { serve } from './support/running.ts';

const cases = { ...conversationCases, ...envelopeCases };

const scenario: Scenario = { window: 10_000, position: 'count', turns: [{ text: 'fine', repeat: 'forever' }] };
const complete = (body: Json): Json => ({ model: 'model-a', max_tokens: 100, ...body });

test('every rule of the strict mode has its cases', () => {
  assert.deepEqual(new Set([...Object.keys(cases), 'signatures']), new Set(strictRules));
});

let shared: Promise<ModelServer>;
test.before(() => {
  shared = startModelServer(scenario);
});
test.after(async () => (await shared).close());

for (const [rule, { refused, accepted }] of Object.entries(cases)) {
  for (const [name, body] of Object.entries(refused)) {
    test(`${rule}: ${name} is refused, for good`, async (context) => {
      const server = await serve(context, scenario);
      const first = await post(server.url, complete(body));
      const second = await post(server.url, complete(body));
      assert.equal(first.status, name === 'more than 32 MB' ? 413 : 400);
      assert.equal(second.status, first.status);
      const others = server.refusals.filter((refusal) => refusal.rule !== rule);
      assert.deepEqual(others, []);
    });

    if (rule !== 'window') {
      test(`${rule}: ${name} is refused for that alone`, async (context) => {
        const server = await serve(context, { ...scenario, window: 1e9, strict: { except: [rule as never] } });
        const answer = await post(server.url, complete(body));
        assert.equal(answer.status, 200, answer.text);
      });
    }
  }
  for (const [name, body] of Object.entries(accepted)) {
    test(`${rule}: ${name} is accepted`, async () => {
      const answer = await post((await shared).url, complete(body));
      assert.equal(answer.status, 200, answer.text);
    });
  }
}

test('nothing is refused when the mode is off', async (context) => {
  const server = await serve(context, { ...scenario, strict: false });
  const messages = [
    assistant([text(''), call('t'), call('t')]),
    { role: 'odd' },
    5,
    null,
    { role: 'user', content: { a: 1 } },
  ];
  const answer = await post(server.url, { messages, extra: true, tools: 'no', system: 5 });
  assert.equal(answer.status, 200);
});

test('the header with the version is required', async (context) => {
  const server = await serve(context, scenario);
  const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: JSON.stringify(complete(hello)) });
  assert.equal(response.status, 400);
  assert.match(await response.text(), /anthropic-version/);
});

test('system messages pass where that is said, and only between the user and the model', async (context) => {
  const server = await serve(context, { ...scenario, strict: { systemMessages: true } });
  const system = { role: 'system', content: 'the mode changed' };
  const status = async (...messages: Json[]) => (await post(server.url, complete(talk(...messages)))).status;
  assert.equal(await status(user('a'), system), 200);
  assert.equal(
    await status(user('a'), assistant([call('t')]), user([result('t')]), system, assistant('b'), user('c')),
    200,
  );
  assert.equal(await status(user('a'), assistant([call('t')]), user([result('t')]), system, user('b')), 400);
  assert.equal(await status(system, user('a')), 400);
  assert.equal(await status(user('a'), assistant('b'), system, user('c')), 400);
});

test('a conversation may end with the model where it paused', async (context) => {
  const turns = [{ text: 'a', stop: 'pause' }, { text: 'b' }];
  const server = await serve(context, { turns });
  const paused = talk(user('x'), assistant('a'));
  assert.equal((await post(server.url, complete(paused))).status, 200);
  const over = talk(user('x'), assistant('a'), user('y'), assistant('b'));
  assert.equal((await post(server.url, complete(over))).status, 400);
  const handled = await serve(context, ({ question }) => turns[question.messages.length - 1] ?? { text: 'c' });
  assert.equal((await post(handled.url, complete(paused))).status, 400, 'nothing has paused yet');
  assert.equal((await post(handled.url, complete(talk(user('x'))))).status, 200);
  assert.equal((await post(handled.url, complete(paused))).status, 200);
});

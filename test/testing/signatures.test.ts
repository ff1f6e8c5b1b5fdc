import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Scenario } from '../../src/testing/index.ts';
import { post } from './support/raw-client.ts';
import { assistant, mark, result, talk, user, type Json } from './support/request-parts.ts';
import { serve } from './support/running.ts';

const scenario: Scenario = {
  turns: [
    { blocks: [{ thinking: 'first' }, { redacted: 'hidden' }, { call: { name: 'read', id: 'a' } }] },
    { blocks: [{ thinking: '' }, { call: { name: 'read', id: 'b' } }] },
    { text: 'done' },
  ],
  strict: true,
};

/** The content of the first two replies, and a way to send a request with both in it, to the same or another server. */
async function twoTurns(context: TestContext) {
  const server = await serve(context, scenario);
  const ask = async (messages: Json[], more: Json = {}, url = server.url) => {
    const answer = await post(url, { model: 'model-a', max_tokens: 5000, ...talk(...messages), ...more });
    return {
      status: answer.status,
      content: (JSON.parse(answer.text) as { content: Json[] }).content,
      text: answer.text,
    };
  };
  const first = (await ask([user('go')])).content;
  const history = (one: Json[], two: Json[]) => [
    user('go'),
    assistant(one),
    user([result('a')]),
    assistant(two),
    user([result('b')]),
  ];
  const second = (await ask(history(first, []).slice(0, 3))).content;
  assert.equal(second.length, 2);
  return { ask, history, first, second };
}

test('thinking goes back as it came, to the server that issued it and to one that started later', async (context) => {
  const { ask, history, first, second } = await twoTurns(context);
  assert.equal((await ask(history(first, second))).status, 200);
  const later = await serve(context, scenario);
  assert.equal((await ask(history(first, second), {}, later.url)).status, 200);
});

const without = (content: Json[], ...types: string[]) =>
  content.filter((block) => !types.includes(block['type'] as string));
const changed = (content: Json[], type: string, change: Json) =>
  content.map((block) => (block['type'] === type ? { ...block, ...change } : block));

type Content = { first: Json[]; second: Json[] };
const refused: { [name: string]: (content: Content) => Content } = {
  'changed text': ({ first, second }) => ({ first: changed(first, 'thinking', { thinking: 'First' }), second }),
  'a changed signature': ({ first, second }) => ({
    first: changed(first, 'thinking', { signature: 'c2lnbmVk' }),
    second,
  }),
  'an empty signature': ({ first, second }) => ({ first, second: changed(second, 'thinking', { signature: '' }) }),
  'the signature of other thinking': ({ first, second }) => ({
    first,
    second: changed(second, 'thinking', { signature: first[0]!['signature'] }),
  }),
  'changed sealed thinking': ({ first, second }) => ({
    first: changed(first, 'redacted_thinking', { data: 'aGlkZGVu' }),
    second,
  }),
  'no thinking with the latest call': ({ first, second }) => ({ first, second: without(second, 'thinking') }),
};
for (const [name, change] of Object.entries(refused)) {
  test(`thinking: ${name} is refused`, async (context) => {
    const { ask, history, first, second } = await twoTurns(context);
    const content = change({ first, second });
    const answer = await ask(history(content.first, content.second));
    assert.equal(answer.status, 400);
    assert.match(answer.text, /signature|cannot be modified/);
  });
}

const accepted: { [name: string]: [(content: Content) => Content, Json?] } = {
  'no thinking with earlier calls': [
    ({ first, second }) => ({ first: without(first, 'thinking', 'redacted_thinking'), second }),
  ],
  'no thinking where it is off': [
    ({ first, second }) => ({ first, second: without(second, 'thinking') }),
    { thinking: { type: 'disabled' } },
  ],
  'no thinking of another model': [
    ({ first, second }) => ({
      first: without(first, 'thinking', 'redacted_thinking'),
      second: without(second, 'thinking'),
    }),
    { model: 'model-b' },
  ],
};
for (const [name, [change, more]] of Object.entries(accepted)) {
  test(`thinking: ${name} is accepted`, async (context) => {
    const { ask, history, first, second } = await twoTurns(context);
    const content = change({ first, second });
    assert.equal((await ask(history(content.first, content.second), more)).status, 200);
  });
}

test('thinking of one model is refused for another', async (context) => {
  const { ask, history, first, second } = await twoTurns(context);
  assert.equal((await ask(history(first, second), { model: 'model-b' })).status, 400);
  const unsealed = without(second, 'thinking');
  assert.equal((await ask(history(without(first, 'thinking'), unsealed), { model: 'model-b' })).status, 400);
});

test('thinking can’t be marked for the cache', async (context) => {
  const { ask, history, first, second } = await twoTurns(context);
  const answer = await ask(history(changed(first, 'redacted_thinking', mark()), second));
  assert.equal(answer.status, 400);
  assert.match(answer.text, /redacted_thinking\.cache_control: Extra inputs/);
});

test('what was thought before a pause may come joined in front', async (context) => {
  const turns = [
    { thinking: 'before', text: 'a', stop: 'pause' },
    { thinking: 'after', calls: [{ name: 'read', id: 'c' }] },
    { text: 'done' },
  ];
  const server = await serve(context, { turns });
  const ask = async (...messages: Json[]) => {
    const answer = await post(server.url, { model: 'm', max_tokens: 9, ...talk(...messages) });
    assert.equal(answer.status, 200, answer.text);
    return (JSON.parse(answer.text) as { content: Json[] }).content;
  };
  const before = await ask(user('go'));
  const after = await ask(user('go'), assistant(before));
  assert.equal((await ask(user('go'), assistant([...before, ...after]), user([result('c')])))[0]!['text'], 'done');
});

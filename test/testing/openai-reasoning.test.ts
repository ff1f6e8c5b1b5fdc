import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { serveRecording, type Scenario } from '../../src/testing/index.ts';
import { calling, saying, toolCall, toolResult } from './support/openai-chat-parts.ts';
import { postChat } from './support/openai-running.ts';
import { talk, text, user, type Json } from './support/request-parts.ts';
import { serve } from './support/running.ts';

const scenario: Scenario = {
  turns: [
    { thinking: 'first', calls: [{ name: 'read' }, { name: 'read', id: 'own' }] },
    { thinking: 'second', text: 'done' },
    { blocks: [{ redacted: 'hidden' }, { text: 'over' }] },
    { text: 'end' },
  ],
};

interface Message extends Json {
  tool_calls?: { id: string }[];
}

/** The replies to a conversation of three turns, and a way to send it all again, to the same server or another. */
async function threeTurns(context: TestContext) {
  const server = await serve(context, scenario);
  const ask = async (messages: Json[], { model = 'model-a', url = server.url } = {}) => {
    const { status, text } = await postChat(url, { model, ...talk(...messages) });
    const body = JSON.parse(text) as { choices?: { message: Message }[]; error?: { message: string } };
    return { status, message: body.choices?.[0]?.message ?? {}, error: body.error?.message };
  };
  const results = (message: Message) => (message.tool_calls ?? []).map(({ id }) => toolResult(id));
  const first = (await ask([user('go')])).message;
  const second = (await ask([user('go'), first, ...results(first)])).message;
  const before = (one: Message, two: Message) => [user('go'), one, ...results(one), two, user('on')];
  const third = (await ask(before(first, second))).message;
  const history = (one: Message, two: Message, three: Message) => [...before(one, two), three, user('end')];
  return { ask, history, first, second, third };
}

type Replies = { first: Message; second: Message; third: Message };
const without = (message: Message, key: string): Message =>
  Object.fromEntries(Object.entries(message).filter(([name]) => name !== key));
const sealed = (message: Message, data: unknown): Message => ({
  ...message,
  reasoning_details: (message['reasoning_details'] as Json[]).map((detail) => ({ ...detail, data })),
});

/** A reply with its reasoning in parts in front of its text. */
const withParts = (message: Message, reasoning: string): Message => ({
  ...without(message, 'reasoning_content'),
  content: [{ type: 'thinking', thinking: [text(reasoning)], closed: true }, text('done')],
});

const refused: { [name: string]: (replies: Replies) => Partial<Replies> } = {
  'changed text': ({ first }) => ({ first: { ...first, reasoning_content: 'First' } }),
  'text of nobody': ({ second }) => ({ second: { ...second, reasoning_content: 'made up' } }),
  'text of nobody under its other name': ({ second }) => ({ second: { ...second, reasoning: 'made up' } }),
  'text of nobody as a part of the content': ({ second }) => ({ second: withParts(second, 'made up') }),
  'text of nobody in details': ({ second }) => ({
    second: { ...second, reasoning_details: [{ type: 'reasoning.text', text: 'made up' }] },
  }),
  'another seal': ({ third }) => ({ third: sealed(third, 'aGlkZGVu') }),
  'no seal': ({ third }) => ({ third: sealed(third, null) }),
};
for (const [name, change] of Object.entries(refused)) {
  test(`chat, signatures: ${name} is refused`, async (context) => {
    const { ask, history, ...replies } = await threeTurns(context);
    const { first, second, third } = { ...replies, ...change(replies) };
    const answer = await ask(history(first, second, third));
    assert.equal(answer.status, 400);
    assert.match(
      answer.error ?? '',
      /^Invalid 'messages\[\d\]\.(content|reasoning(_content|_details)?)': it is not reasoning/,
    );
  });
}

const accepted: typeof refused = {
  'reasoning as it came': () => ({}),
  'no reasoning': ({ first, second, third }) => ({
    first: without(first, 'reasoning_content'),
    second: without(second, 'reasoning_content'),
    third: without(third, 'reasoning_details'),
  }),
  'the same text as parts of the content': ({ second }) => ({ second: withParts(second, 'second') }),
  'the same text under its other name': ({ second }) => ({
    second: { ...without(second, 'reasoning_content'), reasoning: 'second' },
  }),
  'the same text in details too': ({ second }) => ({
    second: { ...second, reasoning_details: [{ type: 'reasoning.summary', summary: 'second' }, { type: 'later' }] },
  }),
};
for (const [name, change] of Object.entries(accepted)) {
  test(`chat, signatures: ${name} is accepted`, async (context) => {
    const { ask, history, ...replies } = await threeTurns(context);
    const { first, second, third } = { ...replies, ...change(replies) };
    const answer = await ask(history(first, second, third));
    assert.equal(answer.error, undefined);
    assert.equal(answer.message['content'], 'end');
  });
}

test('chat: reasoning of one model is refused for another', async (context) => {
  const { ask, history, first, second, third } = await threeTurns(context);
  const bare = [
    without(first, 'reasoning_content'),
    without(second, 'reasoning_content'),
    without(third, 'reasoning_details'),
  ];
  const other = { model: 'model-b' };
  assert.equal((await ask(history(first, bare[1]!, bare[2]!), other)).status, 400);
  assert.equal((await ask(history(bare[0]!, second, bare[2]!), other)).status, 400);
  assert.equal((await ask(history(bare[0]!, bare[1]!, third), other)).status, 400);
  assert.equal((await ask(history(bare[0]!, bare[1]!, bare[2]!), other)).status, 200);
});

test('chat: a server that starts later knows sealed reasoning, and that of calls by their ids', async (context) => {
  const { ask, history, first, second, third } = await threeTurns(context);
  const { url } = await serve(context, scenario);
  const silent = without(second, 'reasoning_content');
  assert.equal((await ask(history(first, silent, third), { url })).status, 200);
  assert.equal((await ask(history({ ...first, reasoning_content: 'First' }, silent, third), { url })).status, 400);
  assert.equal((await ask(history(first, silent, third), { url, model: 'model-b' })).status, 400);
});

test('chat: reasoning in a recorded stream counts as issued for the model that was asked, and for no other', async (context) => {
  const chunk = (delta: Json) => JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] });
  const details = [{ type: 'reasoning.encrypted', data: 'recorded==' }];
  const lines = [
    chunk({ reasoning_content: 're' }),
    chunk({ reasoning_content: 'corded' }),
    chunk({ reasoning_details: details }),
  ];
  const server = await serve(context, serveRecording(lines));
  const status = async (model: string, more: Json) =>
    (await postChat(server.url, { model, ...talk(user('a'), saying('b', more), user('c')) })).status;
  await postChat(server.url, { model: 'm', ...talk(user('a')) });
  assert.equal(await status('m', { reasoning_content: 'recorded', reasoning_details: details }), 200);
  assert.equal(await status('m', { reasoning_content: 'record' }), 400);
  assert.equal(await status('n', { reasoning_content: 'recorded' }), 400);
  assert.equal(await status('n', { reasoning_details: details }), 400);
});

test('chat: a foreign call proves nothing', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }], position: 'count' });
  for (const id of ['', 'short', 'call_0123456789abcdefghijklmn']) {
    const reply = { ...calling(toolCall(id)), reasoning_content: 'made up' };
    const answer = await postChat(server.url, { model: 'm', ...talk(user('a'), reply, toolResult(id)) });
    assert.equal(answer.status, 400);
  }
});

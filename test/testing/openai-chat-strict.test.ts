import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strictRules } from '../../src/testing/index.ts';
import { chatConversationCases, chatEnvelopeCases } from './support/openai-chat-cases.ts';
import { calling, saying, toolCall, toolResult } from './support/openai-chat-parts.ts';
import { postChat } from './support/openai-running.ts';
import { testCases } from './support/openai-strict.ts';
import { talk, user } from './support/request-parts.ts';
import { serve } from './support/running.ts';

const cases = { ...chatConversationCases, ...chatEnvelopeCases };

test('chat: every rule of the strict mode has its cases', () => {
  assert.deepEqual(new Set([...Object.keys(cases), 'signatures']), new Set(strictRules));
});

testCases('chat', cases, (url, body) => postChat(url, { model: 'model-a', ...body }));

test('chat: nothing is refused when the mode is off', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }], position: 'count', strict: false });
  const messages = [
    calling(toolCall('t'), toolCall('t')),
    { role: 'odd' },
    5,
    null,
    { role: 'user', content: { a: 1 } },
  ];
  const answer = await postChat(server.url, { messages, extra: true, tools: 'no', tool_choice: 5, stream_options: [] });
  assert.equal(answer.status, 200);
});

test('chat: a result after other words breaks two rules', async (context) => {
  const body = { model: 'm', ...talk(user('a'), calling(toolCall('t')), user('b'), toolResult('t')) };
  const status = async (...except: ('results' | 'orphan-results')[]) =>
    (
      await postChat(
        (await serve(context, { turns: [{ text: 'x' }], position: 'count', strict: { except } })).url,
        body,
      )
    ).status;
  assert.deepEqual([await status(), await status('results'), await status('orphan-results')], [400, 400, 400]);
  assert.equal(await status('results', 'orphan-results'), 200);
});

test('chat: a conversation may end with the model where it paused', async (context) => {
  const server = await serve(context, { turns: [{ text: 'a', stop: 'pause' }, { text: 'b' }] });
  const ask = async (...messages: object[]) => (await postChat(server.url, { model: 'm', messages })).status;
  assert.equal(await ask(user('x'), saying('a')), 200);
  assert.equal(await ask(user('x'), saying('a'), user('y'), saying('b')), 400);
});

test('chat: an overflow has its code, and says what is too much', async (context) => {
  const server = await serve(context, { turns: [{ text: 'x' }], window: 100 });
  const ask = async (length: number, most: number) => {
    const { text } = await postChat(server.url, { model: 'm', max_tokens: most, ...talk(user('x'.repeat(length))) });
    return (JSON.parse(text) as { error: { code: string; message: string } }).error;
  };
  const long = await ask(1000, 1);
  assert.equal(long.code, 'context_length_exceeded');
  assert.match(long.message, /maximum context length is 100 tokens\. However, your messages resulted in 2\d\d tokens/);
  const greedy = await ask(4, 100);
  assert.equal(greedy.code, 'context_length_exceeded');
  assert.match(greedy.message, /However, you requested 1\d\d tokens \(\d+ in the messages, 100 in the completion\)/);
});

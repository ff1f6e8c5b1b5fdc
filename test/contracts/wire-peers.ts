/** The wires, and the profiles of Chat Completions that differ most, as the suites know them. */
import type { JsonObject } from '../../src/core/index.ts';
import { able } from '../support/abilities.ts';
import type { Peer } from './wire-talk.ts';

const chatChunk = (delta: JsonObject, reason: string | null = null): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: reason }],
});

/** The four wires come first. */
export const peers: readonly Peer[] = [
  {
    name: 'Anthropic Messages',
    target: { ...able, provider: 'anthropic', wire: 'anthropic', model: 'claude-test-1' },
    other: 'claude-test-2',
    returnsReasoning: true,
    asksForUsage: true,
    stream: (pieces) => [
      { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ],
  },
  {
    name: 'OpenAI Responses',
    target: { ...able, provider: 'openai', wire: 'openai-responses', model: 'gpt-test-1' },
    other: 'gpt-test-2',
    returnsReasoning: true,
    asksForUsage: true,
    stream: (pieces) => {
      const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' };
      const content = [{ type: 'output_text', text: pieces.join(''), annotations: [] }];
      const place = { output_index: 0, item_id: 'msg_1', content_index: 0 };
      return [
        { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
        ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
        { type: 'response.output_item.done', output_index: 0, item: { ...item, content } },
        { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [{ ...item, content }] } },
      ];
    },
  },
  {
    name: 'Gemini',
    target: { ...able, provider: 'google', wire: 'gemini', model: 'gemini-3-test-1' },
    other: 'gemini-3-test-2',
    returnsReasoning: true,
    asksForUsage: true,
    stream: (pieces) => [
      ...pieces.map((text) => ({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }] })),
      { candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 }] },
    ],
  },
  ...[
    { profile: 'plain', model: 'test-1', returnsReasoning: true },
    { profile: 'openai', model: 'gpt-test-1', returnsReasoning: false },
    { profile: 'vllm', model: 'qwen-test-1', returnsReasoning: true },
    { profile: 'deepseek', model: 'deepseek-test-1', returnsReasoning: true },
    { profile: 'mistral', model: 'mistral-test-1', returnsReasoning: true },
    { profile: 'openrouter', model: 'anthropic/test-1', returnsReasoning: true },
  ].map(({ profile, model, returnsReasoning }): Peer => ({
    name: `Chat Completions (${profile})`,
    target: { ...able, provider: 'maker', wire: 'openai-chat', model, profile },
    other: `${model}-other`,
    returnsReasoning,
    asksForUsage: profile !== 'mistral',
    stream: (pieces) => [
      chatChunk({ role: 'assistant', content: '' }),
      ...pieces.map((content) => chatChunk({ content })),
      chatChunk({}, 'stop'),
    ],
  })),
];

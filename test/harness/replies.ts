/** Whole replies of each wire as they go over the line, with whatever usage a test has its server claim. */
import type { ServerResponse } from 'node:http';
import type { Received } from '../model/loopback.ts';

export const wireNames = ['anthropic', 'openai-responses', 'openai-chat', 'gemini'] as const;
export type WireName = (typeof wireNames)[number];

/** What a server says: `usage` as it claims it, whatever that is; null: it claims nothing. */
export interface Said {
  text: string;
  call?: { name: string; arguments: object };
  usage?: { input: unknown; output: unknown } | null;
}

let calls = 0;

export function bodyOf(wire: WireName, { text, call, usage = { input: 100, output: 10 } }: Said): string {
  calls += 1;
  return writers[wire]({ text, call, id: `call_${calls}`, usage: usage ?? undefined });
}

export function sayIn(wire: WireName, said: Said): (received: Received, response: ServerResponse) => void {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(bodyOf(wire, said));
  };
}

interface Written {
  text: string;
  call: { name: string; arguments: object } | undefined;
  id: string;
  usage: { input: unknown; output: unknown } | undefined;
}

const named = (events: readonly { type: string; [key: string]: unknown }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const plain = (chunks: readonly object[]): string =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');

const writers: { [W in WireName]: (said: Written) => string } = {
  anthropic({ text, call, id, usage }) {
    const block = { type: 'tool_use', id, name: call?.name ?? '', input: {} };
    const partial = JSON.stringify(call?.arguments ?? {});
    const calling = [
      { type: 'content_block_start', index: 1, content_block: block },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: partial } },
      { type: 'content_block_stop', index: 1 },
    ];
    return named([
      { type: 'message_start', message: { id: 'm', ...(usage && { usage: { input_tokens: usage.input } }) } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      ...(call === undefined ? [] : calling),
      {
        type: 'message_delta',
        delta: { stop_reason: call === undefined ? 'end_turn' : 'tool_use' },
        ...(usage && { usage: { output_tokens: usage.output } }),
      },
      { type: 'message_stop' },
    ]);
  },
  'openai-responses'({ text, call, id, usage }) {
    const content = [{ type: 'output_text', text, annotations: [] }];
    const output = [
      { id: 'msg', type: 'message', role: 'assistant', status: 'completed', content },
      ...(call === undefined
        ? []
        : [
            {
              id: `f${id}`,
              type: 'function_call',
              call_id: id,
              name: call.name,
              arguments: JSON.stringify(call.arguments),
            },
          ]),
    ];
    const claimed = usage && { usage: { input_tokens: usage.input, output_tokens: usage.output } };
    return named([
      { type: 'response.created', response: { id: 'r', error: null, output: [] } },
      ...output.map((item, index) => ({ type: 'response.output_item.done', output_index: index, item })),
      { type: 'response.completed', response: { id: 'r', status: 'completed', error: null, output, ...claimed } },
    ]);
  },
  'openai-chat'({ text, call, id, usage }) {
    const made = call && { index: 0, id, function: { name: call.name, arguments: JSON.stringify(call.arguments) } };
    const delta = { content: text, ...(made && { tool_calls: [made] }) };
    const claimed = usage && { usage: { prompt_tokens: usage.input, completion_tokens: usage.output } };
    const chunks = [
      { id: 'c', choices: [{ index: 0, delta }] },
      { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: call === undefined ? 'stop' : 'tool_calls' }] },
      { id: 'c', choices: [], ...claimed },
    ];
    return `${plain(chunks)}data: [DONE]\n\n`;
  },
  gemini({ text, call, usage }) {
    const called = call && { functionCall: { name: call.name, args: call.arguments } };
    const parts = [{ text }, ...(called === undefined ? [] : [called])];
    const claimed = usage && {
      usageMetadata: { promptTokenCount: usage.input, candidatesTokenCount: usage.output },
    };
    return plain([{ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], ...claimed }]);
  },
};

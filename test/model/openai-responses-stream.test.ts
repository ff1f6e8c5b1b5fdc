import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import OpenAI from 'openai';
import type { JsonObject, ToolSpec } from '../../src/core/index.ts';
import { createSseParser, loadWire, type Decoded, type Delta } from '../../src/model/index.ts';
import { startModelServer } from '../../src/testing/index.ts';
import { sse } from './loopback.ts';
import { orderFor } from './orders.ts';

const wire = await loadWire('openai-responses');
const { target } = orderFor(wire, []);
const recordings = fileURLToPath(new URL('../../../shared/streams/openai-responses', import.meta.url));
const patch: ToolSpec = { name: 'patch', description: '', input: { type: 'object' }, text: { argument: 'change' } };
const tools: ToolSpec[] = [patch, { name: 'server.list', description: '', input: { type: 'object' } }];

interface Played {
  outcome: Decoded;
  shown: Delta[];
}

function decode(pieces: readonly Uint8Array[]): Played & { usage: unknown; characters: number } {
  const shown: Delta[] = [];
  const decoder = wire.decoder((delta) => shown.push(delta), { target, tools });
  const parser = createSseParser((event) => decoder.push(event));
  for (const piece of pieces) parser.push(piece);
  if (!decoder.done) parser.end();
  return { outcome: decoder.end(), shown, usage: decoder.usage, characters: decoder.outputCharacters };
}

const play = (events: readonly object[]) => decode([Buffer.from(sse(events))]);

function replyOf({ outcome }: Played) {
  assert.ok(outcome.kind === 'reply', JSON.stringify(outcome));
  return outcome.reply;
}

function failureOf({ outcome }: Played) {
  assert.ok(outcome.kind === 'failure', JSON.stringify(outcome));
  return outcome.failure;
}

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
};
const created = {
  type: 'response.created',
  response: { id: 'resp_1', status: 'in_progress', output: [], usage: null },
};
const completed = (output: unknown = [], more: object = {}) => ({
  type: 'response.completed',
  response: { id: 'resp_1', status: 'completed', output, usage, ...more },
});
const incomplete = (reason: string | undefined, output: unknown = []) => ({
  type: 'response.incomplete',
  response: {
    id: 'resp_1',
    status: 'incomplete',
    incomplete_details: reason === undefined ? null : { reason },
    output,
    usage,
  },
});
const added = (index: number, item: object) => ({ type: 'response.output_item.added', output_index: index, item });
const done = (index: number, item: object) => ({ type: 'response.output_item.done', output_index: index, item });
const delta = (kind: string, index: number, id: string, piece: string, more: object = {}) => ({
  type: `response.${kind}.delta`,
  output_index: index,
  item_id: id,
  delta: piece,
  ...more,
});
const message = (text: string, more: object = {}) => ({
  type: 'message',
  id: 'msg_1',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  ...more,
});
const refusal = (words: string) => message('', { content: [{ type: 'refusal', refusal: words }] });
const functionCall = (args: unknown, more: object = {}) => ({
  type: 'function_call',
  id: 'fc_1',
  status: 'completed',
  call_id: 'call_1',
  name: 'read',
  arguments: args,
  ...more,
});
const customCall = (input: string, name = 'patch', more: object = {}) => ({
  type: 'custom_tool_call',
  id: 'ctc_1',
  call_id: 'call_2',
  name,
  input,
  ...more,
});
const reasoning = (more: object = {}) => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  encrypted_content: 'sealed',
  ...more,
});

const whole = [
  created,
  added(0, { ...reasoning(), encrypted_content: 'half' }),
  delta('reasoning_summary_text', 0, 'rs_1', 'First ', { summary_index: 0 }),
  delta('reasoning_summary_text', 0, 'rs_1', 'this.', { summary_index: 0 }),
  delta('reasoning_summary_text', 0, 'rs_1', 'Then that.', { summary_index: 1 }),
  done(
    0,
    reasoning({
      summary: [
        { type: 'summary_text', text: 'First this.' },
        { type: 'summary_text', text: 'Then that.' },
      ],
    }),
  ),
  added(1, { ...message(''), content: [], phase: 'commentary' }),
  delta('output_text', 1, 'msg_1', 'Hällo '),
  delta('output_text', 1, 'msg_1', '👋🏽'),
  done(1, message('Hällo 👋🏽', { phase: 'commentary' })),
  added(2, functionCall('', { status: 'in_progress' })),
  delta('function_call_arguments', 2, 'fc_1', '{"path":'),
  delta('function_call_arguments', 2, 'fc_1', '"a"}'),
  done(2, functionCall('{"path":"a"}')),
  added(3, customCall('')),
  delta('custom_tool_call_input', 3, 'ctc_1', '*** '),
  delta('custom_tool_call_input', 3, 'ctc_1', 'x'),
  done(3, customCall('*** x')),
  completed(),
];

describe('a stream becomes the reply it holds', () => {
  test('reasoning, text with its phase, calls of both kinds, usage', () => {
    const reply = replyOf(play(whole));
    assert.deepEqual(reply, {
      parts: [
        {
          type: 'thinking',
          text: 'First this.\n\nThen that.',
          opaque: reasoning({
            summary: [
              { type: 'summary_text', text: 'First this.' },
              { type: 'summary_text', text: 'Then that.' },
            ],
          }),
        },
        { type: 'text', text: 'Hällo 👋🏽', opaque: message('Hällo 👋🏽', { phase: 'commentary' }) },
        { type: 'call', id: 'call_1', name: 'read', arguments: { path: 'a' } },
        { type: 'call', id: 'call_2', name: 'patch', arguments: { change: '*** x' } },
      ],
      stop: 'calls',
      stopRaw: 'completed',
      usage: { input: 30, cacheRead: 60, cacheWrite: 10, output: 20, reasoning: 5 },
      providerId: 'resp_1',
    });
  });

  test('is shown as it comes', () => {
    assert.deepEqual(play(whole).shown, [
      { type: 'thinking', delta: 'First ' },
      { type: 'thinking', delta: 'this.' },
      { type: 'thinking', delta: '\n\nThen that.' },
      { type: 'text', delta: 'Hällo ' },
      { type: 'text', delta: '👋🏽' },
      { type: 'call', index: 0, name: 'read' },
      { type: 'call', index: 1, name: 'patch' },
    ]);
  });

  test('any pieces give the same reply and show the same', () => {
    const plain = sse(whole);
    const texts = [
      plain,
      plain.replaceAll('\n', '\r\n'),
      plain.replaceAll(/event: .*\n/g, ''),
      `: hi\n\n${plain}data: [DONE]\n\n`,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(fc.nat({ max: 999 }), { maxLength: 30 }), (text, cuts) => {
        const bytes = Buffer.from(text);
        const places = [0, ...cuts.map((cut) => Math.floor((cut / 1_000) * bytes.length)), bytes.length].sort(
          (a, b) => a - b,
        );
        const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        const { outcome, shown } = decode(pieces);
        assert.deepEqual({ outcome, shown }, { outcome: play(whole).outcome, shown: play(whole).shown });
      }),
    );
  });

  test('any cut before the last event is a failure, never a reply', () => {
    const bytes = Buffer.from(sse(whole));
    const last = bytes.lastIndexOf('event: response.completed');
    for (let end = 0; end <= last; end += 1) {
      const failure = failureOf(decode([bytes.subarray(0, end)]));
      assert.equal(failure.code, 'stream-cut', `cut at ${end}`);
    }
  });

  test('what came before a cut is counted for its cost', () => {
    const { characters } = play(whole.slice(0, -1));
    assert.equal(
      characters,
      'First this.Then that.'.length + 'Hällo 👋🏽'.length + '{"path":"a"}'.length + '*** x'.length,
    );
    assert.equal(play(whole.slice(0, -1)).usage, undefined);
    assert.ok(play([created, done(0, message('All at once.'))]).characters >= 'All at once.'.length);
  });
});

describe('servers that do it otherwise', () => {
  const expected = replyOf(play(whole));
  const isDone = (event: object) => 'type' in event && event.type === 'response.output_item.done';
  const isAdded = (event: object) => 'type' in event && event.type === 'response.output_item.added';
  const items = whole.filter(isDone).map((event) => (event as { item: object }).item);
  const before = whole.slice(0, -1);
  const without = (key: string) => (event: object) =>
    Object.fromEntries(Object.entries(event).filter(([name]) => name !== key));
  const end = [completed()];
  const forms: [string, object[]][] = [
    ['the end repeats all', [...before, completed(items)]],
    ['the end repeats a part', [...before, completed(items.slice(0, 2))]],
    ['the end alone', [created, completed(items)]],
    ['no list at the end', [...before, { type: 'response.completed', response: { id: 'resp_1', usage } }]],
    ['nulls at the end', [...before, completed(null)]],
    ['no beginnings', [...before.filter((event) => !isAdded(event)), ...end]],
    ['neither beginnings nor pieces', [created, ...before.filter(isDone), ...end]],
    ['no places', [...before.map(without('output_index')), ...end]],
    ['no ids of items in pieces', [...before.map(without('item_id')), ...end]],
    ['sequence numbers', [...before, ...end].map((event, index) => ({ ...event, sequence_number: 99 - index }))],
    [
      'ids that change',
      [
        ...before.map((event) =>
          isAdded(event) ? { ...event, item: { ...(event as { item: object }).item, id: 'other' } } : event,
        ),
        ...end,
      ],
    ],
    ['items out of order', [created, ...before.filter(isDone).toReversed(), ...end]],
    [
      'everything at the first place',
      [created, ...before.filter(isDone).map((event) => ({ ...event, output_index: 0 })), ...end],
    ],
    ['endings twice', [...before.flatMap((event) => (isDone(event) ? [event, event] : [event])), ...end]],
    [
      'events that nobody knows',
      [
        ...before.flatMap((event) => [
          event,
          { type: 'response.output_text.done', text: 'x' },
          { type: 'response.new.thing', item: 7 },
        ]),
        ...end,
      ],
    ],
    [
      'fields of other types',
      [
        ...before.flatMap((event) => [
          event,
          { type: 'response.output_item.added', item: 'x' },
          { type: 'response.created', response: 7 },
        ]),
        ...end,
      ],
    ],
  ];
  for (const [name, events] of forms) {
    test(name, () => {
      const { parts, stop, usage: counted } = replyOf(play(events));
      assert.deepEqual(
        { parts, stop, usage: counted },
        { parts: expected.parts, stop: expected.stop, usage: expected.usage },
      );
    });
  }

  test('neither endings nor a list at the end: the pieces are the reply', () => {
    const reply = replyOf(play([...before.filter((event) => !isDone(event)), ...end]));
    assert.deepEqual(
      reply.parts.map((part) => (part.type === 'call' ? part.arguments : 'text' in part && part.text)),
      ['First this.\n\nThen that.', 'Hällo 👋🏽', { path: 'a' }, { change: '*** x' }],
    );
  });

  test('what comes only at the end, or without pieces, is shown then', () => {
    const shown = [
      { type: 'thinking', delta: 'First this.\n\nThen that.' },
      { type: 'text', delta: 'Hällo 👋🏽' },
      { type: 'call', index: 0, name: 'read' },
      { type: 'call', index: 1, name: 'patch' },
    ];
    assert.deepEqual(play([created, completed(items)]).shown, shown);
    assert.deepEqual(play([created, ...before.filter(isDone), ...end]).shown, shown);
    // Also where a part of it came in pieces.
    assert.deepEqual(play([created, delta('output_text', 1, 'msg_1', 'Hällo '), completed(items)]).shown, [
      { type: 'text', delta: 'Hällo ' },
      ...shown.filter(({ type }) => type !== 'text'),
    ]);
    // What was closed under another id isn't shown again.
    const renamed = [
      done(0, reasoning({ id: 'rs_9', summary: [{ type: 'summary_text', text: 'Hm.' }] })),
      ...whole.slice(6, 8),
    ];
    const told = [reasoning({ summary: [{ type: 'summary_text', text: 'Hm.' }] }), message('Hällo ')];
    assert.deepEqual(play([created, ...renamed, completed(told)]).shown, [
      { type: 'thinking', delta: 'Hm.' },
      { type: 'text', delta: 'Hällo ' },
    ]);
    const begun = [
      added(0, functionCall('', { name: '' })),
      added(1, functionCall('', { id: 'fc_2', call_id: 'c', name: '' })),
    ];
    const ended = [functionCall('{}'), functionCall('{}', { id: 'fc_2', call_id: 'c', name: 'patch' })];
    assert.deepEqual(play([created, ...begun, completed(ended)]).shown, shown.slice(2));
  });

  test('items without an id that end twice are one', () => {
    const item = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'So.' }] };
    const other = { ...item, content: [{ type: 'output_text', text: 'Or so.' }] };
    assert.deepEqual(
      replyOf(play([created, done(0, item), done(0, other), done(0, item), ...end])).parts.map(
        (part) => 'text' in part && part.text,
      ),
      ['So.', 'Or so.'],
    );
  });

  test('items without end are a fault, and soon', () => {
    const items = Array.from({ length: 2_001 }, (_, index) =>
      added(0, functionCall('{}', { id: `f${index}`, call_id: `c${index}` })),
    );
    assert.equal(failureOf(play([created, ...items])).code, 'stream-invalid');
    assert.equal(replyOf(play([created, ...items.slice(1), ...end])).parts.length, 2_000);
  });

  test('a call whose name comes late is shown when it is there, once', () => {
    const events = [
      added(0, functionCall('', { name: '' })),
      delta('function_call_arguments', 0, 'fc_1', '{}'),
      done(0, functionCall('{}')),
      ...end,
    ];
    assert.deepEqual(play(events).shown, [{ type: 'call', index: 0, name: 'read' }]);
  });

  test('two calls of one id stay two', () => {
    const twin = (index: number) => [
      added(index, functionCall('', { id: `fc_${index}` })),
      done(index, functionCall(`{"n":${index}}`, { id: `fc_${index}` })),
    ];
    const { parts } = replyOf(play([...twin(0), ...twin(1), ...end]));
    assert.deepEqual(
      parts.map((part) => part.type === 'call' && part.arguments),
      [{ n: 0 }, { n: 1 }],
    );
  });

  test('two calls at once keep their pieces apart', () => {
    const [a, b] = [functionCall('', { id: 'fc_a', call_id: 'a' }), functionCall('', { id: 'fc_b', call_id: 'b' })];
    const events = [
      added(0, a),
      added(1, b),
      delta('function_call_arguments', 1, 'fc_b', '{"n":'),
      delta('function_call_arguments', 0, 'fc_a', '{"n":1}'),
      delta('function_call_arguments', 1, 'fc_b', '2}'),
    ];
    const { parts } = replyOf(play([...events, ...end]));
    assert.deepEqual(
      parts.map((part) => part.type === 'call' && part.arguments),
      [{ n: 1 }, { n: 2 }],
    );
  });
});

describe('parts', () => {
  const partsOf = (...items: object[]) =>
    replyOf(play([created, ...items.map((item, index) => done(index, item)), completed()])).parts;

  test('a plain message is its text, and keeps its item only where that says more', () => {
    assert.deepEqual(partsOf(message('Hi.')), [{ type: 'text', text: 'Hi.' }]);
    const logprobs = message('Hi.', { content: [{ type: 'output_text', text: 'Hi.', logprobs: [{ token: 'Hi' }] }] });
    assert.deepEqual(partsOf(logprobs), [{ type: 'text', text: 'Hi.' }]);
    const cited = message('', {
      content: [{ type: 'output_text', text: 'Hi.', annotations: [{ type: 'url_citation' }] }],
    });
    const two = message('', {
      content: [
        { type: 'output_text', text: 'Hi' },
        { type: 'output_text', text: '.' },
      ],
    });
    for (const item of [cited, two, message('Hi.', { phase: 'final_answer' })]) {
      assert.deepEqual(partsOf(item), [{ type: 'text', text: 'Hi.', opaque: item }]);
    }
    assert.deepEqual(partsOf(message('Hi.', { content: 'Hi.' })), [{ type: 'text', text: 'Hi.' }]);
    assert.deepEqual(partsOf(message(''), message('Hi.', { id: 'msg_2' })), [{ type: 'text', text: 'Hi.' }]);
  });

  test('reasoning that can’t be read again is shown and not sent back; without a word it is nothing', () => {
    const open = { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }], summary: [] };
    assert.deepEqual(partsOf(open, message('Hi.'))[0], { type: 'thinking', text: 'Hm.', opaque: open });
    const summary = [{ type: 'summary_text', text: 'Hm.' }];
    assert.deepEqual(partsOf({ type: 'reasoning', summary }, message('Hi.'))[0], { type: 'thinking', text: 'Hm.' });
    assert.deepEqual(partsOf({ type: 'reasoning', id: 'rs', summary: [], content: [] }, message('Hi.')).length, 1);
    assert.deepEqual(partsOf(reasoning(), message('Hi.'))[0], { type: 'thinking', text: '', opaque: reasoning() });
  });

  test('arguments: none, an object, no JSON, no object', () => {
    const args = (given: unknown) => {
      const [part] = partsOf(functionCall(given));
      return part?.type === 'call' && [part.arguments, part.malformed];
    };
    assert.deepEqual(args(''), [{}, undefined]);
    assert.deepEqual(args(null), [{}, undefined]);
    assert.deepEqual(args({ a: 1 }), [{ a: 1 }, undefined]);
    assert.deepEqual(args('{"a":'), [{}, '{"a":']);
    assert.deepEqual(args('[1]'), [{}, '[1]']);
    assert.deepEqual(args('{"__proto__":{"a":1}}'), [JSON.parse('{"__proto__":{"a":1}}'), undefined]);
  });

  test('a call keeps its item only where that says more, and gets the tool’s own name', () => {
    const spaced = functionCall('{}', { namespace: 'n' });
    assert.deepEqual(partsOf(spaced)[0], { type: 'call', id: 'call_1', name: 'read', arguments: {}, opaque: spaced });
    assert.deepEqual(partsOf(functionCall('{}', { caller: { type: 'direct' }, namespace: null }))[0], {
      type: 'call',
      id: 'call_1',
      name: 'read',
      arguments: {},
    });
    const [named] = partsOf(functionCall('{}', { name: 'server_list', call_id: undefined }));
    assert.deepEqual(named, { type: 'call', id: 'fc_1', name: 'server.list', arguments: {} });
  });

  test('text for a tool that takes none is kept as it came', () => {
    const call = customCall('some text', 'unknown');
    assert.deepEqual(partsOf(call)[0], {
      type: 'call',
      id: 'call_2',
      name: 'unknown',
      arguments: {},
      malformed: 'some text',
      opaque: call,
    });
    const json = customCall('{"a":1}', 'unknown');
    assert.deepEqual(partsOf(json)[0], {
      type: 'call',
      id: 'call_2',
      name: 'unknown',
      arguments: { a: 1 },
      opaque: json,
    });
    assert.deepEqual(partsOf(customCall(''))[0], {
      type: 'call',
      id: 'call_2',
      name: 'patch',
      arguments: { change: '' },
    });
  });

  test('items that nobody interprets are kept verbatim, also alone', () => {
    const items = [
      'web_search_call',
      'shell_call',
      'apply_patch_call',
      'compaction',
      'mcp_call',
      'toString',
      '__proto__',
    ];
    for (const type of items) {
      const item = { type, id: 'x', call_id: 'c', encrypted_content: 'e' };
      assert.deepEqual(partsOf(item), [{ type: 'opaque', opaque: item }]);
    }
  });

  test('arguments of one megabyte arrive whole', () => {
    const content = 'x"\\\n\u2028👋'.repeat(120_000);
    const json = JSON.stringify({ content });
    const pieces = Array.from({ length: Math.ceil(json.length / 997) }, (_, index) =>
      json.slice(index * 997, (index + 1) * 997),
    );
    const events = [
      added(0, functionCall('')),
      ...pieces.map((piece) => delta('function_call_arguments', 0, 'fc_1', piece)),
      completed(),
    ];
    const [part] = replyOf(play(events)).parts;
    assert.ok(part?.type === 'call');
    assert.equal(part.arguments['content'], content);
  });
});

describe('how it ends', () => {
  const stopOf = (...events: object[]) => {
    const { stop, stopRaw, stopDetail } = replyOf(play([created, ...events]));
    return [stop, stopRaw, stopDetail];
  };

  test('a cut by the output limit runs no call', () => {
    const cut = done(0, functionCall('{"a":1}', { status: 'incomplete' }));
    assert.deepEqual(stopOf(cut, incomplete('max_output_tokens')), ['length', 'max_output_tokens', undefined]);
    assert.deepEqual(stopOf(cut, incomplete('a new reason')), ['length', 'a new reason', undefined]);
    assert.deepEqual(stopOf(cut, incomplete(undefined)), ['length', 'incomplete', undefined]);
    assert.deepEqual(
      stopOf(cut, completed([], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }))[0],
      'length',
    );
    assert.deepEqual(stopOf(incomplete('max_output_tokens'))[0], 'length');
    const half = [added(0, functionCall('')), delta('function_call_arguments', 0, 'fc_1', '{"a":')];
    assert.deepEqual(stopOf(...half, incomplete('max_output_tokens'))[0], 'length');
  });

  test('a refusal is one where nothing else was said or called', () => {
    assert.deepEqual(stopOf(done(0, refusal('I can’t.')), completed()), ['refusal', 'completed', 'I can’t.']);
    assert.deepEqual(stopOf(done(0, message('Well.')), done(1, refusal('I can’t.')), completed())[0], 'end');
    assert.deepEqual(stopOf(done(0, refusal('I can’t.')), done(1, functionCall('{}')), completed())[0], 'calls');
    assert.deepEqual(stopOf(incomplete('content_filter')), ['refusal', 'content_filter', undefined]);
    const streamed = [added(0, { ...message(''), content: [] }), delta('refusal', 0, 'msg_1', 'I can’t.'), completed()];
    assert.deepEqual(stopOf(...streamed), ['refusal', 'completed', 'I can’t.']);
    assert.deepEqual(play(streamed).shown, [{ type: 'text', delta: 'I can’t.' }]);
  });

  test('nothing said is no reply', () => {
    for (const events of [[], [done(0, reasoning())], [done(0, message(' \n'))]]) {
      assert.equal(failureOf(play([created, ...events, completed()])).code, 'empty-reply');
    }
  });

  test('after the end nothing counts', () => {
    const more = [done(5, message('More.')), { type: 'error', code: 'server_error', message: 'x' }];
    assert.deepEqual(replyOf(play([...whole, ...more])), replyOf(play(whole)));
  });

  const failures: [string, object, string, string][] = [
    ['an error event', { type: 'error', code: 'server_error', message: 'Broke.' }, 'retryable', 'Broke.'],
    [
      'a nested error event',
      { type: 'error', error: { type: 'insufficient_quota', message: 'No money.' } },
      'quota',
      'No money.',
    ],
    ['an error without a name', { error: { message: 'Overloaded', code: 503 } }, 'retryable', 'Overloaded'],
    [
      'a failed response',
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Try again in 2s.' } },
      },
      'wait',
      'Try again in 2s.',
    ],
    [
      'too long',
      { type: 'response.failed', response: { error: { code: 'context_length_exceeded', message: 'Too long.' } } },
      'overflow',
      'Too long.',
    ],
    [
      'a prompt against the rules',
      { type: 'response.failed', response: { error: { code: 'invalid_prompt', message: 'No.' } } },
      'content',
      'No.',
    ],
    [
      'a completed response that failed',
      completed([], { status: 'failed', error: { code: 'server_error', message: 'x' } }),
      'retryable',
      'x',
    ],
    [
      'a failure without a word',
      { type: 'response.failed', response: null },
      'retryable',
      'The provider reported an error.',
    ],
    [
      'a cancelled response',
      { type: 'response.cancelled', response: { status: 'cancelled' } },
      'broken-stream',
      'The provider cancelled the reply.',
    ],
  ];
  for (const [name, event, kind, words] of failures) {
    test(`${name}, in the middle of a call`, () => {
      const played = play([...whole.slice(0, 12), event, ...whole.slice(12)]);
      const failure = failureOf(played);
      assert.deepEqual([failure.class, failure.message], [kind, words]);
    });
  }

  test('the usage of a failed response counts', () => {
    const failed = { type: 'response.failed', response: { error: { code: 'server_error', message: 'x' }, usage } };
    assert.deepEqual(play([created, failed]).usage, {
      input: 30,
      cacheRead: 60,
      cacheWrite: 10,
      output: 20,
      reasoning: 5,
    });
  });

  test('an event that is no JSON breaks the stream, unless nobody knows it', () => {
    const text = sse(whole);
    const broken = text.replace(
      'event: response.output_item.done\ndata: {',
      'event: response.output_item.done\ndata: ',
    );
    const failure = failureOf(decode([Buffer.from(broken)]));
    assert.deepEqual([failure.class, failure.code], ['broken-stream', 'stream-invalid']);
    const foreign = decode([Buffer.from(`event: hint\ndata: not JSON\n\n${text}`)]);
    assert.deepEqual(replyOf(foreign), replyOf(play(whole)));
  });
});

describe('usage', () => {
  const counted = (given: unknown) =>
    replyOf(play([created, done(0, message('Hi.')), completed([], { usage: given })])).usage;

  test('what isn’t reported is absent, what was cached is a part of the input unless it is more than that', () => {
    assert.equal(counted(null), undefined);
    assert.equal(counted({}), undefined);
    assert.deepEqual(counted({ input_tokens: 5, output_tokens: 2 }), { input: 5, output: 2 });
    const cached = (count: number) => counted({ input_tokens: 5, input_tokens_details: { cached_tokens: count } });
    assert.deepEqual(cached(5), { input: 0, cacheRead: 5 });
    assert.deepEqual(cached(9), { input: 5, cacheRead: 9 });
    assert.deepEqual(counted({ input_tokens: 'x', output_tokens: -1, input_tokens_details: 7 }), undefined);
  });
});

test('nothing that a server sends can throw', () => {
  const types = [...new Set(whole.map((event) => ('type' in event ? event.type : '')))];
  const value = fc.jsonValue({ maxDepth: 3 });
  const event = fc.dictionary(
    fc.constantFrom(
      'type',
      'item',
      'item_id',
      'output_index',
      'delta',
      'summary_index',
      'response',
      'error',
      '__proto__',
      'sequence_number',
    ),
    fc.oneof(
      value,
      fc.constantFrom(...types),
      fc.constantFrom<unknown>(...whole.map((each) => ('item' in each ? each.item : each))),
    ),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 8 }), fc.boolean(), (events, ends) => {
      const { outcome } = play([...events, ...(ends ? [completed()] : [])]);
      assert.ok(outcome.kind === 'reply' || outcome.failure.message.length > 0);
    }),
  );
});

describe(
  'recordings of real providers',
  { skip: existsSync(recordings) ? false : 'the recordings are not on this machine' },
  () => {
    /** Each response in a recording by itself: some hold several, one after the other. */
    const repliesIn = (name: string) => {
      const lines = readFileSync(join(recordings, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      const events = lines.map((line): JsonObject => JSON.parse(line));
      const starts = events.flatMap((event, index) => (event['type'] === 'response.created' ? [index] : []));
      return starts.map((start, index) => play(events.slice(start, starts[index + 1])));
    };
    const typesOf = (played: Played) => replyOf(played).parts.map((part) => part.type);

    test('LM Studio: reasoning in plain text, a text and a call', () => {
      const [played] = repliesIn('lmstudio-tool-call.1.chunks.txt');
      assert.ok(played !== undefined);
      const [thinking, text, call] = replyOf(played).parts;
      assert.match(thinking?.type === 'thinking' ? thinking.text : '', /^The user is asking for the weather/);
      assert.deepEqual(text, {
        type: 'text',
        text: "I'll get the current weather information for San Francisco for you.",
      });
      assert.deepEqual(call?.type === 'call' && [call.name, call.arguments], [
        'weather',
        { location: 'San Francisco' },
      ]);
      assert.deepEqual(replyOf(played).usage, { input: 180, cacheRead: 2, output: 61, reasoning: 48 });
    });

    test('sealed reasoning over four responses', () => {
      const replies = repliesIn('openai-reasoning-encrypted-content.1.chunks.txt');
      assert.deepEqual(replies.map(typesOf), [['thinking', 'call'], ['call'], ['call'], ['text']]);
      assert.deepEqual(
        replies.map((played) => replyOf(played).stop),
        ['calls', 'calls', 'calls', 'end'],
      );
    });

    test('items that nobody interprets: a patch, a shell, a compaction, a program', () => {
      assert.deepEqual(repliesIn('openai-apply-patch-tool.1.chunks.txt').map(typesOf), [['opaque']]);
      assert.deepEqual(repliesIn('openai-shell-tool.1.chunks.txt').map(typesOf), [['opaque'], ['text']]);
      assert.deepEqual(repliesIn('openai-compaction.1.chunks.txt').map(typesOf), [['text', 'opaque']]);
      assert.deepEqual(repliesIn('programmatic-tool-calling.1.chunks.txt').map(typesOf), [
        ['thinking', 'opaque', 'call'],
      ]);
    });

    test('phases, a custom tool, an error', () => {
      const [phases] = repliesIn('openai-phase.1.chunks.txt');
      assert.deepEqual(
        phases !== undefined &&
          replyOf(phases).parts.map((part) => 'opaque' in part && (part.opaque as JsonObject)['phase']),
        ['commentary', 'final_answer'],
      );
      const [custom] = repliesIn('openai-custom-tool.1.chunks.txt');
      const [call] = custom === undefined ? [] : replyOf(custom).parts;
      assert.equal(call?.type === 'call' && call.malformed, 'SELECT * FROM users WHERE age > 25');
      const [failed] = repliesIn('openai-error.1.chunks.txt');
      assert.equal(failed !== undefined && failureOf(failed).class, 'quota');
    });

    test('each is read to its end', () => {
      for (const name of readdirSync(recordings)) {
        for (const { outcome } of repliesIn(name)) {
          if (outcome.kind === 'reply') assert.notEqual(outcome.reply.usage, undefined, name);
          else assert.notEqual(outcome.failure.class, 'broken-stream', name);
        }
      }
    });
  },
);

test('the official client reads the same', async (t) => {
  const calls = [
    { name: 'server_list', arguments: { path: 'a', deep: [{ b: null }] } },
    { name: 'patch', arguments: { change: '*** x\n\u2028👋🏽' } },
  ];
  const scripted = { input: 30, cacheRead: 60, output: 20, reasoning: 5 };
  const server = await startModelServer({
    turns: [{ thinking: 'First this.', text: 'Hällo 👋🏽', calls, usage: scripted }],
  });
  t.after(() => server.close());
  const order = orderFor(wire, [{ role: 'user', parts: [{ type: 'text', text: 'Go.' }] }], { tools });
  const body = new Uint8Array(wire.encode(order).body);
  const response = await fetch(`${server.url}${wire.path(target)}`, { method: 'POST', body });
  const stream = await response.text();
  const client = new OpenAI({
    apiKey: 'test',
    maxRetries: 0,
    fetch: async () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
  });
  const theirs = await client.responses.stream({ model: 'gpt-test-1', input: 'x' }).finalResponse();
  const reply = replyOf(decode([Buffer.from(stream)]));
  assert.deepEqual(
    reply.parts.map((part) =>
      part.type === 'call' ? [part.id, part.name, part.arguments] : 'text' in part && part.text,
    ),
    theirs.output.map((item) => {
      if (item.type === 'message') return theirs.output_text;
      if (item.type === 'reasoning') return item.summary.map(({ text }) => text).join('\n\n');
      if (item.type === 'custom_tool_call') return [item.call_id, item.name, { change: item.input }];
      return item.type === 'function_call' && [item.call_id, 'server.list', JSON.parse(item.arguments)];
    }),
  );
  assert.equal(reply.parts.length, 4);
  assert.equal(reply.providerId, theirs.id);
  assert.deepEqual(reply.usage, scripted);
  assert.equal(theirs.usage?.input_tokens, 90);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject, ReplyPart, ToolSpec } from '../../src/core/index.ts';
import { createSseParser, loadWire, type Decoded, type Delta } from '../../src/model/index.ts';
import { orderFor } from './orders.ts';

const wire = await loadWire('openai-chat');
const tools: ToolSpec[] = ['read', 'edit', 'list', 'files.read'].map((name) => ({ name, description: '', input: {} }));

type Event = JsonObject | string;

const sse = (events: readonly Event[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

interface Outcome {
  outcome: Decoded;
  shown: Delta[];
  characters: number;
}

/** Decodes pieces of a stream as the transport would hand them on. */
function decodePieces(pieces: readonly Uint8Array[], profile: string): Outcome {
  const shown: Delta[] = [];
  const { target } = orderFor(wire, [], { profile });
  const decoder = wire.decoder((delta) => shown.push(delta), { target, tools });
  const parser = createSseParser((event) => decoder.push(event));
  for (const piece of pieces) parser.push(piece);
  if (!decoder.done) parser.end();
  return { outcome: decoder.end(), shown, characters: decoder.outputCharacters };
}

const decodeText = (text: string, profile = 'plain') => decodePieces([Buffer.from(text)], profile);
const decode = (events: readonly Event[], profile?: string) => decodeText(sse(events), profile);

function replyOf({ outcome }: Outcome) {
  assert.ok(outcome.kind === 'reply', JSON.stringify(outcome));
  return outcome.reply;
}

function failureOf({ outcome }: Outcome) {
  assert.ok(outcome.kind === 'failure', JSON.stringify(outcome));
  return outcome.failure;
}

const chunk = (delta: JsonObject, reason: string | null = null, more: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: reason }],
  ...more,
});
const says = (content: string) => chunk({ content });
const piece = (entry: JsonObject) => chunk({ tool_calls: [entry] });
const stop = (reason = 'stop') => chunk({}, reason);
const done = '[DONE]';

const parts = (events: readonly Event[], profile?: string): ReplyPart[] => replyOf(decode(events, profile)).parts;

/** The calls of a reply as name, arguments and id. */
const calls = (entries: readonly JsonObject[], reason = 'tool_calls') =>
  parts([...entries.map(piece), stop(reason), done]).map((part) => {
    assert.ok(part.type === 'call', JSON.stringify(part));
    return [part.name, part.malformed ?? JSON.stringify(part.arguments), part.id];
  });

describe('text', () => {
  test('comes in pieces, after a chunk that says nothing yet', () => {
    const reply = replyOf(decode([chunk({ role: 'assistant', content: '' }), says('Hel'), says('lo.'), stop(), done]));
    assert.deepEqual(reply, {
      parts: [{ type: 'text', text: 'Hello.' }],
      stop: 'end',
      stopRaw: 'stop',
      providerId: 'chatcmpl-1',
    });
  });

  test('comes in parts, too', () => {
    const list = (content: JsonObject[]) => chunk({ content });
    assert.deepEqual(
      parts([list([{ type: 'text', text: 'A' }, { type: 'x' }]), list([{ type: 'text', text: 'B' }]), stop()]),
      [{ type: 'text', text: 'AB' }],
    );
  });

  test('of a whole message in place of deltas counts, unless there were deltas', () => {
    const message = {
      content: 'Hi.',
      reasoning_content: 'Hm.',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } },
        { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
      ],
    };
    const whole = { choices: [{ message, finish_reason: 'tool_calls' }] };
    assert.deepEqual(
      parts([whole, done]).map(({ type }) => type),
      ['thinking', 'text', 'call', 'call'],
    );
    assert.deepEqual(parts([says('Hi.'), whole, done]), [{ type: 'text', text: 'Hi.' }]);
  });

  test('of other choices is not read', () => {
    const other = { choices: [{ index: 1, delta: { content: 'B' }, finish_reason: 'length' }] };
    const reply = replyOf(decode([says('A'), other, stop(), other, done]));
    assert.deepEqual([reply.parts, reply.stop], [[{ type: 'text', text: 'A' }], 'end']);
  });
});

describe('the end', () => {
  test('is the last event, or the connection’s once a reason has come', () => {
    assert.equal(replyOf(decode([says('Hi.'), stop(), done])).stop, 'end');
    assert.equal(replyOf(decode([says('Hi.'), stop()])).stop, 'end');
    assert.equal(failureOf(decode([says('Hi.')])).code, 'stream-cut');
    assert.equal(failureOf(decode([])).code, 'stream-cut');
  });

  test('may lack its reason, if the last event comes and no call is half', () => {
    assert.deepEqual(replyOf(decode([says('Hi.'), done])).stop, 'other');
    const whole = piece({ index: 0, id: 'a', function: { name: 'read', arguments: '{"a":1}' } });
    const half = piece({ index: 0, id: 'a', function: { name: 'read', arguments: '{"a":1' } });
    assert.equal(replyOf(decode([whole, done])).stop, 'calls');
    assert.equal(failureOf(decode([half, done])).code, 'stream-cut');
    assert.equal(failureOf(decode([done])).code, 'empty-reply');
  });

  test('whether the reply is whole is known before it', () => {
    const { target } = orderFor(wire, []);
    const decoder = wire.decoder(() => undefined, { target, tools });
    const push = (event: Event) => decoder.push({ data: typeof event === 'string' ? event : JSON.stringify(event) });
    push(says('Hi.'));
    assert.deepEqual([decoder.done, decoder.complete], [false, false]);
    push(stop());
    assert.deepEqual([decoder.done, decoder.complete], [false, true]);
    push(done);
    assert.equal(decoder.done, true);
    push(says(' More.'));
    assert.deepEqual(decoder.end().kind === 'reply' && decoder.outputCharacters, 3);
  });

  test('has its kind by its reason and by whether there are calls', () => {
    const call = piece({ index: 0, id: 'a', function: { name: 'read', arguments: '{}' } });
    const kinds = (events: Event[], reason: string) => replyOf(decode([...events, stop(reason), done])).stop;
    const table: [string, string, string][] = [
      ['stop', 'end', 'calls'],
      ['tool_calls', 'end', 'calls'],
      ['function_call', 'end', 'calls'],
      ['length', 'length', 'length'],
      ['model_length', 'overflow', 'overflow'],
      ['content_filter', 'refusal', 'refusal'],
      ['invented', 'other', 'calls'],
    ];
    for (const [reason, withText, withCall] of table) {
      assert.deepEqual([kinds([says('Hi.')], reason), kinds([call], reason)], [withText, withCall], reason);
    }
  });

  test('with nothing is no reply, but a cut or a refusal may be empty', () => {
    assert.equal(failureOf(decode([stop(), done])).code, 'empty-reply');
    assert.equal(failureOf(decode([says(' \n'), stop('tool_calls'), done])).code, 'empty-reply');
    assert.equal(failureOf(decode([chunk({ reasoning: 'Hm.' }), stop(), done])).code, 'empty-reply');
    assert.deepEqual(parts([stop('length')]), []);
    assert.deepEqual(parts([stop('content_filter')]), []);
  });

  test('by a refusal says why', () => {
    const reply = replyOf(decode([chunk({ refusal: 'I ' }), chunk({ refusal: 'can’t.' }), stop(), done]));
    assert.deepEqual([reply.parts, reply.stop, reply.stopDetail], [[], 'refusal', 'I can’t.']);
  });
});

describe('a failure', () => {
  test('in the middle of a stream is one, in whatever shape it comes', () => {
    const told = { message: 'Overloaded, try later', type: 'server_error' };
    const shapes: Event[] = [{ error: told }, { error: told, choices: [] }, { object: 'error', ...told }];
    for (const shape of shapes) {
      const failure = failureOf(decode([says('Hi.'), shape, stop(), done]));
      assert.deepEqual([failure.class, failure.message], ['retryable', told.message]);
    }
    const named = `${sse([says('Hi.')])}event: error\ndata: ${JSON.stringify({ error: told })}\n\n`;
    assert.equal(failureOf(decodeText(named)).class, 'retryable');
    assert.match(failureOf(decodeText('event: error\ndata: out of memory\n\n')).message, /out of memory/);
    const inChoice = { choices: [{ index: 0, error: { code: 429, message: 'Slow down' }, finish_reason: 'error' }] };
    assert.equal(failureOf(decode([says('Hi.'), inChoice, done])).code, 'rate-limited');
  });

  test('an error that is null is none', () => {
    assert.equal(replyOf(decode([chunk({ content: 'Hi.' }, 'stop', { error: null }), done])).stop, 'end');
  });

  test('can be the reason of the end', () => {
    const kind = (reason: string) => {
      const failure = failureOf(decode([says('Hi.'), stop(reason), done]));
      return [failure.class, failure.code];
    };
    assert.deepEqual(kind('insufficient_system_resource'), ['retryable', 'provider-overloaded']);
    assert.deepEqual(kind('error'), ['retryable', 'provider-error']);
    assert.deepEqual(kind('abort'), ['broken-stream', 'stream-invalid']);
  });

  test('is what is no JSON; other events and empty data are nothing', () => {
    assert.equal(failureOf(decode([says('Hi.'), 'oops', stop()])).code, 'stream-invalid');
    const noise = 'event: ping\ndata: x\n\n: comment\n\ndata:\n\n';
    assert.equal(replyOf(decodeText(noise + sse([says('Hi.'), stop()]) + noise)).stop, 'end');
    const odd: Event[] = [{}, { choices: null }, { choices: [null, 1, {}] }, { choices: [{ delta: 'x' }] }];
    assert.deepEqual(parts([...odd, says('Hi.'), ...odd, stop(), done]), [{ type: 'text', text: 'Hi.' }]);
  });

  test('of the request is classified from its answer', () => {
    const answer = { status: 400, headers: {}, now: 0 };
    const body = JSON.stringify({ error: { message: 'maximum context length is 10', type: 'invalid_request_error' } });
    assert.equal(wire.classify({ ...answer, body }).class, 'overflow');
  });
});

describe('usage', () => {
  const usage = (...reports: JsonObject[]) =>
    replyOf(decode([says('Hi.'), ...reports, stop(), done])).usage as JsonObject | undefined;
  const last = (figures: JsonObject): JsonObject => ({ choices: [], usage: figures });

  test('comes in a last chunk without choices, or again and again', () => {
    assert.deepEqual(usage(last({ prompt_tokens: 10, completion_tokens: 5 })), { input: 10, output: 5 });
    const growing = [1, 2, 3].map((count) =>
      chunk({}, null, { usage: { prompt_tokens: 10, completion_tokens: count } }),
    );
    assert.deepEqual(usage(...growing, chunk({}, null, { usage: null })), { input: 10, output: 3 });
  });

  test('comes after the reason', () => {
    const reply = replyOf(decode([says('Hi.'), stop(), last({ prompt_tokens: 1, completion_tokens: 2 }), done]));
    assert.deepEqual(reply.usage, { input: 1, output: 2 });
  });

  test('stays absent where it is not reported', () => {
    assert.equal(usage(), undefined);
    assert.deepEqual(usage(last({ prompt_tokens: 'many', completion_tokens: -1 })), undefined);
    assert.deepEqual(usage(last({ completion_tokens: 3 })), { output: 3 });
  });

  test('tells what was cached and what was thought', () => {
    const cached = { prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 3 } };
    const thought = { completion_tokens_details: { reasoning_tokens: 4 } };
    assert.deepEqual(usage(last({ prompt_tokens: 10, completion_tokens: 5, ...cached, ...thought })), {
      input: 1,
      cacheRead: 6,
      cacheWrite: 3,
      output: 5,
      reasoning: 4,
    });
    const hits = { prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 2 };
    assert.deepEqual(usage(last({ prompt_tokens: 10, ...hits })), { input: 2, cacheRead: 8 });
    assert.deepEqual(usage(last({ prompt_tokens: 10, cached_tokens: 4 })), { input: 6, cacheRead: 4 });
    for (const named of [{ num_cached_tokens: 4 }, { prompt_token_details: { cached_tokens: 4 } }])
      assert.deepEqual(usage(last({ prompt_tokens: 10, ...named })), { input: 6, cacheRead: 4 });
  });

  test('takes what was cached as a part of the prompt, unless it is more than that', () => {
    const of = (cached: number) => usage(last({ prompt_tokens: 10, prompt_tokens_details: { cached_tokens: cached } }));
    assert.deepEqual(of(10), { input: 0, cacheRead: 10 });
    assert.deepEqual(of(11), { input: 10, cacheRead: 11 });
    const written = { prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 100 } };
    assert.deepEqual(usage(last({ prompt_tokens: 10, ...written })), { input: 4, cacheRead: 6, cacheWrite: 100 });
  });

  test('counts reasoning into the output where a provider counts it beside', () => {
    const beside = { prompt_tokens: 10, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 7 } };
    assert.equal(usage(last({ ...beside, total_tokens: 22 }))?.['output'], 12);
    assert.equal(usage(last({ ...beside, completion_tokens: 12, total_tokens: 22 }))?.['output'], 12);
  });

  test('is found where else servers put it', () => {
    const figures = { prompt_tokens: 1, completion_tokens: 2 };
    assert.deepEqual(usage({ choices: [], x_groq: { usage: figures } }), { input: 1, output: 2 });
    assert.deepEqual(usage({ choices: [{ index: 0, delta: {}, usage: figures }] }), { input: 1, output: 2 });
  });
});

describe('reasoning', () => {
  const thought = (text: string, opaque: JsonObject) => ({ type: 'thinking', text, opaque });
  const text = { type: 'text', text: 'So.' };

  test('is read from either field, and said once where both say the same', () => {
    for (const field of ['reasoning_content', 'reasoning']) {
      const events = [chunk({ [field]: 'H' }), chunk({ content: null, [field]: 'm.' }), says('So.'), stop()];
      assert.deepEqual(parts(events), [thought('Hm.', { field }), text]);
    }
    const both = [chunk({ reasoning: 'Hm.', reasoning_content: 'Hm.' }), says('So.'), stop()];
    assert.deepEqual(parts(both), [thought('Hm.', { field: 'reasoning_content' }), text]);
  });

  test('comes first, whenever it came', () => {
    const events = [says('S'), chunk({ reasoning: 'Hm.' }), says('o.'), stop()];
    assert.deepEqual(parts(events), [thought('Hm.', { field: 'reasoning' }), text]);
    assert.deepEqual(decode(events).shown, [
      { type: 'text', delta: 'S' },
      { type: 'thinking', delta: 'Hm.' },
      { type: 'text', delta: 'o.' },
    ]);
  });

  test('in parts of the content keeps its order', () => {
    const part = (words: string) => ({ type: 'thinking', thinking: [{ type: 'text', text: words }] });
    const events = [
      chunk({ content: [part('H')] }),
      chunk({ content: [part('m.'), { type: 'text', text: 'So.' }] }),
      chunk({ content: [part('And?')] }),
      chunk({ content: [{ type: 'text', text: 'Yes.' }] }),
      stop(),
    ];
    assert.deepEqual(parts(events, 'mistral'), [
      thought('Hm.', { field: 'parts' }),
      text,
      thought('And?', { field: 'parts' }),
      { type: 'text', text: 'Yes.' },
    ]);
  });

  test('in fragments is put together by kind and index, and kept with its signature', () => {
    const fragment = (more: JsonObject) => ({ type: 'reasoning.text', format: 'f', index: 0, ...more });
    const sealed = (data: string) => ({ type: 'reasoning.encrypted', data, index: 0 });
    const events = [
      chunk({ reasoning: 'H', reasoning_details: [fragment({ text: 'H' })] }),
      chunk({ reasoning: 'm.', reasoning_details: [fragment({ text: 'm.', signature: null })] }),
      chunk({ reasoning_details: [fragment({ signature: 's' }), sealed('x')] }),
      chunk({ reasoning_details: [sealed('y'), { type: 'reasoning.summary', summary: 'Sum', index: 1 }] }),
      says('So.'),
      stop(),
    ];
    const details = [
      { type: 'reasoning.text', format: 'f', index: 0, text: 'Hm.', signature: 's' },
      sealed('x'),
      sealed('y'),
      { type: 'reasoning.summary', summary: 'Sum', index: 1 },
    ];
    const [first] = parts(events, 'openrouter');
    assert.deepEqual(first, thought('Hm.Sum', { field: 'reasoning', details }));
  });

  test('in fragments with any keys is kept, but for what no object can have', () => {
    const raw = '{"type":"reasoning.text","text":"Hm.","index":0,"constructor":1,"toString":"t","__proto__":{"x":1}}';
    const { ['__proto__']: _, ...kept } = JSON.parse(raw) as JsonObject;
    const [first] = parts([chunk({ reasoning_details: [JSON.parse(raw)] }), says('So.'), stop()]);
    assert.deepEqual(first, thought('Hm.', { field: 'reasoning_details', details: [kept] }));
  });

  test('in fragments with other ids is not one', () => {
    const details = ['r1', 'r2'].map((id) => ({ type: 'reasoning.text', text: id, id, index: 0 }));
    const [first] = parts([chunk({ reasoning_details: details }), says('So.'), stop()]);
    assert.deepEqual(first, thought('r1r2', { field: 'reasoning_details', details }));
  });

  test('that is sealed as a whole is kept without a word', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'x' }];
    assert.deepEqual(parts([chunk({ reasoning_details: details }), says('So.'), stop()]), [
      thought('', { field: 'reasoning_details', details }),
      text,
    ]);
  });

  test('that was cut can be read, but not sent back', () => {
    const cut = [chunk({ reasoning: 'Hm' }), stop('length')];
    assert.deepEqual(parts(cut), [{ type: 'thinking', text: 'Hm' }]);
    assert.deepEqual(parts([chunk({ reasoning: 'Hm.' }), says('So'), stop('length')]), [
      thought('Hm.', { field: 'reasoning' }),
      { type: 'text', text: 'So' },
    ]);
    const called = piece({ index: 0, id: 'a', function: { name: 'read', arguments: '{"p' } });
    assert.deepEqual(
      parts([chunk({ reasoning: 'Hm.' }), called, stop('length')])[0],
      thought('Hm.', { field: 'reasoning' }),
    );
  });
});

describe('reasoning between tags', () => {
  const marked = '\n<think>\nHm </thin> x.\n</think>\n\nSo <think>not</think>.';
  const expected = [
    {
      type: 'thinking',
      text: '\nHm </thin> x.\n',
      opaque: { field: 'content', before: '\n<think>', after: '</think>\n\n' },
    },
    { type: 'text', text: 'So <think>not</think>.' },
  ];

  test('is told apart at the beginning of the text only, however it is cut', () => {
    assert.deepEqual(parts([says(marked), stop()]), expected);
    fc.assert(
      fc.property(fc.array(fc.nat(marked.length), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.sort((one, other) => one - other), marked.length];
        const pieces = places.slice(1).map((place, index) => says(marked.slice(places[index], place)));
        const outcome = decode([...pieces, stop()], 'llama-cpp');
        assert.deepEqual(replyOf(outcome).parts, expected);
        const told = (type: string) =>
          outcome.shown.map((d) => (d.type === type && 'delta' in d ? d.delta : '')).join('');
        assert.deepEqual([told('thinking'), told('text')], [expected[0]?.text, expected[1]?.text]);
      }),
    );
  });

  test('is text where the text doesn’t begin with it, or where the provider has none', () => {
    for (const words of ['So <think>Hm.</think>', '<thin', '<thinking>Hm.</thinking>', '<']) {
      assert.deepEqual(parts([says(words), stop()]), [{ type: 'text', text: words }], words);
    }
    assert.deepEqual(parts([says(marked), stop()], 'openai'), [{ type: 'text', text: marked }]);
  });

  test('that never ends is no reply, or one that was cut', () => {
    assert.equal(failureOf(decode([says('<think>Hm.'), stop()])).code, 'empty-reply');
    assert.deepEqual(parts([says('<think>Hm </thi'), stop('length')]), [{ type: 'thinking', text: 'Hm </thi' }]);
    const called = piece({ index: 0, id: 'a', function: { name: 'read', arguments: '{}' } });
    assert.deepEqual(parts([says('<think>Hm.'), called, stop()])[0], { type: 'thinking', text: 'Hm.' });
  });

  test('before calls leaves no text behind', () => {
    const called = piece({ index: 0, id: 'a', function: { name: 'read', arguments: '{}' } });
    assert.deepEqual(
      parts([says('<think>Hm.</think>\n\n'), called, stop()]).map(({ type }) => type),
      ['thinking', 'call'],
    );
  });
});

describe('calls', () => {
  const begin = (index: number | null, id: string, name: string, args?: JsonObject | string | null): JsonObject => ({
    ...(index === null ? {} : { index }),
    ...(id === '' ? {} : { id }),
    type: 'function',
    function: { ...(name === '' ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
  });
  const more = (index: number | null, args: string) => begin(index, '', '', args);
  const read = ['read', '{"p":1}', 'a'];
  const edit = ['edit', '{"q":2}', 'b'];

  test('come in pieces, by their index, interleaved, with gaps', () => {
    const entries = [
      begin(3, 'a', 'read', ''),
      begin(7, 'b', 'edit', '{'),
      more(3, '{"p"'),
      more(7, '"q":2'),
      more(3, ':1}'),
      more(7, '}'),
    ];
    assert.deepEqual(calls(entries), [read, edit]);
  });

  test('come whole, and are calls whatever the reason says', () => {
    for (const reason of ['tool_calls', 'stop', 'invented']) {
      assert.deepEqual(calls([begin(0, 'a', 'read', '{"p":1}'), begin(1, 'b', 'edit', '{"q":2}')], reason), [
        read,
        edit,
      ]);
    }
  });

  test('always at index 0 are told apart by a new id', () => {
    assert.deepEqual(calls([begin(0, 'a', 'read', '{"p":1}'), begin(0, 'b', 'edit', '{"q":2}')]), [read, edit]);
    const pieces = [begin(0, 'a', 'read', ''), more(0, '{"p":1}'), begin(0, 'b', 'read', ''), more(0, '{"q":2}')];
    assert.deepEqual(calls(pieces), [read, ['read', '{"q":2}', 'b']]);
    assert.deepEqual(calls([begin(0, 'a', 'list', ''), begin(0, 'b', 'list', '')]), [
      ['list', '{}', 'a'],
      ['list', '{}', 'b'],
    ]);
  });

  test('always at index 0 without ids are told apart by whole arguments', () => {
    assert.deepEqual(calls([begin(0, '', 'read', '{"p":1}'), begin(0, '', 'read', '{"q":2}')]), [
      ['read', '{"p":1}', 'call_1'],
      ['read', '{"q":2}', 'call_2'],
    ]);
    assert.deepEqual(calls([begin(0, '', 'list', ''), begin(0, '', 'edit', '{"q":2}')]), [
      ['list', '{}', 'call_1'],
      ['edit', '{"q":2}', 'call_2'],
    ]);
  });

  test('go on at a new index, if nothing says that another begins', () => {
    assert.deepEqual(calls([begin(0, 'a', 'read', '{"p'), more(1, '":1}')]), [read]);
    assert.deepEqual(calls([begin(0, 'a', 'read', '{"p'), begin(1, 'a', '', '":1}')]), [read]);
    assert.deepEqual(
      calls([begin(0, 'a', 'read', '{"p":1}'), { index: 1, id: 'b' }, begin(1, '', 'edit', '{"q":2}')]),
      [read, edit],
    );
  });

  test('without an index go on with the last one, or begin with a name', () => {
    const entries = [
      begin(null, 'a', 'read', '{"p'),
      more(null, '":1}'),
      begin(null, 'b', 'edit'),
      more(null, '{"q":2}'),
    ];
    assert.deepEqual(calls(entries), [read, edit]);
    assert.deepEqual(
      calls([
        begin(null, 'a', 'read', '{"p":'),
        begin(null, 'b', 'edit', '{"q":'),
        begin(null, 'a', '', '1}'),
        begin(null, 'b', '', '2}'),
      ]),
      [read, edit],
    );
    assert.deepEqual(calls([begin(null, '', 'read', {}), begin(null, '', 'list', {})]), [
      ['read', '{}', 'call_1'],
      ['list', '{}', 'call_2'],
    ]);
  });

  test('keep their first id where it is missing, empty or new in later pieces', () => {
    const later = [{ index: 0, id: '' }, { index: 0, id: null }, { index: 0, id: 'r2' }, { index: 0 }];
    for (const place of later) {
      const entries = [begin(0, 'a', 'read', '{"p'), { ...place, function: { arguments: '":1}' } }];
      assert.deepEqual(calls(entries), [read], JSON.stringify(place));
    }
    const changing = ['', '{"p', '":', '1}'].map((args, index) =>
      begin(0, `r${index}`, index === 0 ? 'read' : '', args),
    );
    assert.deepEqual(calls(changing), [['read', '{"p":1}', 'r0']]);
  });

  test('have one name, if it comes again or in pieces', () => {
    const again = ['{"p', '":', '1}', ''].map((args) => begin(0, 'a', 'read', args));
    assert.deepEqual(calls(again), [read]);
    assert.deepEqual(calls(again.map((entry, index) => ({ ...entry, id: `r${index}` }))), [['read', '{"p":1}', 'r0']]);
    assert.deepEqual(calls([begin(0, 'a', 're'), begin(0, '', 'ad'), more(0, '{"p":1}')]), [read]);
    assert.deepEqual(calls([begin(null, 'a', 're'), begin(null, '', 'ad'), more(null, '{"p":1}')]), [read]);
    assert.deepEqual(calls([begin(0, 'a', 'made'), begin(0, '', '_up'), more(0, '{}')])[0]?.[0], 'made_up');
  });

  test('that come a second time are one', () => {
    assert.deepEqual(calls([begin(0, 'a', 'read', '{"p'), more(0, '":1}'), begin(0, 'a', 'read', '{"p":1}')]), [read]);
  });

  test('have arguments as an object, as null, or none', () => {
    assert.deepEqual(calls([begin(0, 'a', 'read', { p: 1 })]), [read]);
    assert.deepEqual(calls([begin(0, 'a', 'read', null), more(0, '{"p":1}')]), [read]);
    assert.deepEqual(calls([begin(0, 'a', 'list')]), [['list', '{}', 'a']]);
    assert.deepEqual(calls([{ index: 0, id: 'a', function: { name: 'list', arguments: 5 } }]), [['list', '5', 'a']]);
  });

  test('are primed by a piece that says nothing', () => {
    assert.deepEqual(calls([{ index: 0 }, { index: 0, id: '', function: {} }, begin(0, 'a', 'read', '{"p":1}')]), [
      read,
    ]);
    assert.deepEqual(calls([{ index: 0, id: 'a' }, begin(0, '', 'read', '{"p":1}')]), [read]);
  });

  test('with ids that another has, too, stay two', () => {
    const entries = [begin(0, 'a', 'read', '{"p":1}'), begin(1, 'a', 'edit', '{"q":2}')];
    assert.deepEqual(calls(entries), [read, ['edit', '{"q":2}', 'a']]);
  });

  test('that are cut or broken stay malformed', () => {
    assert.deepEqual(calls([begin(0, 'a', 'read', '{"p":')], 'length'), [['read', '{"p":', 'a']]);
    assert.deepEqual(calls([begin(0, 'a', 'read', '{}'), more(0, '{"p":1}')]), [['read', '{}{"p":1}', 'a']]);
  });

  test('keep what else is said of them', () => {
    const extra = { extra_content: { google: { thought_signature: 's' } }, note: null };
    const [call] = parts([piece({ ...begin(0, 'a', 'read', '{}'), ...extra }), stop()]);
    assert.deepEqual(call, {
      type: 'call',
      id: 'a',
      name: 'read',
      arguments: {},
      opaque: { extra_content: extra.extra_content },
    });
  });

  test('in the older form are calls', () => {
    const older = (call: JsonObject) => chunk({ function_call: call });
    const events = [older({ name: 'read', arguments: '' }), older({ arguments: '{"p":1}' }), stop('function_call')];
    assert.deepEqual(parts(events), [{ type: 'call', id: 'call_1', name: 'read', arguments: { p: 1 } }]);
  });

  test('have the tool’s own name again', () => {
    assert.equal(calls([begin(0, 'a', 'files_read', '{}')])[0]?.[0], 'files.read');
  });

  test('are shown once, when their name comes, and counted', () => {
    const entries = [
      begin(0, 'a', '', ''),
      begin(0, '', 'files_read', '{"p'),
      begin(1, 'b', 'edit', '{}'),
      more(0, '":1}'),
    ];
    const { shown, characters } = decode([...entries.map(piece), stop()]);
    assert.deepEqual(shown, [
      { type: 'call', index: 0, name: 'files.read' },
      { type: 'call', index: 1, name: 'edit' },
    ]);
    assert.equal(characters, '{"p":1}{}'.length);
  });

  test('a megabyte of arguments comes through, whatever is in it', () => {
    const args = JSON.stringify({ text: '"\\\u2028👋\ud83d'.repeat(120_000) });
    const pieces: JsonObject[] = [begin(0, 'a', 'read', '')];
    for (let place = 0; place < args.length; place += 4_001) pieces.push(more(0, args.slice(place, place + 4_001)));
    assert.deepEqual(calls(pieces), [['read', args, 'a']]);
  });
});

describe('hostile streams', () => {
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(
      { toString: 1, valueOf: 2 },
      { __proto__: null, length: -1 },
      [[[]]],
      '__proto__',
      'constructor',
      -1,
      1e308,
    ),
  );
  const keys =
    'id object choices usage error x_groq index delta message finish_reason content reasoning reasoning_content ' +
    'reasoning_details tool_calls function_call function name arguments refusal type text thinking data summary __proto__ toString';
  const key = fc.constantFrom(...keys.split(' '));
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      odd,
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree')),
    ),
  }));
  const event = fc.oneof(
    tree.map((value) => ({ choices: [{ delta: value }] })),
    tree.map((value) => ({ choices: [{ delta: { tool_calls: [value, value] } }] })),
    tree.map((value) => ({ choices: [{ delta: { reasoning_details: [value] } }] })),
    tree.map((value) => ({ choices: [value], usage: value })),
    tree,
  );

  test('never make it throw, and always come to an outcome', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 6 }),
        fc.constantFrom('plain', 'ollama', 'openai'),
        (events, profile) => {
          const text = events.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');
          const { outcome } = decodeText(text + sse([stop('stop'), done]), profile);
          assert.ok(outcome.kind === 'reply' || outcome.kind === 'failure');
          JSON.stringify(outcome);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('cut into any pieces, they say the same', () => {
    const text = sse([
      chunk({ reasoning_content: 'Hm 👋.' }),
      says('Hä\u2028llo'),
      piece({ index: 0, id: 'a', function: { name: 'read', arguments: '{"p":"é"}' } }),
      stop('tool_calls'),
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
      done,
    ]);
    const bytes = Buffer.from(text);
    const whole = decodeText(text);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
        const places = [0, ...cuts.sort((one, other) => one - other), bytes.length];
        const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        assert.deepEqual(decodePieces(pieces, 'plain'), whole);
      }),
    );
  });
});

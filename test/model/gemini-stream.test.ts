import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { GenerateContentResponse } from '@google/genai';
import * as fc from 'fast-check';
import type { Json, JsonObject, ReplyPart, ToolSpec } from '../../src/core/index.ts';
import { createSseParser, loadWire, type Decoded, type Delta } from '../../src/model/index.ts';
import { orderFor } from './orders.ts';

const wire = await loadWire('gemini');
const recordings = fileURLToPath(new URL('../../../shared/streams/gemini', import.meta.url));
const tools: ToolSpec[] = ['read', 'files/read'].map((name) => ({ name, description: '', input: {} }));

type Event = JsonObject | string;

const sse = (events: readonly Event[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

interface Outcome {
  outcome: Decoded;
  shown: Delta[];
  characters: number;
}

/** Decodes pieces of a stream as the transport would hand them on. */
function decodePieces(pieces: readonly Uint8Array[]): Outcome {
  const shown: Delta[] = [];
  const { target } = orderFor(wire, []);
  const decoder = wire.decoder((delta) => shown.push(delta), { target, tools });
  const parser = createSseParser((event) => decoder.push(event));
  for (const piece of pieces) parser.push(piece);
  if (!decoder.done) parser.end();
  return { outcome: decoder.end(), shown, characters: decoder.outputCharacters };
}

const decodeText = (text: string) => decodePieces([Buffer.from(text)]);
const decode = (...events: Event[]) => decodeText(sse(events));

function replyOf(...events: Event[]) {
  const { outcome } = decode(...events);
  assert.ok(outcome.kind === 'reply', JSON.stringify(outcome));
  return outcome.reply;
}

function failureOf(...events: Event[]) {
  const { outcome } = decode(...events);
  assert.ok(outcome.kind === 'failure', JSON.stringify(outcome));
  return outcome.failure;
}

const chunk = (parts: JsonObject[], more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
});
const says = (text: string, more: JsonObject = {}) => chunk([{ text, ...more }]);
const calls = (call: JsonObject, more: JsonObject = {}) => chunk([{ functionCall: call, ...more }]);
const stop = (finishReason = 'STOP', more: JsonObject = {}) => ({
  ...chunk([{ text: '' }], { finishReason }),
  ...more,
});
const partsOf = (...events: Event[]): ReplyPart[] => replyOf(...events, stop()).parts;

/** The chunks are such as the official client reads. */
export const typed = (response: GenerateContentResponse): Pick<GenerateContentResponse, 'candidates'> => response;

describe('the parts of a reply', () => {
  test('text that comes in pieces is one part', () => {
    assert.deepEqual(partsOf(says('Hel'), says('lo.')), [{ type: 'text', text: 'Hello.' }]);
  });

  test('thoughts are told from text', () => {
    assert.deepEqual(partsOf(says('Hm', { thought: true }), says('.', { thought: true }), says('So.')), [
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'So.' },
    ]);
  });

  test('what is signed stays a part of its own', () => {
    const parts = partsOf(
      says('Hm.', { thought: true }),
      says('', { thought: true, thoughtSignature: 'S1' }),
      says('Well, '),
      says('so'),
      says(' it is', { thoughtSignature: 'S2' }),
      says('.'),
      says('', { thoughtSignature: 'S3' }),
    );
    assert.deepEqual(parts, [
      { type: 'thinking', text: 'Hm.', opaque: [{ text: '', thought: true, thoughtSignature: 'S1' }] },
      {
        type: 'text',
        text: 'Well, so it is.',
        opaque: [
          { text: 'Well, so' },
          { text: ' it is', thoughtSignature: 'S2' },
          { text: '.' },
          { text: '', thoughtSignature: 'S3' },
        ],
      },
    ]);
  });

  test('a signature after a call is kept, although there is nothing to read', () => {
    const closing = { text: '', thoughtSignature: 'S' };
    assert.deepEqual(partsOf(calls({ name: 'read' }), chunk([closing])).at(-1), { type: 'opaque', opaque: [closing] });
    assert.deepEqual(partsOf(says('So.'), chunk([{ thoughtSignature: 'S' }])), [
      { type: 'text', text: 'So.', opaque: [{ text: 'So.' }, { thoughtSignature: 'S' }] },
    ]);
  });

  test('an empty text may be left out', () => {
    const thought = { thought: true, thoughtSignature: 'S' };
    assert.deepEqual(partsOf(chunk([{ thought: true }, thought]), says('So.')), [
      { type: 'opaque', opaque: [{ thought: true }, thought] },
      { type: 'text', text: 'So.' },
    ]);
  });

  test('what nobody interprets is kept as it came', () => {
    const code = { executableCode: { language: 'PYTHON', code: 'print(1)' }, thoughtSignature: 'S' };
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    assert.deepEqual(partsOf(says('So: '), chunk([code, image]), says('1')), [
      { type: 'text', text: 'So: ' },
      { type: 'opaque', opaque: [code, image] },
      { type: 'text', text: '1' },
    ]);
    assert.equal(replyOf(chunk([image]), stop()).stop, 'end');
  });

  test('only the first candidate counts', () => {
    const both: JsonObject = {
      candidates: [
        { index: 1, content: { parts: [{ text: 'other' }] }, finishReason: 'SAFETY' },
        { index: 0, content: { parts: [{ text: 'first' }] } },
      ],
    };
    const { parts, stop: end } = replyOf(both, stop());
    assert.deepEqual([parts, end], [[{ type: 'text', text: 'first' }], 'end']);
  });
});

describe('calls', () => {
  test('come whole, several in a chunk or in several, and make an end of their own', () => {
    const parallel = chunk([
      { functionCall: { name: 'read', args: { n: 1 } }, thoughtSignature: 'S' },
      { functionCall: { name: 'read', args: { n: 2 } } },
    ]);
    const reply = replyOf(parallel, calls({ id: 'p3', name: 'files_read', args: { n: 3 } }), stop());
    assert.deepEqual(reply.parts, [
      {
        type: 'call',
        id: 'call_1',
        name: 'read',
        arguments: { n: 1 },
        opaque: { functionCall: { name: 'read', args: { n: 1 } }, thoughtSignature: 'S' },
      },
      { type: 'call', id: 'call_2', name: 'read', arguments: { n: 2 } },
      {
        type: 'call',
        id: 'p3',
        name: 'files/read',
        arguments: { n: 3 },
        opaque: { functionCall: { id: 'p3', name: 'files_read', args: { n: 3 } } },
      },
    ]);
    assert.deepEqual([reply.stop, reply.stopRaw], ['calls', 'STOP']);
  });

  test('without arguments have none; those that aren’t an object are malformed', () => {
    const [none, text, list] = partsOf(
      calls({ name: 'read' }),
      calls({ name: 'read', args: 'x' }),
      calls({ name: 'read', args: [1] }),
    );
    assert.deepEqual(none, { type: 'call', id: 'call_1', name: 'read', arguments: {} });
    assert.deepEqual(text, { type: 'call', id: 'call_2', name: 'read', arguments: {}, malformed: '"x"' });
    assert.deepEqual(list, { type: 'call', id: 'call_3', name: 'read', arguments: {}, malformed: '[1]' });
  });

  const partial = (pieces: Json, more: JsonObject = { willContinue: true }) => calls({ partialArgs: pieces, ...more });
  const begun = calls({ name: 'read', willContinue: true }, { thoughtSignature: 'S' });
  const ended = calls({});

  test('whose arguments come value by value are put together', () => {
    const [first, second] = partsOf(
      begun,
      partial([{ jsonPath: '$.path', stringValue: 'a/', willContinue: true }]),
      partial([{ jsonPath: '$.path', stringValue: 'b' }]),
      partial([
        { jsonPath: '$.lines[0].from', numberValue: 1 },
        { jsonPath: '$.lines[1].from', numberValue: 2.5 },
        { jsonPath: "$['a \\'name\\'']", boolValue: false },
        { jsonPath: '$["__proto__"].x', nullValue: 'NULL_VALUE' },
      ]),
      ended,
      calls({ name: 'read', args: { n: 2 } }),
    );
    const args = JSON.parse(
      '{"path":"a/b","lines":[{"from":1},{"from":2.5}],"a \'name\'":false,"__proto__":{"x":null}}',
    ) as JsonObject;
    assert.deepEqual(first, {
      type: 'call',
      id: 'call_1',
      name: 'read',
      arguments: args,
      opaque: { functionCall: { name: 'read', args }, thoughtSignature: 'S' },
    });
    assert.deepEqual(second, { type: 'call', id: 'call_2', name: 'read', arguments: { n: 2 } });
  });

  const pieces: [string, Json][] = [
    ['a path that is none', [{ jsonPath: 'path', stringValue: 'x' }]],
    ['a path to everything', [{ jsonPath: '$', stringValue: 'x' }]],
    ['a place far behind the end of a list', [{ jsonPath: '$.a[100000000]', numberValue: 1 }]],
    [
      'a place in a text',
      [
        { jsonPath: '$.a', stringValue: 'x' },
        { jsonPath: '$.a.b', stringValue: 'y' },
      ],
    ],
    [
      'a number in an object',
      [
        { jsonPath: '$.a.b', numberValue: 1 },
        { jsonPath: '$.a[0]', numberValue: 1 },
      ],
    ],
    ['no value', [{ jsonPath: '$.a' }]],
    ['a path without end', [{ jsonPath: `$${'.a'.repeat(5_000)}`, numberValue: 1 }]],
  ];
  for (const [title, list] of pieces) {
    test(`with ${title} are malformed`, () => {
      const [part] = partsOf(begun, partial(list), ended);
      assert.ok(part?.type === 'call' && part.malformed !== undefined, JSON.stringify(part));
    });
  }

  test('that never end are malformed, also where another begins', () => {
    const unfinished = [begun, partial([{ jsonPath: '$.a', numberValue: 1 }])];
    const [first, second] = partsOf(...unfinished, calls({ name: 'read', args: {} }));
    assert.ok(first?.type === 'call' && first.malformed === '{"a":1}');
    assert.ok(second?.type === 'call' && second.malformed === undefined);
    const [last] = partsOf(...unfinished);
    assert.ok(last?.type === 'call' && last.malformed !== undefined);
  });
});

describe('how a reply ends', () => {
  const ends: [string, string, string | undefined][] = [
    ['STOP', 'end', undefined],
    ['MAX_TOKENS', 'length', undefined],
    ['CONTINUATION', 'length', undefined],
    ['SAFETY', 'refusal', 'SAFETY'],
    ['RECITATION', 'refusal', 'RECITATION'],
    ['BLOCKLIST', 'refusal', 'BLOCKLIST'],
    ['PROHIBITED_CONTENT', 'refusal', 'PROHIBITED_CONTENT'],
    ['SPII', 'refusal', 'SPII'],
    ['OTHER', 'other', undefined],
    ['NEWLY_INVENTED', 'other', undefined],
    ['toString', 'other', undefined],
  ];
  for (const [reason, expected, detail] of ends) {
    test(`${reason} is ${expected}`, () => {
      const { stop: end, stopRaw, stopDetail } = replyOf(says('So.'), stop(reason));
      assert.deepEqual([end, stopRaw, stopDetail], [expected, reason, detail]);
    });
  }

  test('a refusal needs no word, and names what it has', () => {
    const safetyRatings = [
      { category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW' },
      { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true },
    ];
    const end = { candidates: [{ finishReason: 'SAFETY', finishMessage: 'No.', safetyRatings, index: 0 }] };
    const reply = replyOf(end);
    assert.deepEqual([reply.parts, reply.stop], [[], 'refusal']);
    assert.equal(reply.stopDetail, 'SAFETY: No.: HARM_CATEGORY_DANGEROUS_CONTENT');
  });

  test('a prompt that is blocked gets a refusal, whatever the word', () => {
    const blocked = {
      promptFeedback: { blockReason: 'OTHER', blockReasonMessage: 'No.' },
      usageMetadata: { promptTokenCount: 4 },
    };
    assert.deepEqual(replyOf(blocked), {
      parts: [],
      stop: 'refusal',
      stopRaw: 'OTHER',
      stopDetail: 'OTHER: No.',
      usage: { input: 4 },
    });
  });

  const broken = [
    'MALFORMED_FUNCTION_CALL',
    'UNEXPECTED_TOOL_CALL',
    'TOO_MANY_TOOL_CALLS',
    'MISSING_THOUGHT_SIGNATURE',
    'MALFORMED_RESPONSE',
  ];
  for (const reason of broken) {
    test(`${reason} is a broken reply, even with a call`, () => {
      const end = chunk([], { finishReason: reason, finishMessage: 'call:read{' });
      const failure = failureOf(calls({ name: 'read', args: {} }), end);
      assert.deepEqual([failure.class, failure.code], ['broken-stream', 'stream-invalid']);
      assert.match(failure.message, new RegExp(`${reason}: call:read\\{`));
    });
  }

  test('an account that is shut off is no refusal of the model', () => {
    const { class: kind, code } = failureOf(stop('PUP_LIMITED_DISABLED'));
    assert.deepEqual([kind, code], ['auth', 'provider-auth']);
  });

  test('an ordinary end without a word or a call is no reply', () => {
    for (const events of [
      [stop()],
      [says(' \n'), stop()],
      [says('Hm.', { thought: true }), stop('OTHER')],
      [chunk([{ text: '', thoughtSignature: 'S' }]), stop()],
    ]) {
      assert.equal(failureOf(...events).code, 'empty-reply');
    }
  });

  test('without a reason it is cut, however much came', () => {
    for (const events of [
      [],
      [says('So.')],
      [calls({ name: 'read', args: {} })],
      [says('So.'), stop('FINISH_REASON_UNSPECIFIED')],
    ]) {
      assert.equal(failureOf(...events).code, 'stream-cut');
    }
  });

  test('a reason in every chunk ends nothing; the last one counts', () => {
    const { parts, stop: end } = replyOf(
      chunk([{ text: 'So ' }], { finishReason: 'STOP' }),
      chunk([{ text: 'long' }], { finishReason: 'MAX_TOKENS' }),
    );
    assert.deepEqual([parts, end], [[{ type: 'text', text: 'So long' }], 'length']);
  });

  test('it is whole once a reason came, but may go on', () => {
    const { target } = orderFor(wire, []);
    const decoder = wire.decoder(() => undefined, { target, tools });
    const push = (event: JsonObject) => decoder.push({ data: JSON.stringify(event) });
    push(says('So.'));
    assert.deepEqual([decoder.done, decoder.complete], [false, false]);
    push(stop());
    assert.deepEqual([decoder.done, decoder.complete, decoder.usage], [false, true, undefined]);
    push({ usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 } });
    assert.deepEqual(decoder.usage, { input: 3, output: 2 });
    push({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } });
    assert.equal(decoder.done, true);
    push(says('more'));
    const outcome = decoder.end();
    assert.ok(outcome.kind === 'failure' && outcome.failure.code === 'provider-overloaded');
  });
});

describe('usage', () => {
  const usage = (...reports: JsonObject[]) =>
    replyOf(says('So.'), ...reports.map((usageMetadata) => ({ usageMetadata })), stop()).usage;

  test('is told apart: what was cached isn’t input, what was thought is output', () => {
    const reported = {
      promptTokenCount: 100,
      toolUsePromptTokenCount: 5,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 7,
      totalTokenCount: 132,
    };
    assert.deepEqual(usage(reported), { input: 45, cacheRead: 60, output: 27, reasoning: 7 });
  });

  test('what isn’t reported is absent', () => {
    assert.equal(usage(), undefined);
    assert.equal(usage({ trafficType: 'ON_DEMAND', promptTokenCount: 'many', candidatesTokenCount: -1 }), undefined);
    assert.deepEqual(usage({ promptTokenCount: 3 }), { input: 3 });
    assert.deepEqual(usage({ thoughtsTokenCount: 3 }), { output: 3, reasoning: 3 });
    assert.deepEqual(usage({ cachedContentTokenCount: 3 }), { cacheRead: 3 });
    assert.deepEqual(usage({ promptTokenCount: 1, cachedContentTokenCount: 3 }), { input: 0, cacheRead: 3 });
  });

  test('the last report of each figure counts', () => {
    const first = { promptTokenCount: 9, candidatesTokenCount: 1, thoughtsTokenCount: 4 };
    assert.deepEqual(usage(first, { promptTokenCount: 9, candidatesTokenCount: 6 }), {
      input: 9,
      output: 10,
      reasoning: 4,
    });
  });
});

describe('errors in the stream', () => {
  const error = { error: { code: 429, message: 'Quota exceeded.', status: 'RESOURCE_EXHAUSTED' } };
  const cases: [string, Event, string][] = [
    ['an error', error, 'rate-limited'],
    ['an error in a list', JSON.stringify([error]), 'rate-limited'],
    ['an internal error', { error: { code: 500, message: 'Oops.', status: 'INTERNAL' } }, 'provider-error'],
    ['a bad request', { error: { code: 400, message: 'Bad.', status: 'INVALID_ARGUMENT' } }, 'provider-rejected'],
    ['what is no JSON', 'data', 'stream-invalid'],
    ['half of an object', '{"candidates":', 'stream-invalid'],
  ];
  for (const [title, event, code] of cases) {
    test(`${title} is ${code}`, () => {
      assert.equal(failureOf(says('So'), event).code, code);
    });
  }

  test('the end of another protocol is ignored', () => {
    assert.equal(replyOf(says('So.'), stop(), '[DONE]').stop, 'end');
  });

  test('an event of another name is ignored', () => {
    const { outcome } = decodeText(`event: ping\ndata: hm\n\n${sse([says('So.'), stop()])}`);
    assert.equal(outcome.kind, 'reply');
  });
});

describe('any stream', () => {
  const events = [
    says('Hällo \u2028 👋🏽', { thought: true }),
    says('So: 👩‍👩‍👧'),
    calls({ name: 'read', args: { text: '\u2028👋' } }, { thoughtSignature: 'S' }),
    stop('STOP', { usageMetadata: { promptTokenCount: 1 } }),
  ];

  test('in any pieces gives the same reply and shows the same', () => {
    const plain = sse(events);
    const texts = [plain, plain.replaceAll('\n', '\r\n'), plain.replaceAll('\n', '\r'), plain.trimEnd()];
    const whole = decodeText(plain);
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(fc.nat({ max: 999 }), { maxLength: 30 }), (text, cuts) => {
        const bytes = Buffer.from(text);
        const places = [0, ...cuts.map((cut) => Math.floor((cut / 1_000) * bytes.length)), bytes.length];
        const sorted = places.toSorted((a, b) => a - b);
        const pieces = sorted.slice(1).map((place, index) => bytes.subarray(sorted[index], place));
        assert.deepEqual(decodePieces(pieces), whole);
      }),
      { numRuns: 200 },
    );
  });

  test('with anything in any place never throws, and what it gives can be written down', () => {
    const keys = fc.constantFrom(
      ...'candidates content parts text thought thoughtSignature functionCall name args id partialArgs jsonPath stringValue willContinue finishReason usageMetadata promptTokenCount promptFeedback blockReason error index __proto__'.split(
        ' ',
      ),
    );
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom<Json>(null, true, 0, -1, 1e300, '', 'STOP', '$.a[0]', '\ud83d'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 5 }),
      ),
    }));
    const odd = fc.oneof(
      value,
      value.map((part) => ({ candidates: [{ content: { parts: [part] } }] })),
      value.map((call) => ({ candidates: [{ content: { parts: [{ functionCall: call }] } }] })),
    );
    fc.assert(
      fc.property(fc.array(odd, { maxLength: 6 }), (list) => {
        const { outcome } = decodeText(sse([...list.map((event) => JSON.stringify(event)), stop()]));
        assert.deepEqual(JSON.parse(JSON.stringify(outcome)), outcome);
      }),
      { numRuns: 500 },
    );
  });

  test('what a reply holds comes back as it was', () => {
    const { parts } = replyOf(...events);
    const results = parts.flatMap((part) => {
      return part.type === 'call'
        ? [{ type: 'result' as const, id: part.id, name: part.name, text: 'R', error: false }]
        : [];
    });
    const order = orderFor(
      wire,
      [
        { role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
        { role: 'assistant', parts, source: { provider: 'maker', wire: 'gemini', model: 'model-1' } },
        { role: 'user', parts: results },
      ],
      { tools },
    );
    const body = JSON.parse(wire.encode(order).body.toString()) as { contents: { parts: JsonObject[] }[] };
    assert.deepEqual(body.contents[1]?.parts, [
      { text: 'So: 👩‍👩‍👧' },
      { functionCall: { name: 'read', args: { text: '\u2028👋' } }, thoughtSignature: 'S' },
    ]);
  });

  test('a megabyte of arguments in pieces takes no time', () => {
    const piece = 'x'.repeat(1_000);
    const more = {
      functionCall: {
        partialArgs: [{ jsonPath: '$.text', stringValue: piece, willContinue: true }],
        willContinue: true,
      },
    };
    const list = Array.from({ length: 1_000 }, () => chunk([more]));
    const begun = performance.now();
    const [part] = partsOf(calls({ name: 'read', willContinue: true }), ...list, calls({}));
    assert.ok(part?.type === 'call');
    assert.deepEqual(part.arguments, { text: 'x'.repeat(1_000_000) });
    assert.ok(performance.now() - begun < 15_000);
  });
});

describe('recorded streams', { skip: !existsSync(recordings) }, () => {
  for (const name of existsSync(recordings) ? readdirSync(recordings) : []) {
    test(`${name} is a reply`, () => {
      const lines = readFileSync(join(recordings, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      const { parts, stop: end, usage } = replyOf(...lines);
      assert.ok(parts.length > 0);
      assert.equal(end, parts.some((part) => part.type === 'call') ? 'calls' : 'end');
      assert.ok(usage?.input !== undefined && usage.output !== undefined);
      const signed = lines.join('\n').match(/"thoughtSignature"/g)?.length;
      assert.equal(JSON.stringify(parts).match(/"thoughtSignature"/g)?.length, signed);
    });
  }
});

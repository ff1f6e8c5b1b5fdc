import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Anthropic from '@anthropic-ai/sdk';
import * as fc from 'fast-check';
import { createSseParser, loadWire, type Decoded, type Delta } from '../../src/model/index.ts';
import { sse, textReply } from './loopback.ts';
import { orderFor } from './orders.ts';

const wire = await loadWire('anthropic');
const { target } = orderFor(wire, []);
const expected = { target, tools: [] };
const fixtures = fileURLToPath(new URL('fixtures/anthropic', import.meta.url));
const recordings = fileURLToPath(new URL('../../../shared/streams/anthropic-messages', import.meta.url));

function eventsOf(file: string): object[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line): object => JSON.parse(line));
}

/** Decodes pieces of a stream; gives the outcome and what was shown on the way. */
function decode(pieces: readonly Uint8Array[]): { outcome: Decoded; shown: Delta[] } {
  const shown: Delta[] = [];
  const decoder = wire.decoder((delta) => shown.push(delta), expected);
  const parser = createSseParser((event) => decoder.push(event));
  for (const piece of pieces) parser.push(piece);
  if (!decoder.done) parser.end();
  return { outcome: decoder.end(), shown };
}

const decodeText = (text: string) => decode([Buffer.from(text)]);

function replyOf(outcome: Decoded) {
  assert.equal(outcome.kind, 'reply', JSON.stringify(outcome));
  assert.ok(outcome.kind === 'reply');
  return outcome.reply;
}

describe('a stream becomes the reply it holds', () => {
  const names = readdirSync(fixtures)
    .filter((name) => name.endsWith('.chunks.txt'))
    .map((name) => name.slice(0, -'.chunks.txt'.length));
  assert.ok(names.length > 40, 'the fixtures were found');

  for (const name of names) {
    test(name, () => {
      const events = eventsOf(join(fixtures, `${name}.chunks.txt`));
      const expected: unknown = JSON.parse(readFileSync(join(fixtures, `${name}.expected.json`), 'utf8'));
      assert.deepEqual(decodeText(sse(events)).outcome, expected);
    });
  }
});

describe('what is shown while it comes in', () => {
  test('text, thinking and calls in their order, and nothing empty', () => {
    const thinking = eventsOf(join(fixtures, 'thinking.chunks.txt'));
    assert.deepEqual(decodeText(sse(thinking)).shown, [
      { type: 'thinking', delta: 'First ' },
      { type: 'thinking', delta: 'this.' },
      { type: 'text', delta: 'Done.' },
    ]);
    const calls = eventsOf(join(fixtures, 'calls-parallel-interleaved.chunks.txt'));
    assert.deepEqual(decodeText(sse(calls)).shown, [
      { type: 'call', index: 0, name: 'read' },
      { type: 'call', index: 1, name: 'read' },
    ]);
  });

  test('a call has the tool’s own name again, where another was sent', () => {
    const shown: Delta[] = [];
    const tools = [{ name: 'server.list/files', description: '', input: { type: 'object' } }];
    const decoder = wire.decoder((delta) => shown.push(delta), { target, tools });
    const block = { type: 'tool_use', id: 'toolu_1', name: 'server_list_files', input: {} };
    const events = [
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_start', index: 1, content_block: { ...block, id: 'toolu_2', name: 'invented' } },
      { type: 'message_stop' },
    ];
    for (const event of events) decoder.push({ event: event.type, data: JSON.stringify(event) });
    assert.deepEqual(shown, [
      { type: 'call', index: 0, name: 'server.list/files' },
      { type: 'call', index: 1, name: 'invented' },
    ]);
    assert.deepEqual(
      replyOf(decoder.end()).parts.map((part) => part.type === 'call' && part.name),
      ['server.list/files', 'invented'],
    );
  });

  test('a block that nobody interprets shows nothing', () => {
    const pause = eventsOf(join(fixtures, 'stop-pause.chunks.txt'));
    assert.deepEqual(decodeText(sse(pause)).shown, [{ type: 'text', delta: 'I search.' }]);
  });

  test('a block that goes on in another kind is two blocks, shown as they are', () => {
    const [start, , , , end, stop] = textReply('');
    const grown = (...deltas: object[]) => deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta }));
    const { outcome, shown } = decodeText(
      sse([
        start ?? {},
        { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
        ...grown(
          { type: 'thinking_delta', thinking: 'Hm.' },
          { type: 'signature_delta', signature: 's' },
          { type: 'text_delta', text: 'So ' },
          { type: 'text_delta', text: 'it is.' },
        ),
        end ?? {},
        stop ?? {},
      ]),
    );
    assert.deepEqual(replyOf(outcome).parts, [
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'So it is.' },
    ]);
    assert.deepEqual(shown, [
      { type: 'thinking', delta: 'Hm.' },
      { type: 'text', delta: 'So ' },
      { type: 'text', delta: 'it is.' },
    ]);
  });

  test('a delta that is none for its block changes nothing', () => {
    const [start, , , , end, stop] = textReply('');
    const block = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} };
    const deltas = [
      { type: 'text_delta', text: 'words' },
      { type: 'input_json_delta', partial_json: '{"path":"a"}' },
      { type: 'signature_delta', signature: 's' },
    ].map((delta) => ({ type: 'content_block_delta', index: 0, delta }));
    const begun = { type: 'content_block_start', index: 0, content_block: block };
    const { outcome, shown } = decodeText(sse([start ?? {}, begun, ...deltas, end ?? {}, stop ?? {}]));
    assert.deepEqual(replyOf(outcome).parts, [{ type: 'call', id: 'toolu_1', name: 'read', arguments: { path: 'a' } }]);
    assert.deepEqual(shown, [{ type: 'call', index: 0, name: 'read' }]);
  });

  test('what came before a cut is counted for its cost', () => {
    const decoder = wire.decoder(() => undefined, expected);
    const parser = createSseParser((event) => decoder.push(event));
    parser.push(Buffer.from(sse(eventsOf(join(fixtures, 'cut-in-a-call.chunks.txt')))));
    assert.equal(decoder.outputCharacters, '{"path":"a"}'.length);
    assert.equal(decoder.usage?.input, 12);
    assert.equal(decoder.usage?.output, undefined);
    assert.equal(decoder.done, false);
  });
});

describe('the line format in all its forms', () => {
  const events = textReply('Hällo \u2028 👋🏽');
  const plain = sse(events);
  const forms: [string, string][] = [
    ['carriage return and line feed', plain.replaceAll('\n', '\r\n')],
    ['carriage return alone', plain.replaceAll('\n', '\r')],
    ['comments in between', `: hi\n\n${plain.replaceAll('\n\n', '\n: ping\n\n')}`],
    ['no space after the colon', plain.replaceAll(': {', ':{').replaceAll('event: ', 'event:')],
    ['no event names', plain.replaceAll(/event: .*\n/g, '')],
    ['the name "message" for all', plain.replaceAll(/event: .*\n/g, 'event: message\n')],
    ['ids and retry times', plain.replaceAll('event:', 'id: 7\nretry: 10\nevent:')],
    ['a byte order mark', `\uFEFF${plain}`],
    ['data over several lines', plain.replaceAll(',"delta"', ',\ndata: "delta"')],
    ['no blank line at the end', plain.trimEnd()],
    [
      'foreign events that are no JSON',
      plain.replace('event: content_block_stop', 'event: hint\ndata: not JSON\n\nevent: content_block_stop'),
    ],
  ];
  for (const [name, text] of forms) {
    test(name, () => {
      assert.notEqual(text, plain, 'the form differs from the plain one');
      assert.deepEqual(decodeText(text).outcome, decodeText(plain).outcome);
    });
  }

  test('any pieces give the same reply and show the same', () => {
    const samples = ['thinking', 'calls-parallel-interleaved', 'unknown-events-blocks-and-deltas', 'text'].map((name) =>
      sse(eventsOf(join(fixtures, `${name}.chunks.txt`))),
    );
    const texts = [plain, plain.replaceAll('\n', '\r\n'), plain.replaceAll('\n', '\r'), ...samples];
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(fc.nat({ max: 999 }), { maxLength: 30 }), (text, cuts) => {
        const bytes = Buffer.from(text);
        const places = [0, ...cuts.map((cut) => Math.floor((cut / 1_000) * bytes.length)), bytes.length].sort(
          (a, b) => a - b,
        );
        const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        const whole = decode([bytes]);
        const inPieces = decode(pieces);
        assert.deepEqual(inPieces.outcome, whole.outcome);
        assert.deepEqual(inPieces.shown, whole.shown);
      }),
    );
    for (const text of texts) {
      const bytes = Buffer.from(text);
      const single = decode(Array.from({ length: bytes.length }, (_, index) => bytes.subarray(index, index + 1)));
      assert.deepEqual(single.outcome, decode([bytes]).outcome);
    }
  });

  test('any cut before the last event is a failure, never a reply', () => {
    const bytes = Buffer.from(plain);
    const last = bytes.lastIndexOf('event: message_stop');
    for (let end = 0; end <= last; end += 1) {
      const { outcome } = decode([bytes.subarray(0, end)]);
      assert.equal(outcome.kind, 'failure', `cut at ${end}`);
      assert.ok(outcome.kind === 'failure');
      assert.equal(outcome.failure.code, 'stream-cut', `cut at ${end}`);
    }
  });

  test('an event that is no JSON breaks the stream', () => {
    const broken = plain.replace('{"type":"content_block_stop"', '{"type":"content_bl');
    const { outcome } = decodeText(broken);
    assert.ok(outcome.kind === 'failure');
    assert.equal(outcome.failure.code, 'stream-invalid');
    assert.equal(outcome.failure.class, 'broken-stream');
  });

  test('arguments of one megabyte arrive whole', () => {
    const content = 'x"\\\n\u2028👋'.repeat(120_000);
    const json = JSON.stringify({ content });
    const pieces = Array.from({ length: Math.ceil(json.length / 997) }, (_, index) =>
      json.slice(index * 997, (index + 1) * 997),
    );
    const call = { type: 'tool_use', id: 'toolu_1', name: 'write', input: {} };
    const events = [
      { type: 'content_block_start', index: 0, content_block: call },
      ...pieces.map((partial_json) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ];
    const [part] = replyOf(decodeText(sse(events)).outcome).parts;
    assert.ok(part?.type === 'call');
    assert.equal(part.arguments['content'], content);
  });
});

describe(
  'recordings of the real provider',
  { skip: existsSync(recordings) ? false : 'the recordings are not on this machine' },
  () => {
    const outcomeOf = (name: string) => decodeText(sse(eventsOf(join(recordings, name)))).outcome;
    const words = (name: string) =>
      replyOf(outcomeOf(name))
        .parts.flatMap((part) => (part.type === 'text' ? part.text : []))
        .join('');

    test('clear thinking', () => {
      const reply = replyOf(outcomeOf('anthropic-clear-thinking.1.chunks.txt'));
      assert.deepEqual(
        reply.parts.map((part) => part.type),
        ['thinking', 'text'],
      );
      const [thinking] = reply.parts;
      assert.ok(thinking?.type === 'thinking');
      assert.match(thinking.text, /^The previous result was 925\./);
      assert.match(JSON.stringify(thinking.opaque), /"signature":"EvQB.+gB"/);
      assert.equal(words('anthropic-clear-thinking.1.chunks.txt'), '925 ÷ 5 = 185');
      assert.deepEqual(reply.usage, { input: 69, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, output: 53 });
    });

    test('code execution: blocks of server tools are kept, not run', () => {
      const reply = replyOf(outcomeOf('anthropic-code-execution-20250825.1.chunks.txt'));
      assert.deepEqual(
        reply.parts.map((part) => part.type),
        ['text', 'opaque', 'opaque', 'text', 'opaque', 'opaque', 'text'],
      );
      const use = reply.parts[1];
      assert.ok(
        use?.type === 'opaque' && use.opaque !== null && typeof use.opaque === 'object' && 'input' in use.opaque,
      );
      assert.match(JSON.stringify(use.opaque['input']), /def fibonacci/);
      assert.equal(reply.stop, 'end');
      assert.equal(reply.usage?.output, 771);
    });

    test('calls', () => {
      const json = replyOf(outcomeOf('anthropic-json-tool.1.chunks.txt'));
      assert.deepEqual(json.parts, [
        {
          type: 'call',
          id: 'toolu_01KFbKqPYSuAKujiL6mTfzYA',
          name: 'json',
          arguments: { elements: [{ location: 'San Francisco', temperature: 58, condition: 'sunny' }] },
        },
      ]);
      const other = replyOf(outcomeOf('anthropic-json-other-tool.1.chunks.txt'));
      assert.deepEqual(
        other.parts.map((part) => part.type === 'call' && part.arguments),
        [{ location: 'San Francisco' }],
      );
      const none = replyOf(outcomeOf('anthropic-tool-no-args.chunks.txt'));
      assert.equal(none.stop, 'calls');
      assert.deepEqual(none.parts.at(-1), {
        type: 'call',
        id: 'toolu_01QE1WLsSVp5hy5Q3GmGTmjP',
        name: 'updateIssueList',
        arguments: {},
      });
    });

    test('tool search: only the first of two messages counts', () => {
      const reply = replyOf(outcomeOf('anthropic-tool-search-bm25.1.chunks.txt'));
      assert.deepEqual(
        reply.parts.map((part) => part.type),
        ['text', 'opaque', 'opaque', 'text', 'call'],
      );
      assert.deepEqual(reply.parts.at(-1), {
        type: 'call',
        id: 'toolu_019nRrfqqXcU5NPTUSYfEMAY',
        name: 'get_weather',
        arguments: { location: 'San Francisco, CA' },
      });
      assert.equal(reply.usage?.input, 1630);
    });

    test('usage, refusal, text, duplicate start', () => {
      assert.deepEqual(replyOf(outcomeOf('anthropic-message-delta-input-tokens.chunks.txt')).usage, {
        input: 61,
        output: 2,
      });
      assert.equal(words('anthropic-message-delta-input-tokens.chunks.txt'), 'pong');
      const refusal = replyOf(outcomeOf('anthropic-refusal.chunks.txt'));
      assert.equal(refusal.stop, 'refusal');
      assert.match(refusal.stopDetail ?? '', /^cyber: This request triggered/);
      assert.match(words('anthropic-text.chunks.txt'), /^Hello! I'm doing well.* for you\?$|^Hello! I'm/);
      assert.equal(words('duplicate-message-start.chunks.txt'), 'Hello, World!');
    });

    test('each gives a whole reply', () => {
      for (const name of readdirSync(recordings)) assert.notEqual(replyOf(outcomeOf(name)).usage, undefined, name);
    });
  },
);

describe('the official client reads the same', () => {
  const samples = ['text', 'thinking', 'call', 'calls-parallel-interleaved', 'stop-pause', 'stop-refusal', 'citations'];
  for (const name of samples) {
    test(name, async () => {
      const body = sse(eventsOf(join(fixtures, `${name}.chunks.txt`)));
      const client = new Anthropic({
        apiKey: 'test',
        maxRetries: 0,
        fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
      });
      const message = await client.messages
        .stream({ model: 'claude-test-1', max_tokens: 10, messages: [{ role: 'user', content: 'x' }] })
        .finalMessage();
      const reply = replyOf(decodeText(body).outcome);
      const ours = reply.parts.map((part) => {
        if (part.type === 'text') return part.text;
        if (part.type === 'call') return { id: part.id, name: part.name, input: part.arguments };
        return part.opaque;
      });
      const theirs = message.content.map((block) => {
        if (block.type === 'text') return block.text;
        return block.type === 'tool_use' ? { id: block.id, name: block.name, input: block.input } : { ...block };
      });
      assert.deepEqual(ours, theirs);
      assert.equal(reply.stopRaw, message.stop_reason);
      assert.equal(reply.usage?.output, message.usage.output_tokens);
    });
  }
});

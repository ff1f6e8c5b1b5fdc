import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, ReplyPart } from '../../src/core/index.ts';
import { createSseParser, loadWire, type Decoded } from '../../src/model/index.ts';
import { playRecordings } from '../../src/testing/conformance/index.ts';
import { folderOf, lines } from '../testing/support/recordings.ts';
import { sse } from './loopback.ts';
import { bodyText, orderFor } from './orders.ts';

const wires = {
  anthropic: await loadWire('anthropic'),
  'openai-chat': await loadWire('openai-chat'),
  'openai-responses': await loadWire('openai-responses'),
};
type Name = keyof typeof wires;

/** Every recording that a test plays, for the last test. */
const played: { [name: string]: string } = {};

function decode(name: Name, events: object[]): Decoded {
  played[`${name}/${Object.keys(played).length}.chunks.txt`] = lines(events);
  const wire = wires[name];
  const { target } = orderFor(wire, []);
  const decoder = wire.decoder(() => undefined, { target, tools: [] });
  const parser = createSseParser((event) => decoder.push(event));
  parser.push(Buffer.from(name === 'openai-chat' ? events.map(unnamed).join('') : sse(events)));
  if (!decoder.done) parser.end();
  return decoder.end();
}

const unnamed = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;

function replyOf(outcome: Decoded) {
  assert.ok(outcome.kind === 'reply', JSON.stringify(outcome));
  return outcome.reply;
}

/** What the next request holds of a reply. */
function sentAgain(name: Name, parts: ReplyPart[]): JsonObject[] {
  const wire = wires[name];
  const source = { provider: 'maker', wire: name, model: 'model-1' };
  const messages = [
    { role: 'user' as const, parts: [{ type: 'text' as const, text: 'Go.' }] },
    { role: 'assistant' as const, parts, source },
    { role: 'user' as const, parts: [{ type: 'text' as const, text: 'On.' }] },
  ];
  const body = JSON.parse(bodyText(wire, orderFor(wire, messages))) as { [key: string]: JsonObject[] };
  const sent = body['messages'] ?? body['input'] ?? [];
  return sent.slice(1, -1);
}

const start = (message: object = {}) => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    usage: { input_tokens: 10, output_tokens: 1 },
    ...message,
  },
});
const block = (index: number, content: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block: content },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const text = (index: number, words: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text: words });
const end = (reason: string, usage: object = { output_tokens: 5 }) => [
  { type: 'message_delta', delta: { stop_reason: reason }, usage },
  { type: 'message_stop' },
];

describe('Anthropic Messages', () => {
  const called = {
    type: 'tool_use',
    id: 'toolu_1',
    name: 'look',
    input: { at: 'the sky' },
    caller: { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' },
  };
  const ran = { type: 'code_execution_tool_result', tool_use_id: 'srvtoolu_0', content: { stdout: 'one\n' } };

  test('a message can be whole where it begins', () => {
    const usage = { input_tokens: 0, output_tokens: 3 };
    const events = [start({ content: [ran, called], stop_reason: 'tool_use', usage }), { type: 'message_stop' }];
    const reply = replyOf(decode('anthropic', events));
    assert.deepEqual(reply, {
      parts: [
        { type: 'opaque', opaque: ran },
        { type: 'call', id: 'toolu_1', name: 'look', arguments: { at: 'the sky' }, opaque: called },
      ],
      stop: 'calls',
      stopRaw: 'tool_use',
      usage: { input: 0, output: 3 },
      providerId: 'msg_1',
    });
    assert.deepEqual(sentAgain('anthropic', reply.parts)[0]?.['content'], [ran, called]);
  });

  test('what follows on a message that began with something comes after it', () => {
    const events = [start({ content: [ran] }), ...text(1, 'Ran.'), ...end('end_turn')];
    const { parts, usage } = replyOf(decode('anthropic', events));
    assert.deepEqual(parts, [
      { type: 'opaque', opaque: ran },
      { type: 'text', text: 'Ran.' },
    ]);
    assert.deepEqual(usage, { input: 10, output: 5 });
  });

  test('what nobody here interprets is a reply, thoughts alone are none', () => {
    const advised = { type: 'advisor_tool_result', tool_use_id: 'a', content: { encrypted_content: 'sealed' } };
    const { parts, stop } = replyOf(decode('anthropic', [start(), ...block(0, advised), ...end('end_turn')]));
    assert.deepEqual([parts, stop], [[{ type: 'opaque', opaque: advised }], 'end']);
    assert.deepEqual(sentAgain('anthropic', parts)[0]?.['content'], [advised]);
    const sealed = block(0, { type: 'redacted_thinking', data: 'sealed' });
    const silent = decode('anthropic', [start(), ...sealed, ...end('end_turn')]);
    assert.ok(silent.kind === 'failure' && silent.failure.code === 'empty-reply');
  });

  test('a compaction goes back with its summary and its seal, and a reply that it ends is gone on with', () => {
    const begun = { type: 'compaction', content: null, encrypted_content: null };
    const delta = { type: 'compaction_delta', content: 'So far: ', encrypted_content: 'sealed' };
    const more = { type: 'compaction_delta', content: 'nothing.', encrypted_content: null };
    const events = [start(), ...block(0, begun, delta, more), ...end('compaction')];
    const { parts, stop } = replyOf(decode('anthropic', events));
    const whole = { type: 'compaction', content: 'So far: nothing.', encrypted_content: 'sealed' };
    assert.deepEqual([parts, stop], [[{ type: 'opaque', opaque: whole }], 'pause']);
    assert.deepEqual(sentAgain('anthropic', parts)[0]?.['content'], [whole]);
  });

  test('another message in the middle of one is a broken stream; before anything came it is not', () => {
    const other = start({ id: 'msg_2' });
    const cut = decode('anthropic', [start(), ...text(0, 'Hel'), other, ...text(0, 'Hello'), ...end('end_turn')]);
    assert.ok(cut.kind === 'failure');
    assert.deepEqual([cut.failure.class, cut.failure.code], ['broken-stream', 'stream-invalid']);
    const { parts } = replyOf(decode('anthropic', [start(), other, ...text(0, 'Hello'), ...end('end_turn')]));
    assert.deepEqual(parts, [{ type: 'text', text: 'Hello' }]);
    const again = [start(), ...text(0, 'Hel'), start(), ...text(1, 'lo'), ...end('end_turn')];
    assert.equal(replyOf(decode('anthropic', again)).parts.length, 2, 'the same message');
  });

  test('a beginning that comes twice tells only what the first didn’t', () => {
    const usage = { input_tokens: 99, cache_read_input_tokens: 7, output_tokens: 50 };
    const first = start({ usage: { input_tokens: 10, cache_read_input_tokens: 0, output_tokens: 1 } });
    const events = [first, start({ usage }), ...text(0, 'Hi'), ...end('end_turn')];
    assert.deepEqual(replyOf(decode('anthropic', events)).usage, { input: 10, cacheRead: 7, output: 5 });
  });
});

const chunk = (delta: object, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const entry = (given: string, more: object = {}, name?: string) => ({
  ...more,
  function: { ...(name === undefined ? {} : { name }), arguments: given },
});
const calls = (...entries: object[]) => chunk({ tool_calls: entries });
const last = chunk({}, { finish_reason: 'tool_calls', usage: { prompt_tokens: 3, completion_tokens: 2 } });

describe('Chat Completions', () => {
  const argumentsOf = (...events: object[]) =>
    replyOf(decode('openai-chat', events)).parts.map((part) =>
      part.type === 'call' ? [part.id, part.name, part.malformed ?? part.arguments] : part,
    );
  const both = [
    ['a', 'read', { path: 'x' }],
    ['b', 'list', { deep: true }],
  ];
  const begun = calls(entry('', { id: 'a' }, 'read'), entry('', { id: 'b' }, 'list'));

  test('calls that come side by side without an index go on side by side', () => {
    const grown = [calls(entry('{"path":'), entry('{"deep":')), calls(entry('"x"}'), entry('true}'))];
    assert.deepEqual(argumentsOf(begun, ...grown, last), both);
    assert.deepEqual(
      argumentsOf(begun, calls(entry(''), entry('{"deep":true}')), calls(entry('{"path":"x"}'), entry('')), last),
      both,
    );
  });

  test('calls that began without an index are found by the one of their place', () => {
    const indexed = (index: number, given: string) => entry(given, { index });
    assert.deepEqual(argumentsOf(begun, calls(indexed(1, '{"deep":true}'), indexed(0, '{"path":"x"}')), last), both);
    assert.deepEqual(
      argumentsOf(begun, calls(indexed(1, '{"deep":true}')), calls(indexed(0, '{"path":"x"}')), last),
      both,
    );
  });

  test('a piece that comes alone without an index still belongs to the last call', () => {
    assert.deepEqual(argumentsOf(begun, calls(entry('{"deep":')), calls(entry('true}')), last), [
      ['a', 'read', {}],
      both[1],
    ]);
    const whole = calls(entry('{"path":"x"}', { id: 'a' }, 'read'));
    assert.deepEqual(argumentsOf(whole, calls(entry('{"deep":true}', { id: 'b' }, 'list')), last), both);
  });

  test('calls that come whole side by side, and again, are as many as came', () => {
    const pair = (...paths: string[]) => calls(...paths.map((path) => entry(`{"path":"${path}"}`, {}, 'read')));
    const found = argumentsOf(pair('1', '2'), pair('3', '4'), last).map((call) =>
      Array.isArray(call) ? call[2] : call,
    );
    assert.deepEqual(
      found,
      ['1', '2', '3', '4'].map((path) => ({ path })),
    );
  });

  test('usage that stands with the choice counts, and what comes after it for the whole counts more', () => {
    const told = (prompt: number) => ({ prompt_tokens: prompt, completion_tokens: 2 });
    const final = chunk({}, { finish_reason: 'stop', usage: told(3) });
    const says = chunk({ content: 'Hi' });
    assert.deepEqual(replyOf(decode('openai-chat', [says, final])).usage, { input: 3, output: 2 });
    const after = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage: told(9) };
    assert.deepEqual(replyOf(decode('openai-chat', [says, final, after])).usage, { input: 9, output: 2 });
  });
});

const added = (index: number, item: object) => ({ type: 'response.output_item.added', output_index: index, item });
const done = (index: number, item: object) => ({ type: 'response.output_item.done', output_index: index, item });
const grows = (type: string, id: string, delta: string) => ({ type: `response.${type}.delta`, item_id: id, delta });
const completed = (response: object = {}) => ({
  type: 'response.completed',
  response: { usage: { input_tokens: 4, output_tokens: 2 }, ...response },
});

describe('OpenAI Responses', () => {
  const created = { type: 'response.created', response: { id: 'resp_1' } };

  test('an item that is closed without saying what it holds holds what came in pieces', () => {
    const sealed = { id: 'rs_1', type: 'reasoning', encrypted_content: 'sealed' };
    const call = { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'read' };
    const reply = replyOf(
      decode('openai-responses', [
        created,
        added(0, sealed),
        grows('reasoning_summary_text', 'rs_1', 'Hm.'),
        done(0, sealed),
        added(1, { id: 'msg_1', type: 'message' }),
        grows('output_text', 'msg_1', 'I '),
        grows('output_text', 'msg_1', 'read.'),
        done(1, { id: 'msg_1', type: 'message' }),
        added(2, { ...call, arguments: '' }),
        grows('function_call_arguments', 'fc_1', '{"path":"x"}'),
        done(2, call),
        completed(),
      ]),
    );
    const thought = { ...sealed, summary: [{ type: 'summary_text', text: 'Hm.' }] };
    assert.deepEqual(reply, {
      parts: [
        { type: 'thinking', text: 'Hm.', opaque: thought },
        { type: 'text', text: 'I read.' },
        { type: 'call', id: 'c1', name: 'read', arguments: { path: 'x' } },
      ],
      stop: 'calls',
      stopRaw: 'completed',
      usage: { input: 4, output: 2 },
      providerId: 'resp_1',
    });
    const { id: _, ...sent } = thought;
    assert.deepEqual(sentAgain('openai-responses', reply.parts)[0], sent);
  });

  test('what an item says when it is closed counts, whatever came in pieces', () => {
    const sealed = { id: 'rs_1', type: 'reasoning', summary: [], content: [], encrypted_content: 'sealed' };
    const said = { id: 'msg_1', type: 'message', content: [{ type: 'output_text', text: 'Yes.' }] };
    const events = [
      added(0, sealed),
      done(0, sealed),
      added(1, { ...said, content: [] }),
      grows('output_text', 'msg_1', 'No.'),
      done(1, said),
      completed({ status: 'completed' }),
    ];
    const { parts } = replyOf(decode('openai-responses', events));
    assert.deepEqual(parts, [
      { type: 'thinking', text: '', opaque: sealed },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  test('the provider’s own calls go back as they came, and those that it waits for are answered', () => {
    const shell = { type: 'local_shell_call', call_id: 'c1', status: 'completed', action: { type: 'exec' } };
    const search = { type: 'tool_search_call', call_id: 'c2', status: 'completed', arguments: {}, execution: 'client' };
    const own = [
      { type: 'tool_search_call', call_id: null, status: 'completed', arguments: {}, execution: 'server' },
      { type: 'tool_search_output', call_id: null, status: 'completed', tools: [], execution: 'server' },
    ];
    const items = [shell, search, ...own];
    const events = [created, ...items.map((item, index) => done(index, item)), completed({ status: 'completed' })];
    const { parts } = replyOf(decode('openai-responses', events));
    const sent = sentAgain('openai-responses', parts);
    assert.deepEqual(sent.slice(0, 4), items);
    assert.deepEqual(
      sent.slice(4).map(({ type, call_id: id }) => [type, id]),
      [
        ['local_shell_call_output', 'c1'],
        ['tool_search_output', 'c2'],
      ],
    );
    assert.equal(sentAgain('openai-responses', [...parts, { type: 'opaque', opaque: sent[4] ?? {} }]).length, 6);
  });
});

test('the reference readers read all of them the same', async (context) => {
  const { files } = await playRecordings(await folderOf(context, played));
  assert.ok(files.length > 15);
  for (const { verdict, file, differences, reason } of files)
    assert.equal(verdict, 'exact', `${played[file] ?? file} ${JSON.stringify(differences)} ${reason}`);
});

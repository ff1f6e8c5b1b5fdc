import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSentBody, SequenceWatch, type SentBody } from '../../src/testing/index.ts';

const bytesOf = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));

function read(path: string, body: unknown): SentBody {
  const sent = readSentBody(path, bytesOf(body));
  assert.ok(sent, 'it can be read');
  return sent;
}

/** Kinds of the pieces, frames left out. */
const kindsIn = ({ pieces }: SentBody): string[] => pieces.filter(({ count }) => count === 1).map(({ kind }) => kind);

describe('the body of each wire is taken apart', () => {
  const all = ['tools', 'system', 'user', 'calls', 'results'];

  test('Messages', () => {
    const sent = read('/v1/messages', {
      model: 'claude-a',
      tools: [{ name: 'read', input_schema: {} }],
      system: 'Be brief.',
      messages: [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'read', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
      ],
    });
    assert.deepEqual([sent.wire, sent.model, kindsIn(sent)], ['anthropic', 'claude-a', all]);
  });

  test('Chat Completions', () => {
    const sent = read('/openai/v1/chat/completions', {
      model: 'gpt-a',
      tools: [{ type: 'function', function: { name: 'read' } }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'look' },
        { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'read', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c', content: 'x' },
      ],
    });
    assert.deepEqual([sent.wire, sent.model, kindsIn(sent)], ['openai-chat', 'gpt-a', all]);
  });

  test('Responses, and whether what came before is in it', () => {
    const body = {
      model: 'gpt-b',
      tools: [{ type: 'function', name: 'read' }],
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'look' },
        { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'x' },
      ],
    };
    const sent = read('/v1/responses', body);
    assert.deepEqual([sent.wire, sent.model, kindsIn(sent)], ['openai-responses', 'gpt-b', all]);
    assert.equal(sent.isStored, false);
    assert.equal(read('/v1/responses', { ...body, previous_response_id: 'resp_1' }).isStored, true);
  });

  test('generateContent, whose model is in the path', () => {
    const sent = read('/v1beta/models/gemini-a:streamGenerateContent', {
      tools: [{ functionDeclarations: [{ name: 'read' }] }],
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'look' }] },
        { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'x' } } }] },
      ],
    });
    assert.deepEqual([sent.wire, sent.model, kindsIn(sent)], ['gemini', 'gemini-a', all]);
  });

  test('the tokens of the pieces are those of the parts', () => {
    const data = 'A'.repeat(100_000);
    const source = { type: 'base64', media_type: 'image/png', data };
    const content = [
      { type: 'text', text: 'look '.repeat(400) },
      { type: 'image', source },
    ];
    const sent = read('/v1/messages', { messages: [{ role: 'user', content }] });
    const sum = (list: readonly { tokens: number }[]) => list.reduce((total, { tokens }) => total + tokens, 0);
    assert.equal(sum(sent.pieces), sum(sent.parts));
    const image = sent.pieces.find(({ kind, count }) => kind === 'images' && count === 1);
    assert.ok(image && image.tokens > 1_000 && image.tokens < 2_000, 'an image weighs what images weigh');
  });
});

describe('what is no request is told', () => {
  const deep = Buffer.from(`{"messages":[{"role":"user","content":${'['.repeat(200_000)}${']'.repeat(200_000)}}]}`);
  for (const [what, path, bytes] of [
    ['another path', '/v1/models', bytesOf({})],
    ['counting', '/v1/messages/count_tokens', bytesOf({ messages: [] })],
    ['no JSON', '/v1/messages', Buffer.from('{')],
    ['no object', '/v1/messages', bytesOf([])],
    ['no UTF-8', '/v1/messages', Buffer.from([0x7b, 0xff, 0x7d])],
    ['nested without end', '/v1/messages', deep],
  ] as const) {
    test(what, () => assert.equal(readSentBody(path, bytes), undefined));
  }

  for (const strange of [
    {},
    { messages: 7, tools: 'all', system: { a: 1 } },
    { messages: [null, 3, [], { role: 5, content: { type: 'text' } }], tools: [null, []], system: [1, null] },
    { input: [null, 'x', { type: 7 }], instructions: 3, contents: [{ parts: 'x' }, null] },
  ]) {
    test(`but a strange shape is read as far as it goes: ${JSON.stringify(strange)}`, () => {
      for (const path of [
        '/v1/messages',
        '/v1/chat/completions',
        '/v1/responses',
        '/v1beta/models/m:generateContent',
      ]) {
        assert.ok(readSentBody(path, bytesOf(strange)), path);
      }
    });
  }
});

describe('requests one after the other', () => {
  const system = [{ type: 'text', text: 'You are brief. é' }];
  const tools = [{ name: 'read' }, { name: 'edit' }];
  const hello = { role: 'user', content: 'hello' };
  const more = [hello, { role: 'assistant', content: 'hi' }, { role: 'user', content: 'go on' }];
  const partsOf = (body: unknown) => read('/v1/messages', body).parts;
  const first = partsOf({ tools, system, messages: [hello] });

  test('one that goes on extends the one before, whatever moves its cache marks', () => {
    const watch = new SequenceWatch();
    assert.deepEqual(watch.next(1, first), { prefix: 'first' });
    const marked = { ...system[0], cache_control: { type: 'ephemeral' } };
    assert.deepEqual(watch.next(2, partsOf({ tools, system: [marked], messages: more })), {
      prefix: 'extends',
      before: 1,
    });
    assert.deepEqual(watch.next(3, partsOf({ tools, system, messages: more })), { prefix: 'extends', before: 2 });
  });

  test('one for something else in between breaks only itself', () => {
    const watch = new SequenceWatch();
    watch.next(1, first);
    const title = watch.next(2, partsOf({ system: 'Make a title.', messages: [hello] }));
    assert.equal(title.prefix, 'broke');
    assert.deepEqual(watch.next(3, partsOf({ tools, system, messages: more })), { prefix: 'extends', before: 1 });
  });

  test('a break is named by its first part, the byte in the sequence, and what a cache loses', () => {
    const watch = new SequenceWatch();
    watch.next(1, first);
    const changed = [{ type: 'text', text: 'You are brief. è' }];
    const extension = watch.next(2, partsOf({ tools, system: changed, messages: more }));
    const at = Buffer.byteLength('{"name":"read"}{"name":"edit"}{"type":"text","text":"You are brief. ');
    const tokens = first.slice(2).reduce((sum, part) => sum + part.tokens, 0);
    const broke = { of: 'system', part: 1, name: 'You are brief. é', at, tokens };
    assert.deepEqual(extension, { prefix: 'broke', before: 1, broke });
  });

  test('a tool that is put in is to blame, not the prompt that it moves', () => {
    const watch = new SequenceWatch();
    watch.next(1, first);
    const extension = watch.next(2, partsOf({ tools: [...tools, { name: 'web' }], system, messages: more }));
    assert.ok(extension.prefix === 'broke');
    assert.deepEqual([extension.broke.of, extension.broke.part, extension.broke.name], ['tools', 3, 'web']);
  });

  test('a request that only ends earlier breaks where it ends', () => {
    const watch = new SequenceWatch();
    const long = partsOf({ tools, system, messages: more });
    watch.next(1, long);
    const extension = watch.next(2, first);
    assert.ok(extension.prefix === 'broke');
    const at = first.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    assert.deepEqual([extension.broke.of, extension.broke.at, extension.broke.name], ['messages', at, 'hi']);
  });

  test('anything extends an empty one', () => {
    const watch = new SequenceWatch();
    watch.next(1, []);
    assert.deepEqual(watch.next(2, first), { prefix: 'extends', before: 1 });
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Anthropic from '@anthropic-ai/sdk';
import * as fc from 'fast-check';
import type { Json, JsonObject, Message, ReplyPart, ResultPart, Source, TextPart } from '../../src/core/index.ts';
import { loadWire, type Standing } from '../../src/model/index.ts';
import type { RequestBody } from '../../src/model/wires/anthropic/schema.ts';

const wire = await loadWire('anthropic');
const source: Source = { wire: 'anthropic', model: 'claude-test-1' };
const foreign: Source = { wire: 'anthropic', model: 'claude-other' };
const tool = (name: string) => ({ name, description: `Does ${name}.`, input: { type: 'object', properties: {} } });
const standing: Standing = { system: ['Static.', 'Standing.'], tools: [tool('read'), tool('edit')], settings: {} };

/** The body's shape is one that the official client would send. */
export const typed = (body: RequestBody): Anthropic.MessageCreateParamsStreaming => body;

interface Block {
  type: string;
  [key: string]: Json;
}
interface Body {
  model: string;
  tools?: JsonObject[];
  system?: Block[];
  messages: { role: string; content: Block[] }[];
  [key: string]: unknown;
}

function encode(messages: Message[], changes: Partial<Standing> = {}, maxOutput = 1_000): Body {
  const { body } = wire.encode({ ...standing, ...changes }, messages, maxOutput, source);
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
}

const user = (...parts: (ResultPart | TextPart)[]): Message => ({ role: 'user', parts });
const assistant = (parts: ReplyPart[], from = source): Message => ({ role: 'assistant', parts, source: from });
const text = (words: string): TextPart => ({ type: 'text', text: words });
const call = (id: string, name = 'read', args: JsonObject = {}): ReplyPart => ({
  type: 'call',
  id,
  name,
  arguments: args,
});
const result = (id: string, words: string, error = false): ResultPart => ({
  type: 'result',
  id,
  name: 'read',
  text: words,
  error,
});
const marked = { cache_control: { type: 'ephemeral' } };

describe('the body, byte for byte', () => {
  test('keys in their order, marks last in their blocks, what varies at the end', () => {
    const { body, sections } = wire.encode(
      { ...standing, settings: { temperature: 0.5, thinking: { type: 'adaptive' }, effort: 'high' } },
      [user(text('Fix it.'))],
      1_000,
      source,
    );
    const mark = '"cache_control":{"type":"ephemeral"}';
    const empty = '"input_schema":{"type":"object","properties":{}}';
    const tools = `[{"name":"read","description":"Does read.",${empty}},{"name":"edit","description":"Does edit.",${empty},${mark}}]`;
    const system = `[{"type":"text","text":"Static.",${mark}},{"type":"text","text":"Standing.",${mark}}]`;
    const messages = `[{"role":"user","content":[{"type":"text","text":"Fix it.",${mark}}]}]`;
    assert.equal(
      body.toString(),
      `{"model":"claude-test-1","tools":${tools},"system":${system},"messages":${messages},"max_tokens":1000,"stream":true,` +
        '"temperature":0.5,"thinking":{"type":"adaptive"},"output_config":{"effort":"high"}}',
    );
    const part = (range: { start: number; end: number }) => body.subarray(range.start, range.end).toString();
    assert.deepEqual([part(sections.tools), part(sections.system), part(sections.messages)], [tools, system, messages]);
  });

  test('nothing is sent for no tools and no system prompt', () => {
    const body = encode([user(text('Hi.'))], { tools: [], system: ['', ' \n'] });
    assert.deepEqual(Object.keys(body), ['model', 'messages', 'max_tokens', 'stream']);
  });

  test('at most four marks, however many layers there are', () => {
    const { body } = wire.encode({ ...standing, system: ['a', 'b', 'c', 'd'] }, [user(text('Hi.'))], 1, source);
    assert.equal(body.toString().split('cache_control').length - 1, 4);
  });

  test('a schema that doesn’t say so is still of an object', () => {
    const tools = [{ name: 'x', description: '', input: { properties: {} } }];
    assert.deepEqual(encode([user(text('Hi.'))], { tools }).tools?.[0]?.['input_schema'], {
      properties: {},
      type: 'object',
    });
  });

  test('one layer takes one mark', () => {
    assert.deepEqual(encode([user(text('Hi.'))], { system: ['only'] }).system, [
      { type: 'text', text: 'only', ...marked },
    ]);
  });

  test('headers and path', () => {
    assert.equal(wire.path(source), '/v1/messages');
    assert.equal(wire.headers()['anthropic-version'], '2023-06-01');
    assert.deepEqual(wire.keyHeaders('k'), { 'x-api-key': 'k' });
  });
});

describe('settings', () => {
  const settings = (values: JsonObject, maxOutput?: number) =>
    encode([user(text('Hi.'))], { settings: values }, maxOutput);

  test('are passed through as they are, and only when set', () => {
    const body = settings({ thinking: { type: 'enabled', budget_tokens: 2_000 }, top_k: 4, temperature: null }, 4_000);
    assert.deepEqual(body['thinking'], { type: 'enabled', budget_tokens: 2_000 });
    assert.equal(body['top_k'], 4);
    assert.ok(!('temperature' in body) && !('output_config' in body));
  });

  test('effort joins what is set for the output', () => {
    assert.deepEqual(settings({ output_config: { format: { type: 'x' } }, effort: 'low' })['output_config'], {
      format: { type: 'x' },
      effort: 'low',
    });
  });

  test('a thinking budget stays below the output limit, or there is no thinking', () => {
    const thinking = { type: 'enabled', budget_tokens: 8_000 };
    assert.deepEqual(settings({ thinking }, 8_001)['thinking'], thinking);
    assert.deepEqual(settings({ thinking }, 8_000)['thinking'], { type: 'enabled', budget_tokens: 7_999 });
    assert.deepEqual(settings({ thinking }, 1_025)['thinking'], { type: 'enabled', budget_tokens: 1_024 });
    assert.ok(!('thinking' in settings({ thinking }, 1_024)));
  });

  test('what the wire itself sends can’t be overwritten', () => {
    for (const key of ['model', 'messages', 'system', 'tools', 'max_tokens', 'stream', 'cache_control']) {
      assert.throws(() => settings({ [key]: 1 }), { code: 'config-invalid' }, key);
    }
  });
});

describe('calls and results', () => {
  test('results come first, in the order of the calls, then what was said', () => {
    const body = encode([
      user(text('Go.')),
      assistant([call('a'), call('b')]),
      user(result('b', 'B', true), result('a', 'A'), text('And hurry.')),
    ]);
    assert.deepEqual(body.messages.at(-1)?.content, [
      { type: 'tool_result', tool_use_id: 'a', content: 'A' },
      { type: 'tool_result', tool_use_id: 'b', content: 'B', is_error: true },
      { type: 'text', text: 'And hurry.', ...marked },
    ]);
  });

  test('an empty result says so in words', () => {
    const body = encode([
      user(text('Go.')),
      assistant([call('a'), call('b')]),
      user(result('a', ' \n'), result('b', '', true)),
    ]);
    assert.deepEqual(
      body.messages.at(-1)?.content.map((block) => block['content']),
      ['(no output)', '(failed without output)'],
    );
  });

  test('the provider’s ids stay where they are legal and used once', () => {
    const id = `toolu_${'x'.repeat(58)}`;
    assert.equal(id.length, 64);
    const body = encode([user(text('Go.')), assistant([call(id)]), user(result(id, 'A'))]);
    assert.equal(body.messages[1]?.content[0]?.['id'], id);
    assert.equal(body.messages[2]?.content[0]?.['tool_use_id'], id);
  });

  test('ids that are doubled, illegal, too long or missing are cast alike in call and result', () => {
    const long = 'y'.repeat(65);
    const ids = ['x', 'x', 'a b', 'a_b', '', long, 'é👋'];
    const messages = [
      user(text('Go.')),
      assistant(ids.map((id) => call(id))),
      user(...ids.map((id, i) => result(id, `R${i}`))),
    ];
    const again = [assistant([call('x')]), user(result('x', 'last'))];
    const body = encode([...messages, ...again]);
    const calls = body.messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_use'));
    const results = body.messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_result'));
    const sent = calls.map((block) => block['id']);
    assert.deepEqual(sent, ['x', 'x_2', 'a_b', 'a_b_2', 'call', long.slice(0, 64), '___', 'x_3']);
    assert.deepEqual(
      results.map((block) => block['tool_use_id']),
      sent,
    );
    assert.deepEqual(
      results.map((block) => block['content']),
      ['R0', 'R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'last'],
    );
  });

  test('a malformed call goes back without arguments, an invented name in legal characters', () => {
    const parts: ReplyPart[] = [
      { type: 'call', id: 'a', name: 'edit', arguments: {}, malformed: '{"path":' },
      call('b', 'functions.read file'),
    ];
    const body = encode([user(text('Go.')), assistant(parts), user(result('a', 'bad'), result('b', 'unknown'))]);
    assert.deepEqual(body.messages[1]?.content, [
      { type: 'tool_use', id: 'a', name: 'edit', input: {} },
      { type: 'tool_use', id: 'b', name: 'functions_read_file', input: {} },
    ]);
  });

  test('the block of a call that says more goes back whole to its own model', () => {
    const opaque = { type: 'tool_use', id: 'a b', name: 'read', input: { p: 1 }, caller: { type: 'x' } };
    const part: ReplyPart = { type: 'call', id: 'a b', name: 'read', arguments: { p: 1 }, opaque };
    const send = (from: Source) => encode([user(text('Go.')), assistant([part], from), user(result('a b', 'A'))]);
    assert.deepEqual(send(source).messages[1]?.content, [{ ...opaque, id: 'a_b' }]);
    assert.deepEqual(send(foreign).messages[1]?.content, [
      { type: 'tool_use', id: 'a_b', name: 'read', input: { p: 1 } },
    ]);
  });

  test('arguments keep every key and value', () => {
    const args = JSON.parse(
      '{"__proto__":{"a":1},"10":"x","b":[null,true,1.5e-7],"c":"\\u2028</script>"}',
    ) as JsonObject;
    const { body } = wire.encode(
      standing,
      [user(text('Go.')), assistant([call('a', 'read', args)]), user(result('a', 'A'))],
      1,
      source,
    );
    assert.ok(body.toString().includes(`"input":${JSON.stringify(args)}`));
  });
});

describe('what a provider gave', () => {
  const thinking: ReplyPart = {
    type: 'thinking',
    text: 'Hm.',
    opaque: { type: 'thinking', thinking: 'Hm.', signature: 's\u2028' },
  };
  const redacted: ReplyPart = { type: 'opaque', opaque: { type: 'redacted_thinking', data: 'd' } };
  const cut: ReplyPart = { type: 'thinking', text: 'So mu' };
  const cited: ReplyPart = {
    type: 'text',
    text: 'As it says.',
    opaque: { type: 'text', text: 'As it says.', citations: [{ type: 'c' }] },
  };

  test('goes back to the same model verbatim and in order', () => {
    const body = encode([user(text('Go.')), assistant([thinking, redacted, cut, cited]), user(text('On.'))]);
    assert.deepEqual(body.messages[1]?.content, [
      { type: 'thinking', thinking: 'Hm.', signature: 's\u2028' },
      { type: 'redacted_thinking', data: 'd' },
      { type: 'text', text: 'As it says.', citations: [{ type: 'c' }] },
    ]);
  });

  test('never goes to another model or wire', () => {
    for (const from of [foreign, { wire: 'other', model: source.model }]) {
      const body = encode([user(text('Go.')), assistant([thinking, redacted, cited], from), user(text('On.'))]);
      assert.deepEqual(body.messages[1]?.content, [{ type: 'text', text: 'As it says.' }]);
    }
  });

  test('a reply of which nothing is left is no message, and its neighbours are one', () => {
    const body = encode([
      user(text('Go.')),
      assistant([thinking], foreign),
      user(text('On.')),
      assistant([cut]),
      user(text('And on.')),
    ]);
    assert.deepEqual(body.messages, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Go.' },
          { type: 'text', text: 'On.' },
          { type: 'text', text: 'And on.', ...marked },
        ],
      },
    ]);
  });

  test('a pause at the end goes back unchanged, the mark stays before it', () => {
    const server: ReplyPart = {
      type: 'opaque',
      opaque: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    };
    const body = encode([user(text('Go.')), assistant([text('I search.'), server])]);
    assert.deepEqual(body.messages, [
      { role: 'user', content: [{ type: 'text', text: 'Go.', ...marked }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I search.' },
          { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        ],
      },
    ]);
  });

  test('two replies in a row are one message, and results find the calls of both', () => {
    const body = encode([
      user(text('Go.')),
      assistant([call('a')]),
      assistant([call('b')]),
      user(result('a', 'A'), result('b', 'B')),
    ]);
    assert.deepEqual(
      body.messages.map(({ role, content }) => [role, content.length]),
      [
        ['user', 1],
        ['assistant', 2],
        ['user', 2],
      ],
    );
  });

  test('a result without a call has no place in a request', () => {
    const body = encode([user(text('Go.')), assistant([text('Well.')]), user(result('a', 'A'), text('On.'))]);
    assert.deepEqual(body.messages.at(-1)?.content, [{ type: 'text', text: 'On.', ...marked }]);
  });
});

describe('text', () => {
  test('half characters become U+FFFD everywhere, whole ones stay', () => {
    const half = 'a\ud83d';
    const { body } = wire.encode(
      { ...standing, system: [half] },
      [
        user(text(`${half}👋`)),
        assistant([call('a', 'read', { [half]: [half, '\\ud83d'] })]),
        user(result('a', `\udc4b${half}`)),
      ],
      1,
      source,
    );
    assert.doesNotMatch(body.toString(), /(?<!\\)\\ud[89a-f]/);
    const sent: Body = JSON.parse(body.toString());
    assert.deepEqual(sent.system, [{ type: 'text', text: 'a\ufffd', ...marked }]);
    assert.deepEqual(sent.messages[0]?.content, [{ type: 'text', text: 'a\ufffd👋' }]);
    assert.deepEqual(sent.messages[1]?.content[0]?.['input'], { 'a\ufffd': ['a\ufffd', '\\ud83d'] });
    assert.equal(sent.messages[2]?.content[0]?.['content'], '\ufffda\ufffd');
  });

  test('blank text is never sent', () => {
    const body = encode([
      user(text('Go.'), text(' \n\t')),
      assistant([text(''), text('  '), text('Well.')]),
      user(text('On.')),
    ]);
    assert.deepEqual(
      body.messages.map(({ content }) => content.length),
      [1, 1, 1],
    );
  });
});

/** A conversation of a model with tools: whatever ids and texts, each call is answered in the next message. */
const words = fc.oneof(fc.string(), fc.constantFrom('', ' ', 'é👋', '\ud83d', 'x\u2028y', '"\\', '}],"system":['));
const callId = fc.oneof(fc.constantFrom('a', 'b', 'a b', '', 'toolu_1'), fc.string({ maxLength: 70 }));
const origin = fc.constantFrom(source, foreign);
const otherPart: fc.Arbitrary<ReplyPart> = fc.oneof(
  words.map(text),
  words.map((thinking): ReplyPart => ({
    type: 'thinking',
    text: thinking,
    opaque: { type: 'thinking', thinking, signature: 's' },
  })),
  words.map((thought): ReplyPart => ({ type: 'thinking', text: thought })),
  fc.constant<ReplyPart>({ type: 'opaque', opaque: { type: 'redacted_thinking', data: 'd' } }),
);
const turn = fc
  .record({
    others: fc.array(otherPart, { maxLength: 3 }),
    ids: fc.array(callId, { maxLength: 3 }),
    origin,
    said: words,
    shuffle: fc.boolean(),
  })
  .map(({ others, ids, origin: from, said, shuffle }): Message[] => {
    const results = ids.map((id, index) => result(id, `${index}${said}`));
    if (shuffle) results.reverse();
    // Of two calls with one id, the results keep their order; only those of different ids may come in any.
    if (new Set(ids).size < ids.length) results.sort((a, b) => a.text.localeCompare(b.text));
    const parts = [...results, text(`.${said}`)];
    return [assistant([...others, ...ids.map((id) => call(id, 'read', { said }))], from), user(...parts)];
  });
const conversation = fc.array(turn, { maxLength: 6 }).map((turns) => [user(text('Go.')), ...turns.flat()]);

/** The JSON of a text with more in it than white space. */
const notBlank = /^"(?!(?:\s|\\[ntrfv]|\\u000b|\\ufeff)*"$)/;

/** What a strict provider rejects. */
function assertLegal(body: Body): void {
  let open: Json[] = [];
  const used = new Set<Json>();
  body.messages.forEach((message, index) => {
    assert.equal(message.role, index % 2 === 0 ? 'user' : 'assistant', 'roles alternate');
    assert.ok(message.content.length > 0, 'no empty message');
    const results = message.content.filter((block) => block.type === 'tool_result');
    assert.deepEqual(message.content.slice(0, results.length), results, 'results come first');
    assert.deepEqual(
      results.map((block) => block['tool_use_id'] ?? null),
      open,
      'each call has its result, in order',
    );
    open = message.content.filter((block) => block.type === 'tool_use').map((block) => block['id'] ?? null);
    for (const id of open) {
      assert.match(JSON.stringify(id), /^"[a-zA-Z0-9_-]{1,64}"$/);
      assert.ok(!used.has(id), 'no id twice');
      used.add(id);
    }
    for (const block of message.content) {
      if (block.type === 'text') assert.match(JSON.stringify(block['text']), notBlank);
      if (block.type === 'tool_result') assert.match(JSON.stringify(block['content']), notBlank);
    }
  });
  assert.deepEqual(open, [], 'no call without a result at the end');
}

describe('any conversation', () => {
  test('is legal for a strict provider', () => {
    fc.assert(fc.property(conversation, (messages) => assertLegal(encode(messages))));
  });

  test('gives the same bytes from new objects, whatever was encoded before', () => {
    fc.assert(
      fc.property(conversation, conversation, (messages, others) => {
        const longer = [...others, ...messages.slice(1)];
        for (const talk of [messages, longer, messages]) {
          for (const from of [source, foreign, source]) {
            const fresh = wire.encode(structuredClone(standing), structuredClone(talk), 1, from).body;
            assert.deepEqual(wire.encode(standing, talk, 1, from).body, fresh);
          }
        }
      }),
    );
  });

  test('grows at its end only: without marks and limits, each request is the start of the next', () => {
    const mark = ',"cache_control":{"type":"ephemeral"}';
    const upToMessages = (messages: Message[]) => {
      const { body, sections } = wire.encode(standing, messages, messages.length, source);
      return body
        .subarray(0, sections.messages.end - 3)
        .toString()
        .replaceAll(mark, '');
    };
    fc.assert(
      fc.property(conversation, (messages) => {
        let last = '';
        for (let length = 1; length <= messages.length; length += 2) {
          const current = upToMessages(messages.slice(0, length));
          assert.ok(current.startsWith(last));
          last = current;
        }
      }),
    );
  });

  test('its canonical sequence can be read back out of its bytes', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const { body, canonical } = wire.encode(standing, messages, 1, source);
        assert.deepEqual(wire.canonical(body), canonical);
      }),
    );
    assert.equal(wire.canonical(Buffer.from('no body')), undefined);
    assert.equal(wire.canonical(Buffer.from('{"messages":[{"role":"user"}]}')), undefined);
  });
});

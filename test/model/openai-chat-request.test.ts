import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type OpenAI from 'openai';
import type {
  ImagePart,
  Json,
  JsonObject,
  Message,
  ReplyPart,
  ResultPart,
  Source,
  TextPart,
  ToolSpec,
} from '../../src/core/index.ts';
import { loadWire } from '../../src/model/index.ts';
import type { AssistantMessage, RequestBody } from '../../src/model/wires/openai-chat/schema.ts';
import { bodyText, orderFor, type Changes } from './orders.ts';

const wire = await loadWire('openai-chat');
const source: Source = { provider: 'maker', wire: 'openai-chat', model: 'model-1' };
const foreign: Source = { provider: 'other', wire: 'anthropic', model: 'claude-other' };
const tool = (name: string): ToolSpec => ({
  name,
  description: `Does ${name}.`,
  input: { type: 'object', properties: {} },
});
const standing: Changes = { system: ['Static.', 'Standing.'], tools: [tool('read'), tool('edit')] };

type Official = OpenAI.ChatCompletionCreateParamsStreaming;
/** A reply without reasoning, which only other providers than OpenAI give and take. */
type Reply = Pick<AssistantMessage, 'role' | 'tool_calls'> & { content: string | null };
type OfficialBody = Omit<RequestBody, 'messages'> & {
  messages: (Exclude<RequestBody['messages'][number], AssistantMessage> | Reply)[];
};

/** The body's shape is one that the official client would send. */
export const typed = (body: OfficialBody): Official => body;

interface Body extends Official {
  [key: string]: unknown;
}

const encode = (messages: Message[], changes: Changes = {}): Body =>
  JSON.parse(bodyText(wire, orderFor(wire, messages, { ...standing, ...changes })));

/** All messages after the system prompt. */
const said = (messages: Message[], changes: Changes = {}) => encode(messages, { system: [], ...changes }).messages;

const user = (...parts: (ResultPart | ImagePart | TextPart)[]): Message => ({ role: 'user', parts });
const assistant = (parts: ReplyPart[], from = source): Message => ({ role: 'assistant', parts, source: from });
const text = (words: string): TextPart => ({ type: 'text', text: words });
const call = (id: string, name = 'read', args: JsonObject = {}): ReplyPart => ({
  type: 'call',
  id,
  name,
  arguments: args,
});
const result = (id: string, words: string, more: Partial<ResultPart> = {}): ResultPart => ({
  type: 'result',
  id,
  name: 'read',
  text: words,
  error: false,
  ...more,
});
const image: ImagePart = { type: 'image', mediaType: 'image/png', blob: 'b1', bytes: 1_200 };
const sentCall = (id: string, name = 'read', args = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

describe('the body, byte for byte', () => {
  const empty = '"parameters":{"type":"object","properties":{}}';
  const tools =
    `[{"type":"function","function":{"name":"read","description":"Does read.",${empty}}},` +
    `{"type":"function","function":{"name":"edit","description":"Does edit.",${empty}}}]`;

  test('keys in their order, what varies at the end', () => {
    const order = orderFor(wire, [user(text('Fix it.'))], {
      ...standing,
      settings: { temperature: 0.5, topP: 0.9, effort: 'high', body: { top_k: 4 } },
    });
    const { body, sections } = wire.encode(order);
    const system = '{"role":"system","content":"Static.\\n\\nStanding."}';
    assert.equal(
      body.toString(),
      `{"model":"model-1","tools":${tools},"messages":[${system},{"role":"user","content":"Fix it."}],"max_tokens":1000,` +
        '"stream":true,"stream_options":{"include_usage":true},"top_k":4,"reasoning_effort":"high","temperature":0.5,"top_p":0.9}',
    );
    const part = (range: { start: number; end: number }) => body.subarray(range.start, range.end).toString();
    assert.equal(part(sections.tools), tools);
    assert.equal(part(sections.system), system);
    assert.equal(part(sections.messages), ',{"role":"user","content":"Fix it."}]');
  });

  test('nothing is sent for no tools and no system prompt', () => {
    const order = orderFor(wire, [user(text('Hi.'))], { system: ['', ' \n'] });
    const { body, sections } = wire.encode(order);
    assert.deepEqual(Object.keys(JSON.parse(body.toString())), [
      'model',
      'messages',
      'max_tokens',
      'stream',
      'stream_options',
    ]);
    assert.equal(sections.system.start, sections.system.end);
    const { start, end } = sections.messages;
    assert.equal(body.subarray(start, end).toString(), '[{"role":"user","content":"Hi."}]');
  });

  test('a tool that can’t be cast is left out by name, one with an odd name is renamed there and in the calls', () => {
    const huge = { ...tool('huge'), input: { type: 'object', description: 'x'.repeat(300_000) } };
    const changes = { ...standing, tools: [tool('files.read'), huge] };
    const messages = [user(text('Go.')), assistant([call('a', 'files.read')]), user(result('a', 'A'))];
    const { body, leftOut } = wire.encode(orderFor(wire, messages, changes));
    const sent: Body = JSON.parse(body.toString());
    assert.deepEqual(
      leftOut.map((left) => left.tool),
      ['huge'],
    );
    assert.deepEqual(
      sent.tools?.map((each) => each.type === 'function' && each.function.name),
      ['files_read'],
    );
    assert.deepEqual(sent.messages[2], { role: 'assistant', content: null, tool_calls: [sentCall('a', 'files_read')] });
  });

  test('the same conversation is encoded anew for other tools', () => {
    const messages = [user(text('Go.')), assistant([call('a', 'files.read')]), user(result('a', 'A'))];
    const name = (tools: ToolSpec[]) => {
      const reply = said(messages, { tools })[1];
      const [made] = (reply?.role === 'assistant' && reply.tool_calls) || [];
      return made?.type === 'function' ? made.function.name : undefined;
    };
    assert.equal(name([tool('files.read')]), 'files_read');
    assert.equal(name([tool('files_read'), tool('files.read')]), 'files_read_2');
  });

  test('headers and path', () => {
    const { target } = orderFor(wire, []);
    assert.equal(wire.path(target), '/v1/chat/completions');
    assert.deepEqual(wire.keyHeaders('k'), { authorization: 'Bearer k' });
    assert.equal(wire.headers()['content-type'], 'application/json');
  });
});

describe('settings of the body', () => {
  const settings = (body: JsonObject) => encode([user(text('Hi.'))], { settings: { body } });

  test('are passed through as they are, and only when set', () => {
    const body = settings({ top_k: 4, seed: null, tool_choice: 'auto' });
    assert.equal(body['top_k'], 4);
    assert.equal(body.tool_choice, 'auto');
    assert.ok(!('seed' in body));
  });

  test('what the wire itself sends can’t be overwritten', () => {
    for (const key of ['model', 'messages', 'tools', 'max_tokens', 'max_completion_tokens', 'stream']) {
      assert.throws(() => settings({ [key]: 1 }), { code: 'config-invalid' }, key);
    }
  });

  test('but whether usage is asked for can', () => {
    assert.ok(!('stream_options' in settings({ stream_options: null })));
    const options = { include_usage: true, include_obfuscation: false };
    assert.deepEqual(settings({ stream_options: options }).stream_options, options);
  });

  test('sampling goes only to a model that takes it', () => {
    const given = { settings: { temperature: 0.2, topP: 0.9 }, abilities: { sampling: false } };
    const body = encode([user(text('Hi.'))], given);
    assert.ok(!('temperature' in body) && !('top_p' in body));
  });
});

describe('calls and results', () => {
  test('each result is a message of its own, in the order of the calls, then what was said', () => {
    const messages = said([
      user(text('Go.')),
      assistant([text('I look.'), call('a', 'read', { path: 'x' }), call('b')]),
      user(result('b', 'B'), result('a', 'A'), text('And hurry.'), text('Please.')),
    ]);
    assert.deepEqual(messages, [
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [sentCall('a', 'read', '{"path":"x"}'), sentCall('b')],
      },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
      { role: 'user', content: 'And hurry.\n\nPlease.' },
    ]);
  });

  test('a failure is said in words, once', () => {
    const results = [
      result('a', ' \n'),
      result('b', '', { error: true }),
      result('c', 'no such file', { error: true }),
      result('d', 'Error: no such file', { error: true }),
      result('e', 'Error: is what the file says'),
    ];
    const calls = results.map(({ id }) => call(id));
    const tools = said([user(text('Go.')), assistant(calls), user(...results)]).slice(2);
    assert.deepEqual(
      tools.map(({ content }) => content),
      [
        '(no output)',
        'Error: failed without output.',
        'Error: no such file',
        'Error: no such file',
        'Error: is what the file says',
      ],
    );
  });

  test('ids that are doubled, illegal, too long or missing are cast alike in call and result', () => {
    const long = 'y'.repeat(65);
    const ids = ['x', 'x', 'a b', 'a_b', '', long, 'é👋'];
    const messages = said([
      user(text('Go.')),
      assistant(ids.map((id) => call(id))),
      user(...ids.map((id, index) => result(id, `R${index}`))),
      assistant([call('x')]),
      user(result('x', 'last')),
    ]);
    const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
    const tools = messages.filter((message) => message.role === 'tool');
    const sent = calls.map(({ id }) => id);
    assert.deepEqual(sent, ['x', 'x_2', 'a_b', 'a_b_2', 'call', long.slice(0, 64), '___', 'x_3']);
    assert.deepEqual(
      tools.map((message) => message.tool_call_id),
      sent,
    );
    assert.deepEqual(
      tools.map(({ content }) => content),
      ['R0', 'R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'last'],
    );
  });

  test('a malformed call goes back without arguments', () => {
    const part: ReplyPart = { type: 'call', id: 'a', name: 'edit', arguments: {}, malformed: '{"path":' };
    const [, reply] = said([user(text('Go.')), assistant([part]), user(result('a', 'bad'))]);
    assert.deepEqual(reply, { role: 'assistant', content: null, tool_calls: [sentCall('a', 'edit')] });
  });

  test('what a call says besides goes back to its own model alone', () => {
    const opaque = { extra_content: { google: { thought_signature: 's' } } };
    const part: ReplyPart = { type: 'call', id: 'a', name: 'read', arguments: {}, opaque };
    const send = (from: Source) => said([user(text('Go.')), assistant([part], from), user(result('a', 'A'))])[1];
    assert.deepEqual(send(source), {
      role: 'assistant',
      content: null,
      tool_calls: [{ ...sentCall('a'), ...opaque }],
    });
    assert.deepEqual(send(foreign), { role: 'assistant', content: null, tool_calls: [sentCall('a')] });
  });

  test('arguments keep every key and value', () => {
    const args = JSON.parse(
      '{"__proto__":{"a":1},"10":"x","b":[null,true,1.5e-7],"c":"\\u2028</script>"}',
    ) as JsonObject;
    const [, reply] = said([user(text('Go.')), assistant([call('a', 'read', args)]), user(result('a', 'A'))]);
    assert.ok(reply?.role === 'assistant');
    assert.deepEqual(reply.tool_calls, [sentCall('a', 'read', JSON.stringify(args))]);
  });

  test('a result without a call has no place in a request', () => {
    const messages = said([user(text('Go.')), assistant([text('Well.')]), user(result('a', 'A'), text('On.'))]);
    assert.deepEqual(messages.at(-1), { role: 'user', content: 'On.' });
    assert.equal(messages.length, 3);
  });
});

describe('a reply of another model', () => {
  const thinking: ReplyPart = { type: 'thinking', text: 'Hm.', opaque: { type: 'thinking', signature: 's' } };
  const opaque: ReplyPart = { type: 'opaque', opaque: { type: 'redacted_thinking', data: 'd' } };

  test('goes on as its text and its calls', () => {
    const parts = [thinking, opaque, text('First.'), call('toolu_1'), text('Second.')];
    const [, reply] = said([user(text('Go.')), assistant(parts, foreign), user(result('toolu_1', 'A'))]);
    assert.deepEqual(reply, {
      role: 'assistant',
      content: 'First.\n\nSecond.',
      tool_calls: [sentCall('toolu_1')],
    });
  });

  test('of which nothing is left is no message, and its neighbours are one', () => {
    const messages = said([user(text('Go.')), assistant([thinking], foreign), user(text('On.'), image)], {
      image: () => 'QUJD',
    });
    assert.deepEqual(messages, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Go.' },
          { type: 'text', text: 'On.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
        ],
      },
    ]);
  });

  test('and the one after it are one reply, whose results follow', () => {
    const messages = said([
      user(text('Go.')),
      assistant([text('One.'), call('a')], foreign),
      assistant([call('b'), text('Two.')]),
      user(result('a', 'A'), result('b', 'B')),
    ]);
    assert.deepEqual(messages.slice(1), [
      { role: 'assistant', content: 'One.\n\nTwo.', tool_calls: [sentCall('a'), sentCall('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
    ]);
  });
});

describe('images', () => {
  const shown = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } };
  const pictured = [
    user(text('Go.'), image),
    assistant([call('a'), call('b', 'shot')]),
    user(result('a', 'A'), result('b', '', { name: 'shot', images: [image] }), text('And?')),
  ];

  test('stand where they were said; those of results follow all results', () => {
    assert.deepEqual(said(pictured, { image: () => 'QUJD' }), [
      { role: 'user', content: [{ type: 'text', text: 'Go.' }, shown] },
      { role: 'assistant', content: null, tool_calls: [sentCall('a'), sentCall('b', 'shot')] },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'tool', tool_call_id: 'b', content: '(shown below)' },
      {
        role: 'user',
        content: [{ type: 'text', text: 'From the result of shot:' }, shown, { type: 'text', text: 'And?' }],
      },
    ]);
  });

  test('that can’t be sent are named in their place', () => {
    const unable = { abilities: { images: false }, image: () => 'QUJD' };
    for (const [changes, why] of [[unable, /can’t see/] as const, [{}, /lost/] as const]) {
      const messages = said(pictured, changes);
      assert.match(textIn(messages[0]?.content), why);
      assert.match(textIn(messages[3]?.content), why);
      assert.deepEqual(messages.at(-1), { role: 'user', content: 'And?' });
    }
  });

  test('are encoded anew when their bytes come or go', () => {
    const messages = [user(text('Go.'), image)];
    assert.match(JSON.stringify(said(messages)), /lost/);
    assert.match(JSON.stringify(said(messages, { image: () => 'QUJD' })), /QUJD/);
    assert.match(JSON.stringify(said(messages)), /lost/);
  });
});

describe('the harness’s own words', () => {
  const messages = [
    user(text('Go.')),
    assistant([call('a')]),
    user(result('a', 'A'), text('Mine.'), { type: 'text', text: 'Its.', voice: 'harness' }),
  ];

  test('are the user’s where the model knows no other voice', () => {
    assert.deepEqual(said(messages).at(-1), { role: 'user', content: 'Mine.\n\nIts.' });
  });

  test('are the system’s where it does', () => {
    assert.deepEqual(said(messages, { abilities: { systemMessages: true } }).slice(-2), [
      { role: 'user', content: 'Mine.' },
      { role: 'system', content: 'Its.' },
    ]);
  });
});

describe('text', () => {
  test('half characters become U+FFFD everywhere, whole ones stay', () => {
    const half = 'a\ud83d';
    const { body } = wire.encode(
      orderFor(
        wire,
        [
          user(text(`${half}👋`)),
          assistant([call('a', 'read', { [half]: [half, '\\ud83d'] })]),
          user(result('a', `\udc4b${half}`)),
        ],
        { system: [half] },
      ),
    );
    const sent: Body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    assert.deepEqual(
      sent.messages.map(({ content }) => content),
      ['a\ufffd', 'a\ufffd👋', null, '\ufffda\ufffd'],
    );
    const [, , reply] = sent.messages;
    const [made] = (reply?.role === 'assistant' && reply.tool_calls) || [];
    assert.ok(made?.type === 'function');
    assert.deepEqual(JSON.parse(made.function.arguments), { 'a\ufffd': ['a\ufffd', '\\ud83d'] });
  });

  test('blank text is never sent', () => {
    const messages = said([
      user(text('Go.'), text(' \n\t')),
      assistant([text(''), text('  '), text('Well.')]),
      user(text('On.')),
    ]);
    assert.deepEqual(
      messages.map(({ content }) => content),
      ['Go.', 'Well.', 'On.'],
    );
  });
});

/** A conversation of a model with tools: whatever ids and texts, each call is answered before anything else is said. */
const words = fc.oneof(fc.string(), fc.constantFrom('', ' ', 'é👋', '\ud83d', 'x\u2028y', '"\\', '}],"messages":['));
const callId = fc.oneof(fc.constantFrom('a', 'b', 'a b', '', 'toolu_1'), fc.string({ maxLength: 70 }));
const origin = fc.constantFrom(source, foreign);
const field = fc.constantFrom<Json>(
  { field: 'reasoning_content' },
  { field: 'reasoning', details: [{ type: 'reasoning.text', text: 'x' }] },
  { field: 'content', before: '<think>', after: '</think>\n' },
  { field: 'parts' },
  { type: 'thinking', signature: 's' },
);
const turn = fc.record({
  from: origin,
  thinks: fc.option(fc.record({ type: fc.constant('thinking' as const), text: words, opaque: field }), {
    nil: undefined,
  }),
  says: words,
  calls: fc.array(fc.tuple(callId, fc.constantFrom('read', 'edit', 'made up')), { maxLength: 4 }),
  results: fc.array(fc.record({ words, error: fc.boolean(), isPictured: fc.boolean() }), { maxLength: 4 }),
  answers: words,
  voice: fc.constantFrom(undefined, 'harness' as const),
});
const conversation = fc.array(turn, { minLength: 1, maxLength: 5 }).map((turns): Message[] => [
  user(text('Go.')),
  ...turns.flatMap(({ from, thinks, says, calls, results, answers, voice }): Message[] => {
    const parts: ReplyPart[] = [
      ...(thinks === undefined ? [] : [thinks]),
      text(says),
      ...calls.map((one) => call(...one)),
    ];
    const answered = calls.map(([id, name], index) => {
      const { words: shown = '', error = false, isPictured = false } = results[index] ?? {};
      return result(id, shown, { name, error, ...(isPictured ? { images: [image] } : {}) });
    });
    const spoken: TextPart[] = answered.length > 0 && answers.trim() === '' ? [] : [text(`Go on. ${answers}`)];
    return [
      assistant(parts, from),
      user(...answered, ...spoken.map((part) => (voice === undefined ? part : { ...part, voice }))),
    ];
  }),
]);
const profile = fc.constantFrom('plain', 'openai', 'llama-cpp', 'deepseek', 'mistral', 'groq', 'openrouter');
const model = fc.constantFrom('model-1', 'anthropic/claude-x');
const circumstances = fc.record({
  profile,
  source: model.map((name) => ({ model: name })),
  abilities: fc.record({ images: fc.boolean(), systemMessages: fc.boolean() }),
});

/** What every provider of this wire wants. */
function checkLegal(messages: Body['messages'], isBridged: boolean): void {
  let open: string[] = [];
  const seen = new Set<string>();
  messages.forEach((message, index) => {
    const before = messages[index - 1]?.role;
    if (message.role === 'tool') {
      assert.equal(message.tool_call_id, open.shift(), 'results follow in the order of their calls');
      assert.notEqual(textIn(message.content).trim(), '');
      return;
    }
    assert.deepEqual(open, [], 'every call has its result right after it');
    if (message.role === 'user' || message.role === 'assistant') assert.notEqual(message.role, before);
    if (isBridged && message.role === 'user') assert.notEqual(before, 'tool');
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    if (calls.length === 0) assert.notEqual(textIn(message.content).trim(), '', 'nothing is empty');
    for (const made of calls) {
      assert.ok(made.type === 'function' && /^[a-zA-Z0-9_-]{1,64}$/.test(made.function.name));
      assert.equal(typeof JSON.parse(made.function.arguments), 'object');
      assert.ok(!seen.has(made.id) && made.id !== '', 'ids are used once');
      seen.add(made.id);
    }
    open = calls.map(({ id }) => id);
  });
  assert.deepEqual(open, []);
}

function textIn(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

describe('any conversation', () => {
  test('is a legal request for every profile', () => {
    fc.assert(
      fc.property(conversation, circumstances, (messages, changes) => {
        const { body } = wire.encode(orderFor(wire, messages, { ...changes, image: () => 'QUJD' }));
        const sent: Body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
        checkLegal(sent.messages, changes.profile === 'mistral');
      }),
    );
  });

  test('grows at its end only: without marks and limits, each request is the start of the next', () => {
    const mark = ',"cache_control":{"type":"ephemeral"}';
    fc.assert(
      fc.property(conversation, circumstances, (messages, changes) => {
        let last = '';
        for (let length = 1; length <= messages.length; length += 2) {
          const order = orderFor(wire, messages.slice(0, length), { ...standing, ...changes, maxOutput: length });
          const { body, sections } = wire.encode(order);
          const current = body
            .subarray(0, sections.messages.end - 1)
            .toString()
            .replaceAll(mark, '');
          const lastMessage = last.lastIndexOf(',{"role":"user"');
          // Where a foreign reply leaves nothing, what is said after it joins the last words of the user.
          const isJoined = !current.startsWith(last);
          assert.ok(!isJoined || current.startsWith(last.slice(0, lastMessage)), 'nothing earlier changes');
          last = current;
        }
      }),
    );
  });

  test('its canonical sequence can be read back out of its bytes', () => {
    fc.assert(
      fc.property(conversation, circumstances, (messages, changes) => {
        const { body, canonical } = wire.encode(orderFor(wire, messages, { ...standing, ...changes }));
        assert.deepEqual(wire.canonical(body), canonical);
      }),
    );
    assert.equal(wire.canonical(Buffer.from('no body')), undefined);
    assert.equal(wire.canonical(Buffer.from('{"messages":["x"]}')), undefined);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type OpenAI from 'openai';
import * as fc from 'fast-check';
import type { ImagePart, JsonObject, Message, ReplyPart, ResultPart, Source, TextPart } from '../../src/core/index.ts';
import { createSseParser, loadWire, type ProviderFailure } from '../../src/model/index.ts';
import type { RequestBody } from '../../src/model/wires/openai-responses/schema.ts';
import { startModelServer, type Scenario } from '../../src/testing/index.ts';
import { bodyText, orderFor, type Changes } from './orders.ts';

const wire = await loadWire('openai-responses');
const source: Source = { provider: 'openai', wire: 'openai-responses', model: 'gpt-test-1' };
const foreign: Source = { provider: 'anthropic', wire: 'anthropic', model: 'claude-test-1' };
const tool = (name: string) => ({ name, description: `Does ${name}.`, input: { type: 'object', properties: {} } });
const patch = { ...tool('patch'), text: { argument: 'change' } };
const abilities = { systemMessages: true, sampling: false };
const standing: Changes = { system: ['Static.', 'Standing.'], tools: [tool('read'), patch], source, abilities };

/** What settings add is not in it, and the official client’s types want an id in what the model said. */
type Typed = Omit<RequestBody, 'input'> & { input: OpenAI.Responses.ResponseInput };
/** The body's shape is one that the official client would send. */
export const typed = (body: Typed): OpenAI.Responses.ResponseCreateParamsStreaming => body;

interface Body {
  tools?: JsonObject[];
  input: JsonObject[];
  [key: string]: unknown;
}

const order = (messages: Message[], changes: Changes = {}) =>
  orderFor(wire, messages, { ...standing, ...changes, abilities: { ...abilities, ...changes.abilities } });
const encode = (messages: Message[], changes: Changes = {}): Body =>
  JSON.parse(bodyText(wire, order(messages, changes)));
const inputOf = (messages: Message[], changes: Changes = {}) => encode(messages, changes).input;

const user = (...parts: (ResultPart | ImagePart | TextPart)[]): Message => ({ role: 'user', parts });
const assistant = (parts: ReplyPart[], from = source): Message => ({ role: 'assistant', parts, source: from });
const text = (words: string): TextPart => ({ type: 'text', text: words });
const voice = (words: string): TextPart => ({ type: 'text', text: words, voice: 'harness' });
const call = (id: string, name = 'read', args: JsonObject = {}, opaque?: JsonObject): ReplyPart => ({
  type: 'call',
  id,
  name,
  arguments: args,
  ...(opaque === undefined ? {} : { opaque }),
});
const result = (id: string, words: string, error = false, images?: ImagePart[]): ResultPart => ({
  type: 'result',
  id,
  name: 'read',
  text: words,
  error,
  ...(images === undefined ? {} : { images }),
});
const said = (words: string, role = 'user') => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: words }],
});
const output = (id: string, words: unknown, type = 'function_call_output') => ({ type, call_id: id, output: words });

describe('the body, byte for byte', () => {
  test('keys in their order, what varies at the end', () => {
    const { body, sections } = wire.encode(order([user(text('Fix it.'))], { settings: { effort: 'high' } }));
    const tools =
      '[{"type":"function","name":"read","description":"Does read.","parameters":{"type":"object","properties":{}},"strict":false},' +
      '{"type":"custom","name":"patch","description":"Does patch.","format":{"type":"text"}}]';
    const input = '[{"type":"message","role":"user","content":[{"type":"input_text","text":"Fix it."}]}]';
    assert.equal(
      body.toString(),
      `{"model":"gpt-test-1","instructions":"Static.\\n\\nStanding.","tools":${tools},"input":${input},` +
        '"max_output_tokens":1000,"stream":true,"store":false,"include":["reasoning.encrypted_content"],' +
        '"prompt_cache_key":"session-1","parallel_tool_calls":true,"reasoning":{"summary":"auto","effort":"high"}}',
    );
    const part = (range: { start: number; end: number }) => body.subarray(range.start, range.end).toString();
    assert.deepEqual(
      [part(sections.tools), part(sections.system), part(sections.messages)],
      [tools, '"Static.\\n\\nStanding."', input],
    );
  });

  test('nothing is sent for no tools and no system prompt', () => {
    const { body, sections } = wire.encode(order([user(text('Hi.'))], { tools: [], system: ['', ' \n'] }));
    const keys = Object.keys(JSON.parse(body.toString()) as object);
    assert.ok(!keys.includes('tools') && !keys.includes('instructions'));
    assert.equal(sections.system.end - sections.system.start, 0);
    assert.equal(sections.tools.end - sections.tools.start, 0);
  });

  test('headers, path, and the limits of what is sent', () => {
    assert.equal(wire.path(order([]).target), '/v1/responses');
    assert.deepEqual(wire.keyHeaders('k'), { authorization: 'Bearer k' });
    const most = (maxOutput: number) => encode([user(text('Hi.'))], { maxOutput })['max_output_tokens'];
    assert.deepEqual([most(15), most(16), most(17)], [16, 16, 17]);
    const key = (cacheKey: string) => encode([user(text('Hi.'))], { cacheKey })['prompt_cache_key'];
    assert.deepEqual([key('k'.repeat(64)), key('k'.repeat(65))], ['k'.repeat(64), 'k'.repeat(64)]);
  });
});

describe('settings', () => {
  const settings = (values: Changes['settings'] = {}, changes: Changes = {}) =>
    encode([user(text('Hi.'))], { settings: values, ...changes });

  test('effort goes as near as the model knows it, thinking that is off as none', () => {
    const effort = (values: Changes['settings'], efforts = ['none', 'low', 'high']) =>
      (settings(values, { abilities: { efforts } })['reasoning'] as JsonObject | undefined)?.['effort'];
    assert.equal(effort({ effort: 'high' }), 'high');
    assert.equal(effort({ effort: 'max' }), 'high');
    assert.equal(effort({ effort: 'medium' }), 'low');
    assert.equal(effort({ effort: 'none' }, ['low', 'high']), 'low');
    assert.equal(effort({ thinking: 'off' }), 'none');
    assert.equal(effort({ thinking: 'off', effort: 'high' }), 'high');
    assert.equal(effort({ thinking: 4_000 }), undefined);
    assert.equal(effort({}), undefined);
  });

  test('a model that doesn’t reason isn’t asked to', () => {
    const plain = settings({ effort: 'high' }, { abilities: { efforts: [], thinking: 'none' } });
    assert.ok(!('reasoning' in plain) && !('include' in plain));
    const adaptive = settings({}, { abilities: { efforts: [], thinking: 'adaptive' } });
    assert.deepEqual(adaptive['reasoning'], { summary: 'auto' });
    assert.deepEqual(adaptive['include'], ['reasoning.encrypted_content']);
  });

  test('what is set for reasoning joins it', () => {
    const body = settings({
      effort: 'low',
      body: { reasoning: { summary: 'concise', mode: 'pro' }, text: { verbosity: 'low' } },
    });
    assert.deepEqual(body['reasoning'], { summary: 'concise', mode: 'pro', effort: 'low' });
    assert.deepEqual(body['text'], { verbosity: 'low' });
  });

  test('what the provider refuses and can be left out is left out', () => {
    const { target } = order([], { settings: { effort: 'high', body: { service_tier: 'flex' } } });
    const refused = (message: string, from = target, kind: ProviderFailure['class'] = 'content') =>
      wire.mend?.(from, { class: kind, code: 'provider-rejected', message });
    const unverified = 'Your organization must be verified to generate reasoning summaries.';
    const mended = refused(unverified);
    assert.ok(mended !== undefined);
    const body = JSON.parse(wire.encode({ ...order([user(text('Hi.'))]), target: mended }).body.toString()) as Body;
    assert.deepEqual([body['reasoning'], body['service_tier']], [{ effort: 'high' }, 'flex']);
    assert.equal(refused(unverified, mended), undefined, 'not a second time');
    assert.equal(refused(unverified, target, 'auth'), undefined);
    const plain = refused("tools[1].type: 'custom' is not one of ['function']");
    assert.equal(plain?.profile, 'plain');
    assert.equal(plain !== undefined && refused("Unknown tool type 'custom'", plain), undefined);
    assert.equal(refused('messages.3: no'), undefined);
  });

  test('sampling goes to models that take it', () => {
    const values = { temperature: 0.3, topP: 0.9 };
    const sampled = (sampling: boolean) => {
      const body = settings(values, { abilities: { sampling } });
      return [body['temperature'], body['top_p']];
    };
    assert.deepEqual(sampled(true), [0.3, 0.9]);
    assert.deepEqual(sampled(false), [undefined, undefined]);
  });

  test('calls may be parallel unless that is switched off', () => {
    assert.equal(settings()['parallel_tool_calls'], true);
    assert.equal(settings({ body: { parallel_tool_calls: false } })['parallel_tool_calls'], false);
  });

  test('what the wire itself sends can’t be overwritten, nor the conversation be kept or cut by the provider', () => {
    const keys = ['model', 'instructions', 'tools', 'input', 'max_output_tokens', 'stream', 'store', 'include'];
    for (const key of [
      ...keys,
      'prompt_cache_key',
      'previous_response_id',
      'conversation',
      'background',
      'truncation',
    ]) {
      assert.throws(() => settings({ body: { [key]: 1 } }), { code: 'config-invalid' }, key);
    }
  });
});

describe('tools', () => {
  test('one that takes text is offered so, with its grammar; not where only functions are known', () => {
    const grammar = { syntax: 'lark', definition: 'start: "x"' } as const;
    const tools = [{ ...patch, text: { argument: 'change', grammar } }];
    const [custom] = encode([user(text('Hi.'))], { tools }).tools ?? [];
    assert.deepEqual(custom?.['format'], { type: 'grammar', ...grammar });
    const [plain] = encode([user(text('Hi.'))], { tools, profile: 'plain' }).tools ?? [];
    assert.deepEqual([plain?.['type'], plain?.['name']], ['function', 'patch']);
  });

  test('a schema is cast to what the provider takes at its top', () => {
    const input = { oneOf: [{ type: 'object', properties: { a: { type: 'array' } } }], not: {}, enum: [{}] };
    const [sent] = encode([user(text('Hi.'))], { tools: [{ name: 'x', description: '', input }] }).tools ?? [];
    const schema = sent?.['parameters'] as JsonObject;
    assert.equal(schema['type'], 'object');
    for (const key of ['oneOf', 'anyOf', 'allOf', 'not', 'enum']) assert.equal(schema[key], undefined, key);
    assert.deepEqual(schema['properties'], { a: { type: 'array', items: {} } });
  });

  test('names are cast, in the calls of the history too', () => {
    const tools = [tool('server.list/files')];
    const body = encode([user(text('Go.')), assistant([call('a', 'server.list/files')]), user(result('a', 'A'))], {
      tools,
    });
    assert.equal(body.tools?.[0]?.['name'], 'server_list_files');
    assert.equal(body.input[1]?.['name'], 'server_list_files');
  });
});

describe('calls and results', () => {
  const answered = (part: ReplyPart, from = source, changes: Changes = {}) =>
    inputOf([user(text('Go.')), assistant([part], from), user(result('a', 'A'))], changes).slice(1);

  test('results come first, in the order of the calls, then what was said; one that failed says so', () => {
    const input = inputOf([
      user(text('Go.')),
      assistant([call('a', 'read', { p: 1 }), call('b')]),
      user(result('b', 'B', true), result('a', 'A'), text('And hurry.')),
    ]);
    assert.deepEqual(input.slice(1), [
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"p":1}' },
      { type: 'function_call', call_id: 'b', name: 'read', arguments: '{}' },
      output('a', 'A'),
      output('b', 'Error: B'),
      said('And hurry.'),
    ]);
  });

  test('a result is never blank, and says once that it failed', () => {
    const words: [string, boolean, string][] = [
      [' \n', false, '(no output)'],
      ['', true, 'Error: failed without output.'],
      ['error: no such file', true, 'error: no such file'],
      ['Failed to read', true, 'Failed to read'],
      ['Erroneous', true, 'Error: Erroneous'],
      ['Error: fine', false, 'Error: fine'],
    ];
    for (const [given, error, sent] of words) {
      const input = inputOf([user(text('Go.')), assistant([call('a')]), user(result('a', given, error))]);
      assert.deepEqual(input[2], output('a', sent));
    }
  });

  test('a call of a tool that takes text goes back as text, whoever made it, and so does its result', () => {
    const own = { type: 'custom_tool_call', call_id: 'a', name: 'patch', input: '*** x' };
    for (const from of [source, foreign]) {
      assert.deepEqual(answered(call('a', 'patch', { change: '*** x' }), from), [
        own,
        output('a', 'A', 'custom_tool_call_output'),
      ]);
    }
    const malformed: ReplyPart = { type: 'call', id: 'a', name: 'patch', arguments: {}, malformed: '*** y' };
    assert.equal(answered(malformed)[0]?.['input'], '*** y');
    assert.equal(answered(call('a', 'patch', { other: 1 }))[0]?.['input'], '');
    const [plain, plainOutput] = answered(call('a', 'patch', { change: '*** x' }), source, { profile: 'plain' });
    assert.deepEqual(plain, { type: 'function_call', call_id: 'a', name: 'patch', arguments: '{"change":"*** x"}' });
    assert.deepEqual(plainOutput, output('a', 'A'));
  });

  test('the item of a call that says more goes back whole to its own model, without its id', () => {
    const opaque = {
      type: 'function_call',
      id: 'fc_1',
      status: 'completed',
      call_id: 'a',
      name: 'read',
      arguments: '{"p": 1}',
      namespace: 'n',
    };
    const { id: _, status: __, ...back } = opaque;
    assert.deepEqual(answered(call('a', 'read', { p: 1 }, opaque))[0], back);
    assert.deepEqual(answered(call('a', 'read', { p: 1 }, opaque), { ...source, model: 'other' })[0], {
      type: 'function_call',
      call_id: 'a',
      name: 'read',
      arguments: '{"p":1}',
    });
    const custom = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'a', name: 'unknown', input: 'text' };
    assert.deepEqual(
      answered({ type: 'call', id: 'a', name: 'unknown', arguments: {}, malformed: 'text', opaque: custom }),
      [
        { type: 'custom_tool_call', call_id: 'a', name: 'unknown', input: 'text' },
        output('a', 'A', 'custom_tool_call_output'),
      ],
    );
  });

  test('a malformed call goes back without arguments, an invented name in legal characters', () => {
    const malformed: ReplyPart = {
      type: 'call',
      id: 'a',
      name: 'functions.read file',
      arguments: {},
      malformed: '{"p":',
    };
    assert.deepEqual(answered(malformed)[0], {
      type: 'function_call',
      call_id: 'a',
      name: 'functions_read_file',
      arguments: '{}',
    });
    const opaque = { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"p":', namespace: 'n' };
    assert.equal(
      answered({ type: 'call', id: 'a', name: 'read', arguments: {}, malformed: '{"p":', opaque })[0]?.['arguments'],
      '{}',
    );
  });

  test('ids that are doubled, illegal, too long or missing are cast alike in call and result', () => {
    const long = 'y'.repeat(65);
    const ids = ['x', 'x', 'a b', '', long];
    const input = inputOf([
      user(text('Go.')),
      assistant(ids.map((id) => call(id))),
      user(...ids.map((id, i) => result(id, `R${i}`))),
    ]);
    const sent = ['x', 'x_2', 'a_b', 'call', long.slice(0, 64)];
    assert.deepEqual(
      input.filter(({ type }) => type === 'function_call').map((item) => item['call_id']),
      sent,
    );
    assert.deepEqual(
      input.filter(({ type }) => type === 'function_call_output').map((item) => [item['call_id'], item['output']]),
      sent.map((id, index) => [id, `R${index}`]),
    );
  });
});

describe('images', () => {
  const png: ImagePart = { type: 'image', mediaType: 'image/png', blob: 'b1', bytes: 12_345 };
  const image = (blob: string) => (blob === 'b1' ? 'iVBORw0KGgo=' : undefined);
  const picture = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' };
  const unable = '[An image was here (image/png, 12 kB); this model can’t see images.]';
  const lost = '[An image was here (image/png, 12 kB); its bytes were lost.]';

  test('of the user and of a result stand where they were put', () => {
    const talk = [user(png, text('What?')), assistant([call('a')]), user(result('a', 'Here.', true, [png]), png)];
    assert.deepEqual(inputOf(talk, { image }), [
      { type: 'message', role: 'user', content: [picture, { type: 'input_text', text: 'What?' }] },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
      output('a', [{ type: 'input_text', text: 'Error: Here.' }, picture]),
      { type: 'message', role: 'user', content: [picture] },
    ]);
    const bare = [user(text('Go.')), assistant([call('a')]), user(result('a', ' ', false, [png]))];
    assert.deepEqual(inputOf(bare, { image })[2], output('a', [picture]));
  });

  test('become notes for a model without sight, and where they are lost', () => {
    const talk = [user(text('Go.')), assistant([call('a')]), user(result('a', 'Here.', false, [png]), png)];
    const blind = inputOf(talk, { image, abilities: { images: false } });
    assert.deepEqual(blind.slice(2), [output('a', `Here.\n${unable}`), said(unable)]);
    assert.deepEqual(inputOf(talk).slice(2), [output('a', `Here.\n${lost}`), said(lost)]);
  });
});

describe('the voice of the harness', () => {
  test('is the developer’s where the model takes that, in its place', () => {
    const talk = [
      user(text('Go.')),
      assistant([text('Well.')]),
      user(text('A.'), voice('B.'), voice('C.'), text('D.')),
    ];
    assert.deepEqual(inputOf(talk).slice(2), [
      said('A.'),
      {
        type: 'message',
        role: 'developer',
        content: [
          { type: 'input_text', text: 'B.' },
          { type: 'input_text', text: 'C.' },
        ],
      },
      said('D.'),
    ]);
    const plain = inputOf(talk, { abilities: { systemMessages: false } });
    assert.deepEqual(
      plain.slice(2).map((item) => (item['content'] as JsonObject[]).map((content) => content['text'])),
      [['A.', 'B.', 'C.', 'D.']],
    );
  });

  test('doesn’t begin a conversation', () => {
    assert.deepEqual(inputOf([user(voice('B.'))]), [said('B.')]);
  });
});

describe('what a provider gave', () => {
  const reasoning = (sealed: string) => ({
    type: 'reasoning',
    id: 'rs_1',
    status: 'completed',
    summary: [],
    encrypted_content: sealed,
  });
  const thinking = (sealed = 's\u2028'): ReplyPart => ({ type: 'thinking', text: 'Hm.', opaque: reasoning(sealed) });
  const { id: _, status: __, ...back } = reasoning('s\u2028');
  const phased: ReplyPart = {
    type: 'text',
    text: 'As it says.',
    opaque: {
      type: 'message',
      id: 'msg_1',
      status: 'completed',
      role: 'assistant',
      phase: 'commentary',
      content: [
        { type: 'output_text', text: 'As it says.', annotations: [], logprobs: [{ token: 'As' }] },
        { type: 'output_text', text: ' ' },
      ],
    },
  };

  test('goes back to the same model verbatim and in order, without the ids under which nothing is stored', () => {
    const input = inputOf([user(text('Go.')), assistant([thinking(), phased, call('a')]), user(result('a', 'A'))]);
    assert.deepEqual(input.slice(1, 4), [
      back,
      {
        type: 'message',
        role: 'assistant',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'As it says.', annotations: [] }],
      },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
    ]);
  });

  test('never goes to another model, wire or provider', () => {
    const opaque: ReplyPart = { type: 'opaque', opaque: { type: 'compaction', encrypted_content: 'c' } };
    for (const from of [
      foreign,
      { ...source, model: 'other' },
      { ...source, provider: 'other' },
      { ...source, wire: 'other' },
    ]) {
      const input = inputOf([user(text('Go.')), assistant([thinking(), opaque, phased], from), user(text('On.'))]);
      assert.deepEqual(input, [said('Go.'), said('As it says.', 'assistant'), said('On.')]);
    }
  });

  test('goes back as something, where a server doesn’t say what it is', () => {
    const content = [{ text: 'As it says.' }, { refusal: 'No.' }, { text: '' }, 'x'];
    const own: ReplyPart[] = [
      { type: 'text', text: 'As it says.', opaque: { type: 'message', phase: 'commentary', content } },
      { type: 'opaque', opaque: { id: 'x', content: 'untyped' } },
    ];
    assert.deepEqual(inputOf([user(text('Go.')), assistant(own), user(text('On.'))]).slice(1, -1), [
      {
        type: 'message',
        role: 'assistant',
        phase: 'commentary',
        content: [
          { text: 'As it says.', type: 'output_text' },
          { refusal: 'No.', type: 'refusal' },
        ],
      },
    ]);
  });

  test('reasoning goes only with what it led to', () => {
    const alone: ReplyPart[][] = [[thinking()], [thinking(), text(' ')], [text('Well.'), thinking(), thinking('t')]];
    for (const parts of alone) {
      const input = inputOf([user(text('Go.')), assistant(parts), user(text('On.'))]);
      assert.ok(!input.some(({ type }) => type === 'reasoning'));
    }
    const cut: ReplyPart = { type: 'thinking', text: 'So mu' };
    assert.deepEqual(
      inputOf([user(text('Go.')), assistant([cut, text('Well.')]), user(text('On.'))])[1],
      said('Well.', 'assistant'),
    );
  });

  test('what nobody here interprets goes back as it came but for its id', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } };
    const input = inputOf([
      user(text('Go.')),
      assistant([{ type: 'opaque', opaque: search }, text('Found.')]),
      user(text('On.')),
    ]);
    const { id: _id, ...item } = search;
    assert.deepEqual(input[1], item);
  });

  test('a call of a tool that nobody offered is answered, since the provider doesn’t go on without it', () => {
    const shell = { type: 'shell_call', id: 'sh_1', call_id: 'c1', status: 'completed', action: { commands: ['ls'] } };
    const edit = {
      type: 'apply_patch_call',
      call_id: 'c2',
      status: 'completed',
      operation: { type: 'delete_file', path: 'a' },
    };
    const given: ReplyPart[] = [
      { type: 'opaque', opaque: shell },
      { type: 'opaque', opaque: edit },
    ];
    const input = inputOf([user(text('Go.')), assistant(given), user(text('On.'))]);
    assert.deepEqual(
      input.slice(1).map(({ type, call_id: id }) => [type, id]),
      [
        ['shell_call', 'c1'],
        ['apply_patch_call', 'c2'],
        ['shell_call_output', 'c1'],
        ['apply_patch_call_output', 'c2'],
        ['message', undefined],
      ],
    );
    const ran: ReplyPart = { type: 'opaque', opaque: { type: 'shell_call_output', call_id: 'c1', output: [] } };
    const answered = inputOf([user(text('Go.')), assistant([...given.slice(0, 1), ran]), user(text('On.'))]);
    assert.equal(answered.filter(({ type }) => type === 'shell_call_output').length, 1);
  });
});

describe('text', () => {
  test('half characters become U+FFFD everywhere, whole ones stay', () => {
    const half = 'a\ud83d';
    const talk = [
      user(text(`${half}👋`)),
      assistant([call('a', 'read', { [half]: half }), call('b', 'patch', { change: half })]),
      user(result('a', `\udc4b${half}`), result('b', 'B')),
    ];
    const { body } = wire.encode(order(talk, { system: [half] }));
    assert.doesNotMatch(body.toString(), /(?<!\\)\\ud[89a-f]/);
    const sent: Body = JSON.parse(body.toString());
    assert.equal(sent['instructions'], 'a\ufffd');
    assert.deepEqual(sent.input[0], said('a\ufffd👋'));
    assert.equal(sent.input[1]?.['arguments'], '{"a\ufffd":"a\ufffd"}');
    assert.equal(sent.input[2]?.['input'], 'a\ufffd');
    assert.equal(sent.input[3]?.['output'], '\ufffda\ufffd');
  });
});

/** A conversation of a model with tools: whatever ids and texts, each call is answered in the next message. */
const words = fc.oneof(fc.string(), fc.constantFrom('', ' ', 'é👋', '\ud83d', 'x\u2028y', '"\\', '}],"input":['));
const callId = fc.oneof(fc.constantFrom('a', 'b', 'a b', ''), fc.string({ maxLength: 70 }));
const origin = fc.constantFrom(source, foreign);
const otherPart: fc.Arbitrary<ReplyPart> = fc.oneof(
  words.map(text),
  words.map((thought): ReplyPart => ({ type: 'thinking', text: thought })),
  words.map((thought): ReplyPart => ({
    type: 'thinking',
    text: thought,
    opaque: { type: 'reasoning', id: 'r', content: [{ type: 'reasoning_text', text: thought }] },
  })),
  words.map((given): ReplyPart => ({
    type: 'text',
    text: given,
    opaque: {
      type: 'message',
      id: 'm',
      role: 'assistant',
      phase: 'commentary',
      content: [{ type: 'output_text', text: given }],
    },
  })),
  fc.constant<ReplyPart>({ type: 'opaque', opaque: { type: 'compaction', id: 'c', encrypted_content: 'd' } }),
);
const turn = fc
  .record({
    others: fc.array(otherPart, { maxLength: 3 }),
    calls: fc.array(fc.record({ id: callId, name: fc.constantFrom('read', 'patch', 'in vented') }), { maxLength: 3 }),
    origin,
    words,
    picture: fc.constantFrom('b1', 'lost', undefined),
    note: fc.constantFrom('first', 'last', undefined),
  })
  .map(({ others, calls, origin: from, words: given, picture, note }): Message[] => {
    const images: ImagePart[] =
      picture === undefined ? [] : [{ type: 'image', mediaType: 'image/png', blob: picture, bytes: 8 }];
    const results = calls.map(({ id }, index) => result(id, `${index}${given}`, index === 1, images));
    const notes = note === undefined ? [] : [voice(given)];
    const mine = [...images, text(`.${given}`)];
    const made = calls.map(({ id, name }) => call(id, name, { change: given }));
    return [
      assistant([...others, ...made], from),
      user(...results, ...(note === 'first' ? [...notes, ...mine] : [...mine, ...notes])),
    ];
  });
const conversation = fc.array(turn, { maxLength: 6 }).map((turns) => [user(text('Go.')), ...turns.flat()]);
const image = (blob: string) => (blob === 'lost' ? undefined : 'iVBORw0KGgo=');

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a strict provider rejects. */
function assertLegal(input: JsonObject[]): void {
  const open = new Map<string, string>();
  const used = new Set<string>();
  for (const [index, item] of input.entries()) {
    const [type, id] = [wordOf(item['type']), wordOf(item['call_id'])];
    if (type === 'function_call' || type === 'custom_tool_call') {
      assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/);
      assert.ok(!used.has(id), 'no id twice');
      used.add(id);
      open.set(id, `${type}_output`);
      assert.match(wordOf(item['name']), /^[a-zA-Z0-9_-]{1,64}$/);
      if (type === 'function_call') assert.equal(typeof JSON.parse(wordOf(item['arguments'])), 'object');
      continue;
    }
    if (type.endsWith('_output')) {
      assert.equal(open.get(id), type, 'each output is that of an open call, in its kind');
      open.delete(id);
      continue;
    }
    if (type === 'reasoning') {
      const next = input.slice(index + 1).find((other) => other['type'] !== 'reasoning');
      assert.ok(next !== undefined && !['user', 'developer'].includes(wordOf(next['role'])), 'it leads to something');
    }
    if (type === 'message') assertSaid(item, open.size);
  }
  assert.equal(open.size, 0);
}

function assertSaid({ role, content }: JsonObject, open: number): void {
  if (role !== 'assistant') assert.equal(open, 0, 'no call stays open');
  const contents = content as JsonObject[];
  assert.ok(contents.length > 0);
  for (const { text: given, type } of contents) if (type !== 'input_image') assert.notEqual(wordOf(given).trim(), '');
}

describe('any conversation', () => {
  test('is legal for a strict provider', () => {
    fc.assert(fc.property(conversation, (messages) => assertLegal(inputOf(messages, { image }))));
  });

  test('gives the same bytes from new objects, whatever was encoded before', () => {
    const changes: Changes[] = [{ image }, { image, source: foreign }, {}, { image, profile: 'plain' }, { image }];
    fc.assert(
      fc.property(conversation, conversation, (messages, others) => {
        const longer = [...others, ...messages.slice(1)];
        for (const talk of [messages, longer, messages]) {
          for (const change of changes) {
            const fresh = wire.encode(
              order(structuredClone(talk), { ...change, tools: structuredClone(standing.tools ?? []) }),
            );
            assert.deepEqual(wire.encode(order(talk, change)).body, fresh.body);
          }
        }
      }),
    );
  });

  test('grows at its end only: without limits, each request is the start of the next', () => {
    const upToInput = (messages: Message[]) => {
      const { body, sections } = wire.encode(order(messages, { image, maxOutput: 16 + messages.length }));
      return body.subarray(0, sections.messages.end - 1);
    };
    fc.assert(
      fc.property(conversation, (messages) => {
        // Where nothing of a reply is sent, what comes after it joins the message before it.
        fc.pre(
          messages.every(
            (message) => message.role === 'user' || inputOf([user(text('Go.')), message, user(text('On.'))]).length > 1,
          ),
        );
        let last: Uint8Array = Buffer.alloc(0);
        for (let length = 1; length <= messages.length; length += 2) {
          const current = upToInput(messages.slice(0, length));
          assert.ok(current.subarray(0, last.length).equals(last));
          last = current;
        }
      }),
    );
  });

  test('its canonical sequence grows at its end, and can be read back out of its bytes', () => {
    fc.assert(
      fc.property(conversation, fc.nat({ max: 12 }), (messages, cut) => {
        const { body, canonical } = wire.encode(order(messages, { image }));
        assert.deepEqual(wire.canonical(body), canonical);
        const { blocks } = wire.encode(order(messages.slice(0, 1 + 2 * cut), { image })).canonical;
        assert.deepEqual(canonical.blocks.slice(0, blocks.length), blocks);
      }),
    );
    const { body, canonical } = wire.encode(order([user(text('Hi.'))], { system: [], tools: [] }));
    assert.deepEqual(wire.canonical(body), canonical);
    assert.equal(wire.canonical(Buffer.from('no body')), undefined);
    assert.equal(wire.canonical(Buffer.from('{"input":"words"}')), undefined);
  });
});

test('a strict server takes back what it gave: sealed reasoning, phases, calls of both kinds', async (t) => {
  const scenario: Scenario = {
    turns: [
      {
        thinking: 'Look first.',
        text: 'I look.',
        calls: [
          { name: 'read', arguments: { p: 'a' } },
          { name: 'patch', arguments: { change: '*** x' } },
        ],
      },
      { thinking: 'Good.', text: 'Done.' },
    ],
  };
  const server = await startModelServer(scenario);
  t.after(() => server.close());
  const talk: Message[] = [user(text('Go.'))];
  for (const turnNumber of [1, 2]) {
    const asked = order(talk);
    const response = await fetch(`${server.url}${wire.path(asked.target)}`, {
      method: 'POST',
      headers: { ...wire.headers(), ...wire.keyHeaders('k') },
      body: new Uint8Array(wire.encode(asked).body),
    });
    const answer = await response.text();
    assert.equal(response.status, 200, answer);
    const decoder = wire.decoder(() => undefined, { target: asked.target, tools: asked.setup.tools });
    createSseParser((event) => decoder.push(event)).push(Buffer.from(answer));
    const decoded = decoder.end();
    assert.ok(decoded.kind === 'reply');
    const { parts, stop } = decoded.reply;
    assert.equal(stop, turnNumber === 1 ? 'calls' : 'end');
    const calls = parts.filter((part) => part.type === 'call');
    const results = calls.map(({ id, name }): ResultPart => ({ ...result(id, `${name} ran`), name }));
    talk.push(assistant(parts), user(...results, text('On.')));
  }
  assert.deepEqual(
    talk[1]?.role === 'assistant' && talk[1].parts.map((part) => (part.type === 'call' ? part.arguments : part.type)),
    ['thinking', 'text', { p: 'a' }, { change: '*** x' }],
  );
  assert.deepEqual(server.refusals, []);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Anthropic from '@anthropic-ai/sdk';
import * as fc from 'fast-check';
import type {
  ImagePart,
  Json,
  JsonObject,
  Message,
  ReplyPart,
  ResultPart,
  Source,
  TextPart,
} from '../../src/core/index.ts';
import { loadWire, type ProviderFailure } from '../../src/model/index.ts';
import type { RequestBody } from '../../src/model/wires/anthropic/schema.ts';
import { bodyText, orderFor, type Changes } from './orders.ts';

const wire = await loadWire('anthropic');
const source: Source = { provider: 'anthropic', wire: 'anthropic', model: 'claude-test-1' };
const foreign: Source = { ...source, model: 'claude-other' };
const tool = (name: string) => ({ name, description: `Does ${name}.`, input: { type: 'object', properties: {} } });
const standing: Changes = { system: ['Static.', 'Standing.'], tools: [tool('read'), tool('edit')], source };

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

const order = (messages: Message[], changes: Changes = {}) => orderFor(wire, messages, { ...standing, ...changes });
const encode = (messages: Message[], changes: Changes = {}): Body =>
  JSON.parse(bodyText(wire, order(messages, changes)));

const user = (...parts: (ResultPart | ImagePart | TextPart)[]): Message => ({ role: 'user', parts });
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
    const settings = { temperature: 0.5, thinking: 'off', effort: 'high' } as const;
    const { body, sections } = wire.encode(order([user(text('Fix it.'))], { settings }));
    const mark = '"cache_control":{"type":"ephemeral"}';
    const empty = '"input_schema":{"type":"object","properties":{}}';
    const tools = `[{"name":"read","description":"Does read.",${empty}},{"name":"edit","description":"Does edit.",${empty},${mark}}]`;
    const system = `[{"type":"text","text":"Static.",${mark}},{"type":"text","text":"Standing.",${mark}}]`;
    const messages = `[{"role":"user","content":[{"type":"text","text":"Fix it.",${mark}}]}]`;
    assert.equal(
      body.toString(),
      `{"model":"claude-test-1","tools":${tools},"system":${system},"messages":${messages},"max_tokens":1000,"stream":true,` +
        '"output_config":{"effort":"high"},"thinking":{"type":"disabled"},"temperature":0.5}',
    );
    const part = (range: { start: number; end: number }) => body.subarray(range.start, range.end).toString();
    assert.deepEqual([part(sections.tools), part(sections.system), part(sections.messages)], [tools, system, messages]);
  });

  test('nothing is sent for no tools and no system prompt', () => {
    const body = encode([user(text('Hi.'))], { tools: [], system: ['', ' \n'] });
    assert.deepEqual(Object.keys(body), ['model', 'messages', 'max_tokens', 'stream']);
  });

  test('at most four marks, however many layers there are', () => {
    const { body } = wire.encode(order([user(text('Hi.'))], { system: ['a', 'b', 'c', 'd'] }));
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
    assert.equal(wire.path(order([]).target), '/v1/messages');
    assert.equal(wire.headers()['anthropic-version'], '2023-06-01');
    assert.deepEqual(wire.keyHeaders('k'), { 'x-api-key': 'k' });
  });
});

describe('settings', () => {
  const settings = (values: Changes['settings'] = {}, changes: Changes = {}) =>
    encode([user(text('Hi.'))], { settings: values, ...changes });

  test('keys of the body are passed through as they are, and only when set', () => {
    const body = settings({ body: { thinking: { type: 'enabled', budget_tokens: 2_000 }, top_k: 4, metadata: null } });
    assert.deepEqual(body['thinking'], { type: 'enabled', budget_tokens: 2_000 });
    assert.equal(body['top_k'], 4);
    assert.ok(!('metadata' in body) && !('output_config' in body) && !('temperature' in body));
  });

  test('effort joins what is set for the output', () => {
    const body = settings({ body: { output_config: { format: { type: 'x' } } }, effort: 'low' });
    assert.deepEqual(body['output_config'], { format: { type: 'x' }, effort: 'low' });
  });

  const efforts: [NonNullable<Changes['settings']>['effort'], string[], string | undefined][] = [
    ['max', ['low', 'medium', 'high', 'max'], 'max'],
    ['xhigh', ['low', 'medium', 'high', 'max'], 'high'],
    ['max', ['low', 'medium'], 'medium'],
    ['medium', ['high', 'low'], 'low'],
    ['none', ['low', 'high'], 'low'],
    ['none', ['none', 'low'], 'none'],
    ['low', ['medium', 'high'], 'medium'],
    ['high', ['unheard-of'], undefined],
    ['high', [], undefined],
    [undefined, ['low'], undefined],
  ];
  for (const [effort, known, sent] of efforts) {
    test(`effort ${effort} to a model that knows ${known.join(', ') || 'none'}: ${sent}`, () => {
      const body = settings(effort === undefined ? {} : { effort }, { abilities: { efforts: known } });
      assert.deepEqual(body['output_config'], sent === undefined ? undefined : { effort: sent });
    });
  }

  type Thinking = NonNullable<Changes['settings']>['thinking'];
  type Way = 'none' | 'budget' | 'adaptive' | 'either';
  const enabled = (budget: number) => ({ type: 'enabled', budget_tokens: budget });
  const ways: [Way, Thinking, JsonObject | undefined][] = [
    ['none', 'adaptive', undefined],
    ['none', 4_000, undefined],
    ['none', 'off', undefined],
    ['budget', 'off', { type: 'disabled' }],
    ['budget', 4_000, enabled(4_000)],
    ['budget', 'adaptive', enabled(16_000)],
    ['adaptive', 'off', { type: 'disabled' }],
    ['adaptive', 4_000, { type: 'adaptive' }],
    ['adaptive', 'adaptive', { type: 'adaptive' }],
    ['either', 4_000, enabled(4_000)],
    ['either', 'adaptive', { type: 'adaptive' }],
    ['either', undefined, undefined],
  ];
  for (const [way, thinking, sent] of ways) {
    test(`thinking ${thinking} for a model that thinks by ${way}`, () => {
      const changes = { abilities: { thinking: way }, maxOutput: 64_000 };
      assert.deepEqual(settings(thinking === undefined ? {} : { thinking }, changes)['thinking'], sent);
    });
  }

  test('a thinking budget stays below the output limit and above the least, or there is no thinking', () => {
    const budget = (thinking: number, maxOutput: number) => settings({ thinking }, { maxOutput })['thinking'];
    assert.deepEqual(budget(8_000, 8_001), enabled(8_000));
    assert.deepEqual(budget(8_000, 8_000), enabled(7_999));
    assert.deepEqual(budget(1, 8_000), enabled(1_024));
    assert.deepEqual(budget(8_000, 1_025), enabled(1_024));
    assert.equal(budget(8_000, 1_024), undefined);
    const chosen = (maxOutput: number) =>
      settings({ thinking: 'adaptive' }, { maxOutput, abilities: { thinking: 'budget' } })['thinking'];
    assert.deepEqual(chosen(8_000), enabled(4_000));
    assert.deepEqual(chosen(1_500), enabled(1_024));
    assert.equal(chosen(1_024), undefined);
  });

  test('sampling goes to models that take it, one figure of it, within its bounds, and never beside thinking', () => {
    const sampled = (values: Changes['settings'], sampling = true) => {
      const { temperature, top_p: topP } = settings(values, { abilities: { sampling } });
      return [temperature, topP];
    };
    assert.deepEqual(sampled({ temperature: 0.3 }), [0.3, undefined]);
    assert.deepEqual(sampled({ temperature: 1.7 }), [1, undefined]);
    assert.deepEqual(sampled({ topP: 0.9 }), [undefined, 0.9]);
    assert.deepEqual(sampled({ temperature: 0.3, topP: 0.9 }), [0.3, undefined]);
    assert.deepEqual(sampled({ temperature: 0.3 }, false), [undefined, undefined]);
    assert.deepEqual(sampled({ temperature: 0.3, thinking: 'off' }), [0.3, undefined]);
    assert.deepEqual(sampled({ temperature: 0.3, thinking: 'adaptive' }), [undefined, undefined]);
    assert.deepEqual(sampled({ topP: 0.9, body: { thinking: { type: 'adaptive' } } }), [undefined, undefined]);
  });

  test('what the model refuses is left out from then on', () => {
    const all: Changes = { settings: { effort: 'high', temperature: 0.5 }, abilities: { systemMessages: true } };
    const { target } = order([], all);
    const refused = (message: string, from = target, kind: ProviderFailure['class'] = 'content') =>
      wire.mend?.(from, { class: kind, code: 'provider-rejected', message });
    const refusals: [string, object][] = [
      ["messages.1.role: Input should be 'user' or 'assistant'", { systemMessages: false }],
      ["messages.1: role 'system' is not supported on this model", { systemMessages: false }],
      ['This model does not support the effort parameter.', { efforts: [] }],
      ['`temperature` is deprecated for this model.', { sampling: false }],
    ];
    for (const [message, without] of refusals) {
      const mended = refused(message);
      assert.deepEqual(mended, { ...target, abilities: { ...target.abilities, ...without } });
      assert.equal(mended !== undefined && refused(message, mended), undefined, 'not a second time');
      assert.equal(refused(message, target, 'auth'), undefined);
    }
    assert.equal(refused('messages.3: unexpected tool_use_id'), undefined);
  });

  test('what the wire itself sends can’t be overwritten', () => {
    for (const key of ['model', 'messages', 'system', 'tools', 'max_tokens', 'stream', 'cache_control']) {
      assert.throws(() => settings({ body: { [key]: 1 } }), { code: 'config-invalid' }, key);
    }
  });
});

describe('tools', () => {
  test('one that the provider can’t take is left out by name, and the others stay', () => {
    const odd = (name: string, properties: JsonObject) => ({
      name,
      description: '',
      input: { type: 'object', properties },
    });
    const deep = odd('deep', { a: { type: 'array', items: { type: 'object', properties: { 'b c': {} } } } });
    const tools = [tool('read'), odd('filter', { $filter: { type: 'string' } }), deep, odd('fine', { 'a.b-c_1': {} })];
    const { leftOut, body } = wire.encode(order([user(text('Hi.'))], { tools }));
    assert.deepEqual(
      leftOut.map(({ tool: name }) => name),
      ['filter', 'deep'],
    );
    assert.match(leftOut[0]?.why ?? '', /"\$filter"/);
    const sent: Body = JSON.parse(body.toString());
    assert.deepEqual(
      sent.tools?.map(({ name }) => name),
      ['read', 'fine'],
    );
  });

  test('names are cast to what the provider takes, in the calls of the history too', () => {
    const tools = [tool('server.list/files')];
    const body = encode([user(text('Go.')), assistant([call('a', 'server.list/files')]), user(result('a', 'A'))], {
      tools,
    });
    assert.equal(body.tools?.[0]?.['name'], 'server_list_files');
    assert.equal(body.messages[1]?.content[0]?.['name'], 'server_list_files');
  });

  test('a union at the top of a schema becomes one object', () => {
    const union = {
      anyOf: [
        { type: 'object', properties: { a: {} }, required: ['a'] },
        { type: 'object', properties: { b: {} } },
      ],
    };
    const [sent] = encode([user(text('Hi.'))], { tools: [{ name: 'x', description: '', input: union }] }).tools ?? [];
    const schema = sent?.['input_schema'] as JsonObject;
    assert.equal(schema['type'], 'object');
    for (const key of ['anyOf', 'oneOf', 'allOf']) assert.equal(schema[key], undefined);
    assert.deepEqual(Object.keys(schema['properties'] as JsonObject).toSorted(), ['a', 'b']);
  });
});

describe('images', () => {
  const png: ImagePart = { type: 'image', mediaType: 'image/png', blob: 'b1', bytes: 12_345 };
  const gif: ImagePart = { type: 'image', mediaType: 'image/gif', blob: 'b2', bytes: 99 };
  const bytes: { [blob: string]: string } = { b1: 'iVBORw0KGgo=', b2: 'R0lGODlh' };
  const image = (blob: string) => bytes[blob];
  const block = ({ mediaType, blob }: ImagePart) => ({
    type: 'image',
    source: { type: 'base64', media_type: mediaType, data: bytes[blob] },
  });
  const shown = (...parts: (ResultPart | ImagePart | TextPart)[]) => [
    user(text('Go.')),
    assistant([call('a')]),
    user(...parts),
  ];
  const seen = (images: ImagePart[], words = 'Here.', error = false): ResultPart => ({
    ...result('a', words, error),
    images,
  });
  const note = (size: string, why: string, kind = 'image/png') => `[An image was here (${kind}, ${size}); ${why}.]`;

  test('of the user stand where they were put, the mark is on the last', () => {
    const body = encode([user(png, text('What is it?'), gif)], { image });
    assert.deepEqual(body.messages[0]?.content, [
      block(png),
      { type: 'text', text: 'What is it?' },
      { ...block(gif), ...marked },
    ]);
  });

  test('of a result follow its text; a result without any stays a string', () => {
    const body = encode(shown(seen([png, gif], 'Here.', true)), { image });
    assert.deepEqual(body.messages[2]?.content, [
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: [{ type: 'text', text: 'Here.' }, block(png), block(gif)],
        is_error: true,
        ...marked,
      },
    ]);
    const [silent] = encode(shown(seen([png], ' ')), { image }).messages[2]?.content ?? [];
    assert.deepEqual(silent?.['content'], [block(png)]);
    assert.equal(encode(shown(seen([])), { image }).messages[2]?.content[0]?.['content'], 'Here.');
  });

  test('become notes for a model without sight, in a string where nothing else is left', () => {
    const blind = encode(shown(seen([png]), gif, text('See?')), { image, abilities: { images: false } });
    const unable = 'this model can’t see images';
    assert.deepEqual(blind.messages[2]?.content, [
      { type: 'tool_result', tool_use_id: 'a', content: `Here.\n${note('12 kB', unable)}` },
      { type: 'text', text: note('99 B', unable, 'image/gif') },
      { type: 'text', text: 'See?', ...marked },
    ]);
    const [bare] = encode(shown(seen([png], '')), { abilities: { images: false } }).messages[2]?.content ?? [];
    assert.equal(bare?.['content'], note('12 kB', unable));
  });

  test('that are lost, too large or of another kind become notes, one by one', () => {
    const lost = { ...png, blob: 'gone' };
    const large = { ...png, blob: 'large', bytes: 4_000_000 };
    const other = { ...png, mediaType: 'image/tiff' };
    const limit = 5 * 1024 * 1024;
    const of = (length: number) => (blob: string) => (blob === 'large' ? 'A'.repeat(length) : bytes[blob]);
    const [content] =
      encode(shown(seen([lost, large, other, gif])), { image: of(limit + 4) }).messages[2]?.content ?? [];
    assert.deepEqual(content?.['content'], [
      { type: 'text', text: 'Here.' },
      { type: 'text', text: note('12 kB', 'its bytes were lost') },
      { type: 'text', text: note('4.0 MB', 'it is larger than this model takes') },
      { type: 'text', text: note('12 kB', 'this model takes no images of its kind', 'image/tiff') },
      block(gif),
    ]);
    const [fits] = encode([user(large)], { image: of(limit) }).messages[0]?.content ?? [];
    assert.equal(fits?.type, 'image');
  });

  test('what was made of a message before doesn’t hold for other abilities or other bytes', () => {
    const talk = [user(png, text('What?'))];
    const first = (changes: Changes) => encode(talk, changes).messages[0]?.content[0]?.type;
    assert.deepEqual(
      [first({ image }), first({ image, abilities: { images: false } }), first({}), first({ image })],
      ['image', 'text', 'text', 'image'],
    );
  });

  test('the canonical sequence can be read back out of the bytes', () => {
    const { body, canonical } = wire.encode(order(shown(seen([png]), gif, text('See?')), { image }));
    assert.deepEqual(wire.canonical(body), canonical);
  });
});

describe('the voice of the harness', () => {
  const said = (words: string): TextPart => ({ type: 'text', text: words, voice: 'harness' });
  const voiced: Changes = { abilities: { systemMessages: true } };
  const shapeOf = (messages: Message[], changes: Changes = voiced) =>
    encode(messages, changes).messages.map(({ role, content }) => [
      role,
      ...content.map((block) => block['text'] ?? block['tool_use_id'] ?? block['id'] ?? null),
    ]);

  test('is its own message after what the user brought, where the model takes that', () => {
    const talk = [
      user(text('Go.')),
      assistant([call('a')]),
      user(result('a', 'A'), said('Ten turns left.'), said('Hurry.')),
    ];
    assert.deepEqual(shapeOf(talk).slice(2), [
      ['user', 'a'],
      ['system', 'Ten turns left.', 'Hurry.'],
    ]);
    assert.deepEqual(shapeOf(talk, {}).slice(2), [['user', 'a', 'Ten turns left.', 'Hurry.']]);
    const { messages } = encode(talk, voiced);
    assert.deepEqual(messages.at(-1)?.content.at(-1), { type: 'text', text: 'Hurry.', ...marked });
    assert.equal(JSON.stringify(messages).split('cache_control').length - 1, 1);
  });

  test('is the user’s where there is nothing of the user before it, or something after it', () => {
    assert.deepEqual(shapeOf([user(said('Alone.'))]), [['user', 'Alone.']]);
    assert.deepEqual(shapeOf([user(text('A.'), said('B.'), text('C.'))]), [['user', 'A.', 'B.', 'C.']]);
    assert.deepEqual(shapeOf([user(text('A.'), said('B.'), text('C.'), said('D.'))]), [
      ['user', 'A.', 'B.', 'C.'],
      ['system', 'D.'],
    ]);
    assert.deepEqual(shapeOf([user(text('A.'), said(' '))]), [['user', 'A.']]);
  });

  test('joins what follows where a reply between them isn’t sent', () => {
    const thinking: ReplyPart = { type: 'thinking', text: 'Hm.', opaque: { type: 'thinking' } };
    const talk = [user(text('A.'), said('B.')), assistant([thinking], foreign), user(text('C.'))];
    assert.deepEqual(shapeOf(talk), [['user', 'A.', 'B.', 'C.']]);
  });

  test('stays as it was said when the conversation goes on', () => {
    const talk = [user(text('A.'), said('B.')), assistant([text('Well.')]), user(text('C.'))];
    const first = wire.encode(order(talk.slice(0, 1), voiced));
    const second = wire.encode(order(talk, voiced));
    assert.deepEqual(second.canonical.blocks.slice(0, 2), first.canonical.blocks);
    assert.deepEqual(
      second.canonical.blocks.map(({ role }) => role),
      ['user', 'system', 'assistant', 'user'],
    );
    assert.deepEqual(wire.canonical(second.body), second.canonical);
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
      order([user(text('Go.')), assistant([call('a', 'read', args)]), user(result('a', 'A'))]),
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
    for (const from of [foreign, { ...source, wire: 'other' }, { ...source, provider: 'other' }]) {
      const body = encode([user(text('Go.')), assistant([thinking, redacted, cited], from), user(text('On.'))]);
      assert.deepEqual(body.messages[1]?.content, [{ type: 'text', text: 'As it says.' }]);
    }
  });

  test('goes back without what would make the request another: marks, and blocks that don’t say what they are', () => {
    const opaque = {
      type: 'text',
      text: 'As it says.',
      citations: [{ type: 'c' }],
      cache_control: { type: 'ephemeral' },
    };
    const own: ReplyPart[] = [
      { type: 'text', text: 'As it says.', opaque },
      { type: 'opaque', opaque: { text: 'untyped' } },
      { type: 'opaque', opaque: [] },
      { type: 'text', text: 'Half.', opaque: { type: 'text', text: 'Half \ud83d', citations: [{ type: 'c' }] } },
    ];
    const called: ReplyPart = {
      ...call('a', 'read'),
      opaque: { type: 'tool_use', cache_control: { type: 'x' }, caller: 1 },
    };
    const asked = order([user(text('Go.')), assistant([...own, called]), user(result('a', 'A'))]);
    const encoded = wire.encode(asked);
    const body = JSON.parse(encoded.body.toString()) as ReturnType<typeof encode>;
    assert.deepEqual(body.messages[1]?.content, [
      { type: 'text', text: 'As it says.', citations: [{ type: 'c' }] },
      { type: 'text', text: 'Half \ufffd', citations: [{ type: 'c' }] },
      { type: 'tool_use', caller: 1, id: 'a', name: 'read' },
    ]);
    assert.deepEqual(wire.canonical(encoded.body), encoded.canonical);
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
    const talk = [
      user(text(`${half}👋`)),
      assistant([call('a', 'read', { [half]: [half, '\\ud83d'] })]),
      user(result('a', `\udc4b${half}`)),
    ];
    const { body } = wire.encode(order(talk, { system: [half] }));
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
    picture: fc.constantFrom('b1', 'lost', undefined),
    note: fc.constantFrom('first', 'last', undefined),
  })
  .map(({ others, ids, origin: from, said, shuffle, picture, note }): Message[] => {
    const images: ImagePart[] =
      picture === undefined ? [] : [{ type: 'image', mediaType: 'image/png', blob: picture, bytes: 8 }];
    const results = ids.map((id, index) => ({ ...result(id, `${index}${said}`), images }));
    if (shuffle) results.reverse();
    // Of two calls with one id, the results keep their order; only those of different ids may come in any.
    if (new Set(ids).size < ids.length) results.sort((a, b) => a.text.localeCompare(b.text));
    const voice: TextPart[] = note === undefined ? [] : [{ type: 'text', text: said, voice: 'harness' }];
    const mine = [...images, text(`.${said}`)];
    const parts = [...results, ...(note === 'first' ? [...voice, ...mine] : [...mine, ...voice])];
    return [assistant([...others, ...ids.map((id) => call(id, 'read', { said }))], from), user(...parts)];
  });
const conversation = fc.array(turn, { maxLength: 6 }).map((turns) => [user(text('Go.')), ...turns.flat()]);

/** The JSON of a text with more in it than white space. */
const notBlank = /^"(?!(?:\s|\\[ntrfv]|\\u000b|\\ufeff)*"$)/;

/** The content of a result: text that isn't blank, or blocks of which no text is. */
function assertSaid(content: Json): void {
  if (!Array.isArray(content)) return assert.match(JSON.stringify(content), notBlank);
  assert.ok(content.length > 0);
  for (const block of content as Block[])
    if (block.type === 'text') assert.match(JSON.stringify(block['text']), notBlank);
}

/** What a strict provider rejects. */
function assertLegal(body: Body): void {
  let open: Json[] = [];
  const used = new Set<Json>();
  const spoken = body.messages.filter(({ role }) => role !== 'system');
  body.messages.forEach((message, index) => {
    const [before, after] = [body.messages[index - 1]?.role, body.messages[index + 1]?.role];
    assert.notEqual(message.role, before, 'roles alternate');
    if (message.role !== 'system') return;
    assert.deepEqual([before, after ?? 'assistant'], ['user', 'assistant'], 'the harness comes after the user');
    for (const block of message.content) assert.match(JSON.stringify(block['text']), notBlank);
  });
  spoken.forEach((message, index) => {
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
      if (block.type === 'tool_result') assertSaid(block['content'] ?? null);
    }
  });
  assert.deepEqual(open, [], 'no call without a result at the end');
}

const image = (blob: string) => (blob === 'lost' ? undefined : 'iVBORw0KGgo=');
for (const systemMessages of [false, true]) {
  describe(`any conversation, the harness with ${systemMessages ? 'a' : 'no'} voice of its own`, () => {
    const voiced: Changes = { image, abilities: { systemMessages } };
    test('is legal for a strict provider', () => {
      fc.assert(fc.property(conversation, (messages) => assertLegal(encode(messages, voiced))));
    });

    test('gives the same bytes from new objects, whatever was encoded before', () => {
      fc.assert(
        fc.property(conversation, conversation, (messages, others) => {
          const longer = [...others, ...messages.slice(1)];
          for (const talk of [messages, longer, messages]) {
            for (const from of [source, foreign, source]) {
              const fresh = wire.encode(
                order(structuredClone(talk), { ...structuredClone(standing), ...voiced, source: from }),
              ).body;
              assert.deepEqual(wire.encode(order(talk, { ...voiced, source: from })).body, fresh);
            }
          }
        }),
      );
    });

    test('grows at its end only: without marks and limits, each request is the start of the next', () => {
      const mark = ',"cache_control":{"type":"ephemeral"}';
      const upToMessages = (messages: Message[]) => {
        const { body, sections } = wire.encode(order(messages, { ...voiced, maxOutput: messages.length }));
        return body
          .subarray(0, sections.messages.end - 3)
          .toString()
          .replaceAll(mark, '');
      };
      fc.assert(
        fc.property(conversation, (messages) => {
          // Where a reply isn't sent, what the harness said before it stands in the middle of a turn.
          const spoken = encode(messages, voiced).messages.filter(({ role }) => role !== 'system');
          fc.pre(!systemMessages || spoken.length === messages.length);
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
          const { body, canonical } = wire.encode(order(messages, voiced));
          assert.deepEqual(wire.canonical(body), canonical);
        }),
      );
      assert.equal(wire.canonical(Buffer.from('no body')), undefined);
      assert.equal(wire.canonical(Buffer.from('{"messages":[{"role":"user"}]}')), undefined);
    });
  });
}

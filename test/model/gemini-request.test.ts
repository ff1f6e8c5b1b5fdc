import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Content, GenerationConfig, Tool } from '@google/genai';
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
  ToolSpec,
} from '../../src/core/index.ts';
import { loadWire } from '../../src/model/index.ts';
import type { RequestBody } from '../../src/model/wires/gemini/schema.ts';
import { bodyText, orderFor, type Changes } from './orders.ts';

const wire = await loadWire('gemini');
const source: Source = { provider: 'google', wire: 'gemini', model: 'gemini-3-test' };
const older: Source = { ...source, model: 'gemini-2.5-test' };
const foreign: Source = { provider: 'other', wire: 'openai-chat', model: 'other-1' };
const tool = (name: string, input: JsonObject = { type: 'object', properties: {} }): ToolSpec => {
  return { name, description: `Does ${name}.`, input };
};
const standing: Changes = { system: ['Static.', 'Standing.'], tools: [tool('read'), tool('edit')], source };

interface OfficialBody {
  systemInstruction?: Content;
  tools?: Tool[];
  contents: Content[];
  generationConfig: Omit<GenerationConfig, 'thinkingConfig'> & { thinkingConfig?: object };
}
/** The body's shape is one that the official client would send. */
export const typed = (body: RequestBody): OfficialBody => body;

interface Body {
  contents: { role: string; parts: JsonObject[] }[];
  tools?: { functionDeclarations: JsonObject[] }[];
  generationConfig: JsonObject;
  [key: string]: unknown;
}

const order = (messages: Message[], changes: Changes = {}) => orderFor(wire, messages, { ...standing, ...changes });
const encode = (messages: Message[], changes: Changes = {}): Body =>
  JSON.parse(bodyText(wire, order(messages, changes)));
const contents = (messages: Message[], changes: Changes = {}) => encode(messages, changes).contents;

const user = (...parts: (ResultPart | ImagePart | TextPart)[]): Message => ({ role: 'user', parts });
const model = (parts: ReplyPart[], from = source): Message => ({ role: 'assistant', parts, source: from });
const text = (words: string): TextPart => ({ type: 'text', text: words });
const call = (id: string, args: JsonObject = {}, opaque?: Json): ReplyPart => {
  return { type: 'call', id, name: 'read', arguments: args, ...(opaque === undefined ? {} : { opaque }) };
};
const result = (id: string, words: string, error = false): ResultPart => {
  return { type: 'result', id, name: 'read', text: words, error };
};
const answer = (response: JsonObject, id?: string) => {
  return { functionResponse: { ...(id === undefined ? {} : { id }), name: 'read', response } };
};
const sentCall = (args: JsonObject = {}) => ({ functionCall: { name: 'read', args } });
const unsigned = { thoughtSignature: 'skip_thought_signature_validator' };

describe('the body, byte for byte', () => {
  test('keys in their order, what varies at the end', () => {
    const settings = {
      temperature: 0.5,
      effort: 'high',
      body: { generationConfig: { seed: 7 }, labels: { a: 'b' } },
    } as const;
    const { body, sections } = wire.encode(order([user(text('Fix it.'))], { settings }));
    const empty = '"parametersJsonSchema":{"type":"object","properties":{}}';
    const declarations = `{"name":"read","description":"Does read.",${empty}},{"name":"edit","description":"Does edit.",${empty}}`;
    const tools = `[{"functionDeclarations":[${declarations}]}]`;
    const system = '{"parts":[{"text":"Static."},{"text":"Standing."}]}';
    const messages = '[{"role":"user","parts":[{"text":"Fix it."}]}]';
    assert.equal(
      body.toString(),
      `{"systemInstruction":${system},"tools":${tools},"contents":${messages},` +
        '"generationConfig":{"maxOutputTokens":1000,"seed":7,"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"HIGH"},"temperature":0.5},' +
        '"labels":{"a":"b"}}',
    );
    const part = (range: { start: number; end: number }) => body.subarray(range.start, range.end).toString();
    assert.deepEqual([part(sections.tools), part(sections.system), part(sections.messages)], [tools, system, messages]);
  });

  test('nothing is sent for no tools and no system prompt', () => {
    const { body, sections } = wire.encode(order([user(text('Hi.'))], { tools: [], system: ['', ' \n'] }));
    assert.deepEqual(Object.keys(JSON.parse(body.toString())), ['contents', 'generationConfig']);
    assert.equal(sections.tools.start, sections.tools.end);
    assert.equal(sections.system.start, sections.system.end);
    assert.deepEqual(contents([]), []);
  });

  test('headers and path', () => {
    const path = (name: string) => wire.path(order([], { source: { model: name } }).target);
    assert.equal(path('gemini-3-test'), '/v1beta/models/gemini-3-test:streamGenerateContent?alt=sse');
    assert.equal(path('models/gemini-3'), '/v1beta/models/gemini-3:streamGenerateContent?alt=sse');
    assert.equal(path('tunedModels/mine'), '/v1beta/tunedModels/mine:streamGenerateContent?alt=sse');
    assert.equal(path('a/b?c'), '/v1beta/models/a%2Fb%3Fc:streamGenerateContent?alt=sse');
    assert.deepEqual(wire.keyHeaders('k'), { 'x-goog-api-key': 'k' });
  });

  test('each request is the bytes of the one before and more, up to what varies', () => {
    const talk = [
      user(text('Go.')),
      model([call('a', { path: 'x' }, { functionCall: { name: 'read', args: { path: 'x' } }, thoughtSignature: 'S' })]),
      user(result('a', 'A')),
      model([text('Done.')]),
      user(text('More.')),
    ];
    const prefixes = [1, 3, 5].map((count) => {
      const { body, sections, canonical } = wire.encode(order(talk.slice(0, count)));
      assert.deepEqual(wire.canonical(body), canonical);
      return { prefix: body.subarray(0, sections.messages.end - 1), blocks: canonical.blocks };
    });
    for (const [index, { prefix, blocks }] of prefixes.slice(1).entries()) {
      const before = prefixes[index]!;
      assert.deepEqual(prefix.subarray(0, before.prefix.length), before.prefix);
      assert.deepEqual(blocks.slice(0, before.blocks.length), before.blocks);
    }
  });

  test('what isn’t a body of this wire has no canonical sequence', () => {
    for (const body of ['', '[]', '{"messages":[]}', '{"contents":[{"role":"user"}]}', '{"contents":[7]}']) {
      assert.equal(wire.canonical(Buffer.from(body)), undefined, body);
    }
  });
});

describe('settings', () => {
  const config = (settings: Changes['settings'] = {}, changes: Changes = {}) =>
    encode([user(text('Hi.'))], { settings, maxOutput: 64_000, ...changes }).generationConfig;
  const thinking = (settings: Changes['settings'], abilities: Changes['abilities'] = {}, maxOutput = 64_000) =>
    config(settings, { abilities, maxOutput })['thinkingConfig'];

  type Settings = NonNullable<Changes['settings']>;
  type Abilities = NonNullable<Changes['abilities']>;
  const shown = { includeThoughts: true };
  const levels: Abilities = { thinking: 'adaptive', efforts: ['minimal', 'low', 'high'] };
  const budgets: Abilities = { thinking: 'budget', efforts: [] };
  // One line a case, so that it reads as the table it is.
  // oxfmt-ignore
  const cases: [string, Settings, Abilities, JsonObject | undefined][] = [
    ['nothing set', {}, levels, shown],
    ['a model that doesn’t think', { effort: 'high', thinking: 2_000 }, { thinking: 'none', efforts: [] }, undefined],
    ['an effort that it knows', { effort: 'low' }, levels, { ...shown, thinkingLevel: 'LOW' }],
    ['an effort between those that it knows', { effort: 'medium' }, levels, { ...shown, thinkingLevel: 'LOW' }],
    ['as little as it can', { thinking: 'off' }, levels, { ...shown, thinkingLevel: 'MINIMAL' }],
    ['a budget where it takes levels', { thinking: 2_000, effort: 'high' }, levels, { ...shown, thinkingLevel: 'HIGH' }],
    ['by itself where it takes levels', { thinking: 'adaptive' }, levels, shown],
    ['a budget', { thinking: 2_000, effort: 'high' }, budgets, { ...shown, thinkingBudget: 2_000 }],
    ['a budget beside levels', { thinking: 2_000, effort: 'high' }, { thinking: 'either' }, { ...shown, thinkingBudget: 2_000 }],
    ['by itself', { thinking: 'adaptive' }, budgets, { ...shown, thinkingBudget: -1 }],
    ['not at all', { thinking: 'off' }, budgets, { thinkingBudget: 0 }],
    ['as little as it can', { thinking: 'off' }, { ...budgets, leastThinking: 128 }, { thinkingBudget: 128, includeThoughts: true }],
    ['none as an effort', { effort: 'none' }, { efforts: ['none', 'low'] }, { thinkingBudget: 0 }],
    ['what the user says of it', { body: { generationConfig: { thinkingConfig: { thinkingLevel: 'MEDIUM' } } } }, levels, { ...shown, thinkingLevel: 'MEDIUM' }],
    ['what is set goes before it', { effort: 'low', body: { generationConfig: { thinkingConfig: { thinkingBudget: 9 } } } }, levels, { ...shown, thinkingLevel: 'LOW' }],
    ['that thoughts aren’t shown', { body: { generationConfig: { thinkingConfig: { includeThoughts: false } } } }, levels, { includeThoughts: false }],
  ];
  for (const [title, settings, abilities, expected] of cases) {
    test(`thinking: ${title}`, () => assert.deepEqual(thinking(settings, abilities), expected));
  }

  test('a thinking budget stays below the output limit', () => {
    assert.deepEqual(thinking({ thinking: 8_000 }, budgets, 8_001), { ...shown, thinkingBudget: 8_000 });
    assert.deepEqual(thinking({ thinking: 8_000 }, budgets, 8_000), { ...shown, thinkingBudget: 7_999 });
  });

  test('sampling goes to models that take it', () => {
    const settings: Settings = { temperature: 0, topP: 0.9 };
    const { temperature, topP } = config(settings);
    assert.deepEqual([temperature, topP], [0, 0.9]);
    const without = config(settings, { abilities: { sampling: false } });
    assert.ok(!('temperature' in without) && !('topP' in without));
  });

  test('what the wire itself sends can’t be overwritten', () => {
    const keys = ['contents', 'systemInstruction', 'system_instruction', 'tools', 'model', 'cachedContent'];
    const bodies: JsonObject[] = keys.map((key) => ({ [key]: 1 }));
    const inner: JsonObject[] = ['maxOutputTokens', 'candidateCount'].map((key) => ({
      generationConfig: { [key]: 1 },
    }));
    for (const body of [...bodies, ...inner]) {
      assert.throws(() => config({ body }), { code: 'config-invalid' }, JSON.stringify(body));
    }
  });
});

describe('tools', () => {
  const declarations = (tools: ToolSpec[], changes: Changes = {}) =>
    encode([user(text('Hi.'))], { tools, ...changes }).tools?.[0]?.functionDeclarations;
  const schema: JsonObject = {
    type: 'object',
    properties: {
      mode: { const: 'fast' },
      path: { type: ['string', 'null'], minLength: 1 },
      anything: { type: 'object', additionalProperties: { type: 'string' } },
      kind: { oneOf: [{ type: 'string' }, { type: 'number' }], description: 'd' },
    },
    required: ['mode'],
    additionalProperties: false,
  };

  test('are said in the documented part of JSON Schema', () => {
    assert.deepEqual(declarations([tool('my tool', schema)]), [
      {
        name: 'my_tool',
        description: 'Does my tool.',
        parametersJsonSchema: {
          type: 'object',
          properties: {
            mode: { type: 'string', enum: ['fast'] },
            path: { type: ['string', 'null'] },
            anything: { type: 'object', additionalProperties: { type: 'string' } },
            kind: { anyOf: [{ type: 'string' }, { type: 'number' }], description: 'd' },
          },
          required: ['mode'],
          additionalProperties: false,
        },
      },
    ]);
  });

  test('are said in the older dialect where the profile asks for it', () => {
    assert.deepEqual(declarations([tool('x', schema), tool('y')], { profile: 'openapi' }), [
      {
        name: 'x',
        description: 'Does x.',
        parameters: {
          type: 'OBJECT',
          properties: {
            mode: { type: 'STRING', enum: ['fast'] },
            path: { type: 'STRING', nullable: true },
            // An object without properties can't be said.
            anything: {},
            kind: {
              anyOf: [
                { type: 'STRING', description: 'd' },
                { type: 'NUMBER', description: 'd' },
              ],
            },
          },
          required: ['mode'],
        },
      },
      { name: 'y', description: 'Does y.' },
    ]);
  });

  test('of one dialect aren’t taken for those of the other', () => {
    const tools = [tool('x', schema)];
    const first = declarations(tools);
    assert.notDeepEqual(declarations(tools, { profile: 'openapi' }), first);
    assert.deepEqual(declarations(tools), first);
  });

  test('that can’t be cast are left out by name', () => {
    const circle: JsonObject = { type: 'object' };
    circle['items'] = circle;
    const { leftOut, body } = wire.encode(order([user(text('Hi.'))], { tools: [tool('bad', circle), tool('good')] }));
    assert.deepEqual(
      leftOut.map(({ tool }) => tool),
      ['bad'],
    );
    assert.ok(body.includes('"good"') && !body.includes('"bad"'));
  });
});

describe('calls and results', () => {
  test('responses come first, as many and in the order of the calls, then what was said', () => {
    const talk = [
      user(text('Go.')),
      model([call('a'), call('b')], older),
      user(result('b', 'B', true), result('a', 'A'), text('And hurry.')),
    ];
    assert.deepEqual(contents(talk, { source: older }), [
      { role: 'user', parts: [{ text: 'Go.' }] },
      { role: 'model', parts: [sentCall(), sentCall()] },
      { role: 'user', parts: [answer({ output: 'A' }), answer({ error: 'B' }), { text: 'And hurry.' }] },
    ]);
  });

  test('an empty result says so in words', () => {
    const talk = [user(text('Go.')), model([call('a'), call('b')]), user(result('a', ' \n'), result('b', '', true))];
    assert.deepEqual(contents(talk)[2]?.parts, [
      answer({ output: '(no output)' }),
      answer({ error: '(failed without output)' }),
    ]);
  });

  test('an id goes with a call and its response only when the provider gave one', () => {
    const given = { functionCall: { id: 'p1', name: 'read', args: { n: 1 } }, thoughtSignature: 'S' };
    const talk = [
      user(text('Go.')),
      model([call('p1', { n: 1 }, given), call('call_2', { n: 2 })]),
      user(result('p1', 'A'), result('call_2', 'B')),
    ];
    assert.deepEqual(contents(talk).slice(1), [
      { role: 'model', parts: [given, sentCall({ n: 2 })] },
      { role: 'user', parts: [answer({ output: 'A' }, 'p1'), answer({ output: 'B' })] },
    ]);
    // Another's id means nothing here.
    const moved = contents([talk[0]!, { ...model([call('p1')]), source: foreign } as Message, user(result('p1', 'A'))]);
    assert.deepEqual(moved[2]?.parts, [answer({ output: 'A' })]);
  });

  test('ids that are doubled or missing keep results with their calls', () => {
    const args = [1, 2, 3].map((n) => ({ n }));
    const talk = [
      user(text('Go.')),
      model([call('x', args[0]), call('x', args[1]), call('', args[2])]),
      user(result('x', 'R1'), result('x', 'R2'), result('', 'R3')),
      model([call('x')]),
      user(result('x', 'last')),
    ];
    const outputs = contents(talk).flatMap(({ parts }) => parts.flatMap((part) => part['functionResponse'] ?? []));
    assert.deepEqual(
      outputs.map((response) => (response as { response: JsonObject }).response),
      ['R1', 'R2', 'R3', 'last'].map((output) => ({ output })),
    );
  });

  test('a malformed call goes back without arguments, signed as it was', () => {
    const given = { functionCall: { name: 'read', args: 'text' }, thoughtSignature: 'S' };
    const part: ReplyPart = { ...call('a', {}, given), malformed: '"text"' } as ReplyPart;
    assert.deepEqual(contents([user(text('Go.')), model([part]), user(result('a', 'bad'))])[1]?.parts, [
      { ...sentCall(), thoughtSignature: 'S' },
    ]);
  });

  test('names are cast alike in declarations, calls and responses', () => {
    const tools = [tool('files/read'), tool('files_read')];
    const part: ReplyPart = { type: 'call', id: 'a', name: 'files/read', arguments: {} };
    const body = encode([user(text('Go.')), model([part]), user({ ...result('a', 'A'), name: 'files/read' })], {
      tools,
    });
    assert.deepEqual(
      body.tools?.[0]?.functionDeclarations.map(({ name }) => name),
      ['files_read_2', 'files_read'],
    );
    assert.match(JSON.stringify(body.contents[1]), /"name":"files_read_2"/);
    assert.match(JSON.stringify(body.contents[2]), /"name":"files_read_2"/);
  });

  test('arguments keep every key and value', () => {
    const args = JSON.parse(
      '{"__proto__":{"a":1},"10":"x","b":[null,true,1.5e-7],"c":"\\u2028</script>"}',
    ) as JsonObject;
    const { body } = wire.encode(order([user(text('Go.')), model([call('a', args)]), user(result('a', 'A'))]));
    assert.ok(body.toString().includes(`"args":${JSON.stringify(args)}`));
  });
});

describe('signatures', () => {
  const signed = { functionCall: { name: 'read', args: {} }, thoughtSignature: 'S1' };
  const said: ReplyPart = {
    type: 'text',
    text: 'Well, then.',
    opaque: [{ text: 'Well, ' }, { text: 'then.', thoughtSignature: 'S2' }],
  };
  const closing: ReplyPart = { type: 'opaque', opaque: [{ text: '', thoughtSignature: 'S3' }] };
  const bare: ReplyPart = { type: 'opaque', opaque: [{ thoughtSignature: 'S4' }] };
  const thought: ReplyPart = {
    type: 'thinking',
    text: 'Hm.',
    opaque: [{ text: 'Hm.', thought: true, thoughtSignature: 'S5' }],
  };
  const open: ReplyPart = { type: 'thinking', text: 'Hm.' };
  const code: ReplyPart = { type: 'opaque', opaque: [{ executableCode: { language: 'PYTHON', code: '1' } }] };
  const reply = [open, thought, said, code, call('a', {}, signed), call('b'), closing, bare];
  const results = user(result('a', 'A'), result('b', 'B'));

  test('go back at the same part, unchanged; thoughts without one don’t', () => {
    assert.deepEqual(contents([user(text('Go.')), model(reply), results])[1]?.parts, [
      { text: 'Hm.', thought: true, thoughtSignature: 'S5' },
      { text: 'Well, ' },
      { text: 'then.', thoughtSignature: 'S2' },
      { executableCode: { language: 'PYTHON', code: '1' } },
      signed,
      sentCall(),
      { text: '', thoughtSignature: 'S3' },
      { text: '', thoughtSignature: 'S4' },
    ]);
  });

  test('stand on an empty text where there was none; a part that holds nothing isn’t sent', () => {
    const given = [
      { thought: true },
      {},
      { text: '' },
      { text: 5 },
      { functionCall: 'read' },
      { thought: true, thoughtSignature: 'S1' },
      { text: null, functionCall: 0, thoughtSignature: 'S2' },
      { text: '', thoughtSignature: 'S3' },
      { later: { invention: 1 } },
    ];
    assert.deepEqual(contents([user(text('Go.')), model([{ type: 'opaque', opaque: given }]), user(text('On.'))])[1], {
      role: 'model',
      parts: [
        { text: '', thought: true, thoughtSignature: 'S1' },
        { text: '', thoughtSignature: 'S2' },
        { text: '', thoughtSignature: 'S3' },
        { later: { invention: 1 } },
      ],
    });
  });

  test('never go to another model, wire or provider', () => {
    for (const from of [older, foreign, { ...source, provider: 'other' }]) {
      assert.deepEqual(contents([user(text('Go.')), model(reply, from), results])[1]?.parts, [
        { text: 'Well, then.' },
        { ...sentCall(), ...unsigned },
        sentCall(),
      ]);
    }
  });

  test('are stood in for on the first call of each reply that has none, where the model wants one', () => {
    const talk = [
      user(text('Go.')),
      model([text('So.'), call('a'), call('b')], foreign),
      results,
      model([call('c')], foreign),
      user(result('c', 'C')),
    ];
    const standIns = (name: string) =>
      contents(talk, { source: { ...source, model: name } }).map(({ parts }) =>
        parts.map((part) => part['thoughtSignature'] === unsigned.thoughtSignature),
      );
    const all = [[false], [false, true, false], [false, false], [true], [false]];
    for (const name of ['gemini-3-pro', 'gemini-3.8-flash', 'gemini-10', 'gemini-flash-latest']) {
      assert.deepEqual(standIns(name), all, name);
    }
    for (const name of ['gemini-2.5-pro', 'gemma-3']) {
      assert.ok(!standIns(name).flat().includes(true), name);
    }
  });
});

describe('images', () => {
  const png: ImagePart = { type: 'image', mediaType: 'image/png', blob: 'b1', bytes: 12_345 };
  const gif: ImagePart = { ...png, mediaType: 'image/gif' };
  const image = (blob: string) => (blob === 'b1' ? 'iVBORw0KGgo=' : undefined);
  const sent = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
  const seen = (id: string, images: ImagePart[], words = 'Here.'): ResultPart => ({ ...result(id, words), images });
  const shown = (...parts: (ResultPart | ImagePart | TextPart)[]) => [
    user(text('Go.')),
    model([call('a'), call('b')]),
    user(...parts),
  ];

  test('of the user stand where they were put', () => {
    assert.deepEqual(contents([user(png, text('What is it?'), png)], { image })[0]?.parts, [
      sent,
      { text: 'What is it?' },
      sent,
    ]);
  });

  test('of results follow all responses', () => {
    const parts = contents(shown(seen('a', [png]), seen('b', [png], ''), text('Both.')), { image })[2]?.parts;
    assert.deepEqual(parts, [
      answer({ output: 'Here.' }),
      answer({ output: '(see the image that follows)' }),
      sent,
      sent,
      { text: 'Both.' },
    ]);
  });

  test('that can’t be sent are noted where they were', () => {
    const note = (kind: string, why: string) => `[An image was here (${kind}, 12 kB); ${why}.]`;
    const unknown = note('image/gif', 'this model takes no images of its kind');
    const lost = note('image/png', 'its bytes were lost');
    const parts = contents(shown(seen('a', [gif, { ...png, blob: 'gone' }]), seen('b', [gif], ' '), gif), { image });
    assert.deepEqual(parts[2]?.parts, [
      answer({ output: `Here.\n${unknown}\n${lost}` }),
      answer({ output: unknown }),
      { text: unknown },
    ]);
    const blind = contents([user(png)], { image, abilities: { images: false } });
    assert.deepEqual(blind[0]?.parts, [{ text: note('image/png', 'this model can’t see images') }]);
  });

  test('what was made of a message before doesn’t hold for other abilities or other bytes', () => {
    const talk = [user(png, text('What?'))];
    const isSent = (changes: Changes) => 'inlineData' in (contents(talk, changes)[0]?.parts[0] ?? {});
    assert.deepEqual(
      [isSent({ image }), isSent({ image, abilities: { images: false } }), isSent({}), isSent({ image })],
      [true, false, false, true],
    );
  });
});

describe('what is left of a conversation', () => {
  test('neighbours of one role are one content, and what is blank is nothing', () => {
    const thinking: ReplyPart = { type: 'thinking', text: 'Hm.', opaque: { type: 'thinking' } };
    const talk = [
      user(text('A.'), text(' \n')),
      model([thinking], foreign),
      user(text('B.')),
      model([text('C.')], older),
      model([text('D.')]),
      user({ ...text('E.'), voice: 'harness' }),
    ];
    assert.deepEqual(contents(talk), [
      { role: 'user', parts: [{ text: 'A.' }, { text: 'B.' }] },
      { role: 'model', parts: [{ text: 'C.' }, { text: 'D.' }] },
      { role: 'user', parts: [{ text: 'E.' }] },
    ]);
  });

  test('half a character is none, and line separators stay', () => {
    const body = bodyText(wire, order([user(text('a\ud83d b\u2028c'))]));
    assert.ok(body.includes('a\ufffd b\u2028c'));
  });

  test('the same order gives the same bytes, from any state of what is kept', () => {
    const parts = fc.constantFrom<ReplyPart>(text('So.'), call('a', { n: 1 }), { type: 'thinking', text: 'Hm.' });
    const reply = fc.tuple(fc.array(parts, { minLength: 1, maxLength: 4 }), fc.constantFrom(source, older, foreign));
    fc.assert(
      fc.property(fc.array(reply, { maxLength: 5 }), (replies) => {
        const talk: Message[] = [user(text('Go.'))];
        for (const [parts, from] of replies) {
          talk.push(model(parts, from));
          const calls = parts.filter((part) => part.type === 'call');
          talk.push(user(...calls.map(({ id }) => result(id, 'R')), text('On.')));
        }
        for (let count = 1; count <= talk.length; count += 2) {
          const kept = wire.encode(order(talk.slice(0, count)));
          const anew = wire.encode(order(structuredClone(talk.slice(0, count))));
          assert.deepEqual(kept.body, anew.body);
          assert.deepEqual(wire.canonical(kept.body), kept.canonical);
          const other = wire.encode(order(talk.slice(0, count), { source: older }));
          assert.deepEqual(
            other.body,
            wire.encode(order(structuredClone(talk.slice(0, count)), { source: older })).body,
          );
        }
      }),
      { numRuns: 60 },
    );
  });
});

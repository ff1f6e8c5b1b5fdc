import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ImagePart, JsonObject, Message, ReplyPart, Source, Target, ToolSpec } from '../../src/core/index.ts';
import { loadWire, type ProviderFailure } from '../../src/model/index.ts';
import { bodyText, orderFor, type Changes } from './orders.ts';

const wire = await loadWire('openai-chat');
const source: Source = { provider: 'maker', wire: 'openai-chat', model: 'model-1' };
const foreign: Source = { provider: 'other', wire: 'anthropic', model: 'claude-other' };

const go: Message = { role: 'user', parts: [{ type: 'text', text: 'Go.' }] };
const encode = (messages: Message[], changes: Changes = {}) =>
  JSON.parse(bodyText(wire, orderFor(wire, messages, changes))) as JsonObject & { messages: JsonObject[] };

const assistant = (parts: ReplyPart[], from = source): Message => ({ role: 'assistant', parts, source: from });
const results = (ids: string[], said: string[] = []): Message => ({
  role: 'user',
  parts: [
    ...ids.map((id) => ({ type: 'result' as const, id, name: 'read', text: 'R', error: false })),
    ...said.map((text) => ({ type: 'text' as const, text })),
  ],
});
const call = (id: string): ReplyPart => ({ type: 'call', id, name: 'read', arguments: {} });
const profiles = ['plain', 'openai', 'vllm', 'sglang', 'llama-cpp', 'ollama', 'lm-studio', 'deepseek', 'mistral'];
const all = [...profiles, 'groq', 'xai', 'openrouter'];

describe('a profile', () => {
  test('that doesn’t exist is refused by name, before anything is sent', () => {
    assert.throws(() => encode([go], { profile: 'vlm' }), { code: 'config-invalid', message: /"vlm".*vllm/s });
    assert.throws(() => encode([go], { profile: '__proto__' }), { code: 'config-invalid' });
  });

  test('decides the role of the prompt, the key of the limit, and whether usage and a cache are asked for', () => {
    const said = all.map((profile) => {
      const body = encode([go], { profile, system: ['S'], maxOutput: 7, cacheKey: 'c' });
      const { max_tokens: older, max_completion_tokens: newer, stream_options: options, prompt_cache_key: key } = body;
      assert.equal(older ?? newer, 7);
      return [profile, body.messages[0]?.['role'], older === undefined ? 'newer' : 'older', options !== undefined, key];
    });
    const usual = (profile: string) => [profile, 'system', 'older', true, undefined];
    assert.deepEqual(said, [
      usual('plain'),
      ['openai', 'developer', 'newer', true, 'c'],
      ...profiles.slice(2, 8).map(usual),
      ['mistral', 'system', 'older', false, undefined],
      ['groq', 'system', 'newer', true, undefined],
      ['xai', 'system', 'newer', true, undefined],
      usual('openrouter'),
    ]);
  });
});

/** What is said of effort and thinking. */
function spoken(
  profile: string,
  settings: Target['settings'],
  abilities: Partial<Target['abilities']> = {},
): JsonObject {
  const { reasoning_effort, thinking, reasoning, chat_template_kwargs } = encode([go], {
    profile,
    settings,
    abilities,
  });
  const keys = { reasoning_effort, thinking, reasoning, chat_template_kwargs };
  return Object.fromEntries(
    Object.entries(keys).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

describe('effort', () => {
  test('is said where the profile says it', () => {
    for (const profile of all) {
      const said = {
        'llama-cpp': { chat_template_kwargs: { reasoning_effort: 'high' } },
        openrouter: { reasoning: { effort: 'high' } },
      }[profile] ?? { reasoning_effort: 'high' };
      assert.deepEqual(spoken(profile, { effort: 'high' }), said, profile);
    }
  });

  test('is cast to what the model knows, and never said to one that knows none', () => {
    assert.deepEqual(spoken('plain', { effort: 'max' }), { reasoning_effort: 'high' });
    assert.deepEqual(spoken('plain', { effort: 'none' }), { reasoning_effort: 'low' });
    assert.deepEqual(spoken('plain', { effort: 'high' }, { efforts: [] }), {});
  });
});

describe('thinking', () => {
  const template = (on: boolean) => ({ chat_template_kwargs: { enable_thinking: on, thinking: on } });

  test('is switched in the words of the profile', () => {
    assert.deepEqual(spoken('deepseek', { thinking: 'off', effort: 'high' }), { thinking: { type: 'disabled' } });
    assert.deepEqual(spoken('deepseek', { thinking: 'adaptive', effort: 'low' }), {
      reasoning_effort: 'low',
      thinking: { type: 'enabled' },
    });
    for (const profile of ['vllm', 'sglang', 'llama-cpp']) {
      assert.deepEqual(spoken(profile, { thinking: 'off' }), template(false));
      assert.deepEqual(spoken(profile, { thinking: 2_000 }), template(true));
    }
    assert.deepEqual(spoken('openrouter', { thinking: 'off', effort: 'high' }), { reasoning: { enabled: false } });
    assert.deepEqual(spoken('openrouter', { thinking: 'adaptive' }), { reasoning: { enabled: true } });
    assert.deepEqual(spoken('openrouter', { thinking: 'adaptive', effort: 'low' }), { reasoning: { effort: 'low' } });
  });

  test('a budget stays below the output limit', () => {
    assert.deepEqual(spoken('openrouter', { thinking: 999 }), { reasoning: { max_tokens: 999 } });
    assert.deepEqual(spoken('openrouter', { thinking: 1_000 }), { reasoning: { max_tokens: 999 } });
    assert.deepEqual(spoken('openrouter', { thinking: 999 }, { thinking: 'adaptive' }), {
      reasoning: { enabled: true },
    });
  });

  test('that is off is an effort of none where there is no other switch and the model knows it', () => {
    const knows = { efforts: ['none', 'high'] };
    assert.deepEqual(spoken('mistral', { thinking: 'off', effort: 'high' }, knows), { reasoning_effort: 'none' });
    assert.deepEqual(spoken('ollama', { thinking: 'off' }, knows), { reasoning_effort: 'none' });
    assert.deepEqual(spoken('xai', { thinking: 'off', effort: 'high' }), { reasoning_effort: 'high' });
  });

  test('is not said to a model that can’t be told', () => {
    for (const profile of all)
      assert.deepEqual(spoken(profile, { thinking: 'off' }, { thinking: 'none' }), {}, profile);
  });

  test('joins what the settings say themselves', () => {
    const body = { chat_template_kwargs: { style: 'x' }, reasoning: { exclude: true } };
    assert.deepEqual(spoken('vllm', { thinking: 'off', body })['chat_template_kwargs'], {
      style: 'x',
      enable_thinking: false,
      thinking: false,
    });
    assert.deepEqual(spoken('openrouter', { effort: 'low', body })['reasoning'], { exclude: true, effort: 'low' });
  });
});

describe('the model’s own reasoning', () => {
  const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 's', index: 0 }];
  const ways: { [name: string]: ReplyPart } = {
    content: { type: 'thinking', text: 'Hm.', opaque: { field: 'reasoning_content' } },
    reasoning: { type: 'thinking', text: 'Hm.', opaque: { field: 'reasoning' } },
    details: { type: 'thinking', text: 'Hm.', opaque: { field: 'reasoning', details } },
    tags: { type: 'thinking', text: 'Hm.', opaque: { field: 'content', before: '<think>\n', after: '\n</think>\n\n' } },
    parts: { type: 'thinking', text: 'Hm.', opaque: { field: 'parts' } },
    cut: { type: 'thinking', text: 'Hm.' },
  };
  const back = (profile: string, way: string, from = source, more: ReplyPart[] = [{ type: 'text', text: 'So.' }]) => {
    const { role: _, ...reply } =
      encode([go, assistant([ways[way] ?? call('a'), ...more], from), results(['a'], ['On.'])], { profile })
        .messages[1] ?? {};
    return reply;
  };

  test('goes back as it came', () => {
    for (const profile of ['plain', 'vllm', 'sglang', 'llama-cpp', 'ollama', 'lm-studio', 'mistral', 'openrouter']) {
      assert.deepEqual(back(profile, 'content'), { content: 'So.', reasoning_content: 'Hm.' });
      assert.deepEqual(back(profile, 'reasoning'), { content: 'So.', reasoning: 'Hm.' });
      assert.deepEqual(back(profile, 'details'), { content: 'So.', reasoning_details: details });
      assert.deepEqual(back(profile, 'tags'), { content: '<think>\nHm.\n</think>\n\nSo.' });
      assert.deepEqual(back(profile, 'parts'), {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
          { type: 'text', text: 'So.' },
        ],
      });
      assert.deepEqual(back(profile, 'cut'), { content: 'So.' });
    }
  });

  test('never goes to another model, nor to a provider that refuses it', () => {
    for (const way of Object.keys(ways)) {
      assert.deepEqual(back('plain', way, foreign), { content: 'So.' });
      assert.deepEqual(back('plain', way, { ...source, model: 'model-2' }), { content: 'So.' });
      assert.deepEqual(back('plain', way, { ...source, provider: 'elsewhere' }), { content: 'So.' });
      for (const profile of ['openai', 'groq', 'xai']) assert.deepEqual(back(profile, way), { content: 'So.' });
    }
  });

  test('is demanded by DeepSeek of every reply, empty where there is none', () => {
    assert.deepEqual(back('deepseek', 'content'), { content: 'So.', reasoning_content: 'Hm.' });
    assert.deepEqual(back('deepseek', 'content', foreign), { content: 'So.', reasoning_content: '' });
    const silent = back('deepseek', 'content', source, [call('a')]);
    assert.equal(silent['content'], null);
    assert.equal(silent['reasoning_content'], 'Hm.');
    assert.equal(back('deepseek', 'none', foreign, [])['reasoning_content'], '');
  });
});

describe('a reply on its way there and back', () => {
  /** The message that goes back for the deltas of a reply. */
  const returned = (profile: string, deltas: JsonObject[]) => {
    const { target, setup } = orderFor(wire, [], { profile });
    const decoder = wire.decoder(() => undefined, { target, tools: setup.tools });
    for (const delta of deltas) decoder.push({ data: JSON.stringify({ choices: [{ delta }] }) });
    decoder.push({ data: JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] }) });
    const outcome = decoder.end();
    assert.ok(outcome.kind === 'reply', JSON.stringify(outcome));
    return encode([go, assistant(outcome.reply.parts), results(['abcdefghi'], ['On.'])], { profile }).messages[1];
  };
  const called = {
    id: 'abcdefghi',
    type: 'function',
    function: { name: 'read', arguments: '{"a":"é\\u2028"}' },
    extra_content: { s: 1 },
  };
  const role = 'assistant';

  test('says the same, in every form that reasoning has', () => {
    const calls = { tool_calls: [{ index: 0, ...called }] };
    const sent = { ...called, function: { name: 'read', arguments: JSON.stringify({ a: 'é\u2028' }) } };
    const back = { role, content: 'So.', tool_calls: [sent] };
    const sealed = { type: 'reasoning.encrypted', data: 'x', id: null, format: 'f', index: 1 };
    const part = (words: string) => ({ type: 'thinking', thinking: [{ type: 'text', text: words }] });
    const text = { content: 'So.' };
    assert.deepEqual(returned('deepseek', [{ reasoning_content: 'H' }, { reasoning_content: 'm.' }, text, calls]), {
      ...back,
      reasoning_content: 'Hm.',
    });
    assert.deepEqual(returned('vllm', [{ reasoning: 'Hm.' }, text, calls]), { ...back, reasoning: 'Hm.' });
    assert.deepEqual(returned('openrouter', [{ reasoning_details: [sealed] }, text, calls]), {
      ...back,
      reasoning_details: [sealed],
    });
    const tagged = '<think>\nHm.\n</think>\n\nSo.';
    assert.deepEqual(returned('llama-cpp', [{ content: tagged }, calls]), { ...back, content: tagged });
    assert.deepEqual(
      returned('mistral', [{ content: [part('H')] }, { content: [part('m.'), { type: 'text', text: 'So.' }] }, calls]),
      {
        ...back,
        content: [part('Hm.'), { type: 'text', text: 'So.' }],
      },
    );
  });
});

describe('a reply of calls alone', () => {
  test('has the content that the server takes', () => {
    const local = new Set(['vllm', 'sglang', 'llama-cpp', 'ollama', 'lm-studio']);
    for (const profile of all) {
      const { messages } = encode([go, assistant([call('abcdefghi')]), results(['abcdefghi'])], { profile });
      assert.equal(messages[1]?.['content'], local.has(profile) ? '' : null, profile);
    }
  });
});

describe('ids of calls', () => {
  const sent = (ids: string[], changes: Changes) => {
    const { messages } = encode([go, assistant(ids.map(call)), results(ids)], changes);
    const calls = ((messages[1]?.['tool_calls'] ?? []) as JsonObject[]).map(({ id }) => id);
    assert.deepEqual(
      messages.slice(2).map((message) => message['tool_call_id']),
      calls,
    );
    return calls.map(String);
  };

  test('have nine letters or digits for models of Mistral, and stay where they do', () => {
    const ids = ['abcDEF123', 'abcDEF123', 'call_1', 'toolu_01abcdefgh', 'abcdefgh', 'abcdefghij', ''];
    const mistral = sent(ids, { profile: 'mistral' });
    assert.equal(mistral[0], 'abcDEF123');
    assert.equal(new Set(mistral).size, ids.length);
    for (const id of mistral) assert.match(id, /^[a-zA-Z0-9]{9}$/);
    for (const model of ['Devstral-Small-2507', 'mistralai/mistral-medium-3.5', 'open-mixtral-8x7b']) {
      assert.deepEqual(sent(ids, { profile: 'vllm', source: { model } }), mistral);
    }
    assert.equal(sent(['call_1'], { profile: 'vllm', source: { model: 'my-mistralish' } })[0], 'call_1');
  });

  test('stay two where one is what the other would become', () => {
    const [short = ''] = sent(['call_1'], { profile: 'mistral' });
    const both = sent([short, 'call_1'], { profile: 'mistral' });
    assert.equal(both[0], short);
    assert.match(both[1] ?? '', /^[a-zA-Z0-9]{9}$/);
    assert.notEqual(both[1], short);
  });

  test('are the same for the same conversation, however it goes on', () => {
    const first = sent(['x', 'y'], { profile: 'mistral' });
    assert.deepEqual(sent(['x', 'y', 'z'], { profile: 'mistral' }).slice(0, 2), first);
  });

  test('are as long as the provider takes them', () => {
    const id = 'x'.repeat(70);
    assert.equal(sent([id], { profile: 'openai' })[0]?.length, 40);
    assert.equal(sent([id], { profile: 'plain' })[0]?.length, 64);
    assert.deepEqual(sent(['x'.repeat(40)], { profile: 'openai' }), ['x'.repeat(40)]);
  });

  test('keep what they say of the function for models that read it', () => {
    assert.deepEqual(sent(['functions.read:0'], { source: { model: 'moonshotai/Kimi-K2' } }), ['functions.read:0']);
    assert.deepEqual(sent(['functions.read:0'], {}), ['functions_read_0']);
  });
});

describe('words after results', () => {
  const messages = [go, assistant([call('abcdefghi')]), results(['abcdefghi'], ['And hurry.'])];
  const roles = (changes: Changes) => encode(messages, changes).messages.map(({ role }) => role);

  test('have a reply before them for models of Mistral alone', () => {
    const bridged = ['user', 'assistant', 'tool', 'assistant', 'user'];
    assert.deepEqual(roles({ profile: 'mistral' }), bridged);
    assert.deepEqual(roles({ profile: 'openrouter', source: { model: 'mistralai/devstral-2' } }), bridged);
    assert.deepEqual(roles({ profile: 'openrouter' }), ['user', 'assistant', 'tool', 'user']);
  });

  test('nothing is put in where the results are the last', () => {
    const ended = encode([...messages.slice(0, 2), results(['abcdefghi'])], { profile: 'mistral' });
    assert.deepEqual(
      ended.messages.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
  });
});

describe('cache marks', () => {
  const mark = { cache_control: { type: 'ephemeral' } };
  const marked: Changes = { profile: 'openrouter', source: { model: 'anthropic/claude-x' }, system: ['A', 'B', 'C'] };
  const image: ImagePart = { type: 'image', mediaType: 'image/png', blob: 'b', bytes: 1 };

  test('stand on the first and last layer of the prompt and on the last message, and only there', () => {
    const { messages } = encode([go, assistant([call('a'), call('b')]), results(['a', 'b'])], marked);
    assert.deepEqual(messages, [
      {
        role: 'system',
        content: [
          { type: 'text', text: 'A', ...mark },
          { type: 'text', text: 'B' },
          { type: 'text', text: 'C', ...mark },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      messages[2],
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'R' }] },
      { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'R', ...mark }] },
    ]);
  });

  test('can stand on an image', () => {
    const pictured: Message = { role: 'user', parts: [{ type: 'text', text: 'See.' }, image] };
    const { messages } = encode([pictured], { ...marked, image: () => 'QUJD' });
    assert.deepEqual(messages.at(-1)?.['content'], [
      { type: 'text', text: 'See.' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' }, ...mark },
    ]);
  });

  test('are for models of Anthropic only, and are no part of the canonical sequence', () => {
    const others = { ...marked, source: { model: 'openai/gpt-x' } };
    assert.doesNotMatch(bodyText(wire, orderFor(wire, [go], others)), /cache_control/);
    const { body, canonical } = wire.encode(orderFor(wire, [go], marked));
    assert.deepEqual(wire.canonical(body), canonical);
    assert.doesNotMatch(canonical.blocks.map(({ bytes }) => bytes.toString()).join(''), /cache_control/);
  });
});

describe('tools and images', () => {
  const tool: ToolSpec = {
    name: 'read',
    description: '',
    input: {
      type: 'object',
      properties: { path: { $ref: '#/$defs/path' }, tags: { type: 'array' } },
      $defs: { path: { type: 'string', pattern: '\\w+' } },
    },
  };
  const parameters = (profile: string) => {
    const [sent] = encode([go], { profile, tools: [tool] })['tools'] as { function: { parameters: JsonObject } }[];
    return sent?.function.parameters;
  };

  test('a local server gets plain schemas, another gets what it takes', () => {
    assert.deepEqual(parameters('llama-cpp'), {
      type: 'object',
      properties: { path: { type: 'string' }, tags: { type: 'array', items: {} } },
    });
    assert.deepEqual(parameters('plain'), {
      ...tool.input,
      properties: { path: { $ref: '#/$defs/path' }, tags: { type: 'array', items: {} } },
    });
  });

  test('an image is as large as the provider takes it', () => {
    const image: ImagePart = { type: 'image', mediaType: 'image/png', blob: 'b', bytes: 1 };
    const content = (profile: string, length: number) => {
      const pictured: Message = { role: 'user', parts: [image] };
      return encode([pictured], { profile, image: () => 'A'.repeat(length) }).messages[0]?.['content'];
    };
    const limit = 4 * 1024 * 1024;
    assert.ok(Array.isArray(content('groq', limit)));
    assert.match(JSON.stringify(content('groq', limit + 1)), /larger than/);
    assert.ok(Array.isArray(content('plain', limit + 1)));
  });
});

describe('a server that won’t be asked for usage', () => {
  const refused: ProviderFailure = {
    class: 'content',
    code: 'provider-rejected',
    message: 'body.stream_options: Extra inputs are not permitted',
  };
  const { target } = orderFor(wire, [], { settings: { body: { top_k: 1 } } });

  test('is asked again without, once', () => {
    const mended = wire.mend?.(target, refused);
    assert.deepEqual(mended?.settings, { body: { top_k: 1, stream_options: null } });
    assert.ok(!bodyText(wire, { ...orderFor(wire, [go]), target: mended }).includes('stream_options'));
    assert.equal(wire.mend?.(mended, refused), undefined);
  });

  test('is not mended after another failure, nor where usage isn’t asked for', () => {
    assert.equal(wire.mend?.(target, { ...refused, message: 'temperature: out of range' }), undefined);
    assert.equal(wire.mend?.(target, { ...refused, class: 'retryable' }), undefined);
    assert.equal(wire.mend?.({ ...target, profile: 'mistral' }, refused), undefined);
  });
});

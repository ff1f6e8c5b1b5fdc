import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findModel, modelsOf, vendorNamed, vendors, type UserCatalogue } from '../../src/model/index.ts';

const nobody: UserCatalogue = { providers: {}, models: {} };
const rates = { input: 1, output: 2, cacheRead: 0, cacheWrite: 1, dated: '2026-01-31', source: 'me' };

describe('vendors', () => {
  const wires = ['anthropic', 'openai-responses', 'openai-chat', 'gemini'];
  const profiles = 'vllm sglang llama-cpp ollama lm-studio deepseek mistral groq xai openrouter openai plain'.split(
    ' ',
  );

  test('each has an address, a wire that exists, and a key unless it is local', () => {
    for (const [name, vendor] of Object.entries(vendors)) {
      assert.ok(wires.includes(vendor.wire), name);
      assert.equal(vendor.profile === undefined, vendor.wire !== 'openai-chat', name);
      assert.ok(vendor.profile === undefined || profiles.includes(vendor.profile), name);
      const url = new URL(vendor.baseUrl);
      assert.equal(url.protocol, vendor.local ? 'http:' : 'https:', name);
      assert.equal(url.hostname === '127.0.0.1', vendor.local === true, name);
      assert.equal(vendor.keyVariables.length === 0, vendor.local === true, name);
      assert.equal(vendor.defaultModel === undefined, vendor.local === true, name);
    }
  });

  test('the default model of each is in its own catalogue, or is its router', () => {
    for (const [name, vendor] of Object.entries(vendors)) {
      if (vendor.defaultModel === undefined || name === 'openrouter') continue;
      assert.ok(Object.hasOwn(vendor.cards(), vendor.defaultModel), name);
    }
  });

  test('local servers stand on their usual ports', () => {
    const ports = Object.values(vendors).flatMap(({ local, baseUrl }) => (local ? [new URL(baseUrl).port] : []));
    assert.deepEqual(ports, ['11434', '1234', '8080', '8000', '30000']);
  });

  test('gemini is another name of google', () => {
    assert.equal(vendorNamed('gemini'), vendors['google']);
    assert.equal(findModel('gemini/gemini-3.8-flash').provider, 'google');
  });
});

describe('cards', () => {
  const all = Object.entries(vendors).flatMap(([name, vendor]) =>
    Object.entries(vendor.cards()).map(([model, card]) => ({ name: `${name}/${model}`, card })),
  );

  test('what each holds is possible, and a price has a day and a source', () => {
    assert.ok(all.length > 40);
    for (const { name, card } of all) {
      const { window, maxOutput, rates, unpriced } = card;
      assert.ok(window >= 100_000 && maxOutput >= 16_000 && maxOutput < window, name);
      assert.equal(rates === undefined, unpriced !== undefined, name);
      if (rates === undefined) continue;
      assert.match(rates.dated, /^2026-\d\d-\d\d$/, name);
      assert.match(rates.source, /https:\/\//, name);
      assert.ok(rates.cacheRead <= rates.input && rates.input <= rates.cacheWrite && rates.input < rates.output, name);
    }
  });

  test('abilities differ where the models do', () => {
    const of = (name: string) => findModel(name).abilities;
    assert.equal(of('anthropic/claude-opus-4-8').systemMessages, true);
    assert.equal(of('anthropic/claude-opus-4-7').systemMessages, false);
    assert.equal(of('anthropic/claude-sonnet-5-5').systemMessages, false);
    assert.deepEqual([of('claude-opus-4-6').thinking, of('claude-opus-4-7').thinking], ['either', 'adaptive']);
    assert.deepEqual([of('claude-opus-4-6').sampling, of('claude-opus-4-7').sampling], [true, false]);
    assert.deepEqual(of('claude-haiku-4-5').efforts, []);
    assert.equal(of('openai/gpt-6.2-sol').systemMessages, true);
    assert.equal(of('openai/gpt-6.2-sol').efforts.includes('none'), false);
    assert.equal(of('openai/gpt-6.1-terra').efforts.includes('none'), true);
    assert.equal(of('google/gemini-2.5-pro').thinking, 'budget');
    assert.equal(of('deepseek/deepseek-v4-pro').images, false);
  });

  test('a price that was named until a day holds on that day and not after it', () => {
    const on = (today?: string) => findModel('google/gemini-3.8-flash', nobody, today);
    assert.equal(on('2026-12-31').rates?.input, 0.75);
    assert.equal(on().rates?.input, 0.75);
    assert.equal(on('2027-01-01').rates, undefined);
    assert.match(on('2027-01-01').unpriced ?? '', /until 2026-12-31 only/);
    assert.deepEqual(on('2027-01-01').assumed, []);
  });

  test('a price that depends on the length of the prompt has both', () => {
    for (const name of ['openai/gpt-6.2-sol', 'google/gemini-3.1-pro-preview', 'xai/grok-4.7']) {
      const { above, input } = findModel(name).rates ?? { input: 0 };
      assert.ok(above !== undefined && above.tokens >= 200_000 && above.input === 2 * input, name);
    }
  });

  test('a price of which not all is known is none', () => {
    for (const name of ['claude-haiku-5-5', 'openai/gpt-6.2-astra', 'google/gemini-2.5-pro', 'xai/grok-4.6']) {
      assert.equal(findModel(name).rates, undefined, name);
      assert.notEqual(findModel(name).unpriced, undefined, name);
    }
  });
});

describe('the dialect of an own provider', () => {
  const profileOf = (wire: string, profile?: string) =>
    findModel('a/x', { providers: { a: { wire, ...(profile !== undefined && { profile }) } }, models: {} }).profile;

  test('is the plain one where nothing is said', () => {
    assert.deepEqual(
      ['openai-chat', 'openai-responses', 'gemini', 'anthropic'].map((wire) => profileOf(wire)),
      ['plain', 'plain', undefined, undefined],
    );
  });

  test('is one of its wire', () => {
    assert.equal(profileOf('openai-chat', 'vllm'), 'vllm');
    assert.equal(profileOf('gemini', 'openapi'), 'openapi');
    for (const [wire, profile] of [
      ['openai-chat', 'openapi'],
      ['openai-responses', 'vllm'],
      ['gemini', 'plain'],
      ['anthropic', 'plain'],
    ] as const) {
      assert.throws(() => profileOf(wire, profile), { code: 'config-invalid', message: new RegExp(profile) });
    }
  });
});

describe('finding a model', () => {
  const place = (name: string, user = nobody) => {
    const { provider, wire, profile, model } = findModel(name, user);
    return [provider, wire, profile, model];
  };

  test('by its bare name, where one provider alone knows it', () => {
    assert.deepEqual(place('gpt-6.2-sol'), ['openai', 'openai-responses', undefined, 'gpt-6.2-sol']);
    assert.deepEqual(place('gemini-3.8-flash'), ['google', 'gemini', undefined, 'gemini-3.8-flash']);
    assert.deepEqual(place('grok-4.7'), ['xai', 'openai-chat', 'xai', 'grok-4.7']);
    assert.deepEqual(place('gpt-5-mini-2026-08-07').slice(0, 1), ['openai']);
    assert.deepEqual(place('nobody-knows-it'), ['anthropic', 'anthropic', undefined, 'nobody-knows-it']);
    const twice = { providers: { a: { models: { it: {} } }, b: { models: { it: {} } } }, models: {} };
    assert.throws(() => findModel('it', twice), { code: 'model-unknown', message: /a\/it, b\/it/ });
    assert.throws(() => findModel('a', twice), { code: 'model-unknown', message: /a\/NAME/ });
    assert.throws(() => findModel('anthropic'), { code: 'model-unknown', message: /anthropic\/NAME/ });
    assert.equal(findModel('it', { ...twice, providers: { a: twice.providers.a } }).provider, 'a');
    const own = { providers: { a: { models: { 'claude-opus-5': {} } } }, models: {} };
    assert.equal(findModel('claude-opus-5', own).provider, 'anthropic');
  });

  test('by provider and model, whatever slashes the model has', () => {
    assert.deepEqual(place('openrouter/anthropic/claude-x'), [
      'openrouter',
      'openai-chat',
      'openrouter',
      'anthropic/claude-x',
    ]);
    assert.deepEqual(place('groq/openai/gpt-oss-120b')[3], 'openai/gpt-oss-120b');
    assert.deepEqual(findModel('groq/openai/gpt-oss-120b').assumed, []);
  });

  test('an unknown provider names the nearest, and all', () => {
    const says = (name: string, text: RegExp) =>
      assert.throws(() => findModel(name), { code: 'model-unknown', detail: text });
    says('opneai/x', /"opneai" is no provider \(anthropic, openai, google, .*sglang are\)\. Did you mean openai\?/);
    says('antropic/x', /Did you mean anthropic\?/);
    says('zzzz/x', /are\)\.$/);
    says('__proto__/x', /is no provider/);
    says('openai/', /names no model/);
    says('openai/  ', /names no model/);
  });

  test('an unknown model of each vendor works, and says what is assumed', () => {
    for (const provider of Object.keys(vendors)) {
      const { window, maxOutput, abilities, assumed, rates } = findModel(`${provider}/never-seen`);
      assert.equal(rates, undefined);
      assert.ok(maxOutput < window);
      assert.equal(typeof abilities.images, 'boolean');
      assert.match(assumed.join('; '), new RegExp(`${window} tokens; at most ${maxOutput} .*; an unknown price`));
    }
    assert.equal(findModel('ollama/qwen3:8b').window, 32_000);
  });
});

describe('what the user says', () => {
  test('goes before the catalogue, key by key, and the model before the provider’s own list', () => {
    const user: UserCatalogue = {
      providers: { openai: { models: { 'gpt-6.2-sol': { window: 10, maxOutput: 5, abilities: { images: false } } } } },
      models: { 'openai/gpt-6.2-sol': { window: 20, rates, abilities: { edits: 'whole' } } },
    };
    const entry = findModel('openai/gpt-6.2-sol', user);
    assert.deepEqual([entry.window, entry.maxOutput, entry.rates, entry.unpriced], [20, 5, rates, undefined]);
    assert.deepEqual(
      [entry.abilities.images, entry.abilities.edits, entry.abilities.systemMessages],
      [false, 'whole', true],
    );
  });

  test('adds providers, and changes how a shipped one is spoken to', () => {
    const user: UserCatalogue = {
      providers: {
        corp: {},
        other: { wire: 'anthropic' },
        dialect: { profile: 'vllm' },
        openai: { wire: 'openai-chat' },
        vllm: { profile: 'sglang' },
      },
      models: {},
    };
    const spoken = (name: string) => [findModel(name, user).wire, findModel(name, user).profile];
    assert.deepEqual(spoken('corp/x'), ['openai-chat', 'plain']);
    assert.deepEqual(spoken('other/x'), ['anthropic', undefined]);
    assert.deepEqual(spoken('dialect/x'), ['openai-chat', 'vllm']);
    assert.deepEqual(spoken('openai/gpt-6.2-sol'), ['openai-chat', 'plain']);
    assert.deepEqual(spoken('vllm/x'), ['openai-chat', 'sglang']);
  });

  test('is no assumption any more', () => {
    const facts = { window: 64_000, maxOutput: 4_000, rates };
    const user = { providers: {}, models: { 'ollama/a': facts, 'ollama/b': { window: 4_000 } } };
    assert.deepEqual(findModel('ollama/a', user).assumed, []);
    const { maxOutput, assumed } = findModel('ollama/b', user);
    assert.ok(maxOutput <= 4_000);
    assert.deepEqual(assumed.length, 2);
    assert.deepEqual(findModel('ollama/a-2026-01-02', user).window, 64_000);
  });

  test('is listed with what the catalogue knows', () => {
    const user = { providers: { groq: { models: { mine: {} } } }, models: { 'groq/yours': {}, 'xai/z': {} } };
    assert.deepEqual(modelsOf('groq', user), ['openai/gpt-oss-120b', 'openai/gpt-oss-20b', 'mine', 'yours']);
    assert.deepEqual(modelsOf('ollama', user), []);
    assert.deepEqual(modelsOf('constructor', user), []);
  });
});

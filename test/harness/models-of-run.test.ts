import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createSession, ReinsError, type RunSettings } from '../../src/harness/index.ts';
import { answer, serve, textReply } from '../model/loopback.ts';
import { go, ground, type GroundOptions } from './ground.ts';

/** A provider that answers everything. */
const answering = (t: TestContext, text = 'Hello.') => serve(t, (_, response) => answer(response, textReply(text)));

/** A provider that refuses everything with this status. */
const refusing = (t: TestContext, status: number) =>
  serve(t, (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ type: 'error', error: { type: 'authentication_error', message: 'no' } }));
  });

const fails = (code: string, text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ReinsError, String(error));
  assert.deepEqual([error.code, text.test(error.message)], [code, true], error.message);
  return true;
};

/** The setup of a session that never asks anything. */
async function setupWith(t: TestContext, options: GroundOptions, settings: RunSettings = {}) {
  const { workspace, env } = await ground(t, options);
  const session = await createSession({ workspace, env, settings });
  await session.close();
  const { setup } = session.view;
  assert.ok(setup !== undefined);
  return { setup, notices: session.notices };
}

const env = { ANTHROPIC_API_KEY: 'k' };
const model = 'anthropic/claude-opus-4-6';

describe('effort, thinking and sampling', () => {
  const levels: [string, object][] = [
    ['for all', { effort: 'low', temperature: 0.1 }],
    ['for a provider', { providers: { anthropic: { settings: { effort: 'medium', topP: 0.2 } } } }],
    [
      'for a model of the provider',
      { providers: { anthropic: { models: { 'claude-opus-4-6': { settings: { effort: 'high', body: { a: 1 } } } } } } },
    ],
    ['for a model', { models: { [model]: { effort: 'xhigh', thinking: 2048 } } }],
    ['for the phase', { phases: { working: { effort: 'max' } } }],
  ];
  const merged = (upTo: number): object => {
    const user: { [key: string]: object } = {};
    for (const [, settings] of levels.slice(0, upTo)) {
      for (const [key, value] of Object.entries(settings) as [string, object][]) {
        const isNested = key === 'providers' && user[key] !== undefined;
        user[key] = isNested
          ? {
              anthropic: {
                ...(user[key] as { anthropic: object }).anthropic,
                ...(value as { anthropic: object }).anthropic,
              },
            }
          : value;
      }
    }
    return user;
  };

  for (const [index, [name]] of levels.entries()) {
    test(`set ${name} goes before what is set more widely`, async (t) => {
      const { setup } = await setupWith(t, { user: merged(index + 1), env }, { model });
      assert.equal(setup.settings.effort, ['low', 'medium', 'high', 'xhigh', 'max'][index]);
      assert.equal(setup.settings.temperature, 0.1);
    });
  }

  test('asked for in a run goes before all, and the rest stays', async (t) => {
    const { setup } = await setupWith(t, { user: merged(5), env }, { model, effort: 'none', topP: 1 });
    assert.deepEqual(setup.settings, {
      effort: 'none',
      thinking: 2048,
      temperature: 0.1,
      topP: 1,
      body: { a: 1 },
    });
  });

  test('of a phase hold in its mode only', async (t) => {
    const user = { phases: { planning: { effort: 'high' }, working: { effort: 'low' } } };
    const effort = async (mode: 'plan' | 'edit') =>
      (await setupWith(t, { user, env }, { model, mode })).setup.settings.effort;
    assert.deepEqual([await effort('plan'), await effort('edit')], ['high', 'low']);
  });

  test('that can’t be are refused with what can', async (t) => {
    const wrong: [object, RegExp][] = [
      [{ effort: 'very' }, /effort must be one of none, low, medium, high, xhigh, max/],
      [{ thinking: 'on' }, /thinking must be off, adaptive, or a budget of at least 1024 tokens/],
      [{ thinking: 1023 }, /at least 1024/],
      [{ temperature: 2.1 }, /temperature must be a number from 0 to 2/],
      [{ temperature: NaN }, /from 0 to 2/],
      [{ topP: -0.1 }, /topP must be a number from 0 to 1/],
    ];
    for (const [settings, text] of wrong)
      await assert.rejects(setupWith(t, { env }, { model, ...settings }), fails('config-invalid', text));
    for (const right of [{ thinking: 1024 }, { temperature: 0 }, { temperature: 2 }, { topP: 0 }] as const)
      await setupWith(t, { env }, { model, ...right });
  });
});

describe('what is known of a model', () => {
  test('is what the user says, and a setup holds all of it', async (t) => {
    const rates = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1, dated: '2026-02-03' };
    const user = {
      providers: { corp: { baseUrl: 'http://127.0.0.1:1', profile: 'vllm' } },
      models: { 'corp/big/one': { window: 64_000, maxOutput: 4_000, rates, abilities: { images: true } } },
    };
    const { setup, notices } = await setupWith(t, { user }, { model: 'corp/big/one' });
    const { provider, wire, profile, model: name, window, maxOutput, abilities, limits } = setup;
    assert.deepEqual([provider, wire, profile, name], ['corp', 'openai-chat', 'vllm', 'big/one']);
    assert.deepEqual([window, maxOutput, limits.outputTokens], [64_000, 4_000, 16_000]);
    assert.deepEqual([abilities.images, abilities.sampling], [true, true]);
    assert.deepEqual([setup.rates?.input, setup.rates?.dated], [1, '2026-02-03']);
    assert.ok(!notices.some(({ code }) => code === 'model-assumed'));
  });

  test('is assumed otherwise, and said', async (t) => {
    const { notices } = await setupWith(t, { env }, { model: 'anthropic/new' });
    const assumed = notices.find(({ code }) => code === 'model-assumed');
    assert.match(
      assumed?.text ?? '',
      /The model new is not in the catalogue; assumed: a context window of 200000 tokens/,
    );
  });

  test('prices by name go before the catalogue, by the full or the bare name', async (t) => {
    const rates = { input: 7, output: 8, cacheRead: 1, cacheWrite: 7 };
    for (const name of [model, 'claude-opus-4-6']) {
      const { setup } = await setupWith(t, { user: { rates: { [name]: rates } }, env }, { model });
      assert.equal(setup.rates?.input, 7, name);
    }
  });

  test('a provider that isn’t shipped needs an address, and one that is none is refused without its password', async (t) => {
    const corp = (own: object) => setupWith(t, { user: { providers: { corp: own } } }, { model: 'corp/x' });
    const named = /settings\.json:4: providers\.corp: A provider that isn’t shipped needs an address/;
    await assert.rejects(corp({ wire: 'anthropic' }), fails('config-invalid', named));
    const settings = { model: 'anthropic/x', endpoint: { apiKey: 'k', baseUrl: 'ftp://me:secret@x' } };
    await assert.rejects(setupWith(t, {}, settings), (error) => {
      assert.doesNotMatch(String(error), /secret/);
      return fails('config-invalid', /The base URL of the provider anthropic is no http/)(error);
    });
    await corp({ baseUrl: 'http://127.0.0.1:1' });
  });
});

describe('addresses', () => {
  const spoken = { wire: 'anthropic', auth: 'x-api-key' };

  test('of the environment lead their own provider, and no other', async (t) => {
    const [led, other] = [await answering(t), await answering(t)];
    const user = { providers: { anthropic: { baseUrl: other.url }, openai: { ...spoken, baseUrl: other.url } } };
    const place = await ground(t, { user, env: { ...env, OPENAI_API_KEY: 'o', ANTHROPIC_BASE_URL: led.url } });
    await go(place, { settings: { model: 'openai/x' } });
    assert.deepEqual([led.received.length, other.received.length], [0, 1]);
    await go(place, { settings: { model: 'anthropic/x' } });
    assert.deepEqual([led.received.length, other.received.length], [1, 1]);
    const turned = await ground(t, { user, env: { ...env, OPENAI_API_KEY: 'o', OPENAI_BASE_URL: led.url } });
    await go(turned, { settings: { model: 'openai/x' } });
    await go(turned, { settings: { model: 'anthropic/x' } });
    assert.deepEqual([led.received.length, other.received.length], [2, 2]);
    assert.deepEqual(
      other.received.map(({ headers }) => headers['x-api-key']),
      ['o', 'k'],
    );
  });

  test('given for a run go before the environment, and that before the endpoint of the settings', async (t) => {
    const servers = [await answering(t), await answering(t), await answering(t), await answering(t)] as const;
    const [given, led, endpoint, own] = servers;
    const providers = { anthropic: { baseUrl: own.url } };
    const counts = () => servers.map(({ received }) => received.length);
    const both = { providers, endpoint: { baseUrl: endpoint.url } };
    const settings = { model: 'anthropic/x' };
    const leading = { ...env, ANTHROPIC_BASE_URL: led.url };
    await go(await ground(t, { user: both, env: leading }), {
      settings: { ...settings, endpoint: { baseUrl: given.url } },
    });
    assert.deepEqual(counts(), [1, 0, 0, 0]);
    await go(await ground(t, { user: both, env: leading }), { settings });
    assert.deepEqual(counts(), [1, 1, 0, 0]);
    await go(await ground(t, { user: both, env }), { settings });
    assert.deepEqual(counts(), [1, 1, 1, 0]);
    await go(await ground(t, { user: { providers }, env }), { settings });
    assert.deepEqual(counts(), [1, 1, 1, 1]);
  });

  test('and headers of the endpoint are for the provider of the run’s own model', async (t) => {
    const [first, second] = [await refusing(t, 401), await answering(t)];
    const user = {
      model: 'a/x',
      providers: {
        a: { ...spoken, baseUrl: 'http://127.0.0.1:1', headers: { 'x-mine': 'a', 'x-other': 'a' } },
        b: { ...spoken, baseUrl: second.url, headers: { 'x-mine': 'b' } },
      },
      endpoint: { baseUrl: first.url, headers: { 'x-mine': 'endpoint' } },
      routes: [{ model: 'b/y' }],
    };
    await go(await ground(t, { user }));
    const header = (server: typeof first) =>
      server.received.map(({ headers }) => [headers['x-mine'], headers['x-other']]);
    assert.deepEqual(header(first), [['endpoint', 'a']]);
    assert.deepEqual(header(second), [['b', undefined]]);
  });
});

describe('routes', () => {
  const chain = (first: string, second: string, more: object = {}) => ({
    model: 'a/x',
    providers: {
      a: { wire: 'anthropic', baseUrl: first, keyVariable: 'A_KEY' },
      b: { wire: 'anthropic', baseUrl: second, keyVariable: 'B_KEY' },
    },
    routes: [{ model: 'b/y' }],
    ...more,
  });
  const both = { A_KEY: 'key-of-a', B_KEY: 'key-of-b' };

  test('take over after a failure, each with the key of its own provider, and say why', async (t) => {
    const [first, second] = [await refusing(t, 401), await answering(t, 'From b.')];
    const { outcome, requests } = await go(await ground(t, { user: chain(first.url, second.url), env: both }));
    assert.deepEqual([outcome.outcome, outcome.answer], ['completed', 'From b.']);
    const sent = (server: typeof first) => server.received.map(({ headers }) => headers['x-api-key']);
    assert.deepEqual([sent(first), sent(second)], [['key-of-a'], ['key-of-b']]);
    assert.deepEqual(
      requests.map(({ source, route }) => [source.model, route?.to, route?.from]),
      [
        ['x', undefined, undefined],
        ['y', 'b/y', 'a/x'],
      ],
    );
  });

  test('hold only for the failures that they name', async (t) => {
    const [first, second] = [await refusing(t, 401), await answering(t)];
    const routes = (failure: string) => [{ model: 'b/y', when: { failure: [failure] } }];
    const run = async (failure: string) =>
      (await go(await ground(t, { user: chain(first.url, second.url, { routes: routes(failure) }), env: both })))
        .outcome.outcome;
    assert.deepEqual([await run('quota'), await run('auth')], ['provider', 'completed']);
  });

  test('of phases come first, by their roles, and are taken for them', async (t) => {
    const [first, second] = [await answering(t, 'From a.'), await answering(t, 'From b.')];
    const phases = {
      planning: { model: 'b/plan', effort: 'high' },
      reviewing: { model: 'b/review' },
      summarising: { effort: 'low' },
    };
    const place = await ground(t, { user: chain(first.url, second.url, { phases }), env: both });
    const planned = await go(place, { settings: { mode: 'plan' } });
    assert.deepEqual([planned.outcome.answer, planned.requests[0]?.route?.role], ['From b.', 'plan']);
    const of = (setup: typeof planned.setup) =>
      setup.routes?.map((route) => [route.model, route.when.role, route.settings.effort]);
    assert.deepEqual(of(planned.setup), [
      ['plan', 'plan', 'high'],
      ['x', 'summary', 'low'],
      ['review', 'reviewer', undefined],
      ['y', undefined, 'high'],
    ]);
    const worked = await go(place, { settings: { mode: 'edit' } });
    assert.equal(worked.outcome.answer, 'From a.');
    assert.equal(
      worked.setup.routes?.some(({ when }) => when.role === 'plan'),
      false,
    );
    const asked = await go(place, { settings: { mode: 'plan', model: 'a/x' } });
    assert.equal(asked.outcome.answer, 'From a.');
  });

  test('the model of working is the model, unless another one is asked for', async (t) => {
    const user = chain('http://127.0.0.1:1', 'http://127.0.0.1:1', { phases: { working: { model: 'b/work' } } });
    const named = async (settings: RunSettings, more: { [name: string]: string } = {}) =>
      (await setupWith(t, { user, env: { ...both, ...more } }, settings)).setup.model;
    assert.equal(await named({}), 'work');
    assert.equal(await named({ model: 'a/asked' }), 'asked');
    assert.equal(await named({}, { REINS_MODEL: 'a/variable' }), 'variable');
  });

  test('without a key are left out, and that is said', async (t) => {
    const user = chain('http://127.0.0.1:1', 'http://127.0.0.1:1');
    const { setup, notices } = await setupWith(t, { user, env: { A_KEY: 'k' } });
    assert.equal(setup.routes, undefined);
    const notice = notices.find(({ code }) => code === 'route-unusable');
    assert.equal(notice?.level, 'warning');
    assert.match(notice?.text ?? '', /^The route to b\/y is left out: .* B_KEY is not set/);
    const whole = await setupWith(t, { user, env: both });
    assert.equal(whole.setup.routes?.length, 1);
    assert.ok(!whole.notices.some(({ code }) => code === 'route-unusable'));
  });

  test('to nowhere are refused with their place', async (t) => {
    const user = chain('http://127.0.0.1:1', 'http://127.0.0.1:1', {
      routes: [{ model: 'b/y' }, { model: 'nowhere/z' }],
    });
    const place = /settings\.json:\d+: routes\[1\]\.model: "nowhere" is no provider/;
    await assert.rejects(setupWith(t, { user, env: both }), fails('model-unknown', place));
    const phases = { reviewing: { model: 'nowhere/z' } };
    const inPhase = /settings\.json:\d+: phases\.reviewing\.model: "nowhere" is no provider/;
    await assert.rejects(setupWith(t, { user: { phases, model }, env }), fails('model-unknown', inPhase));
  });

  test('without a price refuse a money limit that was asked for, by name', async (t) => {
    const rates = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 };
    const priced = (names: string[]) =>
      chain('http://127.0.0.1:1', 'http://127.0.0.1:1', {
        models: Object.fromEntries(names.map((name) => [name, { rates }])),
      });
    const limits = { cost: 1 };
    const start = (names: string[], settings: RunSettings) =>
      setupWith(t, { user: priced(names), env: both }, settings);
    await assert.rejects(
      start(['a/x'], { limits }),
      fails('rate-missing', /no rate for the route to "b\/y", so a limit of 1 dollars/),
    );
    await assert.rejects(start(['b/y'], { limits }), fails('rate-missing', /no rate for "a\/x", so/));
    await start(['a/x', 'b/y'], { limits });
    await start([], {});
    await start([], { limits: { cost: null } });
    const long = { model: 'openai/gpt-6.2-astra', limits };
    const why = fails('rate-missing', /"openai\/gpt-6\.2-astra" \(not all of its prices were found\)/);
    await assert.rejects(setupWith(t, { env: { OPENAI_API_KEY: 'k' } }, long), why);
  });
});

describe('what a project may choose', () => {
  const choose = async (t: TestContext, options: GroundOptions) => {
    const { workspace, env: variables } = await ground(t, options);
    const session = await createSession({ workspace, env: variables, trust: true });
    await session.close();
    return session.view.setup?.model;
  };

  test('is a model of a provider whose key its user has', async (t) => {
    const project = { model: 'openai/gpt-5-mini', effort: 'high' };
    assert.equal(await choose(t, { project, env: { OPENAI_API_KEY: 'k' } }), 'gpt-5-mini');
    await assert.rejects(choose(t, { project, env }), fails('key-missing', /OPENAI_API_KEY is not set/));
  });

  test('is no server on this machine that its user hasn’t named', async (t) => {
    const project = { model: 'ollama/x' };
    const refused =
      /\.reins.settings\.json:2: model: The project chooses the provider ollama, which the user’s settings don’t name/;
    await assert.rejects(choose(t, { project }), fails('config-untrusted', refused));
    assert.equal(await choose(t, { project, user: { providers: { ollama: {} } } }), 'x');
    assert.equal(await choose(t, { user: project }), 'x');
  });
});

test('a rehearsal has no routes: nothing leaves this machine', async (t) => {
  const { workspace, env: variables, config } = await ground(t, { user: { routes: [{ model }] }, env });
  const { writeFileSync } = await import('node:fs');
  const scenario = join(config, 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ turns: [{ text: 'Hello.' }] }));
  const session = await createSession({
    workspace,
    env: variables,
    settings: { model: `script:${scenario}`, effort: 'low' },
  });
  await session.close();
  assert.equal(session.view.setup?.routes, undefined);
  assert.deepEqual(session.view.setup?.settings, { effort: 'low' });
});

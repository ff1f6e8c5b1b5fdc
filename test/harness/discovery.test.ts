import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { createSession, modelsReport, ReinsError, type SessionOptions } from '../../src/harness/index.ts';
import { answer, serve, textReply, type Loopback } from '../model/loopback.ts';
import { go, ground, nobodyThere, type GroundOptions } from './ground.ts';

type Listing = (path: string, response: ServerResponse) => void;

const json =
  (value: unknown, only = '/v1/models'): Listing =>
  (path, response) => {
    response.writeHead(path === only ? 200 : 404, { 'content-type': 'application/json' });
    response.end(path === only ? JSON.stringify(value) : '{}');
  };

/** A local server that lists models and, over the Messages protocol, answers. */
const local = (t: TestContext, list: Listing): Promise<Loopback> =>
  serve(t, ({ method, path }, response) => {
    if (method === 'GET') list(path, response);
    else answer(response, textReply('From here.'));
  });

/** All local servers are elsewhere; one of them is this one. */
const at = (url: string, provider = 'ollama') => ({
  providers: { ...nobodyThere, [provider]: { baseUrl: `${url}/v1`, wire: 'anthropic' } },
});

async function start(t: TestContext, options: GroundOptions, chooseModel?: SessionOptions['chooseModel']) {
  const { workspace, env } = await ground(t, options);
  const session = await createSession({ workspace, env, ...(chooseModel !== undefined && { chooseModel }) });
  await session.close();
  return session;
}

async function refusal(started: Promise<unknown>): Promise<string> {
  const error: unknown = await started.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ReinsError, String(error));
  assert.equal(error.code, 'model-unknown');
  return error.message;
}

describe('with nothing configured, the keys in the environment decide', () => {
  const chosen = async (t: TestContext, options: GroundOptions) => {
    const { view, notices } = await start(t, { user: { providers: nobodyThere }, ...options });
    const text = notices.find(({ code }) => code === 'model-chosen')?.text ?? '';
    return [`${view.setup?.provider}/${view.setup?.model}`, text] as const;
  };

  test('in the order of the vendors, and it is said what was found and chosen', async (t) => {
    const keys = { MISTRAL_API_KEY: 'm', GOOGLE_API_KEY: 'g', OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' };
    const [first, text] = await chosen(t, { env: keys });
    assert.equal(first, 'anthropic/claude-sonnet-5-5');
    assert.match(
      text,
      /chosen, because there is ANTHROPIC_API_KEY\. Found besides: OPENAI_API_KEY \(openai\), GOOGLE_API_KEY \(google\), MISTRAL_API_KEY \(mistral\)\./,
    );
    const { ANTHROPIC_API_KEY: _, ...others } = keys;
    assert.equal((await chosen(t, { env: others }))[0], 'openai/gpt-6.2-sol');
    assert.equal((await chosen(t, { env: { GROQ_API_KEY: 'q' } }))[0], 'groq/openai/gpt-oss-120b');
    assert.doesNotMatch((await chosen(t, { env: { GROQ_API_KEY: 'q' } }))[1], /Found besides/);
  });

  test('a key in the user’s file or behind a command counts too, and so do the user’s own providers', async (t) => {
    const [inFile, text] = await chosen(t, { keys: { xai: 'x' } });
    assert.equal(inFile, 'xai/grok-4.7');
    assert.match(text, /because there is a key in .*keys\.json/);
    const deepseek = { ...nobodyThere, deepseek: { apiKeyCommand: 'exit 1' } };
    assert.equal((await chosen(t, { user: { providers: deepseek } }))[0], 'deepseek/deepseek-flash');
    const corp = { baseUrl: 'http://127.0.0.1:1', keyVariable: 'CORP', models: { first: {}, second: {} } };
    const own = { user: { providers: { ...nobodyThere, corp } }, env: { CORP: 'c' } };
    assert.equal((await chosen(t, own))[0], 'corp/first');
  });

  test('an endpoint of the settings is sent no other provider’s key', async (t) => {
    const user = { providers: nobodyThere, endpoint: { baseUrl: 'http://127.0.0.1:1' } };
    assert.match(await refusal(start(t, { user, env: { OPENAI_API_KEY: 'o' } })), /No model is configured/);
    assert.equal((await chosen(t, { user, env: { ANTHROPIC_API_KEY: 'a' } }))[0], 'anthropic/claude-sonnet-5-5');
  });

  test('a model that is configured is taken without a word, and nothing is looked for', async (t) => {
    const server = await local(t, json({ data: [{ id: 'm' }] }));
    const { notices } = await start(t, { user: { ...at(server.url), model: 'ollama/mine' } });
    assert.ok(!notices.some(({ code }) => code === 'model-chosen'));
    assert.equal(server.received.filter(({ method }) => method === 'GET').length, 0);
    await start(t, { user: at(server.url), env: { OPENAI_API_KEY: 'o' } });
    assert.equal(server.received.filter(({ method }) => method === 'GET').length, 0);
  });
});

describe('a local server that merely answers', () => {
  const two = json({ data: [{ id: 'qwen3:8b', max_model_len: 40_960 }, { id: 'org/other' }] });

  test('is named where nobody can be asked, and never chosen', async (t) => {
    const server = await local(t, two);
    const text = await refusal(start(t, { user: at(server.url) }));
    assert.match(
      text,
      new RegExp(`ollama at ${server.url}/v1\\) is never chosen by itself: name it with --model ollama/qwen3:8b\\.`),
    );
    assert.match(text, /reins demo/);
    assert.deepEqual([...new Set(server.received.map(({ method }) => method))], ['GET']);
  });

  test('is offered with its models, and what is chosen is used and said', async (t) => {
    const server = await local(t, two);
    const place = await ground(t, { user: at(server.url) });
    const asked: unknown[] = [];
    const { outcome, setup, notices } = await go(place, {
      chooseModel: (servers) => {
        asked.push(servers);
        return Promise.resolve('ollama/qwen3:8b');
      },
    });
    const models = [{ name: 'qwen3:8b', window: 40_960 }, { name: 'org/other' }];
    assert.deepEqual(asked, [[{ provider: 'ollama', baseUrl: `${server.url}/v1`, models }]]);
    assert.deepEqual(
      [outcome.answer, setup.provider, setup.model, setup.window],
      ['From here.', 'ollama', 'qwen3:8b', 40_960],
    );
    const notice = notices.find(({ code }) => code === 'model-chosen');
    assert.match(notice?.text ?? '', new RegExp(`ollama/qwen3:8b was chosen, at the local server ${server.url}`));
  });

  test('isn’t used when it is declined, and nothing that wasn’t offered is', async (t) => {
    const server = await local(t, two);
    const answers = (name?: string) => start(t, { user: at(server.url) }, () => Promise.resolve(name));
    assert.match(await refusal(answers()), /never chosen by itself/);
    assert.match(await refusal(answers('ollama/never-offered')), /none of the models that were offered/);
  });

  test('is found by Ollama’s own list, and a provider of the user’s on this machine is asked, too', async (t) => {
    const tags = await local(t, json({ models: [{ name: 'llama3' }, { model: 'no name' }] }, '/api/tags'));
    assert.match(await refusal(start(t, { user: at(tags.url) })), /--model ollama\/llama3/);
    const mine = await local(t, json({ data: [{ id: 'm' }] }));
    const user = { providers: { ...nobodyThere, mine: { baseUrl: mine.url } } };
    assert.match(await refusal(start(t, { user })), /--model mine\/m/);
    const keyed = { providers: { ...nobodyThere, mine: { baseUrl: mine.url, keyVariable: 'NOT_SET' } } };
    assert.match(await refusal(start(t, { user: keyed })), /no local server answers either/);
  });

  test('holds nobody up, and nothing else that listens there is taken for one', async (t) => {
    const others: [string, Listing][] = [
      ['never answers', () => undefined],
      ['answers without end', (_, response) => response.write('{"data":[')],
      ['answers too much', (_, response) => void response.end(`{"data":[${' '.repeat(2 * 1024 * 1024)}]}`)],
      ['is a web page', (_, response) => void response.end('<html>')],
      ['is other JSON', json([{ id: 'm' }])],
      ['lists none', json({ data: [] })],
      ['lists no list', json({ data: { id: 'm' } })],
      ['sends elsewhere', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1' }).end()],
      ['hangs up', (_, response) => void response.destroy()],
      [
        'names nothing usable',
        json({
          data: [null, 1, {}, { id: 1 }, { id: '' }, { id: '\u001b[2J' }, { id: 'a b' }, { id: 'x'.repeat(201) }],
        }),
      ],
    ];
    for (const [name, list] of others) {
      const server = await local(t, list);
      const began = performance.now();
      assert.match(await refusal(start(t, { user: at(server.url) })), /no local server answers either/, name);
      assert.ok(performance.now() - began < 3_000, name);
    }
  });

  test('none there: three ways on are named, the demo among them', async (t) => {
    const text = await refusal(start(t, { user: { providers: nobodyThere } }));
    assert.match(text, /ANTHROPIC_API_KEY, OPENAI_API_KEY/);
    assert.match(text, /--model ollama\/NAME/);
    assert.match(text, /reins demo/);
  });
});

describe('the report on models', () => {
  test('says of each provider whether it can be used, and why not', async (t) => {
    const server = await local(t, json({ data: [{ id: 'served', max_model_len: 1_000 }, { id: 'named' }] }));
    const user = {
      providers: {
        ...at(server.url).providers,
        corp: { baseUrl: 'https://me:secret@llm.corp.example', auth: 'none' },
        here: { baseUrl: 'http://127.0.0.1:1', auth: 'none', models: { mine: {} } },
        broken: {},
        hidden: { baseUrl: 'https://x.example', apiKeyCommand: 'echo secret' },
      },
      models: { 'ollama/named': { window: 64_000 } },
    };
    const report = await modelsReport(await ground(t, { user, env: { OPENAI_API_KEY: 'secret' } }));
    assert.doesNotMatch(JSON.stringify(report), /secret/);
    const row = (name: string) => report.providers.find((each) => each.name === name);
    const state = (name: string) => [row(name)?.usable, row(name)?.detail];
    assert.deepEqual(state('openai'), [true, 'has OPENAI_API_KEY']);
    assert.equal(row('anthropic')?.usable, false);
    assert.match(row('anthropic')?.detail ?? '', /ANTHROPIC_API_KEY is not set, and .*keys\.json has none for it/);
    assert.deepEqual(state('ollama'), [true, `answers at ${server.url}/v1`]);
    assert.deepEqual(state('vllm'), [false, 'nothing answers at http://127.0.0.1:1/v1']);
    assert.deepEqual(state('corp'), [true, 'needs no key']);
    assert.equal(row('here')?.usable, true, 'not every server has a list');
    assert.match(row('here')?.detail ?? '', /lists no models .*--model here\/NAME/);
    assert.deepEqual(
      row('here')?.models.map(({ name }) => name),
      ['here/mine'],
    );
    assert.deepEqual(state('hidden'), [true, 'has an apiKeyCommand for hidden']);
    assert.equal(row('broken')?.usable, false);
    assert.match(row('broken')?.detail ?? '', /providers\.broken: .* needs an address/);
    const sizes = row('ollama')?.models.map(({ name, window, assumed }) => [name, window, assumed.length]);
    assert.deepEqual(sizes, [
      ['ollama/named', 64_000, 2],
      ['ollama/served', 1_000, 2],
    ]);
    assert.equal(report.model?.name, 'openai/gpt-6.2-sol');
  });

  test('lists what a hostile server names, each once, as what it is', async (t) => {
    const odd = [
      '__proto__',
      'constructor',
      'twice',
      'toString',
      'twice',
      '\u001b[31mred',
      'a\nb',
      '',
      '模型',
      '../up',
    ];
    const server = await local(t, json({ data: odd.map((id) => ({ id })) }));
    const rates = { other: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } };
    const { workspace, env } = await ground(t, { user: { ...at(server.url), rates } });
    const { providers } = await modelsReport({ workspace, env });
    const models = providers.find(({ name }) => name === 'ollama')?.models ?? [];
    assert.deepEqual(
      models.map(({ name, rates: price }) => [name, price]),
      ['__proto__', 'constructor', 'twice', 'toString', '../up'].map((name) => [`ollama/${name}`, undefined]),
    );
    const { view } = await start(t, { user: { ...at(server.url), rates, model: 'ollama/__proto__' } });
    assert.deepEqual([view.setup?.model, view.setup?.rates], ['__proto__', undefined]);
  });

  test('says which model a run would take and why, with its routes', async (t) => {
    const user = {
      providers: nobodyThere,
      model: 'openai/gpt-5-mini',
      effort: 'low',
      routes: [{ model: 'openai/gpt-5', when: { tries: 2 } }, { model: 'groq/x' }],
    };
    const place = await ground(t, { user, env: { OPENAI_API_KEY: 'k' } });
    const { model, problem, routes, notices } = await modelsReport(place);
    assert.deepEqual([model?.name, model?.settings, problem], ['openai/gpt-5-mini', { effort: 'low' }, undefined]);
    assert.match(model?.because ?? '', /^set in .*settings\.json:\d+$/);
    assert.deepEqual(routes, [{ name: 'openai/gpt-5', when: { tries: 2 }, settings: { effort: 'low' } }]);
    assert.match(notices[0]?.text ?? '', /The route to groq\/x is left out: .*GROQ_API_KEY is not set/);
    const missing = await modelsReport(await ground(t, { user }));
    assert.match(missing.problem ?? '', /OPENAI_API_KEY is not set/);
    const asked = await modelsReport({ ...place, env: { ...place.env, REINS_MODEL: 'openai/gpt-5.1' } });
    assert.equal(asked.model?.because, 'set by REINS_MODEL');
    const nothing = await modelsReport(await ground(t, { user: { providers: nobodyThere } }));
    assert.equal(nothing.model, undefined);
    assert.match(nothing.problem ?? '', /No model is configured/);
    const wrong = await modelsReport(await ground(t, { user: { providers: nobodyThere, model: 'opneai/x' } }));
    assert.match(wrong.problem ?? '', /Did you mean openai\?/);
  });

  test('says what is wrong with the key file, and lists all the same', async (t) => {
    const report = await modelsReport(
      await ground(t, { user: { providers: nobodyThere }, keys: '{"openai":"secret"}', mode: 0o640 }),
    );
    assert.match(report.problem ?? '', /can be used by others/);
    assert.match(report.providers.find(({ name }) => name === 'openai')?.detail ?? '', /can be used by others/);
    assert.ok(report.providers.length >= 13);
  });
});

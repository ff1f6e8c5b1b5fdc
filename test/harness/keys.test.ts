import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createSession, ReinsError } from '../../src/harness/index.ts';
import { answer, serve, textReply } from '../model/loopback.ts';
import { go, ground, type GroundOptions } from './ground.ts';

/** A server that takes any key, and the keys that it was sent. */
async function provider(t: TestContext) {
  const server = await serve(t, (_, response) => answer(response, textReply('Hello.')));
  const sent = () =>
    server.received.map(({ headers }) => headers['x-api-key'] ?? headers['authorization'] ?? headers['x-goog-api-key']);
  return { server, sent };
}

const corp = (url: string, more: object = {}) => ({ corp: { wire: 'anthropic', baseUrl: url, ...more } });
const model = 'corp/any';

const fails = (code: string, text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ReinsError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, text);
  assert.doesNotMatch(error.message, /secret/);
  return true;
};

describe('where a key is looked for', () => {
  const command = 'echo secret-of-command';

  test('given, in the environment, in the user’s file, printed by a command: in this order', async (t) => {
    const { server, sent } = await provider(t);
    const user = { model, providers: corp(server.url, { keyVariable: 'CORP_KEY', apiKeyCommand: command }) };
    const keys = { corp: ' secret-of-file\n' };
    const env = { CORP_KEY: 'secret-of-environment\n' };
    await go(await ground(t, { user, keys, env }), { settings: { endpoint: { apiKey: 'secret-given' } } });
    await go(await ground(t, { user, keys, env }));
    await go(await ground(t, { user, keys, env: { CORP_KEY: ' ' } }));
    await go(await ground(t, { user, keys: { corp: '' } }));
    await go(await ground(t, { user }));
    const of = ['given', 'of-environment', 'of-file', 'of-command', 'of-command'];
    assert.deepEqual(
      sent(),
      of.map((each) => `secret-${each}`),
    );
  });

  test('the first variable of a vendor that is set counts, and one that the settings name stands in for all', async (t) => {
    const { server, sent } = await provider(t);
    const reach = async (own: object, env: { [name: string]: string }) => {
      const user = { providers: { gemini: { wire: 'anthropic', baseUrl: server.url, ...own } } };
      await go(await ground(t, { user, env }), { settings: { model: 'google/x' } });
    };
    await reach({}, { GEMINI_API_KEY: 'one', GOOGLE_API_KEY: 'two' });
    await reach({}, { GOOGLE_API_KEY: 'two' });
    await reach({ keyVariable: 'MINE' }, { GEMINI_API_KEY: 'one', MINE: 'three' });
    assert.deepEqual(sent(), ['one', 'two', 'three']);
    await assert.rejects(
      reach({ keyVariable: 'MINE' }, { GEMINI_API_KEY: 'one' }),
      fails('key-missing', /MINE is not set/),
    );
  });

  test('endpoint.keyVariable is for the provider of the run’s own model', async (t) => {
    const { server, sent } = await provider(t);
    const user = { model, endpoint: { keyVariable: 'MINE' }, providers: corp(server.url, { keyVariable: 'CORP_KEY' }) };
    await go(await ground(t, { user, env: { MINE: 'mine', CORP_KEY: 'theirs' } }));
    assert.deepEqual(sent(), ['mine']);
  });

  test('how it is sent can be chosen, and not at all', async (t) => {
    const { server, sent } = await provider(t);
    const env = { CORP_KEY: 'k' };
    const reach = async (auth: string) => {
      const user = { model, providers: corp(server.url, { keyVariable: 'CORP_KEY', auth }) };
      await go(await ground(t, { user, env }));
      return server.received.at(-1)?.headers ?? {};
    };
    assert.equal((await reach('bearer'))['authorization'], 'Bearer k');
    assert.equal((await reach('x-api-key'))['x-api-key'], 'k');
    assert.equal((await reach('x-goog-api-key'))['x-goog-api-key'], 'k');
    assert.equal((await reach('api-key'))['api-key'], 'k');
    await reach('none');
    assert.equal(sent().at(-1), undefined);
    assert.doesNotMatch(JSON.stringify(server.received.at(-1)?.headers), /"k"/);
  });

  test('a provider of one’s own that names no key needs none', async (t) => {
    const { server, sent } = await provider(t);
    const { outcome } = await go(await ground(t, { user: { model, providers: corp(server.url) } }));
    assert.equal(outcome.outcome, 'completed');
    assert.deepEqual(sent(), [undefined]);
  });
});

describe('a key that is missing or is none', () => {
  const start = async (t: TestContext, options: GroundOptions, name?: string) => {
    const { workspace, env } = await ground(t, options);
    return createSession({ workspace, env, settings: name === undefined ? {} : { model: name } });
  };

  test('is said with the variables and the file that were looked at, before anything is sent', async (t) => {
    await assert.rejects(
      start(t, {}, 'openai/x'),
      fails('key-missing', /OPENAI_API_KEY is not set.*keys\.json has none/),
    );
    const named = /GEMINI_API_KEY or GOOGLE_API_KEY is not set/;
    await assert.rejects(start(t, { keys: { anthropic: 'secret' } }, 'gemini/x'), fails('key-missing', named));
  });

  test('isn’t sent where it could not stand in a header', async (t) => {
    const { server } = await provider(t);
    const user = { model, providers: corp(server.url, { keyVariable: 'CORP_KEY' }) };
    for (const bad of ['secret\u0001', 'secrët', 'secret\ntwo'])
      await assert.rejects(
        go(await ground(t, { user, env: { CORP_KEY: bad } })),
        fails('config-invalid', /The key in CORP_KEY is no key/),
      );
    assert.equal(server.received.length, 0);
  });

  test('in a file that others can read is refused with the path, and isn’t looked at where it isn’t needed', async (t) => {
    const { server } = await provider(t);
    const user = { model, providers: corp(server.url, { keyVariable: 'CORP_KEY' }) };
    const open = { user, keys: { corp: 'secret' }, mode: 0o644 };
    await assert.rejects(
      go(await ground(t, open)),
      fails('config-invalid', /keys\.json can be used by others \(mode 644\)/),
    );
    const { outcome } = await go(await ground(t, { ...open, env: { CORP_KEY: 'k' } }));
    assert.equal(outcome.outcome, 'completed');
  });
});

describe('a command that prints the key', () => {
  const counting = "echo run >> count; printf 'secret-%s\\n' 1";

  test('runs when the first request needs it, once in this process, and in the user’s home', async (t) => {
    const { server, sent } = await provider(t);
    const user = { model, providers: corp(server.url, { apiKeyCommand: counting }) };
    const place = await ground(t, { user });
    const count = join(place.env['HOME'] ?? '', 'count');
    const session = await createSession({ ...place });
    await session.close();
    assert.ok(!existsSync(count));
    await go(place);
    await go(place);
    assert.equal(readFileSync(count, 'utf8'), 'run\n');
    assert.ok(!existsSync(join(place.workspace, 'count')));
    assert.deepEqual(sent(), ['secret-1', 'secret-1']);
  });

  test('may be a program and its arguments, which no shell reads', async (t) => {
    const { server, sent } = await provider(t);
    const user = { model, providers: corp(server.url, { apiKeyCommand: ['printf', '%s', '$(id);x'] }) };
    await go(await ground(t, { user }));
    assert.deepEqual(sent(), ['$(id);x']);
  });

  const failing: [string, string | string[], RegExp][] = [
    [
      'fails',
      'echo secret-on-stdout; echo no such entry >&2; exit 3',
      /of corp failed with exit code 3: no such entry\./,
    ],
    ['fails and shows the key', 'echo secret_0123456789abcdef >&2; exit 1', /failed with exit code 1\./],
    ['fails and shows a short one', 'echo pass: secret7890 >&2; exit 1', /failed with exit code 1\./],
    ['prints nothing', 'true', /printed nothing\./],
    ['prints several lines', 'echo secret; echo secret', /The key that the apiKeyCommand of corp prints is no key/],
    ['ends itself by a signal', 'kill -9 $$', /was ended by SIGKILL\./],
    ['isn’t there', ['/nowhere/program'], /can’t be started \(ENOENT\)\./],
  ];
  for (const [name, apiKeyCommand, text] of failing) {
    test(`and ${name} is said without what it printed`, async (t) => {
      const { server } = await provider(t);
      const user = { model, providers: corp(server.url, { apiKeyCommand }) };
      const { outcome } = await go(await ground(t, { user }));
      const code = name === 'prints several lines' ? 'config-invalid' : 'key-missing';
      assert.deepEqual([outcome.outcome, outcome.code], ['provider', code]);
      assert.match(outcome.detail, text);
      assert.doesNotMatch(outcome.detail, /secret/);
      assert.equal(server.received.length, 0);
    });
  }

  test('is run again after it failed', async (t) => {
    const { server, sent } = await provider(t);
    const user = { model, providers: corp(server.url, { apiKeyCommand: 'cat key' }) };
    const place = await ground(t, { user });
    assert.match((await go(place)).outcome.detail, /failed with exit code 1/);
    writeFileSync(join(place.env['HOME'] ?? '', 'key'), 'secret-2');
    await go(place);
    assert.deepEqual(sent(), ['secret-2']);
  });
});

test('a key is nowhere in what is kept of a session', async (t) => {
  const { server, sent } = await provider(t);
  const user = { model, providers: corp(server.url, { apiKeyCommand: 'echo secret-0123456789' }) };
  const place = await ground(t, { user });
  await go(place);
  assert.deepEqual(sent(), ['secret-0123456789']);
  const kept = globSync('**/*', { cwd: join(place.env['HOME'] ?? '', '.local'), withFileTypes: true });
  const files = kept.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  assert.ok(files.length > 0);
  for (const file of files) assert.ok(!readFileSync(file, 'utf8').includes('secret-0123456789'), file);
});

test('the variables of all keys are hidden from commands', async (t) => {
  const user = {
    providers: { corp: { baseUrl: 'http://127.0.0.1:1', keyVariable: 'MAIN_LLM' } },
    endpoint: { keyVariable: 'MINE' },
  };
  const env = {
    MAIN_LLM: 'x1',
    MINE: 'x2',
    GEMINI_API_KEY: 'x3',
    OPENROUTER_API_KEY: 'x4',
    ANTHROPIC_API_KEY: 'x5',
    SEEN: 'yes',
  };
  const place = await ground(t, { user, env });
  const scenario = join(place.env['HOME'] ?? '', 'scenario.json');
  const call = { name: 'shell', arguments: { command: 'env' } };
  writeFileSync(scenario, JSON.stringify({ turns: [{ calls: [call] }, { text: 'Done.' }] }));
  const results: string[] = [];
  await go(place, {
    settings: { model: `script:${scenario}`, mode: 'unsafe', checks: 'waived' },
    onEvent: (event) => {
      if (event.kind === 'result') results.push(event.data.text);
    },
  });
  assert.match(results.join(), /^SEEN=yes$/m);
  assert.doesNotMatch(results.join(), /=x\d$/m);
});

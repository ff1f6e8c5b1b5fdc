import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { createSession, ReinsError, type EventData } from '../../src/harness/index.ts';
import { answer, serve, textReply } from '../model/loopback.ts';
import { go, ground } from './ground.ts';

const answering = (t: TestContext) => serve(t, (_, response) => answer(response, textReply('Hello.')));
const refusing = (t: TestContext, status = 401) =>
  serve(t, (_, response) => response.writeHead(status).end('{"error":{"message":"no"}}'));

const provider = (baseUrl: string, more: object = {}) => ({ wire: 'anthropic', baseUrl, ...more });

/** Three providers: what the user says of each, and the servers behind them. */
async function chain(t: TestContext, more: { first?: object; second?: object; third?: object } = {}) {
  const [first, second, third] = [await refusing(t), await answering(t), await answering(t)];
  const user = {
    model: 'a/x',
    providers: {
      a: provider(first.url, more.first),
      b: provider(second.url, more.second),
      c: provider(third.url, more.third),
    },
    routes: [{ model: 'b/y' }, { model: 'c/z' }],
  };
  return { user, servers: [first, second, third] as const };
}

async function goThrough(t: TestContext, user: object) {
  const failures: EventData['failure'][] = [];
  const place = await ground(t, { user });
  const ran = await go(place, {
    onEvent: (event) => {
      if (event.kind === 'failure') failures.push(event.data);
    },
  });
  return { ...ran, failures };
}

describe('a key command that fails', () => {
  for (const [name, apiKeyCommand, code] of [
    ['of a route: the chain goes on', 'exit 3', 'key-missing'],
    ['by printing no key: the chain goes on', 'printf "a\\nb"', 'config-invalid'],
  ] as const) {
    test(name, async (t) => {
      const { user, servers } = await chain(t, { second: { apiKeyCommand } });
      const { outcome, requests, failures } = await goThrough(t, user);
      assert.deepEqual([outcome.outcome, outcome.answer], ['completed', 'Hello.']);
      assert.deepEqual(
        failures.map(({ class: kind, code: each, cost, retryAt }) => [kind, each, cost, retryAt]),
        [
          ['auth', 'provider-auth', 0, undefined],
          ['auth', code, 0, undefined],
        ],
      );
      assert.deepEqual(
        requests.map(({ source, route }) => [source.provider, route?.because]),
        [
          ['a', undefined],
          ['b', 'a/x failed: provider-auth'],
          ['c', `b/y failed: ${code}`],
        ],
      );
      assert.deepEqual(
        servers.map(({ received }) => received.length),
        [1, 0, 1],
      );
    });
  }

  test('of the run’s own model leaves it to a route', async (t) => {
    const { user, servers } = await chain(t, { first: { apiKeyCommand: 'exit 3' } });
    const { outcome } = await goThrough(t, user);
    assert.equal(outcome.outcome, 'completed');
    assert.deepEqual(
      servers.map(({ received }) => received.length),
      [0, 1, 0],
    );
  });

  test('is no end for a driver that pulls, either', async (t) => {
    const { user } = await chain(t, { second: { apiKeyCommand: 'exit 3' } });
    const session = await createSession({ ...(await ground(t, { user })), settings: { mode: 'plan' } });
    t.after(() => session.close());
    await session.say('go');
    const asked: string[] = [];
    for (;;) {
      const item = await session.step();
      if (item.item === 'stopped') break;
      assert.ok(item.item === 'ask-model', item.item);
      const { source } = item.request.data;
      asked.push(`${source.provider ?? ''}/${source.model}`);
      const failed = { class: 'auth', code: 'key-missing', message: 'no key', cost: 0 } as const;
      const said = { source, parts: [{ type: 'text', text: 'Done.' }], stop: 'end', firstByte: 1, elapsed: 1 } as const;
      const isLast = asked.length === 3;
      await session.settle(
        item,
        isLast ? { kind: 'reply', data: { ...said, parts: [...said.parts] } } : { kind: 'failure', data: failed },
      );
    }
    assert.deepEqual(asked, ['a/x', 'b/y', 'c/z']);
    assert.equal(session.outcome().answer, 'Done.');
  });
});

describe('a provider without an address', () => {
  const nowhere = (error: unknown) => {
    assert.ok(error instanceof ReinsError);
    assert.match(error.message, /settings\.json:\d+: providers\.b: .*needs an address/);
    return error.code === 'config-invalid';
  };

  test('is refused as a route before the run begins, not when it is needed', async (t) => {
    const { user } = await chain(t);
    const providers = { ...user.providers, b: { wire: 'anthropic' } };
    const place = await ground(t, { user: { ...user, providers } });
    await assert.rejects(go(place), nowhere);
  });

  test('is refused when the session is to go on with it, and nothing has changed', async (t) => {
    const { user } = await chain(t);
    const providers = { ...user.providers, b: { wire: 'anthropic' } };
    const place = await ground(t, { user: { ...user, providers, routes: [] } });
    const session = await createSession({ ...place, settings: { mode: 'plan' } });
    t.after(() => session.close());
    await assert.rejects(session.switchModel('b/y'), nowhere);
    assert.equal(session.view.setup?.provider, 'a');
  });
});

describe('a name and password in an address', () => {
  const sentTo = async (t: TestContext, login: string, more: object = {}) => {
    const server = await answering(t);
    const providers = { corp: provider(server.url.replace('://', `://${login}@`), more) };
    const { outcome } = await goThrough(t, { model: 'corp/x', providers });
    assert.equal(outcome.outcome, 'completed');
    return server.received[0]?.headers;
  };

  test('are sent as a login', async (t) => {
    const headers = await sentTo(t, 'me:p%40ss%');
    assert.equal(headers?.authorization, `Basic ${Buffer.from('me:p@ss%').toString('base64')}`);
  });

  test('stand beside a key that has a header of its own, and behind one that goes into the same', async (t) => {
    const beside = await sentTo(t, 'me:pass', { apiKeyCommand: 'echo the-key' });
    assert.deepEqual([beside?.['x-api-key'], beside?.authorization], ['the-key', 'Basic bWU6cGFzcw==']);
    const behind = await sentTo(t, 'me:pass', { apiKeyCommand: 'echo the-key', auth: 'bearer' });
    assert.equal(behind?.authorization, 'Bearer the-key');
  });

  test('are repeated nowhere when they fail', async (t) => {
    const server = await serve(t, (received, response) => {
      const login = Buffer.from((received.headers.authorization ?? '').slice(6), 'base64').toString();
      response.writeHead(401, { 'request-id': received.headers.authorization }).end(`no: ${login}`);
    });
    const providers = { corp: provider(server.url.replace('://', '://me:long-password@')) };
    const { outcome, failures } = await goThrough(t, { model: 'corp/x', providers });
    assert.equal(outcome.code, 'provider-auth');
    assert.doesNotMatch(JSON.stringify([outcome, failures]), /long-password|bWU6/);
  });
});

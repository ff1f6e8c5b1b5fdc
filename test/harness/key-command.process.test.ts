import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test, type TestContext } from 'node:test';
import { createSession } from '../../src/harness/index.ts';
import { answer, serve, textReply, until } from '../model/loopback.ts';
import { go, ground } from './ground.ts';

const isRunning = (marker: string): boolean =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(`sleep ${marker}`);

const corp = (apiKeyCommand: string, baseUrl = 'http://127.0.0.1:1') => ({
  user: { model: 'corp/any', providers: { corp: { wire: 'anthropic', baseUrl, apiKeyCommand } } },
});

test('a command for a key that doesn’t end is ended, and all that it started', async (t) => {
  const marker = `31.${process.pid}`;
  const began = performance.now();
  const { outcome } = await go(await ground(t, corp(`sleep ${marker} & sleep ${marker}`)));
  assert.deepEqual([outcome.outcome, outcome.code], ['provider', 'key-missing']);
  assert.match(outcome.detail, /took longer than 30 s and was ended/);
  assert.ok(performance.now() - began < 31_000);
  assert.ok(!isRunning(marker));
});

describe('a cancel while the key is waited for', () => {
  const driven = async (t: TestContext, place: Awaited<ReturnType<typeof ground>>) => {
    const session = await createSession({ ...place, settings: { mode: 'plan' } });
    t.after(() => session.close());
    await session.say('go');
    return { session, running: session.run() };
  };

  test('ends at once, with the command, and is recorded as what it is', async (t) => {
    const marker = `32.${process.pid}`;
    const { session, running } = await driven(t, await ground(t, corp(`sleep ${marker} & sleep ${marker}`)));
    await until(() => isRunning(marker));
    const began = performance.now();
    await session.cancel('test', 'SIGINT');
    const outcome = await running;
    assert.deepEqual([outcome.outcome, outcome.exit], ['cancelled', 130]);
    assert.ok(performance.now() - began < 15_000);
    await until(() => !isRunning(marker));
  });

  test('leaves it to another session that waits for the same', async (t) => {
    const marker = `1.${process.pid}`;
    const server = await serve(t, (_, response) => answer(response, textReply('Hello.')));
    const place = await ground(t, corp(`sleep ${marker}; echo the-key`, server.url));
    const [leaving, staying] = [await driven(t, place), await driven(t, place)];
    await until(() => isRunning(marker));
    await leaving.session.cancel('test');
    assert.equal((await leaving.running).outcome, 'cancelled');
    assert.equal((await staying.running).answer, 'Hello.');
    assert.deepEqual(
      server.received.map(({ headers }) => headers['x-api-key']),
      ['the-key'],
    );
  });

  test('doesn’t keep the next run from its key', async (t) => {
    const marker = `1.5${process.pid}`;
    const server = await serve(t, (_, response) => answer(response, textReply('Hello.')));
    const place = await ground(t, corp(`sleep ${marker}; echo the-key`, server.url));
    const first = await driven(t, place);
    await until(() => isRunning(marker));
    await first.session.cancel('test');
    await first.running;
    const second = await driven(t, place);
    assert.equal((await second.running).answer, 'Hello.');
  });
});

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { createSession, type RunOutcome, type SessionOptions } from '../../src/harness/index.ts';
import { startModelServer, temporaryWorkspace, type Scenario } from '../../src/testing/index.ts';

/** Two seconds: enough for a start on a busy machine, far less than what is asked for. */
const minutes = 2 / 60;

async function runAgainst(
  t: TestContext,
  url: string,
  settings: SessionOptions['settings'],
): Promise<RunOutcome & { took: number }> {
  const workspace = await temporaryWorkspace({ files: {} });
  const home = await temporaryWorkspace({ files: {} });
  t.after(async () => {
    await workspace.dispose();
    await home.dispose();
  });
  const session = await createSession({
    workspace: workspace.path,
    env: { PATH: process.env['PATH'], HOME: home.path },
    settings: { model: 'x', mode: 'unsafe', limits: { minutes }, endpoint: { baseUrl: url, apiKey: 'k' }, ...settings },
  });
  await session.say('go');
  const began = performance.now();
  const outcome = await session.run();
  const took = performance.now() - began;
  await session.close();
  return { ...outcome, took };
}

async function scripted(t: TestContext, scenario: Scenario, settings: SessionOptions['settings'] = {}) {
  const server = await startModelServer(scenario);
  t.after(() => server.close());
  return runAgainst(t, server.url, settings);
}

describe('the limit of minutes holds in the middle', { concurrency: 2 }, () => {
  test('of the calls of one reply: what runs is ended, the rest is not run', async (t) => {
    const calls = Array.from({ length: 5 }, () => ({ name: 'shell', arguments: { command: 'sleep 5 >> x' } }));
    const { outcome, code, took, calls: started } = await scripted(t, { turns: [{ calls }, { text: 'Done.' }] });
    assert.deepEqual([outcome, code], ['limit', 'limit-minutes']);
    assert.equal(started, 1);
    assert.ok(took < 9_000, `${took}`);
  });

  test('of a check', async (t) => {
    const turns = [{ text: 'Done.' }, { text: 'Really.' }];
    const { outcome, code, took } = await scripted(t, { turns }, { checks: ['sleep 30'] });
    assert.deepEqual([outcome, code], ['limit', 'limit-minutes']);
    assert.ok(took < 9_000, `${took}`);
  });

  test('of a reply that never says anything but that it lives', async (t) => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write('event: ping\ndata: {"type":"ping"}\n\n'), 50);
      response.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { outcome, code, took } = await runAgainst(t, url, {});
    assert.deepEqual([outcome, code], ['limit', 'limit-minutes']);
    assert.ok(took < 9_000, `${took}`);
  });
});

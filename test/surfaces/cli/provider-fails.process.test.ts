import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { serve, streamHead, until, type Handler } from '../../model/loopback.ts';
import { linesOf, openBench } from './command-line.ts';

/** A bench whose model is a provider with this server and whatever else the user says of it. */
async function benchWith(context: TestContext, handler: Handler, more: object = {}) {
  const server = await serve(context, handler);
  const bench = openBench(context);
  const folder = join(bench.environment['XDG_CONFIG_HOME'] ?? '', 'reins');
  mkdirSync(folder);
  const providers = { corp: { wire: 'anthropic', baseUrl: server.url, ...more } };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ model: 'corp/x', providers }));
  return { bench, server };
}

/** Milliseconds: far less than the pause, the silence and the command would last, and enough for a busy machine. */
const atOnce = 15_000;

const busy: Handler = (_, response) => response.writeHead(529, { 'retry-after': '120' }).end('{"error":"busy"}');

describe('a provider that fails', () => {
  test('is waited for visibly, for people and for programs', async (context) => {
    const { bench } = await benchWith(context, busy);
    const forPeople = bench.start(['run', '--mode', 'plan', 'go']);
    await forPeople.until('err', /busy/);
    const forPrograms = bench.start(['run', '--mode', 'plan', '--json', '--deltas', 'go']);
    await forPrograms.until('out', /"type":"delta","kind":"waiting","until":\d+,"why":"another try: busy"/);
    forPeople.child.kill('SIGKILL');
    forPrograms.child.kill('SIGKILL');
    await Promise.all([forPeople.ended, forPrograms.ended]);
  });

  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    test(`is left at once by ${signal} in the pause, and while nothing comes`, async (context) => {
      const stages: [Handler, RegExp][] = [
        [busy, /"kind":"waiting"/],
        [() => undefined, /"kind":"request"/],
        [(_, response) => streamHead(response), /"kind":"request"/],
      ];
      for (const [handler, begun] of stages) {
        const { bench, server } = await benchWith(context, handler);
        const run = bench.start(['run', '--mode', 'plan', '--json', '--deltas', 'go']);
        await run.until('out', begun);
        await until(() => server.received.length === 1);
        const began = performance.now();
        run.child.kill(signal);
        const ended = await run.ended;
        assert.ok(performance.now() - began < atOnce, `${performance.now() - began} ms`);
        assert.equal(ended.exit, exit);
        const last = linesOf(ended.out).at(-1);
        assert.deepEqual([last?.type, last?.['outcome'], last?.['resumable']], ['outcome', 'cancelled', true]);
        assert.equal(server.received.length, 1);
      }
    });
  }

  test('by its key command is left at once, too, and the command with it', async (context) => {
    const { bench, server } = await benchWith(context, busy, { apiKeyCommand: 'echo asked >&2; exec sleep 33' });
    const run = bench.start(['run', '--mode', 'plan', '--json', 'go']);
    await run.until('out', /"kind":"request"/);
    const began = performance.now();
    run.child.kill('SIGINT');
    assert.equal((await run.ended).exit, 130);
    assert.ok(performance.now() - began < atOnce);
    assert.equal(server.received.length, 0);
  });
});

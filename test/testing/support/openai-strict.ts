/** Puts cases of the strict mode to a server, as its tests do for each wire. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startModelServer, type ModelServer, type Scenario } from '../../../src/testing/index.ts';
import type { RawAnswer } from './raw-client.ts';
import type { Cases, Json } from './request-parts.ts';
import { serve } from './running.ts';

const scenario: Scenario = { window: 10_000, position: 'count', turns: [{ text: 'fine', repeat: 'forever' }] };

/**
 * Tests of every case: what is refused is refused again, by its rule alone and with the provider's error; what is accepted passes.
 */
export function testCases(wire: string, cases: Cases, ask: (url: string, body: Json) => Promise<RawAnswer>): void {
  let shared: Promise<ModelServer>;
  test.before(() => {
    shared = startModelServer(scenario);
  });
  test.after(async () => (await shared).close());
  for (const [rule, { refused, accepted }] of Object.entries(cases)) {
    for (const [name, body] of Object.entries(refused)) {
      test(`${wire}, ${rule}: ${name} is refused, for good and for that alone`, async (context) => {
        const server = await serve(context, scenario);
        const first = await ask(server.url, body);
        const second = await ask(server.url, body);
        assert.equal(first.status, name === 'more than 50 MB' ? 413 : 400, first.text);
        assert.equal(second.status, first.status);
        const { error } = JSON.parse(first.text) as { error: { type: string; message: string } };
        assert.equal(error.type, 'invalid_request_error');
        assert.deepEqual(
          server.refusals.map((refusal) => [refusal.rule, refusal.message]),
          [
            [rule, error.message],
            [rule, error.message],
          ],
        );
        if (rule === 'window') return;
        const lenient = await serve(context, { ...scenario, window: 1e9, strict: { except: [rule as never] } });
        const answer = await ask(lenient.url, body);
        assert.equal(answer.status, 200, answer.text);
      });
    }
    for (const [name, body] of Object.entries(accepted)) {
      test(`${wire}, ${rule}: ${name} is accepted`, async () => {
        const answer = await ask((await shared).url, body);
        assert.equal(answer.status, 200, answer.text);
      });
    }
  }
}

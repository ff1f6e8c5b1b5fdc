/** The contract of the port `Model`: the same view gives the same bytes, and whatever a provider does is an outcome. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test, type TestContext } from 'node:test';
import type { AskModel, Model, ModelOutcome, PreparedRequest } from '../../src/core/index.ts';
import type { Turn } from '../../src/testing/index.ts';
import { ask, now, Story } from '../model/loopback.ts';

export interface ModelUnderTest {
  model: Model;
  /** Resolves as soon as whoever answers has a request. */
  asked: () => Promise<unknown>;
}

const silent = () => undefined;
const open = new AbortController().signal;
const hour = 3_600_000;

function said(text: string): Story {
  const story = new Story();
  story.say(text);
  return story;
}

/** Sends a request as the try after so many failed ones. */
async function send(model: Model, signal = open, attempt = 1): Promise<ModelOutcome> {
  const story = said('hello');
  for (let failed = 1; failed < attempt; failed += 1) {
    const before = await model.prepare(story.view, { ...ask, attempt: failed });
    const request = story.add({ kind: 'request', data: before.data });
    const passing = { class: 'retryable', code: 'provider-overloaded', message: 'busy', retryAt: now } as const;
    story.add({ kind: 'failure', data: { request, ...passing } });
  }
  const prepared = await model.prepare(story.view, { ...ask, attempt });
  return model.send(prepared, story.add({ kind: 'request', data: prepared.data }), signal, silent);
}

/** Runs the suite; the factory makes a model that answers with these turns, over the clock of the loopback tests. */
export function testModelContract(
  name: string,
  make: (t: TestContext, turns: Turn[]) => ModelUnderTest | Promise<ModelUnderTest>,
): void {
  describe(`${name} keeps the contract of a model`, () => {
    test('the same view gives the same bytes, another view others', async (t) => {
      const { model } = await make(t, []);
      const prepare = (story: Story, change: Partial<AskModel> = {}): Promise<PreparedRequest> =>
        model.prepare(story.view, { ...ask, ...change });
      const story = said('hello');
      const first = await prepare(story);
      assert.deepEqual(await prepare(story), first);
      assert.deepEqual((await prepare(said('hello'))).body, first.body);
      assert.deepEqual((await prepare(story, { attempt: 2 })).body, first.body);
      assert.notDeepEqual((await prepare(said('hello!'))).body, first.body);
    });

    test('the log has a request’s fingerprint, length and bytes', async (t) => {
      const { model } = await make(t, []);
      const { data, body } = await model.prepare(said('gr\u00fc\u00df \u{1f600}').view, {
        ...ask,
        turn: 3,
        attempt: 2,
      });
      assert.equal(data.fingerprint, createHash('sha256').update(body).digest('hex'));
      assert.equal(data.bytes, body.length);
      assert.deepEqual({ kept: data.kept, tail: data.tail }, { kept: 0, tail: Buffer.from(body).toString() });
      assert.partialDeepStrictEqual(data, { turn: 3, attempt: 2, base: null, extends: true });
      assert.ok(data.reserved.input > 0);
      assert.equal(data.reserved.output, ask.maxOutput);
    });

    test('a reply comes with its parts and why it ended', async (t) => {
      const { model } = await make(t, [{ text: 'Hi.', calls: [{ name: 'read', arguments: { path: 'a' } }] }]);
      const outcome = await send(model);
      assert.ok(outcome.kind === 'reply', JSON.stringify(outcome));
      const [text, call] = outcome.data.parts;
      assert.partialDeepStrictEqual(text, { type: 'text', text: 'Hi.' });
      assert.partialDeepStrictEqual(call, { type: 'call', name: 'read', arguments: { path: 'a' } });
      assert.equal(outcome.data.stop, 'calls');
      assert.ok(outcome.data.firstByte >= 0 && outcome.data.elapsed >= outcome.data.firstByte);
    });

    const failures: [string, NonNullable<Turn['failures']>[number], string, boolean][] = [
      ['an overloaded provider', { status: 529 }, 'retryable', true],
      ['a rate limit', { status: 429, retryAfter: 2 }, 'wait', true],
      ['a reply that is cut', { cut: 'in-text' }, 'broken-stream', true],
      ['a wrong key', { status: 401 }, 'auth', false],
      ['a request that is refused', { status: 400 }, 'content', false],
    ];
    for (const [what, failure, kind, passes] of failures) {
      test(`${what} is a failure that ${passes ? 'may pass' : 'does not pass'}`, async (t) => {
        const { model } = await make(t, [{ text: 'Here is a longer text.', failures: [failure] }]);
        const outcome = await send(model);
        assert.ok(outcome.kind === 'failure', JSON.stringify(outcome));
        assert.equal(outcome.data.class, kind);
        assert.ok(outcome.data.code !== '' && outcome.data.message !== '');
        if (passes) assert.ok((outcome.data.retryAt ?? 0) > now);
        else assert.ok(!('retryAt' in outcome.data));
        assert.equal((await send(model, open, 2)).kind, 'reply');
      });
    }

    test('after the last attempt there is no time for another', async (t) => {
      const { model } = await make(t, [{ text: 'Hi.', failures: [{ status: 529 }] }]);
      const outcome = await send(model, open, 10);
      assert.ok(outcome.kind === 'failure' && !('retryAt' in outcome.data));
    });

    test('an aborted signal cancels the request at once, before and while it is answered', async (t) => {
      const { model, asked } = await make(t, [{ text: 'Hi.', wait: hour }]);
      const before = await send(model, AbortSignal.abort(new Error('away')));
      const abort = new AbortController();
      const sending = send(model, abort.signal);
      await asked();
      abort.abort(new Error('away'));
      for (const outcome of [before, await sending]) {
        assert.ok(outcome.kind === 'failure');
        assert.equal(outcome.data.class, 'cancelled');
        assert.ok(!('retryAt' in outcome.data));
      }
    });
  });
}

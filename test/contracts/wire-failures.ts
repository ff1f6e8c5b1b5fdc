/** The contract of a wire, second part: whatever goes wrong, at whatever stage, is one classified failure, and the same request again succeeds. */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { FailureClass, JsonObject } from '../../src/core/index.ts';
import type { ScriptedFailure, ScriptedReply, Stage } from '../../src/testing/index.ts';
import { callsIn, startTalk, textIn, type Peer, type Talk } from './wire-talk.ts';

type Failure = Exclude<ScriptedFailure, { reply: unknown }>;

interface Expected {
  class: FailureClass;
  code: string;
  /** Whether another try is due. */
  passes: boolean;
}

const broken = (code: string): Expected => ({ class: 'broken-stream', code, passes: true });
const retryable = (code: string): Expected => ({ class: 'retryable', code, passes: true });
const final = (kind: FailureClass, code: string): Expected => ({ class: kind, code, passes: false });

const statuses: [number, Expected][] = [
  [400, final('content', 'provider-rejected')],
  [401, final('auth', 'provider-auth')],
  [402, final('quota', 'provider-quota')],
  [403, final('auth', 'provider-auth')],
  [404, final('content', 'provider-rejected')],
  [413, final('overflow', 'context-overflow')],
  [429, { class: 'wait', code: 'rate-limited', passes: true }],
  [500, retryable('provider-error')],
  [503, retryable('provider-overloaded')],
  [529, retryable('provider-overloaded')],
];

/** A reply that comes to every stage. */
const whole: ScriptedReply = {
  thinking: 'A thought that takes several pieces to be told, one after the other.',
  text: 'A text that takes several pieces to be told, one after the other.',
  calls: [{ name: 'read', arguments: { path: 'a/path/that/takes/several/pieces/to/be/told' } }],
};

const stages: Stage[] = ['after-headers', 'in-thinking', 'in-text', 'in-call', 'before-end'];
const hurried = { timeouts: { firstByte: 400, silence: 400 } };
/** Milliseconds that a test may have taken since. */
const slack = 30_000;

export function testWireFailures(peer: Peer): void {
  /** The failure as it is seen, and the same request once more. */
  const fails = async (t: TestContext, failure: Failure, expected: Expected, reply = whole): Promise<Talk> => {
    const answer = 'status' in failure || 'close' in failure ? failure : { reply, failure };
    const talk = await startTalk(t, peer, [answer, whole], 'silence' in failure ? { transport: hurried } : {});
    const begun = Date.now();
    talk.say('Go.');
    const seen = await talk.failure();
    assert.deepEqual([seen.class, seen.code], [expected.class, expected.code], seen.message);
    assert.equal(seen.retryAt !== undefined, expected.passes);
    assert.ok(seen.retryAt === undefined || seen.retryAt > begun);
    assert.ok(seen.message.trim() !== '');
    if ('status' in failure)
      assert.deepEqual([seen.status, seen.cost], [failure.status === 200 ? undefined : failure.status, 0]);
    const again = await talk.reply();
    assert.deepEqual([textIn(again), callsIn(again).length], [whole.text, 1]);
    assert.deepEqual(talk.asked(2).bytes, talk.asked(1).bytes);
    talk.assertClean();
    return talk;
  };

  describe(`${peer.name}: failures before the headers`, () => {
    for (const [status, expected] of statuses) {
      test(`status ${status} is ${expected.class}`, async (t) => {
        await fails(t, { status, message: 'In plain words.' }, expected);
      });
    }

    test('a time that is told is obeyed, in seconds and as a date', async (t) => {
      const told = async (failure: Failure, atLeast: number): Promise<void> => {
        const talk = await startTalk(t, peer, [failure]);
        talk.say('Go.');
        const { retryAt = 0 } = await talk.failure();
        // Never before it, and not long after.
        assert.ok(retryAt >= atLeast && retryAt < atLeast + slack, `${retryAt} for ${atLeast}`);
      };
      await told({ status: 429, retryAfter: 90 }, Date.now() + 90_000);
      const date = Math.ceil(Date.now() / 1_000) * 1_000 + 120_000;
      await told({ status: 503, headers: { 'retry-after': new Date(date).toUTCString() } }, date);
    });

    test('a connection that ends without an answer', async (t) => {
      const talk = await startTalk(t, peer, [{ close: true }, whole]);
      talk.say('Go.');
      const { class: kind, retryAt } = await talk.failure();
      assert.ok(kind === 'broken-stream' || kind === 'unreachable', kind);
      assert.ok(retryAt !== undefined);
      assert.equal(textIn(await talk.reply()), whole.text);
      talk.assertClean();
    });

    test('a server that never answers', async (t) => {
      await fails(t, { silence: 'before-headers' }, broken('first-byte-timeout'));
    });

    test('another service at the address', async (t) => {
      const headers = { 'content-type': 'text/html' };
      const body = '<html>Log in</html>';
      await fails(t, { status: 200, headers, body }, final('protocol', 'stream-invalid'));
      await fails(
        t,
        { status: 302, headers: { location: 'https://example.com/' } },
        final('protocol', 'stream-invalid'),
      );
    });

    test('a page of a gateway in place of an error', async (t) => {
      const headers = { 'content-type': 'text/html' };
      await fails(t, { status: 502, headers, body: '<html>Bad gateway</html>' }, retryable('provider-error'));
    });

    test('the key goes out as the provider wants it, and a wrong one is named without being shown', async (t) => {
      const right = await startTalk(t, peer, [whole], { key: 'sk-0123456789abcdef', sentKey: 'sk-0123456789abcdef' });
      right.say('Go.');
      await right.reply();
      const body = {
        error: { message: 'The key sk-0123456789abcdef is unknown.', code: 401, status: 'UNAUTHENTICATED' },
      };
      const wrong = await startTalk(t, peer, [{ status: 401, body }], { sentKey: 'sk-0123456789abcdef' });
      wrong.say('Go.');
      const { class: kind, message } = await wrong.failure();
      assert.equal(kind, 'auth');
      assert.ok(!message.includes('0123456789abcdef'), message);
    });
  });

  describe(`${peer.name}: failures in the reply`, () => {
    for (const stage of stages) {
      test(`cut ${stage}, in good order or not`, async (t) => {
        for (const how of ['end', 'close', 'reset'] as const) await fails(t, { cut: stage, how }, broken('stream-cut'));
      });

      test(`an error ${stage}`, async (t) => {
        await fails(t, { streamError: stage, message: 'Overloaded just now.' }, retryable('provider-overloaded'));
      });
    }

    test('silent at any stage', async (t) => {
      const codeAt = (stage: Stage) => (stage === 'after-headers' ? 'first-byte-timeout' : 'silence-timeout');
      await Promise.all(stages.map((stage) => fails(t, { silence: stage }, broken(codeAt(stage)))));
    });

    test('a stream that is no protocol', async (t) => {
      const events: (string | JsonObject)[] = peer.stream(['So ', 'far.']);
      const torn = [...events.slice(0, 2), 'data: {"half": \n\n', ...events.slice(2)];
      const talk = await startTalk(t, peer, [{ raw: torn }, whole]);
      talk.say('Go.');
      const { class: kind, code } = await talk.failure();
      assert.deepEqual([kind, code], ['broken-stream', 'stream-invalid']);
      await talk.reply();
      talk.assertClean();
    });

    test('cancelled before it is sent, and in the middle', async (t) => {
      const talk = await startTalk(t, peer, [whole, whole]);
      talk.say('Go.');
      const before = await talk.failure(AbortSignal.abort(new Error('away')));
      assert.deepEqual([before.class, before.retryAt], ['cancelled', undefined]);
      const abort = new AbortController();
      const held = talk.server.hold(1, 'in-text');
      const sending = talk.failure(abort.signal);
      await held.reached;
      abort.abort(new Error('away'));
      const middle = await sending;
      assert.deepEqual([middle.class, middle.retryAt], ['cancelled', undefined]);
      held.release();
      assert.equal(textIn(await talk.reply()), whole.text);
      talk.assertClean();
    });

    test('what a broken attempt cost counts, as an estimate where it isn’t reported', async (t) => {
      const talk = await startTalk(t, peer, [{ reply: whole, failure: { cut: 'in-text' } }]);
      talk.say('Go.');
      const { cost, estimated, usage } = await talk.failure();
      const isReported = usage?.input !== undefined && usage.output !== undefined;
      assert.ok(cost !== undefined && cost > 0 && (estimated === true || isReported));
    });
  });
}

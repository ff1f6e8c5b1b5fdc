import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { FailureClass } from '../../src/core/index.ts';
import { nextTry, type ProviderFailure } from '../../src/model/index.ts';
import { failureText } from '../../src/model/failures/retry.ts';

const policy = { attempts: 10, minutes: 15, brokenStream: 4, firstPause: 1_000 };
const failure = (changes: Partial<ProviderFailure> = {}): ProviderFailure => ({
  class: 'retryable',
  code: 'provider-overloaded',
  message: 'Overloaded',
  ...changes,
});
const never = () => 0;

const so = (attempts: number, broken = 0, firstAt = 0) => ({ attempts, broken, firstAt });

function pause(
  attempts: number,
  changes: Partial<ProviderFailure> = {},
  random = never,
  broken = 0,
): number | undefined {
  const next = nextTry(policy, so(attempts, broken), 0, failure(changes), random);
  return 'retryAt' in next ? next.retryAt : undefined;
}

describe('when to try again', () => {
  test('pauses double up to a minute', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => pause(attempt));
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  test('the lot takes up to half of a pause', () => {
    assert.equal(
      pause(3, {}, () => 0.5),
      3_000,
    );
    assert.ok((pause(3, {}, () => 0.999999) ?? 0) > 1_999);
  });

  test('ten tries and no more', () => {
    assert.notEqual(pause(9), undefined);
    assert.equal(pause(10), undefined);
    assert.deepEqual(nextTry(policy, so(10), 0, failure(), never), { reason: 'No further try: 10 are allowed.' });
  });

  test('a limit that passes is waited for like an overload', () => {
    assert.deepEqual(
      [1, 9, 10].map((attempts) => pause(attempts, { class: 'wait' })),
      [1_000, 60_000, undefined],
    );
  });

  test('four tries for a broken stream and for a host that isn’t reached', () => {
    for (const cause of ['broken-stream', 'unreachable'] as const) {
      assert.notEqual(pause(3, { class: cause }, never, 3), undefined);
      assert.equal(pause(4, { class: cause }, never, 4), undefined);
      const last = nextTry(policy, so(4, 4), 0, failure({ class: cause }), never);
      assert.deepEqual(last, { reason: 'No further try: 4 are allowed.' });
    }
  });

  test('only broken streams count against their tries; everything counts against all', () => {
    assert.notEqual(pause(8, { class: 'broken-stream' }, never, 1), undefined);
    assert.notEqual(pause(9, { class: 'broken-stream' }, never, 3), undefined);
    assert.equal(pause(10, { class: 'broken-stream' }, never, 1), undefined);
    assert.equal(pause(8, { class: 'broken-stream' }, never, 4), undefined);
    assert.notEqual(pause(8, {}, never, 4), undefined, 'an overload after four broken streams is waited for');
  });

  test('none where it can’t help', () => {
    const hopeless: FailureClass[] = ['auth', 'quota', 'content', 'overflow', 'protocol', 'cancelled'];
    for (const cause of hopeless) assert.equal(pause(1, { class: cause }), undefined, cause);
    assert.deepEqual(nextTry(policy, so(1), 0, failure({ class: 'auth' }), never), {});
    assert.deepEqual(nextTry({ ...policy, attempts: 0 }, so(1), 0, failure(), never), {});
    assert.equal(pause(1, { final: true }), undefined);
    assert.equal(pause(1, { class: 'unreachable', final: true }), undefined);
  });

  test('none after the minutes of the policy, counted from the first failure', () => {
    const first = 5_000;
    const last = first + policy.minutes * 60_000;
    assert.deepEqual(nextTry(policy, so(1, 0, first), last - 1_000, failure(), never), { retryAt: last });
    const next = nextTry(policy, so(1, 0, first), last - 999, failure(), never);
    assert.ok('reason' in next);
    assert.match(next.reason ?? '', /after the 15 minutes/);
  });

  test('a time that is told is kept, also a long one; beyond the minutes it ends the tries and is named', () => {
    assert.equal(pause(1, { wait: 120_000 }), 120_000);
    assert.equal(pause(7, { wait: 4_000 }), 60_000);
    const next = nextTry(policy, so(1), 0, failure({ wait: 3_600_000 }), never);
    assert.ok('reason' in next);
    assert.match(next.reason ?? '', /wait until 1970-01-01T01:00:00\.000Z, beyond the 15 minutes/);
    const absurd = nextTry(policy, so(1), 0, failure({ class: 'wait', wait: Number.MAX_VALUE }), never);
    assert.match('reason' in absurd ? (absurd.reason ?? '') : '', /wait until \+275760-09-13/);
  });

  test('never before a told time, never after the deadline, for any lot', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.nat({ max: 1_000_000 }),
        fc.option(fc.nat({ max: 1_000_000 }), { nil: undefined }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (attempt, elapsed, wait, lot) => {
          const next = nextTry(
            policy,
            so(attempt, 0, 1_000),
            1_000 + elapsed,
            failure(wait === undefined ? {} : { wait }),
            () => lot,
          );
          if (!('retryAt' in next)) return;
          assert.ok(attempt < policy.attempts);
          assert.ok(next.retryAt >= 1_000 + elapsed + (wait ?? 0));
          assert.ok(next.retryAt >= 1_000 + elapsed + policy.firstPause / 2);
          assert.ok(next.retryAt <= 1_000 + policy.minutes * 60_000);
        },
      ),
    );
  });
});

describe('what a person reads of it', () => {
  const reason = 'No further try: 4 are allowed.';
  const texts: [string, string][] = [
    ['socket hang up', `socket hang up. ${reason}`],
    ['It broke.', `It broke. ${reason}`],
    ['Why?', `Why? ${reason}`],
    ['He said “no.”', `He said “no.” ${reason}`],
    ['cut short…', `cut short… ${reason}`],
    ['{"code":5}', `{"code":5}. ${reason}`],
    ['', reason],
  ];
  for (const [said, text] of texts) test(text, () => assert.equal(failureText(said, { reason }), text));

  test('nothing is added where there is nothing to say', () => {
    assert.equal(failureText('socket hang up', { retryAt: 5 }), 'socket hang up');
    assert.equal(failureText('socket hang up', {}), 'socket hang up');
  });
});

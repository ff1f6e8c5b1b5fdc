import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { FailureClass } from '../../src/core/index.ts';
import { nextTry, type ProviderFailure } from '../../src/model/index.ts';

const policy = { attempts: 10, minutes: 15, brokenStream: 4, firstPause: 1_000 };
const failure = (changes: Partial<ProviderFailure> = {}): ProviderFailure => ({
  class: 'retryable',
  code: 'provider-overloaded',
  message: 'Overloaded',
  ...changes,
});
const never = () => 0;

function pause(attempt: number, changes: Partial<ProviderFailure> = {}, random = never): number | undefined {
  const next = nextTry(policy, attempt, 0, 0, failure(changes), random);
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
    assert.deepEqual(nextTry(policy, 10, 0, 0, failure(), never), { reason: 'No further try: 10 are allowed.' });
  });

  test('four tries for a broken stream and for a host that isn’t reached', () => {
    for (const cause of ['broken-stream', 'unreachable'] as const) {
      assert.notEqual(pause(3, { class: cause }), undefined);
      assert.equal(pause(4, { class: cause }), undefined);
    }
  });

  test('none where it can’t help', () => {
    const hopeless: FailureClass[] = ['auth', 'quota', 'content', 'overflow', 'protocol', 'cancelled'];
    for (const cause of hopeless) assert.equal(pause(1, { class: cause }), undefined, cause);
    assert.equal(pause(1, { final: true }), undefined);
    assert.equal(pause(1, { class: 'unreachable', final: true }), undefined);
  });

  test('none after the minutes of the policy, counted from the first failure', () => {
    const first = 5_000;
    const last = first + policy.minutes * 60_000;
    assert.deepEqual(nextTry(policy, 1, first, last - 1_000, failure(), never), { retryAt: last });
    const next = nextTry(policy, 1, first, last - 999, failure(), never);
    assert.ok('reason' in next);
    assert.match(next.reason ?? '', /after the 15 minutes/);
  });

  test('a time that is told is kept, also a long one; beyond the minutes it ends the tries and is named', () => {
    assert.equal(pause(1, { wait: 120_000 }), 120_000);
    assert.equal(pause(7, { wait: 4_000 }), 60_000);
    const next = nextTry(policy, 1, 0, 0, failure({ wait: 3_600_000 }), never);
    assert.ok('reason' in next);
    assert.match(next.reason ?? '', /wait until 1970-01-01T01:00:00\.000Z, beyond the 15 minutes/);
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
            attempt,
            1_000,
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

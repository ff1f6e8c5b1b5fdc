/** The contract of the port `Clock`: time goes on, and a sleep ends at its time or when it is woken, whichever is first. */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, test } from 'node:test';
import type { Clock } from '../../src/core/index.ts';

export interface ClockUnderTest {
  clock: Clock;
  /** Lets so many milliseconds go by, at least. */
  pass: (milliseconds: number) => Promise<void>;
}

const hour = 3_600_000;
const asleep = new AbortController().signal;

/** Runs the suite; the factory makes a clock that moves by itself or only by `pass`. */
export function testClockContract(name: string, make: () => ClockUnderTest): void {
  describe(`${name} keeps the contract of a clock`, () => {
    test('now is a time in milliseconds that goes on', async () => {
      const { clock, pass } = make();
      const before = clock.now();
      assert.ok(Number.isFinite(before));
      await pass(5);
      assert.ok(clock.now() >= before + 5);
    });

    test('a sleep until now or earlier is over at once', async () => {
      const { clock } = make();
      for (const until of [clock.now(), clock.now() - 1, 0, -Infinity]) await clock.sleep(until, asleep);
    });

    test('a sleep ends at its time and not before', async () => {
      const { clock, pass } = make();
      const until = clock.now() + 20;
      let woke: number | undefined;
      const sleep = clock.sleep(until, asleep).then(() => (woke = clock.now()));
      await Promise.resolve();
      assert.equal(woke, undefined);
      await Promise.all([pass(20), sleep]);
      assert.ok(woke !== undefined && woke >= until);
    });

    test('who sleeps for less wakes first', async () => {
      const { clock, pass } = make();
      const start = clock.now();
      const woken: number[] = [];
      const sleeps = [40, 1, 20].map((length) => clock.sleep(start + length, asleep).then(() => woken.push(length)));
      await Promise.all([pass(40), ...sleeps]);
      assert.deepEqual(woken, [1, 20, 40]);
    });

    for (const [length, milliseconds] of [
      ['an hour', hour],
      ['longer than a timer can take', 10_000 * hour],
      ['for ever', Infinity],
    ] as const) {
      test(`a sleep ${length} ends when it is woken`, async () => {
        const { clock } = make();
        const until = clock.now() + milliseconds;
        const wake = new AbortController();
        const sleep = clock.sleep(until, wake.signal);
        wake.abort(new Error('woken'));
        assert.equal(await sleep, undefined);
        assert.ok(clock.now() < until);
      });
    }

    test('one that is woken before it sleeps does not sleep', async () => {
      const { clock } = make();
      assert.equal(await clock.sleep(clock.now() + hour, AbortSignal.abort(new Error('woken'))), undefined);
    });

    test('a wake ends every sleep that has its signal, and no other', async () => {
      const { clock, pass } = make();
      const wake = new AbortController();
      const until = clock.now() + 20;
      let isOver = false;
      const other = clock.sleep(until, asleep).then(() => (isOver = true));
      const sleeps = [clock.sleep(until + hour, wake.signal), clock.sleep(until + hour, wake.signal)];
      wake.abort();
      await Promise.all(sleeps);
      assert.equal(isOver, clock.now() >= until);
      await Promise.all([pass(20), other]);
    });

    test('a sleep that is over leaves nothing on its signal', async () => {
      const { clock, pass } = make();
      const wake = new AbortController();
      await Promise.all([clock.sleep(clock.now() + 5, wake.signal), pass(5)]);
      assert.equal(getEventListeners(wake.signal, 'abort').length, 0);
    });
  });
}

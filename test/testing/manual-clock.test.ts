import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { manualClock } from '../../src/testing/index.ts';

const never = new AbortController().signal;

test('the time stands until it is moved', async () => {
  const clock = manualClock(1000);
  assert.equal(clock.now(), 1000);
  await clock.advance(250);
  assert.equal(clock.now(), 1250);
});

test('a sleeper wakes at its time, not a millisecond before', async () => {
  const clock = manualClock();
  let woke = -1;
  const sleeping = clock.sleep(100, never).then(() => (woke = clock.now()));
  await clock.advance(99);
  assert.equal(woke, -1);
  assert.deepEqual(clock.sleepers, [100]);
  await clock.advance(1);
  assert.equal(woke, 100);
  assert.deepEqual(clock.sleepers, []);
  await sleeping;
});

test('a sleep that is over already ends at once', async () => {
  const clock = manualClock(50);
  await clock.sleep(50, never);
  await clock.sleep(1, never);
  assert.deepEqual(clock.sleeps, [50, 1]);
});

test('an abort wakes a sleeper, before or while it sleeps, and moves no time', async () => {
  const clock = manualClock();
  const controller = new AbortController();
  const sleeping = clock.sleep(100, controller.signal);
  controller.abort();
  await sleeping;
  await clock.sleep(100, controller.signal);
  assert.equal(clock.now(), 0);
  assert.deepEqual(clock.sleepers, []);
});

test('who falls asleep while the time moves is woken too, each at its own time', async () => {
  const clock = manualClock();
  const times: number[] = [];
  const work = async () => {
    for (let count = 0; count < 4; count += 1) {
      await clock.sleep(clock.now() + 10, never);
      times.push(clock.now());
    }
  };
  const working = work();
  await clock.advance(25);
  assert.deepEqual(times, [10, 20]);
  await clock.advance(25);
  assert.deepEqual(times, [10, 20, 30, 40]);
  await working;
});

test('sleepers wake in the order of their times, and of their falling asleep', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 12 }), fc.nat(25), async (times, step) => {
      const clock = manualClock();
      const woke: [number, number][] = [];
      for (const [index, time] of times.entries()) {
        void clock.sleep(time, never).then(() => woke.push([clock.now(), index]));
      }
      await clock.advance(step);
      const expected = times
        .map((time, index): [number, number] => [time, index])
        .filter(([time]) => time <= step)
        .sort(([a, i], [b, j]) => a - b || i - j);
      assert.deepEqual(woke, expected);
      assert.equal(clock.now(), step);
    }),
  );
});

test('an automatic clock moves by itself', async () => {
  const clock = manualClock(0, { auto: true });
  await clock.sleep(500, never);
  await clock.sleep(200, never);
  assert.equal(clock.now(), 500);
  assert.deepEqual(clock.sleeps, [500, 200]);
});

test('who waits for a sleeper is told the soonest time', async () => {
  const clock = manualClock();
  const asleep = clock.untilAsleep();
  void clock.sleep(30, never);
  assert.equal(await asleep, 30);
  void clock.sleep(20, never);
  assert.equal(await clock.untilAsleep(), 20);
  await clock.advance(30);
});

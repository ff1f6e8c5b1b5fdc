import { systemClock } from '../../src/harness/clock.ts';
import { manualClock } from '../../src/testing/index.ts';
import { testClockContract } from './clock.ts';

testClockContract('the system’s clock', () => ({
  clock: systemClock,
  async pass(milliseconds) {
    const end = Date.now() + milliseconds;
    while (Date.now() < end) await new Promise((resolve) => setTimeout(resolve, end - Date.now()));
  },
}));

testClockContract('the manual clock', () => {
  const clock = manualClock(1_700_000_000_000);
  return { clock, pass: (milliseconds) => clock.advance(milliseconds) };
});

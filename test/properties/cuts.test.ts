/** A session that is cut off anywhere goes on where it stood: nothing is lost, nothing runs twice, the script comes to its end. */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { readLog, verify } from '../../src/session/index.ts';
import { holds, patience, share } from '../support/property.ts';
import { assertRebuilt } from '../support/rebuilt.ts';
import { drive } from './drive.ts';
import { eventsIn, logOf, openGround, plant, restoreValue, type Ground } from './ground.ts';
import { answeredIn, assertCalls, assertLedger, assertOnce, assertTold, rawLines, startedIn } from './oracle.ts';
import { everything, proven, scripts, type Script } from './script.ts';

interface Whole {
  id: string;
  folder: string;
  log: Buffer;
}

/** Plays the script without any cut, and holds the outcome against everything that must be true. */
async function playWhole(ground: Ground, script: Script, use: (whole: Whole) => Promise<void>): Promise<void> {
  const state = ground.state();
  ground.executed.length = 0;
  restoreValue(ground, []);
  const { server, ...driven } = await drive(ground, state, script);
  try {
    assert.deepEqual(server.refusals, []);
    const log = logOf(driven.folder);
    const lines = rawLines(log);
    assertLedger(driven.outcomes.at(-1)!, lines);
    assertCalls(lines, ground.executed);
    assertSaid(lines, driven.said);
    assert.deepEqual((await verify(driven.folder)).findings, []);
    assertTold(lines, await assertRebuilt(server, driven));
    await use({ id: driven.id, folder: driven.folder, log });
  } finally {
    await server.close();
    state.remove();
  }
}

/** Everything that was said is in the log, as often as it was said. */
function assertSaid(lines: ReturnType<typeof rawLines>, said: readonly string[]): void {
  const recorded = lines.flatMap((event) => (event.kind === 'input' ? [event.data] : []));
  const texts = recorded.filter(({ from }) => from !== 'harness').map(({ text }) => text);
  for (const words of new Set(said)) {
    const count = (all: readonly string[]): number => all.filter((each) => each === words).length;
    assert.ok(count(texts) >= count(said), `“${words}” was said and isn't in the log`);
  }
}

/**
 * Takes the session up again from the first `cut` bytes of its log, and plays the script to its end; `again` is the share of what
 * the log is then after which it is cut off once more.
 */
async function playFrom(
  ground: Ground,
  script: Script,
  { id, folder, log }: Whole,
  cut: number,
  again?: number,
): Promise<void> {
  const state = ground.state();
  const prefix = log.subarray(0, cut);
  const planted = plant(state, id, prefix, folder);
  const before = eventsIn(planted);
  const whole = rawLines(prefix);
  assert.deepEqual(
    before.map(({ id }) => id),
    whole.map(({ id }) => id),
  );
  const started = startedIn(whole);
  const answered = answeredIn(whole);
  restoreValue(ground, before);
  ground.executed.length = 0;
  const { server, ...driven } = await drive(ground, state, script, id);
  try {
    assert.deepEqual(server.refusals, []);
    const after = logOf(planted);
    assert.deepEqual(after.subarray(0, cut), prefix, 'what was written before was touched');
    assert.deepEqual(eventsIn(planted).slice(0, before.length), before, 'an event was lost');
    const lines = rawLines(after);
    assertOnce(ground.executed, started);
    assertCalls(lines, ground.executed);
    assertLedger(driven.outcomes.at(-1)!, lines);
    assertSaid(lines, driven.said);
    for (const event of lines.slice(whole.length)) {
      if (event.kind !== 'result' || !started.has(event.data.call) || answered.has(event.data.call)) continue;
      assert.equal(
        event.data.outcome,
        'interrupted',
        'a call that had started was answered as if nothing had happened',
      );
    }
    const torn = [...readLog(planted)].flatMap((item) => ('damage' in item ? [item.line] : []));
    const { findings } = await verify(planted);
    assert.deepEqual(
      findings.map(({ line }) => line),
      torn,
      JSON.stringify(findings),
    );
    await assertRebuilt(server, { folder: planted }, { ...(before.length > 0 && { after: before.at(-1)!.id }) });
    if (again !== undefined) {
      const place = Math.floor(again * after.length);
      await playFrom(ground, script, { id, folder: planted, log: after }, place);
    }
  } catch (error) {
    throw new Error(`cut after ${cut} of ${log.length} bytes, ${whole.length} events`, { cause: error });
  } finally {
    await server.close();
    state.remove();
  }
}

/** The length of the log after each event, and of none. */
function boundariesOf(log: Buffer): number[] {
  const boundaries = [0];
  for (let at = log.indexOf(10); at >= 0; at = log.indexOf(10, at + 1)) boundaries.push(at + 1);
  return boundaries;
}

/** Cuts inside lines: the byte before a newline, and places that the lot says. */
function insidesOf(log: Buffer, shares: readonly number[]): number[] {
  const boundaries = boundariesOf(log);
  return shares.map((share, index) => {
    const end = boundaries[1 + Math.floor(share * (boundaries.length - 2))] ?? log.length;
    const start = boundaries[boundaries.indexOf(end) - 1] ?? 0;
    return index % 3 === 0 ? end - 1 : start + 1 + (Math.floor(share * 7919 * (end - start)) % (end - start - 1));
  });
}

describe('a session that is cut off', () => {
  for (const [what, script] of Object.entries({ 'everything but checks': everything, 'a check that fails': proven })) {
    test(`at every event, with ${what} in it`, { timeout: patience }, async (context: TestContext) => {
      const ground = openGround(context);
      await playWhole(ground, script, async (whole) => {
        for (const cut of boundariesOf(whole.log)) await playFrom(ground, script, whole, cut);
      });
    });
  }

  test('at every event and inside of lines, with anything in it', { timeout: patience }, async (context) => {
    const ground = openGround(context);
    const places = fc.array(share, { minLength: 6, maxLength: 6 });
    await holds(context, fc.tuple(scripts(3), places), 2, async ([script, shares]) => {
      await playWhole(ground, script, async (whole) => {
        for (const cut of boundariesOf(whole.log)) await playFrom(ground, script, whole, cut);
        for (const [index, cut] of insidesOf(whole.log, shares).entries()) {
          await playFrom(ground, script, whole, cut, shares[index]);
        }
      });
    });
  });
});

/** A branch never runs another branch's work, wherever it begins: in the middle of a reply, of a call, of a request. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answerQuestion, forkSession, rewindSession, type Event } from '../../src/harness/index.ts';
import { pathOf, scan, verify } from '../../src/session/index.ts';
import { factor, holds, patience } from '../support/property.ts';
import { assertRebuilt } from '../support/rebuilt.ts';
import { drive } from './drive.ts';
import { eventsIn, logOf, openGround, pathIn, plant, restoreValue, type Ground, type State } from './ground.ts';
import { accountOf, assertCalls, assertLedger, assertOnce, callsOf, rawLines, startedIn } from './oracle.ts';
import { everything, scripts, type Script } from './script.ts';

interface Whole {
  id: string;
  folder: string;
  log: Buffer;
  events: Event[];
}

async function playWhole(ground: Ground, script: Script): Promise<Whole> {
  ground.executed.length = 0;
  restoreValue(ground, []);
  const { server, id, folder } = await drive(ground, ground.state(), script);
  await server.close();
  return { id, folder, log: logOf(folder), events: eventsIn(folder) };
}

/** The calls that are open where a branch begins, and what they are answered on it. */
function assertLeftBehind(folder: string, at: string, started: ReadonlySet<string>): void {
  const path = pathIn(folder);
  const begin = path.findIndex(({ kind }) => kind === 'head');
  const before = path.slice(0, begin);
  // A fork has a session event of its own.
  if (before.length > 1) assert.equal(before.at(-1)?.id, at);
  const answered = new Set(before.flatMap((event) => (event.kind === 'result' ? [event.data.call] : [])));
  const open = [...callsOf(before)].filter((key) => !answered.has(key));
  const results = path.slice(begin).flatMap((event) => (event.kind === 'result' ? [event.data] : []));
  for (const key of open) {
    const result = results.find(({ call }) => call === key);
    // A reply that was cut runs no call on any branch.
    const unstarted = result?.outcome === 'cut' ? 'cut' : 'not-run';
    assert.equal(result?.outcome, started.has(key) ? 'interrupted' : unstarted, `${key} was left behind`);
  }
}

/** Plays a branch to its end: its work is its own, and its account is that of all lines. */
async function playBranch(
  ground: Ground,
  script: Script,
  state: State,
  id: string,
  at: string,
  source = state.folder(id),
): Promise<void> {
  const folder = state.folder(id);
  const before = logOf(folder);
  const lines = rawLines(before);
  const started = startedIn(rawLines(logOf(source)));
  ground.executed.length = 0;
  restoreValue(ground, pathIn(folder));
  const { server, ...driven } = await drive(ground, state, script, id);
  try {
    assert.deepEqual(server.refusals, []);
    assert.deepEqual(logOf(folder).subarray(0, before.length), before, 'what was there was touched');
    assertOnce(ground.executed, started);
    assertLeftBehind(folder, at, started);
    assertCalls(pathIn(folder), ground.executed);
    assertLedger(driven.outcomes.at(-1)!, rawLines(logOf(folder)));
    assert.deepEqual((await verify(folder)).findings, []);
    await assertRebuilt(server, { folder }, { after: lines.at(-1)!.id });
  } finally {
    await server.close();
  }
}

async function playRewound(ground: Ground, script: Script, { id, folder, log }: Whole, at: string): Promise<void> {
  const state = ground.state();
  const planted = plant(state, id, log, folder);
  await rewindSession(state.env, id, at);
  assert.deepEqual(accountOf(eventsIn(planted)), accountOf(rawLines(log)), 'a rewind refunds nothing');
  await playBranch(ground, script, state, id, at);
  state.remove();
}

/** A crash came between the move of the head and what is recorded of the calls that are left behind. */
async function playTornRewind(ground: Ground, script: Script, { id, folder, log }: Whole, at: string): Promise<void> {
  const state = ground.state();
  const planted = plant(state, id, log, folder);
  await rewindSession(state.env, id, at);
  const rewound = logOf(planted);
  plant(state, id, rewound.subarray(0, rewound.indexOf(10, log.length) + 1), folder);
  await playBranch(ground, script, state, id, at);
  state.remove();
}

async function playForked(
  ground: Ground,
  script: Script,
  { id, folder, log, events }: Whole,
  at: string,
): Promise<void> {
  const state = ground.state();
  const planted = plant(state, id, log, folder);
  const forked = await forkSession(state.env, id, { event: at });
  assert.deepEqual(logOf(planted), log, 'a fork touches its source');
  const path = pathOf(scan(planted), at);
  const copied = events.filter((event) => path.has(event.id));
  assert.deepEqual(
    accountOf(eventsIn(state.folder(forked))),
    accountOf(copied),
    'a fork has another account than its path',
  );
  await playBranch(ground, script, state, forked, at, planted);
  state.remove();
}

describe('a branch', () => {
  const branches = { rewind: playRewound, 'rewind that is cut off': playTornRewind, fork: playForked };

  test('from any event, with everything in the log', { timeout: patience }, async (context) => {
    const ground = openGround(context);
    const whole = await playWhole(ground, everything);
    const ways = Object.entries(branches);
    for (const [index, { id, kind }] of whole.events.entries()) {
      // Every way from every event would take a minute.
      if (factor === 1 && index % 2 === 1) continue;
      const [name, play] = ways[(index >> 1) % ways.length]!;
      await play(ground, everything, whole, id).catch((error: unknown) => {
        throw new Error(`${name} to event ${index} (${kind})`, { cause: error });
      });
    }
  });

  for (const [name, play] of Object.entries(branches)) {
    test(`from any event, by a ${name}`, { timeout: patience }, async (context) => {
      const ground = openGround(context);
      await holds(context, scripts(2), 1, async (script) => {
        const whole = await playWhole(ground, script);
        for (const [index, { id, kind }] of whole.events.entries()) {
          await play(ground, script, whole, id).catch((error: unknown) => {
            throw new Error(`${name} to event ${index} (${kind})`, { cause: error });
          });
        }
      });
    });
  }

  test('leaves the questions of the other behind', async (context) => {
    const ground = openGround(context);
    const script: Script = {
      turns: [{ calls: [{ name: 'asked', arguments: { n: 1 } }] }, { text: 'This was the last turn.' }],
      arrivals: [],
      answers: ['later', 'yes'],
      turnLimit: undefined,
      wanted: undefined,
    };
    const whole = await playWhole(ground, script);
    const ask = whole.events.findIndex(({ kind }) => kind === 'ask');
    const input = whole.events.find(({ kind }) => kind === 'input');
    const end = whole.log.indexOf(`"id":"${whole.events[ask + 1]?.id}"`) - 1;
    for (const at of [input?.id, whole.events[ask]?.id]) {
      const state = ground.state();
      plant(state, whole.id, whole.log.subarray(0, end), whole.folder);
      assert.ok(at !== undefined);
      await rewindSession(state.env, whole.id, at);
      const answer = answerQuestion(state.env, whole.id, { decision: 'yes', scope: 'once' });
      await assert.rejects(answer, { code: 'question-missing' });
      await playBranch(ground, script, state, whole.id, at);
    }
  });
});

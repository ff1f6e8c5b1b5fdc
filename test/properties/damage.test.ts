/** Whatever lines of a log are damaged, the session goes on: only those are lost, that is said, and nothing runs twice. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { createSession, type Damage as Damaged, type Event } from '../../src/harness/index.ts';
import { readLog } from '../../src/session/index.ts';
import { startModelServer } from '../../src/testing/index.ts';
import { holds, patience, share } from '../support/property.ts';
import { assertRebuilt } from '../support/rebuilt.ts';
import { drive } from './drive.ts';
import { eventsIn, logOf, openGround, optionsFor, plant, restoreValue, type Ground } from './ground.ts';
import { accountOf, assertOnce, callsOf, rawLines, startedIn } from './oracle.ts';
import { everything, scripts, type Script } from './script.ts';

/** What happens to one line: `at` and `length` are shares of it. */
interface Damage {
  line: number;
  how: 'flip' | 'overwrite' | 'truncate' | 'empty' | 'glue' | 'remove';
  at: number;
  length: number;
}

const damages = (most: number): fc.Arbitrary<Damage[]> =>
  fc.array(
    fc.record({
      line: share,
      how: fc.constantFrom<Damage['how']>('flip', 'overwrite', 'truncate', 'empty', 'glue', 'remove'),
      at: share,
      length: share,
    }),
    { minLength: 1, maxLength: most },
  );

/** The log with these damages, each to another line; some kinds of lines may be spared. */
function damage(log: Buffer, all: readonly Damage[], spared?: RegExp): Buffer {
  const lines = log.toString('latin1').split('\n').slice(0, -1);
  const parts = lines.map((text, index) => {
    const found = all.find(({ line }) => Math.floor(line * lines.length) === index);
    return found === undefined || spared?.test(text) === true
      ? `${text}\n`
      : damageLine(Buffer.from(text, 'latin1'), found);
  });
  return Buffer.from(parts.join(''), 'latin1');
}

function damageLine(line: Buffer, { how, at, length }: Damage): string {
  const place = Math.floor(at * line.length);
  switch (how) {
    case 'flip':
      // The bit that no ASCII has. A letter that became another is seen by the chain alone (`reins log --verify`).
      line[place] = line[place]! ^ 0x80;
      return `${line.toString('latin1')}\n`;
    case 'overwrite':
      line.fill(0, place, place + 1 + Math.floor(length * (line.length - place)));
      return `${line.toString('latin1')}\n`;
    case 'truncate':
      return `${line.toString('latin1', 0, place)}\n`;
    case 'empty':
      return '\n';
    case 'glue':
      return line.toString('latin1');
    default:
      return '';
  }
}

/** Calls of readable replies that stand before a damaged line: whether they were started can be what the line told. */
function uncertainIn(items: readonly (Event | Damaged)[]): Set<string> {
  const last = items.findLastIndex((item) => 'damage' in item);
  const replies = items.slice(0, Math.max(0, last)).filter((item) => !('damage' in item) && item.kind === 'reply');
  return callsOf(replies as Event[]);
}

interface Played {
  id: string;
  folder: string;
  log: Buffer;
  /** Calls that were executed before the log was damaged. */
  executed?: ReadonlySet<string>;
}

async function playDamaged(ground: Ground, script: Script, { id, folder, log, executed = new Set() }: Played) {
  const state = ground.state();
  const planted = plant(state, id, log, folder);
  const items = [...readLog(planted)];
  const before = items.filter((item): item is Event => !('damage' in item));
  const lost = items.flatMap((item) => ('damage' in item ? [item.line] : []));
  const started = startedIn(before);
  restoreValue(ground, before);
  ground.executed.length = 0;
  const { server, ...driven } = await drive(ground, state, script, id);
  try {
    assert.deepEqual(server.refusals, []);
    assert.deepEqual(logOf(planted).subarray(0, log.length), log, 'what was there was touched');
    const after = eventsIn(planted);
    assert.deepEqual(after.slice(0, before.length), before, 'an event was lost');
    const uncertain = uncertainIn(items);
    assertOnce(ground.executed, new Set([...started, ...[...executed].filter((key) => uncertain.has(key))]));
    const { turns, calls, spent } = accountOf(after);
    const outcome = driven.outcomes.at(-1)!;
    assert.deepEqual([outcome.turns, outcome.calls], [turns, calls]);
    if (outcome.cost !== undefined) assert.ok(Math.abs(outcome.cost - spent) < 1e-9, `${outcome.cost}, ${spent}`);
    const added = after.slice(before.length);
    for (const event of added) {
      if (event.kind === 'result' && started.has(event.data.call)) assert.equal(event.data.outcome, 'interrupted');
    }
    if (lost.length > 0) {
      const named = added.flatMap((event) =>
        event.kind === 'notice' && event.data.code === 'log-damaged' ? [event.data] : [],
      );
      assert.deepEqual(named[0]?.data?.['lines'], lost, 'the damage isn’t named');
    }
    const last = before.at(-1);
    await assertRebuilt(server, { folder: planted }, { ...(last !== undefined && { after: last.id }) });
  } finally {
    await server.close();
    state.remove();
  }
}

const words: Script = {
  turns: [{ text: 'This was the last turn.' }],
  arrivals: [],
  answers: [],
  turnLimit: undefined,
  wanted: undefined,
};

/** Plays a script, and gives what came of it. */
async function playWhole(ground: Ground, script: Script): Promise<Played> {
  ground.executed.length = 0;
  restoreValue(ground, []);
  const { server, id, folder } = await drive(ground, ground.state(), script);
  await server.close();
  return { id, folder, log: logOf(folder) };
}

describe('a damaged log', () => {
  const kinds: { [name: string]: { most: number; pauses: boolean; spared?: RegExp; runs: number } } = {
    // Where a reply is lost that paused, the script can't tell any more which turn it has come to.
    'a few lines': { most: 3, pauses: false, runs: 4 },
    'a few lines, the model pauses': { most: 3, pauses: true, spared: /"kind":"reply"/, runs: 2 },
    'any number of lines': { most: 40, pauses: false, runs: 4 },
  };
  for (const [name, { most, pauses, spared, runs }] of Object.entries(kinds)) {
    test(`goes on: ${name}`, { timeout: patience }, async (context) => {
      const ground = openGround(context);
      const values = fc.tuple(scripts(3, { pauses }), fc.array(damages(most), { minLength: 10, maxLength: 10 }), share);
      await holds(context, values, runs, async ([script, all, cut]) => {
        const whole = await playWhole(ground, script);
        for (const [index, each] of all.entries()) {
          // Every other log is damaged where it was cut off: then there are calls and requests that are open.
          const end =
            index % 2 === 0 ? whole.log.length : whole.log.indexOf(10, Math.floor(cut * whole.log.length)) + 1;
          const log = damage(whole.log.subarray(0, end), each, spared);
          const executed = startedIn(rawLines(whole.log.subarray(0, end)));
          await playDamaged(ground, script, { ...whole, log, executed }).catch((error: unknown) => {
            throw new Error(`damage ${JSON.stringify(each)}, cut at ${end}`, { cause: error });
          });
        }
      });
    });
  }

  test('never runs a call whose start is what was lost', { timeout: patience }, async (context) => {
    const ground = openGround(context);
    const { log, ...whole } = await playWhole(ground, everything);
    const hows: Damage['how'][] = ['overwrite', 'truncate', 'empty', 'flip'];
    let starts = 0;
    for (let from = 0, end = log.indexOf(10); end >= 0; from = end + 1, end = log.indexOf(10, from)) {
      if (!log.toString('latin1', from, end).includes('"kind":"start"')) continue;
      const lost = damageLine(Buffer.from(log.subarray(from, end)), {
        line: 0,
        how: hows[starts % 4]!,
        at: 0.3,
        length: 0.2,
      });
      const damaged = Buffer.concat([log.subarray(0, from), Buffer.from(lost, 'latin1')]);
      const executed = startedIn(rawLines(log.subarray(0, end)));
      await playDamaged(ground, everything, { ...whole, log: damaged, executed });
      starts += 1;
    }
    assert.ok(starts > 4);
  });

  test('goes on: nothing but damage', async (context) => {
    const ground = openGround(context);
    const whole = await playWhole(ground, words);
    const logs = ['', '\n\n\n', '{"id":"', '\0'.repeat(70_000), '{}\n[]\nnull'];
    for (const log of logs) await playDamaged(ground, words, { ...whole, log: Buffer.from(log) });
  });

  test('names the damage before anything else is done', async (context) => {
    const ground = openGround(context);
    const { id, log, folder } = await playWhole(ground, words);
    const second = log.indexOf(10) + 1;
    const state = ground.state();
    plant(state, id, Buffer.concat([log.subarray(0, second + 20), log.subarray(second + 30)]), folder);
    const server = await startModelServer({ turns: [{ text: 'Done.' }] });
    const session = await createSession({ ...optionsFor(ground, state, server), resume: id });
    try {
      const [notice] = session.notices;
      assert.equal(notice?.code, 'log-damaged');
      assert.match(notice.text, /line 2: /);
    } finally {
      await session.close();
      await server.close();
    }
  });
});

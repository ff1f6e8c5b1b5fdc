/** Whatever lines of a log are damaged, the session goes on: only those are lost, that is said, and nothing runs twice. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { createSession, type Damage as Damaged, type Event } from '../../src/harness/index.ts';
import { readLog } from '../../src/session/index.ts';
import { startModelServer } from '../../src/testing/index.ts';
import { holds, patience } from '../support/property.ts';
import { assertRebuilt } from '../support/rebuilt.ts';
import { drive } from './drive.ts';
import { eventsIn, logOf, openGround, optionsFor, plant, restoreValue, type Ground } from './ground.ts';
import { accountOf, assertOnce, callsOf, rawLines, startedIn } from './oracle.ts';
import { scripts, type Script } from './script.ts';

/** What happens to one line: `at` and `length` are shares of it. */
interface Damage {
  line: number;
  how: 'flip' | 'overwrite' | 'truncate' | 'empty' | 'glue' | 'remove';
  at: number;
  length: number;
}

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
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

/** The log with these damages, each to another line. */
function damage(log: Buffer, all: readonly Damage[]): Buffer {
  const lines = log.toString('latin1').split('\n').slice(0, -1);
  const parts = lines.map((text, index) => {
    const found = all.find(({ line }) => Math.floor(line * lines.length) === index);
    return found === undefined ? `${text}\n` : damageLine(Buffer.from(text, 'latin1'), found);
  });
  return Buffer.from(parts.join(''), 'latin1');
}

function damageLine(line: Buffer, { how, at, length }: Damage): string {
  const place = Math.floor(at * line.length);
  switch (how) {
    case 'flip':
      line[place] = line[place]! ^ (1 << Math.floor(length * 8));
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

describe('a damaged log', () => {
  const property = (most: number, pauses: boolean) =>
    fc.tuple(scripts(3, { pauses }), fc.array(damages(most), { minLength: 10, maxLength: 10 }), share);

  const playAll = async (ground: Ground, script: Script, all: readonly Damage[][], cut: number) => {
    const state = ground.state();
    ground.executed.length = 0;
    restoreValue(ground, []);
    const { server, ...whole } = await drive(ground, state, script);
    await server.close();
    const log = logOf(whole.folder);
    for (const [index, each] of all.entries()) {
      // Every other log is damaged where it was cut off: then there are calls and requests that are open.
      const end = index % 2 === 0 ? log.length : log.indexOf(10, Math.floor(cut * log.length)) + 1;
      const damaged = damage(log.subarray(0, end), each);
      const executed = startedIn(rawLines(log.subarray(0, end)));
      try {
        await playDamaged(ground, script, { ...whole, log: damaged, executed });
      } catch (error) {
        throw new Error(`damage ${JSON.stringify(each)}, cut at ${end}`, { cause: error });
      }
    }
    state.remove();
  };

  test('goes on: a few lines', { timeout: patience }, async (context) => {
    const ground = openGround(context);
    // Where a paused reply is lost, the script can't tell any more which turn it has come to.
    await holds(context, property(3, false), 6, ([script, all, cut]) => playAll(ground, script, all, cut));
  });

  test('goes on: any number of lines', { timeout: patience }, async (context) => {
    const ground = openGround(context);
    await holds(context, property(40, false), 4, ([script, all, cut]) => playAll(ground, script, all, cut));
  });

  test('goes on: nothing but damage', async (context) => {
    const ground = openGround(context);
    const script: Script = {
      turns: [{ text: 'This was the last turn.' }],
      arrivals: [],
      answers: [],
      turnLimit: undefined,
      wanted: undefined,
    };
    const state = ground.state();
    const { server, ...whole } = await drive(ground, state, script);
    await server.close();
    for (const log of [
      Buffer.alloc(0),
      Buffer.from('\n\n\n'),
      Buffer.from('{"id":"'),
      Buffer.alloc(70_000),
      Buffer.from('{}\n[]\nnull'),
    ]) {
      await playDamaged(ground, script, { ...whole, log });
    }
  });

  test('names the damage before anything else is done', async (context) => {
    const ground = openGround(context);
    const script: Script = {
      turns: [{ text: 'This was the last turn.' }],
      arrivals: [],
      answers: [],
      turnLimit: undefined,
      wanted: undefined,
    };
    const state = ground.state();
    const whole = await drive(ground, state, script);
    await whole.server.close();
    const server = await startModelServer({ turns: [{ text: 'Done.' }] });
    const damaged = ground.state();
    const log = logOf(whole.folder);
    const second = log.indexOf(10) + 1;
    plant(damaged, whole.id, Buffer.concat([log.subarray(0, second + 20), log.subarray(second + 30)]), whole.folder);
    const session = await createSession({ ...optionsFor(ground, damaged, server), resume: whole.id });
    const [notice] = session.notices;
    assert.equal(notice?.code, 'log-damaged');
    assert.match(notice.text, /line 2: /);
    await session.close();
    await server.close();
  });
});

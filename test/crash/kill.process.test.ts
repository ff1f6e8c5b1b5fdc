/** A run that is killed at any moment goes on where it stood: what was recorded stays, and nothing is done twice. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Event } from '../../src/core/index.ts';
import type { Scenario } from '../../src/testing/index.ts';
import { assertRebuilt } from '../support/rebuilt.ts';
import { isInstalled } from '../surfaces/cli/command-line.ts';
import { assertExit, assertWhole, countLines, inLanes, logIn, openRounds, untilEvent, type Rounds } from './rounds.ts';

/** Numbers drawn from a seed, so that a failure can be looked at again. */
function lots(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const append = (token: string) => ({
  name: 'shell',
  arguments: { command: `/bin/sleep 0.01; echo ${token} >>tokens; /bin/sleep 0.01` },
});

const content = 'All or nothing.\n'.repeat(2000);
const write = (path: string) => ({ name: 'write', arguments: { path, content } });

/** Each call leaves a token or a file of its own in the workspace. */
const working: Scenario = {
  turns: [
    ...Array.from({ length: 6 }, (_, turn) => ({
      thinking: 'Hm.',
      text: `Step ${turn}.`,
      calls: [append(`t${turn}a`), write(`file-${turn}`), append(`t${turn}b`)],
      delay: 1,
      chunk: 5000,
    })),
    { text: 'Done.' },
  ],
};

const kills = 50;
const killsASession = 6;
/** Milliseconds after which no further kill is begun. */
const longest = 75_000;
const seed = Number(process.env['REINS_PROPERTY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const sandboxed = isInstalled('bwrap');

/** Waits for a moment in a run: some event or request, and a little more; or any moment of its start. */
async function moment(rounds: Rounds, started: ReturnType<Rounds['run']>, lot: () => number): Promise<void> {
  const which = lot();
  if (which < 0.1) await pause(lot() * 300);
  else if (which < 0.7) await untilEvent(started, 1 + Math.floor(lot() * 16));
  else {
    const number = rounds.server.requests.length + 1;
    await Promise.race([rounds.server.waitForRequest(number, 60_000), started.ended]).catch(() => undefined);
  }
  await pause(lot() * 12);
}

/** What the kills of all sessions share: how many are still to come, and until when. */
interface Toll {
  left: number;
  until: number;
}

/** Kills a session again and again, then lets it come to its end. */
async function killAndGoOn(context: TestContext, index: number, toll: Toll): Promise<void> {
  const lot = lots(seed + index);
  const rounds = await openRounds(context, working);
  const mode = sandboxed && index % 2 === 1 ? 'auto' : 'unsafe';
  for (let kills = 0; kills < killsASession && toll.left > 0 && performance.now() < toll.until; kills += 1) {
    const before = rounds.session();
    const known = before === undefined ? [] : logIn(before);
    const started = rounds.run('--mode', mode);
    await moment(rounds, started, lot);
    started.child.kill('SIGKILL');
    const { signal, out } = await started.ended;
    if (signal === 'SIGKILL') toll.left -= 1;
    const folder = rounds.session();
    if (folder !== undefined) await assertKept(folder, known, out);
    if (signal !== 'SIGKILL') break; // It was through before.
  }
  if (!isThrough(rounds)) assertExit(await rounds.run('--mode', mode).ended, 0);
  const folder = rounds.session();
  assert.ok(folder !== undefined);
  await assertEnd(rounds, folder);
}

/** What was there before, and what was printed, is in the log. */
async function assertKept(folder: string, known: readonly Event[], out: string): Promise<void> {
  const events = logIn(folder);
  assert.deepEqual(events.slice(0, known.length), known, 'an event was lost');
  const ids = new Set(events.map(({ id }) => id));
  const printed = [...out.matchAll(/^\{.*?"id":"([^"]+)"/gm)].map(([, id]) => id ?? '');
  assert.deepEqual(
    printed.filter((id) => !ids.has(id)),
    [],
    'printed, and not in the log',
  );
  await assertWhole(folder);
}

function isThrough(rounds: Rounds): boolean {
  const folder = rounds.session();
  const last = folder === undefined ? undefined : logIn(folder).at(-1);
  return last?.kind === 'stop' && last.data.reason === 'completed';
}

async function assertEnd({ bench, server }: Rounds, folder: string): Promise<void> {
  const events = logIn(folder);
  const results = events.flatMap((event) => (event.kind === 'result' ? [event.data] : []));
  assert.equal(new Set(results.map(({ call }) => call)).size, 18, 'not one result for each call');
  assert.equal(results.length, 18);
  const count = (tool: string, outcome: string): number =>
    results.filter((result) => result.tool === tool && result.outcome === outcome).length;
  const tokens = countLines(bench, 'tokens');
  assert.deepEqual(
    [...tokens].filter(([, times]) => times > 1),
    [],
    'done twice',
  );
  const files = readdirSync(bench.workspace).filter((name) => name !== 'tokens' && name !== '.reins');
  for (const name of files) {
    assert.match(name, /^file-\d$/, 'something half-made is left');
    assert.equal(readFileSync(join(bench.workspace, name), 'utf8'), content, `${name} is half-written`);
  }
  for (const [tool, done] of [
    ['shell', tokens.size],
    ['write', files.length],
  ] as const) {
    const [ok, unknown] = [count(tool, 'ok'), count(tool, 'interrupted')];
    assert.ok(done >= ok && done <= ok + unknown, `${tool}: ${done} found, ${ok} done, ${unknown} unknown`);
  }
  assert.deepEqual(server.refusals, []);
  assert.equal(events.at(-1)?.kind, 'stop');
  await assertWhole(folder);
  await assertRebuilt(server, { folder });
  const { exit, out } = await bench.reins(['log', basename(folder), '--verify']);
  assert.ok(exit === 0 || out.includes('half a line'), out);
}

describe('kill -9', () => {
  test('at any moment, fifty times', { timeout: 115_000 }, async (context) => {
    context.diagnostic(`seed ${seed}`);
    const toll: Toll = { left: kills, until: performance.now() + longest };
    let sessions = 0;
    const lane = async (): Promise<void> => {
      while (toll.left > 0 && performance.now() < toll.until) {
        const index = (sessions += 1);
        await killAndGoOn(context, index, toll).catch((error: unknown) => {
          throw new Error(`session ${index} of seed ${seed}: ${String(error)}`, { cause: error });
        });
      }
    };
    await Promise.all([lane(), lane()]);
    context.diagnostic(`${kills - toll.left} kills in ${sessions} sessions`);
    // A machine that is busy with other things may not get through all of them.
    assert.ok(kills - toll.left >= kills / 2, `only ${kills - toll.left} kills came in time`);
  });
});

describe('SIGTERM', () => {
  test(
    'at any moment, ten times: exit 143, the log whole, nothing left running',
    { timeout: 110_000 },
    async (context) => {
      context.diagnostic(`seed ${seed}`);
      const moments = Array.from({ length: 10 }, (_, index) => index);
      await inLanes(moments, 2, (index) => terminate(context, index));
    },
  );
});

async function terminate(context: TestContext, index: number): Promise<void> {
  const lot = lots(seed + 1000 + index);
  // So long a sleep that only its end from outside can end the call; by its number it can be found.
  const sleep = `3${String(process.pid).padStart(8, '0')}${index}`;
  const calls = [
    append('first'),
    { name: 'shell', arguments: { command: `echo begun >&2; test -e resumed || /bin/sleep ${sleep}`, timeout: 600 } },
  ];
  const scenario: Scenario = { turns: [{ text: 'I begin.', calls, delay: 2 }, { text: 'Done.' }] };
  const rounds = await openRounds(context, scenario);
  const mode = sandboxed && index % 2 === 1 ? 'auto' : 'unsafe';
  const started = rounds.run('--mode', mode, '--deltas');
  if (index < 4) await started.until('out', /begun/);
  else await untilEvent(started, 1 + Math.floor(lot() * 12));
  await pause(lot() * 10);
  started.child.kill('SIGTERM');
  const ended = await started.ended;
  assertExit(ended, 143);
  assert.deepEqual(processesWith(sleep), [], 'left running');
  const folder = rounds.session();
  assert.ok(folder !== undefined);
  const last = logIn(folder).at(-1);
  assert.ok(last?.kind === 'stop' && last.data.reason === 'cancelled' && last.data.signal === 'SIGTERM');
  await assertWhole(folder);
  rounds.bench.file('resumed', '');
  assertExit(await rounds.run('--mode', mode).ended, 0);
  assert.deepEqual(rounds.server.refusals, []);
  assert.ok((countLines(rounds.bench, 'tokens').get('first') ?? 0) <= 1);
  await assertRebuilt(rounds.server, { folder });
}

/** The command lines of processes that hold a text. */
function processesWith(text: string): string[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(text));
}

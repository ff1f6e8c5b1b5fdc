/** Runs of the command line that are ended from outside, against a strict model server that outlives them. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Event } from '../../src/core/index.ts';
import { readLog, verify } from '../../src/session/index.ts';
import { startModelServer, type ModelServer, type Scenario } from '../../src/testing/index.ts';
import { openBench, type Bench, type Ended, type Started, type StartOptions } from '../surfaces/cli/command-line.ts';

export interface Rounds {
  bench: Bench;
  server: ModelServer;
  /** Starts a run; with a session there, it goes on with that. */
  run(...words: (string | StartOptions)[]): Started;
  /** The folder of the only session; undefined as long as there is none. */
  session(): string | undefined;
}

/** A workspace, a server and the command line between them. */
export async function openRounds(context: TestContext, scenario: Scenario): Promise<Rounds> {
  const bench = openBench(context);
  const server = await startModelServer(scenario);
  context.after(() => server.close());
  const sessions = join(bench.environment['XDG_STATE_HOME'] ?? '', 'reins', 'sessions');
  const environment = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'no secret' };
  const session = (): string | undefined => {
    const names = existsSync(sessions) ? readdirSync(sessions).filter((name) => !name.startsWith('.')) : [];
    assert.ok(names.length <= 1, `there are ${names.length} sessions`);
    return names[0] === undefined ? undefined : join(sessions, names[0]);
  };
  const run = (...given: (string | StartOptions)[]): Started => {
    const words = given.filter((each) => typeof each === 'string');
    const options = given.find((each) => typeof each === 'object') ?? {};
    const folder = session();
    const log = folder === undefined ? undefined : logIn(folder);
    const task = log?.some(({ kind }) => kind === 'input') === true ? [] : ['Do it.'];
    const on = folder === undefined ? [] : ['--continue'];
    const model = ['--model', 'claude-sonnet-4-5', '--json', '--max-cost', 'none'];
    const check = words.includes('--check') ? [] : ['--check', 'none'];
    return bench.start(['run', ...model, ...check, ...words, ...on, ...task], {
      ...options,
      environment: { ...environment, ...options.environment },
    });
  };
  return { bench, server, run, session };
}

/** The readable events of a session's log; none where there is no log yet. */
export function logIn(folder: string): Event[] {
  if (!existsSync(join(folder, 'log.jsonl'))) return [];
  return [...readLog(folder)].filter((item): item is Event => !('damage' in item));
}

/** What `reins log --verify` finds, but for lines that were torn when their writer was killed. */
export async function assertWhole(folder: string): Promise<void> {
  const { findings } = await verify(folder);
  const torn = new Set(
    [...readLog(folder)].flatMap((item) => ('damage' in item && item.damage === 'half a line' ? [item.line] : [])),
  );
  assert.deepEqual(
    findings.filter(({ line }) => !torn.has(line)),
    [],
  );
}

/** Resolves when so many events have been printed, or when the process has ended before. */
export function untilEvent({ child, text, ended }: Started, count: number): Promise<unknown> {
  const reached = new Promise<void>((resolve) => {
    const look = (): void => {
      if (text.out.split('\n').length <= count) return;
      child.stdout.off('data', look);
      resolve();
    };
    child.stdout.on('data', look);
    look();
  });
  return Promise.race([reached, ended]);
}

/** Works through a list, so many items at a time. */
export async function inLanes<T>(items: readonly T[], lanes: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** How often each line stands in a file of the workspace; empty where there is none. */
export function countLines({ workspace }: Bench, file: string): Map<string, number> {
  const path = join(workspace, file);
  const counts = new Map<string, number>();
  const lines = existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

export function assertExit(ended: Ended, exit: number): void {
  assert.deepEqual([ended.exit, ended.signal], [exit, null], `${ended.err}\n${ended.out.slice(-2000)}`);
}

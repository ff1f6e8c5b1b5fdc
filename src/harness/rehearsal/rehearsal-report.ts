/** Compares what a session did with what came of it when it was played again. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventData, JsonObject, SetupData } from '../../core/index.ts';
import type { Work, WorkCall } from './rehearsal-work.ts';

/** The same thing on both sides; `undefined` where a side has nothing. */
export interface Pair<Value> {
  recorded?: Value;
  now?: Value;
}

export interface RehearsedCall {
  /** Which reply, from 1, and which of its calls, from 1. */
  turn: number;
  call: number;
  tool: string;
  arguments: JsonObject;
  verdict: Pair<EventData['verdict']['decision']>;
  outcome: Pair<EventData['result']['outcome']>;
  /** The first line of the results that differs, counted from 1, after dates, places, ids and durations are left out. */
  line?: { number: number } & Pair<string>;
  /** What differs, in words; empty where nothing does. */
  differs: string[];
}

export interface RehearsedStop extends Pair<string> {
  /** What today's run said of its end. */
  detail: string;
}

export interface RehearsalComparison {
  same: boolean;
  /** Everything that differs, one sentence each. */
  differences: string[];
  stops: RehearsedStop[];
  calls: RehearsedCall[];
  checks: ({ command: string } & Pair<EventData['evidence']['outcome']>)[];
  changed: { same: string[]; onlyRecorded: string[]; onlyNow: string[]; otherContent: string[] };
  /** What today's requests stand on that differs from then: no difference by itself, mostly the reason for one. */
  setup: { prompt: 'same' | 'changed'; tools: { added: string[]; removed: string[]; changed: string[] } };
}

export interface Sides {
  recorded: Work;
  now: Work;
  /** Texts of each side, with what means nothing left out. */
  normalise: { recorded: (text: string) => string; now: (text: string) => string };
  /** The copy of the workspace after the rehearsal, and the recorded folder’s name in place of its own. */
  copy: string;
  unmapped: (text: string) => string;
}

/** Characters of a line that are shown. */
const longestLine = 200;

export function compareWork(sides: Sides): RehearsalComparison {
  const stops = stopsOf(sides);
  const calls = callsOf(sides);
  const checks = checksOf(sides);
  const changed = changesOf(sides);
  const differences = [
    ...calls.flatMap(({ turn, call, tool, differs }) => differs.map((what) => `${turn}.${call} ${tool}: ${what}`)),
    ...checks.flatMap(({ command, recorded, now }) => pairText(`check ${command}`, { recorded, now })),
    ...changed.onlyRecorded.map((path) => `${path} changed then, and not now.`),
    ...changed.onlyNow.map((path) => `${path} changed now, and not then.`),
    ...changed.otherContent.map((path) => `${path} has other content than then.`),
    ...stops.flatMap(({ recorded, now, detail }) => pairText('The end', { recorded, now }, detail)),
  ];
  const setup = setupOf(sides);
  return { same: differences.length === 0, differences, stops, calls, checks, changed, setup };
}

function pairText(
  what: string,
  { recorded, now }: { [Side in keyof Pair<string>]: string | undefined },
  more = '',
): string[] {
  if (recorded === now) return [];
  return [`${what}: ${recorded ?? 'nothing'} then, ${now ?? 'nothing'} now.${more === '' ? '' : ` ${more}`}`];
}

function stopsOf({ recorded, now }: Sides): RehearsedStop[] {
  const [before, after] = [recorded, now].map(({ openings }) => openings.flatMap(({ drives }) => drives)) as [
    Drives,
    Drives,
  ];
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
    ...pairOf(endOf(before[index]), endOf(after[index])),
    detail: after[index]?.stop?.detail ?? '',
  }));
}

type Drives = Work['openings'][number]['drives'];

/** The reason, and the code where it says more. */
function endOf(drive: Drives[number] | undefined): string | undefined {
  const { reason, code } = drive?.stop ?? {};
  return code === undefined ? reason : `${reason} (${code})`;
}

function pairOf<Value>(recorded: Value | undefined, now: Value | undefined): Pair<Value> {
  return { ...(recorded !== undefined && { recorded }), ...(now !== undefined && { now }) };
}

function callsOf(sides: Sides): RehearsedCall[] {
  const keys = new Set([...sides.recorded.calls.keys(), ...sides.now.calls.keys()]);
  return [...keys].map((key) => callOf(sides, sides.recorded.calls.get(key), sides.now.calls.get(key)));
}

function callOf(sides: Sides, before: WorkCall | undefined, after: WorkCall | undefined): RehearsedCall {
  const { turn = 0, index = 0, tool = '', arguments: args = {} } = before ?? after ?? {};
  const verdict = pairOf(before?.verdict?.decision, after?.verdict?.decision);
  const outcome = pairOf(before?.result?.outcome, after?.result?.outcome);
  const line = comparable(before) ? lineOf(sides, before, after) : undefined;
  return {
    turn,
    call: index + 1,
    tool,
    arguments: args,
    verdict,
    outcome,
    ...(line !== undefined && { line }),
    differs: differencesOf(before, after, line),
  };
}

/** A call that was interrupted, or whose record is lost, has no outcome to be compared with. */
function comparable(call: WorkCall | undefined): boolean {
  return call?.result !== undefined && call.result.outcome !== 'interrupted';
}

function differencesOf(
  before: WorkCall | undefined,
  after: WorkCall | undefined,
  line: RehearsedCall['line'],
): string[] {
  if (before === undefined) return ['was not made then.'];
  if (after === undefined) return ['is not made now.'];
  const rule = (call: WorkCall): string =>
    call.verdict === undefined ? 'none' : `${call.verdict.decision} by ${call.verdict.by}`;
  const isJudgedSame = before.verdict?.decision === after.verdict?.decision;
  const differs = isJudgedSame ? [] : [`verdict ${rule(before)} then, ${rule(after)} now.`];
  if (!comparable(before)) return differs;
  const outcomes = pairText('outcome', pairOf(before.result?.outcome, after.result?.outcome));
  const results =
    line === undefined || outcomes.length > 0
      ? []
      : [
          `line ${line.number} of the result: ${JSON.stringify(line.recorded ?? null)} then, ${JSON.stringify(line.now ?? null)} now.`,
        ];
  return [...differs, ...outcomes, ...results];
}

function lineOf(
  { normalise }: Sides,
  before: WorkCall | undefined,
  after: WorkCall | undefined,
): RehearsedCall['line'] {
  if (before?.result === undefined || after?.result === undefined) return undefined;
  const recorded = normalise.recorded(before.result.text).split('\n');
  const now = normalise.now(after.result.text).split('\n');
  const index = Array.from({ length: Math.max(recorded.length, now.length) }).findIndex(
    (_, at) => recorded[at] !== now[at],
  );
  if (index < 0) return undefined;
  return { number: index + 1, ...pairOf(recorded[index]?.slice(0, longestLine), now[index]?.slice(0, longestLine)) };
}

function checksOf({ recorded, now }: Sides): RehearsalComparison['checks'] {
  const [before, after] = [recorded.evidence, now.evidence];
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
    command: before[index]?.command ?? after[index]?.command ?? '',
    ...pairOf(before[index]?.outcome, after[index]?.outcome),
  }));
}

function changesOf(sides: Sides): RehearsalComparison['changed'] {
  const { recorded, now } = sides;
  const both = [...recorded.changed.keys()].filter((path) => now.changed.has(path));
  const otherContent = both.filter((path) => !isSameContent(sides, path));
  return {
    same: both.filter((path) => !otherContent.includes(path)),
    onlyRecorded: [...recorded.changed.keys()].filter((path) => !now.changed.has(path)),
    onlyNow: [...now.changed.keys()].filter((path) => !recorded.changed.has(path)),
    otherContent,
  };
}

/** What commands wrote is compared by its path alone: it may hold the time. What a tool wrote may hold the name of the folder. */
function isSameContent({ recorded, now, copy, unmapped }: Sides, path: string): boolean {
  const [before, after] = [recorded.changed.get(path), now.changed.get(path)];
  if (before === undefined || after === undefined || before === after) return true;
  if (before === null || after === null) return false;
  try {
    return sha256(unmapped(readFileSync(join(copy, path), 'utf8'))) === before;
  } catch {
    return false; // What can't be read isn't what was there.
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function setupOf({ recorded, now, normalise }: Sides): RehearsalComparison['setup'] {
  const [before, after] = [recorded.openings[0]?.setup, now.openings[0]?.setup];
  const prompt = (setup: SetupData | undefined, text: (text: string) => string): string =>
    text((setup?.system ?? []).join('\n'));
  const isSame = prompt(before, normalise.recorded) === prompt(after, normalise.now);
  const toolsBefore = toolsOf(before);
  const toolsNow = toolsOf(after);
  const names = [...toolsNow.keys()];
  return {
    prompt: isSame ? 'same' : 'changed',
    tools: {
      added: names.filter((name) => !toolsBefore.has(name)),
      removed: [...toolsBefore.keys()].filter((name) => !toolsNow.has(name)),
      changed: names.filter((name) => toolsBefore.has(name) && toolsBefore.get(name) !== toolsNow.get(name)),
    },
  };
}

function toolsOf(setup: SetupData | undefined): Map<string, string> {
  return new Map((setup?.tools ?? []).map((tool) => [tool.name, JSON.stringify(tool)]));
}

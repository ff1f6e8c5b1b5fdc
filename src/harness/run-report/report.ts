/** The report of a run: what changed, what was checked and what wasn't, what was refused, what it cost, how to take it back. */
import {
  targetName,
  type CheckFinding,
  type Damage,
  type Event,
  type EventId,
  type InputFrom,
  type Outcome,
  type View,
} from '../../core/index.ts';
import type { DeniedCall, SkippedCall } from '../report-types.ts';
import type { RunOutcome, RunReport } from '../types.ts';
import { DoneCalls, shortened, type DoneCall } from './calls.ts';
import { FileStates, type FileLines } from './files.ts';
import { Spending } from './spending.ts';

/** At most so many of each; how many more there were is said. */
const mostFiles = 2_000;
const mostCalls = 200;
const mostEvidence = 100;
const mostFindings = 20;
/** Characters of the task and of the model's last words. */
const longestTask = 4_000;
const longestAnswer = 20_000;

const reportVersion = 1;

const persons: readonly InputFrom[] = ['user', 'steer', 'follow-up'];

/** One pass over a log. */
export class RunRecord {
  readonly spending = new Spending();
  readonly files = new FileStates();
  readonly calls = new DoneCalls();
  startedAt = 0;
  endedAt = 0;
  /** What persons said, in their order. */
  readonly asked: string[] = [];
  readonly #jobs = new Map<string, string>();

  /** Background commands that have not ended. */
  jobs(): string[] {
    return [...this.#jobs.values()];
  }

  take(event: Event): void {
    if (this.startedAt === 0) this.startedAt = event.at;
    this.endedAt = event.at;
    if (event.kind === 'input' && persons.includes(event.data.from)) this.asked.push(event.data.text);
    if (event.kind === 'job') this.#jobs.set(event.data.id, event.data.command);
    if (event.kind === 'job-end') this.#jobs.delete(event.data.id);
    this.spending.take(event);
    this.files.take(event);
    this.calls.take(event);
  }
}

export function recordIn(items: Iterable<Event | Damage>): RunRecord {
  const record = new RunRecord();
  for (const item of items) if (!('damage' in item)) record.take(item);
  return record;
}

/** Derived from the log alone, but for the lines of the files, as Git and the disk show them. */
export function reportOf(
  outcome: RunOutcome,
  view: View,
  record: RunRecord,
  lines: readonly FileLines[] = [],
): RunReport {
  const { setup, ledger } = view;
  const { changed, denials: _, report: __, answer, evidence, unchecked, ...rest } = outcome;
  const calls = [...record.calls.calls.values()];
  const lists = {
    changed: bounded(record.files.files(changed, lines), mostFiles),
    denials: bounded(deniedIn(view, record), mostCalls),
    skipped: bounded(skippedIn(calls), mostCalls),
    evidence: bounded(evidence.map(withFewFindings), mostEvidence),
    unrun: bounded(unrunIn(view), mostEvidence),
  };
  const open = bounded(unchecked ?? [], mostFiles);
  const more = { ...moreIn(lists), ...moreIn({ unchecked: open }) };
  return {
    version: reportVersion,
    ...rest,
    ...(answer !== undefined && { answer: shortened(answer, longestAnswer) }),
    workspace: view.session?.workspace ?? '',
    task: shortened(record.asked[0] ?? '', longestTask),
    startedAt: record.startedAt,
    endedAt: record.endedAt,
    running: ledger.running,
    ...(setup !== undefined && { mode: setup.mode, model: targetName(setup) }),
    changed: lists.changed.kept,
    evidence: lists.evidence.kept,
    ...(unchecked !== undefined && { unchecked: open.kept }),
    unrun: lists.unrun.kept,
    denials: lists.denials.kept,
    skipped: lists.skipped.kept,
    more,
    spending: record.spending.rows(),
    ...undoOf(outcome.session, calls, record.calls.firstTurn),
  };
}

interface Bounded<Item> {
  kept: Item[];
  more: number;
}

function bounded<Item>(items: Item[], most: number): Bounded<Item> {
  return { kept: items.slice(0, most), more: Math.max(0, items.length - most) };
}

function moreIn(lists: { [name: string]: Bounded<unknown> }): RunReport['more'] {
  return Object.fromEntries(Object.entries(lists).flatMap(([name, { more }]) => (more === 0 ? [] : [[name, more]])));
}

function deniedIn({ ledger }: View, { calls: { calls } }: Pick<RunRecord, 'calls'>): DeniedCall[] {
  return ledger.denials.map(({ call, tool, by, reason }) => {
    const { turn = 0, what = '' } = calls.get(call) ?? {};
    return { turn, tool, what, by, reason: shortened(reason) };
  });
}

const skips: readonly (Outcome | undefined)[] = ['cut', 'cancelled', 'interrupted', 'not-run'];

function skippedIn(calls: readonly DoneCall[]): SkippedCall[] {
  return calls.flatMap(({ turn, tool, what, outcome, said }) =>
    outcome !== undefined && skips.includes(outcome) ? [{ turn, tool, what, outcome, reason: said }] : [],
  );
}

function unrunIn({ setup, ledger }: View): string[] {
  if (setup === undefined || setup.checks === 'waived') return [];
  return setup.checks.map(({ command }) => command).filter((command) => !ledger.evidence.has(command));
}

function withFewFindings<Checked extends { findings?: CheckFinding[] }>(check: Checked): Checked {
  const { findings } = check;
  return findings === undefined || findings.length <= mostFindings
    ? check
    : { ...check, findings: findings.slice(0, mostFindings) };
}

function undoOf(session: EventId, calls: readonly DoneCall[], firstTurn: number): Pick<RunReport, 'undo'> {
  const standing = calls.filter(({ isUndoable, undoneBy, turn }) => isUndoable && undoneBy === undefined && turn > 0);
  const turns = [...new Set(standing.map(({ turn }) => turn))].filter((turn) => turn >= firstTurn);
  const [first] = turns.toSorted((a, b) => a - b);
  return first === undefined ? {} : { undo: { command: `reins undo ${session} --to ${first}`, turns } };
}

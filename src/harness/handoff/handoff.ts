/** From a log to what the next session or person needs: nothing in it is a model's memory. */
import type { CheckFinding, DefinerChange, View } from '../../core/index.ts';
import { shortened, type RunRecord } from '../run-report/index.ts';
import type { CheckResult, RunReport } from '../types.ts';
import { attemptsIn } from './attempts.ts';
import { nextSteps } from './next.ts';
import { risksIn } from './risks.ts';
import type { Handoff, OpenCheck } from './types.ts';

const handoffVersion = 1;
/** Entries of a list, texts of persons, and findings of a check. */
const most = 50;
const mostFindings = 5;
/** Characters of what persons and the model said. */
const longestSaid = 4_000;

export interface HandoffParts {
  report: RunReport;
  view: View;
  record: RunRecord;
  title: string;
  state: string;
  /** Lines of the log that can't be read. */
  damaged: number;
}

export function handoffOf(parts: HandoffParts): Handoff {
  const { report, view, record, title, state } = parts;
  const { session, workspace, endedAt: at, code, detail, evidence, answer, undo } = report;
  const plan = view.plan?.items ?? [];
  const texts = (isDone: boolean) => plan.filter((item) => (item.state === 'done') === isDone).map(({ text }) => text);
  const redefined = redefinedIn(report);
  const proven = evidence.filter(({ passed, fresh }) => passed && fresh).map(({ command }) => command);
  const checks = openChecks(report);
  const attempts = attemptsIn(record.calls.calls.values());
  const risks = risksIn({ ...parts, redefined });
  const questions = (report.questions ?? []).map(({ id, question }) => ({ id, question: shortened(question) }));
  const { unchecked = [] } = report;
  const lists = { attempts, risks, unchecked, changed: report.changed, asked: record.asked, jobs: record.jobs() };
  const open = { plan: texts(false), questions, checks, unchecked: unchecked.slice(0, most), jobs: first(lists.jobs) };
  const ended = view.stop === undefined ? {} : { ...(code !== undefined && { code }), detail };
  return {
    version: handoffVersion,
    session,
    title,
    workspace,
    at,
    state,
    ...ended,
    asked: first(record.asked).map((text) => shortened(text, longestSaid)),
    done: { changed: first(report.changed), plan: texts(true), proven: [...proven, ...ownProof(report)] },
    open,
    attempts: first(attempts),
    risks: first(risks),
    next: nextSteps({ session, state, open, ...(code !== undefined && { code }) }),
    evidence,
    redefined,
    ...(answer !== undefined && { said: shortened(answer, longestSaid) }),
    ...(undo !== undefined && { undo: undo.command }),
    more: moreThan(lists, report.more),
  };
}

const first = <Item>(items: readonly Item[]): Item[] => items.slice(0, most);

function moreThan(lists: { [name: string]: readonly unknown[] }, before: Handoff['more']): Handoff['more'] {
  const counts = Object.entries(lists).map(([name, { length }]): [string, number] => {
    return [name, Math.max(0, length - most) + (before[name] ?? 0)];
  });
  return Object.fromEntries(counts.filter(([, more]) => more > 0));
}

function redefinedIn({ evidence, ownChecks }: RunReport): DefinerChange[] {
  const all = [...evidence.flatMap(({ redefined = [] }) => redefined), ...(ownChecks?.redefined ?? [])];
  return [...new Map(all.map((change) => [`${change.path} ${change.how ?? ''}`, change])).values()];
}

/** Commands of the model's own that count as checks. */
function ownProof({ ownChecks }: RunReport): string[] {
  return ownChecks?.proves === true ? ownChecks.commands.map(({ command }) => command) : [];
}

function openChecks({ evidence, unrun, changed }: RunReport): OpenCheck[] {
  const ran = evidence.flatMap((check): OpenCheck[] => {
    if (check.passed && check.fresh) return [];
    const { command, advisory } = check;
    const state = check.passed ? 'stale' : 'failing';
    return [{ command, state, ...(advisory !== undefined && { advisory }), ...findingsOf(check) }];
  });
  // What changed nothing needs no check.
  const due = changed.length === 0 ? [] : unrun;
  return [...ran, ...due.map((command): OpenCheck => ({ command, state: 'not-run' }))];
}

function findingsOf({ findings }: CheckResult): Pick<OpenCheck, 'findings'> {
  return findings === undefined ? {} : { findings: findings.slice(0, mostFindings).map(findingText) };
}

function findingText({ file, line, text }: CheckFinding): string {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
  return shortened(`${place}${text}`);
}

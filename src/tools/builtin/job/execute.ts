import type { CallOutcome } from '../../../core/index.ts';
import type { JobReport, Jobs, JobState } from '../../needs.ts';
import { failed, isRefusal } from '../../outcome.ts';
import { count, headOf, visible, withoutEscapes } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { argumentProblem, patternOf, secondsOf, type JobArguments } from './arguments.ts';

/** Characters of a command in the list. */
const commandShown = 200;

export async function askJob(jobs: Jobs, args: JobArguments, { signal }: ToolContext): Promise<CallOutcome> {
  const problem = argumentProblem(args);
  if (problem !== undefined) return failed(problem);
  const { id, input, end } = args;
  if (id === undefined) return { outcome: 'ok', text: listText(await jobs.list()), changes: [] };
  const pattern = patternOf(args);
  if (isRefusal(pattern)) return failed(`${pattern.refused}.`);
  if (input !== undefined && input !== '') {
    const typed = await jobs.type(id, input);
    if (typed !== null) return failed(typed.refused);
  }
  const seconds = secondsOf(args);
  const look = { ...(pattern !== undefined && { pattern }), wait: seconds * 1000 };
  const report = end === true ? await jobs.end(id) : await jobs.look(id, look, signal);
  if (isRefusal(report)) return failed(report.refused);
  return {
    outcome: signal.aborted ? 'cancelled' : 'ok',
    text: reportText(report, args, seconds),
    // It is at work meanwhile, whatever this call itself does.
    mayHaveChanged: true,
  };
}

function listText(states: JobState[]): string {
  if (states.length === 0)
    return 'There are no jobs. A command in the background that isn’t over at its timeout becomes one.';
  return states.map((job) => `${stateText(job)} ${headOf(oneLine(job.command), commandShown)}`).join('\n');
}

/** What it printed, then how it stands. */
function reportText(report: JobReport, { input }: JobArguments, seconds: number): string {
  const output = visible(withoutEscapes(report.output));
  const { matched, state } = report;
  const limit = count(seconds, 'second');
  const late =
    state === 'running' ? `What you waited for didn’t come within ${limit}.` : 'What you waited for didn’t come.';
  return [
    output === '' ? '(no new output)' : output.endsWith('\n') ? output.slice(0, -1) : output,
    ...(matched === false ? [late] : []),
    ...(state === 'running' && matched !== true && isUnfinished(input) ? [unfinishedText] : []),
    stateText(report),
  ].join('\n');
}

const unfinishedText = 'The input has no line end; a program that reads lines still waits for it.';

/** Typed text that no program that reads lines has got yet. */
function isUnfinished(input: string | undefined): boolean {
  return input !== undefined && /[^\x00-\x1f]$/.test(input);
}

function stateText({ id, state, startedAt, exit, signal, until }: JobState): string {
  if (state === 'lost') return `${id} is gone, and nobody saw how it ended.`;
  if (state === 'running') {
    const left = until === undefined ? '' : `, for ${count(secondsBetween(Date.now(), until), 'second')} more at most`;
    return `${id} has been running for ${count(secondsBetween(startedAt, Date.now()), 'second')}${left}.`;
  }
  const how = signal === null || signal === undefined ? `exit code: ${exit ?? 'none'}` : `killed by ${signal}`;
  return state === 'ended' ? `${id} was ended (${how}).` : `${id} ended by itself (${how}).`;
}

function secondsBetween(from: number, to: number): number {
  return Math.max(0, Math.round((to - from) / 1000));
}

function oneLine(text: string): string {
  return visible(text).replaceAll('\n', ' ⏎ ');
}

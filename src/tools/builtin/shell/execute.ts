import type { CallOutcome } from '../../../core/index.ts';
import type { CommandOutcome, CommandRequest, Shell } from '../../needs.ts';
import { failed } from '../../outcome.ts';
import { count, headOf, tailOf, visible, withoutEscapes } from '../../text/index.ts';
import { defaultResultLimit, type ToolContext } from '../../tool.ts';
import { argumentProblem, secondsOf, type ShellArguments } from './arguments.ts';

/** Room for the lines that say what was left out and how the command ended. */
const roomForNotes = 1_500;

/** `folder`: real path of the one to start in. */
export async function runCommand(
  shell: Shell,
  args: ShellArguments,
  folder: string,
  context: ToolContext,
): Promise<CallOutcome> {
  const problem = argumentProblem(args);
  if (problem !== undefined) return failed(`${problem} Nothing was run.`);
  const timeout = secondsOf(args) * 1000;
  // The call goes with it, so that a person can let the command go on in the background while it is waited for.
  const request: CommandRequest = {
    command: args.command,
    timeout,
    folder,
    call: context.call,
    onOutput: context.output,
    ...(args.background !== undefined && { goesOn: args.background }),
    ...(args.terminal === true && { terminal: true }),
  };
  const outcome = await shell.run(request, context.signal);
  if (outcome.notStarted !== undefined) {
    const text = notStartedText(outcome, outcome.notStarted);
    return { outcome: outcome.cancelled ? 'cancelled' : 'error', text, changes: [], exit: null };
  }
  const lines = [...endTexts(outcome, timeout), ...folderText(outcome, folder, context), lastText(outcome)];
  return {
    outcome: kindOf(outcome),
    text: [outputText(outcome), ...lines].join('\n'),
    mayHaveChanged: true,
    ...(outcome.job === undefined && { exit: outcome.exit }),
    ...(outcome.omitted > 0 && { bytes: outcome.bytes }),
    ...(outcome.blob !== undefined && { blob: outcome.blob }),
    ...(outcome.folder !== undefined && { facts: { folder: outcome.folder } }),
  };
}

function kindOf({ cancelled, exit, timedOut, job }: CommandOutcome): CallOutcome['outcome'] {
  if (cancelled) return 'cancelled';
  return job !== undefined || (exit === 0 && !timedOut) ? 'ok' : 'error';
}

function notStartedText({ hint }: CommandOutcome, why: string): string {
  return [`The command was not started: ${why}`, ...(hint === undefined ? [] : [hint])].join('\n');
}

/** The output as it came; where only its ends were kept, or they are too long to show, with what lies between. */
function outputText(outcome: CommandOutcome): string {
  const head = harmless(outcome.head);
  const tail = harmless(outcome.tail);
  if (outcome.bytes === 0) return outcome.job === undefined ? '(no output)' : '(no output so far)';
  // Without a gap the text is the whole output, and the pipeline cuts and keeps it like any other.
  if (outcome.omitted === 0) return withoutLastLineEnd(head + tail);
  const room = Math.floor((defaultResultLimit - roomForNotes) / 2);
  const [first, last] = [headOf(head, room), tailOf(tail, room)];
  const left = outcome.omitted + Buffer.byteLength(head.slice(first.length) + tail.slice(0, tail.length - last.length));
  const kept = outcome.blob === undefined ? 'it was not kept' : `kept in blob ${outcome.blob}`;
  const dropped = outcome.dropped > 0 ? `, but for ${count(outcome.dropped, 'byte')} beyond the cap` : '';
  const gap = `[... ${count(left, 'byte')} of ${count(outcome.bytes, 'byte')} left out here; ${kept}${dropped} ...]`;
  return `${withoutLastLineEnd(first)}\n${gap}\n${withoutLastLineEnd(last)}`;
}

function harmless(text: string): string {
  return visible(withoutEscapes(text));
}

function withoutLastLineEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** How it ended. */
function endTexts({ timedOut, cancelled, ended, hint }: CommandOutcome, timeout: number): string[] {
  const limit = count(timeout / 1000, 'second');
  return [
    ...(timedOut ? [`Timed out after ${limit}; the output above is what came until then.`] : []),
    ...(cancelled ? ['Cancelled; the output above is what came until then.'] : []),
    ...(ended === undefined ? [] : [ended]),
    ...(hint === undefined ? [] : [hint]),
  ];
}

/** Where the next command starts, when that is somewhere else. A name with a line break in it must not look like a line of ours. */
function folderText({ folder }: CommandOutcome, before: string, { files }: ToolContext): string[] {
  if (folder === undefined || folder === before) return [];
  const shown = files.display(folder);
  return [`Folder: ${visible(shown) === shown && !/[\n\t]/.test(shown) ? shown : JSON.stringify(shown)}`];
}

/** The exit code is always the last thing said, unless there is none yet. */
function lastText({ exit, signal, job }: CommandOutcome): string {
  if (job !== undefined) return `It still runs, as ${job}: the job tool shows what it prints, types to it and ends it.`;
  return `Exit code: ${exit ?? 'none'}${signal === null ? '' : ` (killed by ${signal})`}`;
}

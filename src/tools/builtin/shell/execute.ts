import type { CallOutcome } from '../../../core/index.ts';
import type { CommandOutcome, CommandRequest, Shell } from '../../needs.ts';
import { failed } from '../../outcome.ts';
import { count, headOf, tailOf, visible, withoutEscapes } from '../../text/index.ts';
import { defaultResultLimit, type ToolContext } from '../../tool.ts';

/** Room for the lines that say what was left out and how the command ended. */
const roomForNotes = 1_500;

export async function runCommand(
  shell: Shell,
  request: { command: string; timeout: number },
  context: ToolContext,
): Promise<CallOutcome> {
  if (request.command.includes('\0')) return failed('A command can’t hold a NUL character. Nothing was run.');
  const asked: CommandRequest = { ...request, onOutput: context.output };
  const outcome = await shell.run(asked, context.signal);
  if (outcome.notStarted !== undefined) {
    const text = notStartedText(outcome, outcome.notStarted);
    return { outcome: outcome.cancelled ? 'cancelled' : 'error', text, changes: [], exit: null };
  }
  const good = outcome.exit === 0 && !outcome.timedOut;
  return {
    outcome: outcome.cancelled ? 'cancelled' : good ? 'ok' : 'error',
    text: [outputText(outcome), ...endTexts(outcome, request.timeout)].join('\n'),
    mayHaveChanged: true,
    exit: outcome.exit,
    ...(outcome.omitted === 0 ? {} : { bytes: outcome.bytes }),
    ...(outcome.blob === undefined ? {} : { blob: outcome.blob }),
  };
}

function notStartedText({ hint }: CommandOutcome, why: string): string {
  return [`The command was not started: ${why}`, ...(hint === undefined ? [] : [hint])].join('\n');
}

/** The output as it came; where only its ends were kept, or they are too long to show, with what lies between. */
function outputText(outcome: CommandOutcome): string {
  const head = harmless(outcome.head);
  const tail = harmless(outcome.tail);
  if (outcome.bytes === 0) return '(no output)';
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

/** How it ended; the exit code is always the last thing said. */
function endTexts(outcome: CommandOutcome, timeout: number): string[] {
  const { ended, hint, exit, signal } = outcome;
  const limit = count(timeout / 1000, 'second');
  return [
    ...(outcome.timedOut ? [`Timed out after ${limit}; the output above is what came until then.`] : []),
    ...(outcome.cancelled ? ['Cancelled; the output above is what came until then.'] : []),
    ...(ended === undefined ? [] : [ended]),
    ...(hint === undefined ? [] : [hint]),
    `Exit code: ${exit ?? 'none'}${signal === null ? '' : ` (killed by ${signal})`}`,
  ];
}

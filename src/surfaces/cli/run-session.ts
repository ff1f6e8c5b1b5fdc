/** The one way of running a task, for `run` and for the demo: a session, its steps as they happen, its outcome. */
import type { Approver, Event, Notification, RunOutcome, RunSettings, Session } from '../../harness/index.ts';
import { openDisplay } from './display.ts';
import { failureOf } from './failure.ts';
import { failedOutcome, type JsonLines } from './json-lines.ts';
import type { Output } from './output.ts';
import { printable } from './printable.ts';
import { programName } from './program.ts';
import { Progress, styleOf, summaryLines } from './render/index.ts';
import { listenForSignals } from './signals.ts';

export interface RunRequest {
  workspace: string;
  settings: RunSettings;
  trust: boolean;
  /** What to do, or how to find out; absent: go on with what is there. */
  task?: string | (() => Promise<string>);
  resume?: string | { latest: true };
  /** Said when the session stands, before its first step. */
  note?: string;
  /** Whether a person at the terminal may be asked. */
  mayAsk: boolean;
  /** Also live deltas in the JSON lines. */
  deltas: boolean;
}

export interface RunResult {
  outcome: RunOutcome;
  exit: number;
  /** Unified diff of the workspace, for people only. */
  diff: string;
}

/** Runs to a stop or a wait. What keeps it from starting, or from keeping its record, is thrown; `json` has its outcome then. */
export async function runTask(request: RunRequest, output: Output, json?: JsonLines): Promise<RunResult> {
  const style = styleOf(output.err);
  const progress = new Progress(style);
  const display = openDisplay(output.err, style, () => progress.activity());
  const signals = listenForSignals(output, json);
  let session: Session | undefined;
  try {
    const task = typeof request.task === 'function' ? await request.task() : request.task;
    const { createSession } = await import('../../harness/index.ts');
    session = await createSession({
      ...optionsOf(request),
      ...(await approverFor(request, output, display)),
      onEvent: (event: Event) => {
        json?.event(event);
        display.lines(progress.event(event));
      },
      onNotification: (notification: Notification) => {
        if (request.deltas) json?.delta(notification);
        progress.notification(notification);
      },
    });
    signals.attach(session);
    display.lines([headline(session, request.note), ...session.notices.flatMap((notice) => progress.notice(notice))]);
    if (task !== undefined) await session.say(task, 'user');
    const outcome = await session.run();
    signals.settle(outcome);
    // A diff is for people; the record has the changes.
    const diff = json === undefined ? await session.diff() : '';
    display.close();
    // Closed before anything is said: whoever reads the outcome may go on with the session at once.
    await closeQuietly(session, output);
    return { outcome, exit: outcome.exit, diff };
  } catch (error) {
    display.close();
    if (session !== undefined) {
      json?.outcome(failedOutcome(failureOf(error), session.outcome()));
      await closeQuietly(session, output);
    }
    throw error;
  } finally {
    signals.stop();
  }
}

/** The outcome stands, whatever happens while the session is put away. */
async function closeQuietly(session: Session, { err }: Output): Promise<void> {
  await session.close().catch((error: unknown) => err.write(`reins: ${printable(failureOf(error).text)}\n`));
}

function optionsOf({ workspace, settings, trust, resume }: RunRequest) {
  return { workspace, settings, trust, ...(resume === undefined ? {} : { resume }) };
}

async function approverFor(
  { mayAsk }: RunRequest,
  { err }: Output,
  display: ReturnType<typeof openDisplay>,
): Promise<{ approver?: Approver }> {
  if (!mayAsk || !err.isTerminal) return {};
  const [{ isatty }, { createTerminalApprover }, { openTerminalInput }] = await Promise.all([
    import('node:tty'),
    import('./question.ts'),
    import('./terminal-input.ts'),
  ]);
  // Asked by its number: to look at process.stdin is to open it, and what a task's own pipe holds is not ours to read.
  if (!isatty(0)) return {};
  return { approver: createTerminalApprover({ input: openTerminalInput(process.stdin), err, display }) };
}

function headline({ id, view: { setup } }: Session, note: string | undefined): string {
  const how = setup === undefined ? '' : ` · ${setup.model} · mode ${setup.mode}`;
  return printable(`session ${id}${how}${note === undefined ? '' : `\n${note}`}`);
}

/** Says how it ended: the answer alone, or the last JSON line, goes to standard output; what people want to know besides, to standard error. */
export function reportOutcome(
  { outcome, diff }: RunResult,
  request: RunRequest,
  output: Output,
  json?: JsonLines,
): void {
  const { workspace, settings } = request;
  if (json !== undefined) json.outcome(outcome);
  else if (outcome.answer !== undefined) output.out.write(`${printable(outcome.answer).trimEnd()}\n`);
  output.err.write(
    `\n${summaryLines(outcome, { workspace, settings, diff, program: programName() }, styleOf(output.err)).join('\n')}\n`,
  );
}

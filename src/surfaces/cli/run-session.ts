/** The one way of running a task, for `run` and for the demo: a session, its steps as they happen, its outcome. */
import type {
  Event,
  Notification,
  RunOutcome,
  RunReport,
  RunSettings,
  Session,
  SessionOptions,
} from '../../harness/index.ts';
import { appendedPrompt } from './append-prompt.ts';
import { openDisplay } from './display.ts';
import { failureOf } from './failure.ts';
import { failedOutcome, type JsonLines } from './json-lines.ts';
import type { Output } from './output.ts';
import { oneLine, printable } from './printable.ts';
import { programName } from './program.ts';
import { Progress, styleOf, summaryLines, type GivenOption } from './render/index.ts';
import { listenForSignals } from './signals.ts';

export interface RunRequest {
  workspace: string;
  settings: RunSettings;
  trust: boolean;
  /** What to do, or how to find out; absent: go on with what is there. */
  task?: string | (() => Promise<string>);
  resume?: string | { latest: true };
  /** The folder that the exchanges with the model are kept in. */
  record?: string;
  /** Added to the prompt: a text, or `@FILE`. */
  appendPrompt?: string;
  /** A file with the handoff of an earlier session that goes with the task. */
  handoff?: string;
  /** Files with images that go with the task. */
  images?: readonly string[];
  /** A file that the report is copied to. */
  report?: string;
  /** Whether the result holds the diff of the workspace. */
  showDiff?: boolean;
  /** Said when the session stands, before its first step. */
  note?: string;
  /** The options that a run which goes on would be given as well. */
  again: readonly GivenOption[];
  /** Whether a person at the terminal may be asked. */
  mayAsk: boolean;
  /** Also live deltas in the JSON lines. */
  deltas: boolean;
}

export interface RunResult {
  outcome: RunOutcome;
  report: RunReport;
  exit: number;
  /** Unified diff of the workspace, where it was asked for. */
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
    const task = await taskOf(request);
    const images = await filesGiven('image', request.images ?? []);
    const { createSession } = await import('../../harness/index.ts');
    const options: SessionOptions = {
      ...(await sessionOptionsOf(request)),
      ...(task !== undefined && { task }),
      ...(await terminalFor(request, output, display, json !== undefined)),
      onEvent: (event: Event) => {
        signals.begun();
        json?.event(event);
        display.lines(progress.event(event));
      },
      onNotification: (notification: Notification) => {
        if (request.deltas) json?.delta(notification);
        progress.notification(notification);
      },
    };
    const begin = async (more: Partial<SessionOptions> = {}): Promise<Session> => {
      const begun = await createSession({ ...options, ...more });
      signals.attach(begun);
      display.lines([headline(begun, request.note), ...begun.notices.flatMap((notice) => progress.notice(notice))]);
      return begun;
    };
    session = await begin();
    if (task !== undefined) await session.say(task, 'user', images);
    let outcome = await session.run();
    while (outcome.plan?.decision === 'accepted') {
      await closeQuietly(session, output);
      session = await begin(carryingOut(request, outcome));
      outcome = await session.run();
    }
    signals.settle(outcome);
    const diff = request.showDiff === true ? await session.diff() : '';
    const report = await session.report();
    display.close();
    // Closed before anything is said: whoever reads the outcome may go on with the session at once.
    await closeQuietly(session, output);
    // What ended with the session (its jobs) is recorded after the run's own end.
    const { head } = session.outcome();
    return { outcome: { ...outcome, head }, report: { ...report, head }, exit: outcome.exit, diff };
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

/** The next run of the session: an accepted plan is carried out in the mode that was chosen. */
function carryingOut({ settings }: RunRequest, { session, plan }: RunOutcome): Partial<SessionOptions> {
  return { resume: session, settings: { ...settings, ...(plan?.mode !== undefined && { mode: plan.mode }) } };
}

async function taskOf({ task: given, handoff }: RunRequest): Promise<string | undefined> {
  const task = typeof given === 'function' ? await given() : given;
  if (handoff === undefined) return task;
  const [text] = await filesGiven('handoff', [handoff]);
  const { taskWithHandoff } = await import('../../harness/index.ts');
  return taskWithHandoff(text?.toString('utf8') ?? '', task);
}

async function filesGiven(what: string, files: readonly string[]): Promise<Buffer[]> {
  if (files.length === 0) return [];
  const { givenBytes } = await import('./given-file.ts');
  return Promise.all(files.map((file) => givenBytes(`The ${what} ${JSON.stringify(oneLine(file))}`, file)));
}

/** The outcome stands, whatever happens while the session is put away. */
async function closeQuietly(session: Session, { err }: Output): Promise<void> {
  await session.close().catch((error: unknown) => err.write(`reins: ${printable(failureOf(error).text)}\n`));
}

/** What of a request shapes the session that it opens. */
export async function sessionOptionsOf({
  workspace,
  settings,
  trust,
  resume,
  record,
  appendPrompt,
}: Pick<RunRequest, 'workspace' | 'settings' | 'trust' | 'resume' | 'record' | 'appendPrompt'>) {
  const appended = appendPrompt === undefined ? {} : { appendPrompt: await appendedPrompt(appendPrompt) };
  return {
    workspace,
    settings: { ...settings, ...appended },
    trust,
    ...(resume === undefined ? {} : { resume }),
    ...(record === undefined ? {} : { record }),
  };
}

/** Who is asked at the terminal, if somebody is there: about calls, about a model when none is configured, and about a workspace's settings. */
async function terminalFor(
  { mayAsk }: RunRequest,
  { err }: Output,
  display: ReturnType<typeof openDisplay>,
  forProgram: boolean,
): Promise<Pick<SessionOptions, 'approver' | 'chooseModel' | 'confirmTrust'>> {
  if (!mayAsk || !err.isTerminal) return {};
  const [{ isatty }, { createTerminalApprover, createModelQuestion, createTrustQuestion }, { openTerminalInput }] =
    await Promise.all([import('node:tty'), import('./question.ts'), import('./terminal-input.ts')]);
  // Asked by its number: to look at process.stdin is to open it, and what a task's own pipe holds is not ours to read.
  if (!isatty(0)) return {};
  const terminal = { input: openTerminalInput(process.stdin), err, display };
  const { ask, choose } = createTerminalApprover(terminal);
  // A program that reads the run gets the same run whoever sits there: questions of the model have their defaults.
  const chooseModel = createModelQuestion(terminal);
  if (forProgram) return { approver: { ask }, chooseModel };
  return { approver: { ask, choose }, chooseModel, confirmTrust: createTrustQuestion(terminal) };
}

export function headline({ id, view: { setup } }: Session, note: string | undefined): string {
  const how =
    setup === undefined ? '' : ` · ${setup.provider}/${setup.model}${profileText(setup)} · mode ${setup.mode}`;
  return printable(`session ${id}${how}${note === undefined ? '' : `\n${note}`}`);
}

/** The default one is no news. */
function profileText({ runProfile }: NonNullable<Session['view']['setup']>): string {
  return runProfile === undefined || runProfile.name === 'default' ? '' : ` · profile ${runProfile.name}`;
}

/** Says how it ended: the answer alone, or the last JSON line, goes to standard output; what people want to know besides, to standard error. */
export async function reportOutcome(
  { outcome, report }: RunResult,
  request: RunRequest,
  output: Output,
  json?: JsonLines,
): Promise<void> {
  const { again } = request;
  if (request.report !== undefined) await copyReport(outcome.report, request.report, output);
  if (json !== undefined) json.outcome(outcome);
  else if (outcome.answer !== undefined) output.out.write(`${printable(outcome.answer).trimEnd()}\n`);
  const file = outcome.report === undefined ? {} : { file: outcome.report };
  const place = { again, program: programName(), ...file };
  output.err.write(`\n${summaryLines(report, place, styleOf(output.err)).join('\n')}\n`);
}

/** The work is done: a copy that can’t be made is said, and changes nothing of how it ended. */
async function copyReport(file: string | undefined, copy: string, { err }: Output): Promise<void> {
  if (file === undefined) return;
  const { copyFile } = await import('node:fs/promises');
  await copyFile(file, copy).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    err.write(`reins: the report could not be copied: ${oneLine(why)}\n`);
  });
}

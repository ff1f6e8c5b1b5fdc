/** Who answers at the terminal: asks about calls (yes, no, always this shape, no and say why), questions of the model, and which model. */
import type { Approver, LocalServer, TrustQuestion } from '../../harness/index.ts';
import { choose } from './choice.ts';
import type { Writer } from './output.ts';
import { oneLine, printable } from './printable.ts';
import { readPlanAnswer } from './plan-question.ts';
import { detailLines, questionText, styleOf } from './render/index.ts';
import { asQuestion, type Terminal } from './terminal.ts';
import type { TerminalInput } from './terminal-input.ts';

type Question = Parameters<Approver['ask']>[0];
type Answer = Awaited<ReturnType<Approver['ask']>>;

/** Who answers, in the log. */
const by = 'terminal';

/** Asks one question at a time: calls that run side by side may ask side by side. */
export function createTerminalApprover(terminal: Terminal): Required<Approver> {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(put: () => Promise<T>): Promise<T> => {
    const answer = last.then(put);
    last = answer.catch(() => undefined); // Whoever asked has the rejection; here only the turn matters.
    return answer;
  };
  return {
    ask: (question, signal) => inTurn(() => ask(terminal, question, signal)),
    choose: (question, signal) => inTurn(() => choose(terminal, question, signal)),
  };
}

async function ask({ input, err, display }: Terminal, question: Question, signal: AbortSignal): Promise<Answer> {
  if (signal.aborted || !input.isOpen) return 'later';
  display.pause();
  try {
    // What was typed before the question was there is no answer to it.
    await input.discardTyped();
    err.write(`${shownQuestion(question, err)}\n`);
    for (;;) {
      const answer = await readAnswer({ input, err }, question, signal);
      if (answer !== undefined) return answer;
    }
  } finally {
    display.resume();
  }
}

function shownQuestion(question: Question, err: Writer): string {
  const details = detailLines(question, styleOf(err)).map((line) => `  ${line}`);
  return [asQuestion(questionText(question)), ...details].join('\n');
}

/** `a` is only offered where there is a shape to allow, `e` where there is a command to edit. */
function choices({ shape, command }: Question): string {
  const always = shape === undefined ? [] : [`a: always ${printable(shape).replaceAll('\n', ' ')}`];
  const edit = command === undefined ? [] : ['e: edit the command'];
  return ['y: yes, once', 'n: no', ...always, ...edit, 'r: no, and say why'].join('  ');
}

/** Undefined where what was typed is none of the choices. */
async function readAnswer(
  { input, err }: Pick<Terminal, 'input' | 'err'>,
  question: Question,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const { shape, command, plan } = question;
  if (plan !== undefined) {
    const answer = await readPlanAnswer({ input, err }, plan, signal);
    return typeof answer === 'object' && 'end' in answer ? leftOpen(err, answer.end) : answer;
  }
  err.write(`  ${choices(question)} > `);
  const typed = await input.line(signal);
  if (typeof typed !== 'string') return leftOpen(err, typed.end);
  const word = typed.trim().toLowerCase();
  if (word === 'y' || word === 'yes') return { by, decision: 'yes', scope: 'once' };
  if (word === 'n' || word === 'no') return { by, decision: 'no', scope: 'once' };
  if ((word === 'a' || word === 'always') && shape !== undefined) return { by, decision: 'yes', scope: 'always' };
  if (word === 'e' && command !== undefined) return readCommand({ input, err }, command, signal);
  if (word !== 'r') return undefined;
  err.write('  why > ');
  const reason = await input.line(signal);
  if (typeof reason !== 'string') return leftOpen(err, reason.end);
  const given = reason.trim();
  return { by, decision: 'no', scope: 'once', ...(given === '' ? {} : { reason: given }) };
}

/** The command line as it is to be run instead; nothing typed asks again. It is judged like any other before it runs. */
async function readCommand(
  { input, err }: Pick<Terminal, 'input' | 'err'>,
  command: string,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  err.write(`  it is: ${printable(command).replaceAll('\n', '\n  ')}\n  instead > `);
  const typed = await input.line(signal);
  if (typeof typed !== 'string') return leftOpen(err, typed.end);
  const edited = typed.trim();
  if (edited === '') return undefined;
  return { by, decision: 'yes', scope: 'once', arguments: { command: edited } };
}

/** The question stays open in the log: it was answered elsewhere, the run is cancelled, or the input has ended (Ctrl-D). */
function leftOpen(err: Writer, end: 'aborted' | 'closed'): 'later' {
  err.write(end === 'aborted' ? '\n  (no answer needed here any more)\n' : '\n  (left open)\n');
  return 'later';
}

/** Offers the first model of the local servers that answer; Ctrl-D and no leave it. */
export function createModelQuestion({ input, err, display }: Terminal) {
  return async (servers: readonly LocalServer[]): Promise<string | undefined> => {
    const [first] = servers;
    const model = first?.models[0]?.name;
    if (first === undefined || model === undefined || !input.isOpen) return undefined;
    const name = `${first.provider}/${model}`;
    const more = servers.reduce((count, { models }) => count + models.length, -1);
    display.pause();
    try {
      await input.discardTyped();
      err.write(`? No model is configured and no key is set, but ${printable(first.baseUrl)} answers.\n`);
      err.write(`  Use ${printable(name)}${more === 0 ? '' : ` (${more} more: reins models)`}?\n`);
      return (await isYes(input, err, { prompt: '  y: yes, for this run  n: no > ' })) ? name : undefined;
    } finally {
      display.resume();
    }
  };
}

/** Whether the settings of a workspace are trusted from now on; Ctrl-D and no leave them out. */
export function createTrustQuestion({ input, err, display }: Terminal) {
  return async ({ file, profile, leftOut, content, changed }: TrustQuestion): Promise<boolean> => {
    if (!input.isOpen) return false;
    const isProfile = profile !== undefined;
    const what = isProfile ? `The profile ${profile} of this workspace` : 'The settings of this workspace';
    const isNew = isProfile ? 'is not trusted yet' : 'are not trusted yet';
    const isOther = isProfile ? 'has changed since you trusted it' : 'have changed since you trusted them';
    const why = changed === undefined ? isNew : isOther;
    const otherwise = isProfile ? 'stop here' : 'go on without';
    const shown = changed === undefined || changed.difference === '' ? content : changed.difference;
    display.pause();
    try {
      await input.discardTyped();
      err.write(`${asQuestion(`${what} (${file}) ${why}.${leftOut.length === 0 ? '' : '\nIt names:'}`)}\n`);
      for (const each of leftOut) err.write(`    ${oneLine(each)}\n`);
      return await isYes(input, err, {
        prompt: `  y: trust it as it is  n: ${otherwise}  s: show ${shown === content ? 'it' : 'the change'} > `,
        show: `${printable(shown).trimEnd()}\n`,
      });
    } finally {
      display.resume();
    }
  };
}

async function isYes(
  input: TerminalInput,
  err: Writer,
  { prompt, show }: { prompt: string; show?: string },
): Promise<boolean> {
  for (;;) {
    err.write(prompt);
    const typed = await input.line(new AbortController().signal);
    if (typeof typed !== 'string') return false;
    const word = typed.trim().toLowerCase();
    if (word === 'y' || word === 'yes') return true;
    if (word === 'n' || word === 'no') return false;
    if (show !== undefined && (word === 's' || word === 'show')) err.write(show);
  }
}

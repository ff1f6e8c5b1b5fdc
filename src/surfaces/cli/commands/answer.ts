/** `reins answer ID`: the open questions of a session, and their answers, from a second terminal. */
import type { JsonObject, Mode, OpenQuestion } from '../../../harness/index.ts';
import { oneOf, UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { oneLine, printable } from '../printable.ts';
import { modes } from './run.ts';
import { detailLines, questionText, styleOf, type Style } from '../render/index.ts';

export const command: Command = {
  name: 'answer',
  summary: 'Answer an open question of a session, or show what it asks.',
  usage: [
    'answer ID [--json]',
    'answer ID yes [--always]',
    'answer ID no [--reason TEXT]',
    'answer ID edit --command COMMAND',
    'answer ID --choice TEXT',
    'answer ID yes --mode MODE',
  ],
  examples: ['answer 7a4tjp', 'answer 7a4tjp no --reason "use npm ci"'],
  positionals: 2,
  options: [
    { name: 'always', about: 'With yes: calls of this shape pass from now on in this workspace.' },
    { name: 'ask', value: 'ASK', about: 'Which question, where several are open.' },
    { name: 'reason', value: 'TEXT', about: 'With no: what the model is told; to a plan, what is to be changed.' },
    {
      name: 'command',
      value: 'COMMAND',
      about: 'With edit: yes to this command instead; it is judged before it runs.',
    },
    { name: 'mode', value: 'MODE', about: 'With yes to a plan: the mode in which it is carried out.' },
    { name: 'choice', value: 'TEXT', about: 'To a question of the model: one of its options, or your own words.' },
    { name: 'json', about: 'Without an answer: the open questions, one JSON object a line.' },
  ],
  async run(parsed, { output: { out } }) {
    const [id] = parsed.positionals;
    if (id === undefined) throw new UsageError('Which session? `reins sessions` lists them.');
    const answer = answerFrom(parsed);
    if (answer === undefined) {
      const { openQuestions } = await import('../../../harness/index.ts');
      const questions = openQuestions(undefined, id);
      if (parsed.options.has('json')) out.write(questions.map((question) => jsonLine(question)).join(''));
      else if (questions.length === 0) out.write('No question is open.\n');
      else out.write(questions.map((question) => shown(question, styleOf(out))).join(''));
      return 0;
    }
    const { answerQuestion } = await import('../../../harness/index.ts');
    out.write(`${printable(await answerQuestion(undefined, id, answer))}\n`);
    return 0;
  },
};

interface Answer {
  ask?: string;
  decision: 'yes' | 'no';
  scope: 'once' | 'always';
  reason?: string;
  arguments?: JsonObject;
  mode?: Mode;
}

/** Undefined where no answer was given: then the questions are shown. */
export function answerFrom(parsed: Arguments): Answer | undefined {
  const [, word] = parsed.positionals;
  const ask = valueIn(parsed, 'ask');
  const which = ask === undefined ? {} : { ask };
  const choice = valueIn(parsed, 'choice');
  if (choice !== undefined) {
    if (word !== undefined || ['always', 'reason', 'command', 'mode'].some((name) => parsed.options.has(name))) {
      throw new UsageError(
        '--choice is the whole answer: without yes, no or edit, --always, --reason, --command and --mode.',
      );
    }
    return { decision: 'yes', scope: 'once', reason: choice, ...which };
  }
  if (word === undefined) {
    if ([...parsed.options.keys()].some((name) => name !== 'json'))
      throw new UsageError('Is it yes or no? For example: reins answer ID yes.');
    return undefined;
  }
  if (parsed.options.has('json')) throw new UsageError('--json shows the questions: it goes without an answer.');
  const given = oneOf('The answer', word, ['yes', 'no', 'edit'] as const);
  return { ...wordAnswer(parsed, given), ...which };
}

function wordAnswer(parsed: Arguments, word: 'yes' | 'no' | 'edit'): Answer {
  const isAlways = parsed.options.has('always');
  const reason = valueIn(parsed, 'reason');
  const mode = valueIn(parsed, 'mode');
  if (mode !== undefined && word !== 'yes') throw new UsageError('--mode goes with yes to a plan.');
  const command = valueIn(parsed, 'command');
  if (isAlways && word === 'no')
    throw new UsageError('--always goes with yes; a no is for once. --deny refuses a shape in a run.');
  if (isAlways && word === 'edit') throw new UsageError('--always goes with yes; an edited command is allowed once.');
  if (reason !== undefined && word !== 'no')
    throw new UsageError('--reason goes with no: it is what the model is told.');
  if (word !== 'edit') {
    if (command !== undefined) throw new UsageError('--command goes with edit: reins answer ID edit --command "...".');
    return {
      decision: word,
      scope: isAlways ? 'always' : 'once',
      ...(reason === undefined ? {} : { reason }),
      ...(mode === undefined ? {} : { mode: oneOf('--mode', mode, modes) }),
    };
  }
  if (command === undefined || command.trim() === '')
    throw new UsageError('edit needs the command: reins answer ID edit --command "git push origin main".');
  return { decision: 'yes', scope: 'once', arguments: { command } };
}

function shown(question: OpenQuestion, style: Style): string {
  const { id, shape, options = [], until, command, plan } = question;
  const lines = [
    `${id}: ${questionText(question)}`,
    ...detailLines(question, style),
    ...options.map((option) => `--choice: ${oneLine(option)}`),
    ...(shape === undefined ? [] : [`--always would allow: ${oneLine(shape)}`]),
    ...(plan === undefined ? [] : planLines(plan)),
    ...(command === undefined ? [] : ['edit --command would run another command instead']),
    ...(until === undefined ? [] : [`without an answer it is a no at ${new Date(until).toISOString()}`]),
  ];
  return `${lines.join('\n').replaceAll('\n', '\n  ')}\n`;
}

function planLines({ file, modes: offered }: NonNullable<OpenQuestion['plan']>): string[] {
  return [
    `its file: ${oneLine(file)}`,
    `yes accepts it; --mode ${offered.join(', ')}: how it is carried out (${offered[0]} when left out)`,
    'no --reason TEXT has it changed, no alone rejects it',
  ];
}

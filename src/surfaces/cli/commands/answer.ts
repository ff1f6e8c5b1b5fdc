/** `reins answer ID`: the open questions of a session, and their answers, from a second terminal. */
import type { EventData, EventId, SessionReader } from '../../../harness/index.ts';
import { oneOf, UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { oneLine, printable } from '../printable.ts';

export const command: Command = {
  name: 'answer',
  summary: 'Answer an open question of a session, or show what it asks.',
  usage: ['answer ID', 'answer ID yes [--always]', 'answer ID no [--reason TEXT]', 'answer ID --choice TEXT'],
  positionals: 2,
  options: [
    { name: 'always', about: 'With yes: calls of this shape pass from now on in this workspace.' },
    { name: 'ask', value: 'ASK', about: 'Which question, where several are open.' },
    { name: 'reason', value: 'TEXT', about: 'With no: what the model is told.' },
    { name: 'choice', value: 'TEXT', about: 'To a question of the model: one of its options, or your own words.' },
  ],
  async run(parsed, { output: { out } }) {
    const [id] = parsed.positionals;
    if (id === undefined) throw new UsageError('Which session? `reins sessions` lists them.');
    const answer = answerFrom(parsed);
    if (answer === undefined) {
      const { openReader } = await import('../../../harness/index.ts');
      const open = openQuestions(await openReader(undefined, id));
      out.write(
        open.length === 0 ? 'No question is open.\n' : open.map(([ask, data]) => questionLine(ask, data)).join(''),
      );
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
}

/** Undefined where no answer was given: then the questions are shown. */
export function answerFrom(parsed: Arguments): Answer | undefined {
  const [, word] = parsed.positionals;
  const isAlways = parsed.options.has('always');
  const reason = valueIn(parsed, 'reason');
  const ask = valueIn(parsed, 'ask');
  const choice = valueIn(parsed, 'choice');
  if (choice !== undefined) {
    if (word !== undefined || isAlways || reason !== undefined) {
      throw new UsageError('--choice is the whole answer: without yes or no, --always and --reason.');
    }
    return { decision: 'yes', scope: 'once', reason: choice, ...(ask === undefined ? {} : { ask }) };
  }
  if (word === undefined) {
    if (parsed.options.size > 0) throw new UsageError('Is it yes or no? For example: reins answer ID yes.');
    return undefined;
  }
  const decision = oneOf('The answer', word, ['yes', 'no'] as const);
  if (isAlways && decision === 'no')
    throw new UsageError('--always goes with yes; a no is for once. --deny refuses a shape in a run.');
  if (reason !== undefined && decision === 'yes')
    throw new UsageError('--reason goes with no: it is what the model is told.');
  return {
    decision,
    scope: isAlways ? 'always' : 'once',
    ...(ask === undefined ? {} : { ask }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function openQuestions(reader: SessionReader): [EventId, EventData['ask']][] {
  const open = new Map<EventId, EventData['ask']>();
  for (const item of reader.items()) {
    if ('damage' in item) continue;
    if (item.kind === 'ask') open.set(item.id, item.data);
    if (item.kind === 'answer') open.delete(item.data.ask);
    // What was asked on a branch that was left is not to be answered any more.
    if (item.kind === 'head') open.clear();
    if (item.kind !== 'result') continue;
    for (const [ask, data] of open) if (data.call === item.data.call) open.delete(ask);
  }
  return [...open];
}

function questionLine(ask: EventId, { question, shape, options = [] }: EventData['ask']): string {
  const choices = options.map((option) => `\n  --choice: ${oneLine(option)}`).join('');
  const always = shape === undefined ? '' : `\n  --always would allow: ${oneLine(shape)}`;
  return `${ask}: ${printable(question).replaceAll('\n', '\n  ')}${choices}${always}\n`;
}

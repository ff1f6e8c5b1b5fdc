import type { CallOutcome, Choice } from '../../../core/index.ts';
import { failed, messageOf } from '../../outcome.ts';
import { count } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';

export interface AskArguments {
  question: string;
  options: readonly string[];
  default?: string;
}

const fewestOptions = 2;
const mostOptions = 6;
const longestQuestion = 2_000;
const longestOption = 200;

export async function askUser(args: AskArguments, context: ToolContext): Promise<CallOutcome> {
  const problem = problemOf(args);
  if (problem !== undefined) return failed(`${problem} Nothing was asked.`);
  const { question, options } = args;
  const fallback = args.default ?? options[0] ?? '';
  const answer = await answerTo(question, [...options], fallback, context);
  if (context.signal.aborted) return { outcome: 'cancelled', text: 'The question was not answered.', changes: [] };
  const by = answer.by ?? 'default';
  return {
    outcome: 'ok',
    text: textOf(answer, options),
    facts: { asked: { question, choice: answer.choice, by } },
  };
}

/** `by` is absent where nobody answered; then `why` says so. */
type Answer = (Choice & { why?: undefined }) | { choice: string; by?: undefined; why: string };

async function answerTo(
  question: string,
  options: string[],
  fallback: string,
  { choose, signal }: ToolContext,
): Promise<Answer> {
  const byDefault = (why: string): Answer => ({ choice: fallback, why });
  try {
    const said = await unlessAborted(choose({ question, options, fallback }), signal);
    if (said === undefined) return byDefault('Nobody is there to answer');
    const choice = said.choice.trim();
    return { by: said.by, choice: choice === '' ? fallback : choice };
  } catch (error) {
    // The work goes on without an answer, as it does without a person.
    return byDefault(`The question could not be put (${messageOf(error)})`);
  }
}

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const end = () => resolve(undefined);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

function textOf({ by, choice, why }: Answer, options: readonly string[]): string {
  const quoted = JSON.stringify(choice);
  if (by === undefined) return `${why}, so the default counts: ${quoted}.`;
  return options.includes(choice) ? `Answer (by ${by}): ${quoted}` : `Answer (by ${by}, in their own words): ${quoted}`;
}

function problemOf({ question, options, default: given }: AskArguments): string | undefined {
  if (question.trim() === '') return 'question is empty.';
  if (question.length > longestQuestion) {
    return `question has ${count(question.length, 'character')}, ${count(longestQuestion, 'character')} are allowed.`;
  }
  if (options.length < fewestOptions || options.length > mostOptions) {
    return `There must be ${fewestOptions} to ${mostOptions} options, not ${options.length}; the user can also answer in other words.`;
  }
  for (const [index, option] of options.entries()) {
    const name = `options[${index}]`;
    if (option.trim() === '') return `${name} is empty.`;
    if (option.length > longestOption) {
      return `${name} has ${count(option.length, 'character')}, ${longestOption} are allowed; explain it in the question.`;
    }
    if (options.indexOf(option) < index) return `${name} stands there twice.`;
  }
  if (given !== undefined && !options.includes(given)) return `default must be one of the options, word for word.`;
  return undefined;
}

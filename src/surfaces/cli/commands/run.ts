/** `reins run`: a task from its words to its outcome. */
import type { Limits, RunSettings } from '../../../harness/index.ts';
import { oneOf, UsageError, valueIn, type Arguments, type CommandSpec } from '../arguments.ts';
import type { Command } from '../command.ts';
import { oneLine } from '../printable.ts';
import { profileFrom, profileOptions } from '../profile-options.ts';
import { proofFrom, proofOptions } from '../proof-options.ts';
import { reportOutcome, runTask, type RunRequest } from '../run-session.ts';

const efforts = ['none', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export const modes = ['plan', 'ask', 'edit', 'auto', 'unsafe'] as const;

const spec: CommandSpec = {
  name: 'run',
  summary: 'Do a task in a repository.',
  usage: ['run [options] "task"', 'run [options] -', 'run [options] --resume ID | --continue ["task"]'],
  examples: [
    'run --check "npm test" "fix the failing test"',
    'run --mode plan "how does the cache work?"',
    'run --continue "now the same for the other module"',
  ],
  positionals: 1,
  tooMany: 'The task is one argument: put it in quotation marks, as in reins run "fix the failing test".',
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The workspace; the current folder by default.' },
    ...profileOptions,
    { name: 'model', value: 'MODEL', about: 'The model; script:FILE plays a scenario, replay:DIR a recording.' },
    { name: 'effort', value: 'EFFORT', about: `How hard the model works: ${efforts.join(', ')}.` },
    { name: 'thinking', value: 'THINKING', about: 'off, adaptive, or a budget of tokens.' },
    { name: 'temperature', value: 'N', about: 'Sampling temperature from 0 to 2, where the model takes one.' },
    { name: 'mode', value: 'MODE', about: `What passes without a question: ${modes.join(', ')}.` },
    {
      name: 'append-prompt',
      value: 'TEXT',
      about: 'Added to the prompt of this run; @FILE takes it from a file.',
    },
    { name: 'style', value: 'NAME', about: 'How the model writes: default, concise, explanatory, or one of your own.' },
    ...proofOptions,
    {
      name: 'allow',
      value: 'SHAPE',
      many: true,
      about: 'Calls of this shape pass in this run where the mode would ask.',
    },
    { name: 'deny', value: 'SHAPE', many: true, about: 'Calls of this shape are refused in this run.' },
    {
      name: 'on-ask',
      value: 'HOW',
      about: 'Where nobody is there to be asked: deny (a question is a no), or wait (stop until it is answered).',
    },
    { name: 'image', value: 'FILE', many: true, about: 'An image that goes with the task (PNG, JPEG, GIF, WebP).' },
    { name: 'handoff', value: 'FILE', about: 'Begin with what `reins handoff` wrote of an earlier session.' },
    { name: 'trust', about: 'Trust what the workspace’s own settings name, for this run; `reins trust` remembers it.' },
    { name: 'max-turns', value: 'N', about: 'Replies of the model, or none.' },
    { name: 'max-calls', value: 'N', about: 'Tool calls, or none.' },
    { name: 'max-minutes', value: 'N', about: 'Minutes of running, or none.' },
    { name: 'max-cost', value: 'DOLLARS', about: 'Money, on a model with a rate, or none.' },
    { name: 'max-output-tokens', value: 'N', about: 'Output tokens offered to one turn.' },
    { name: 'record', value: 'DIR', about: 'Keep each exchange with the model in DIR, without keys, for replay:DIR.' },
    {
      name: 'report',
      value: 'FILE',
      about: 'Copy the report of the run, which stays with the session, to FILE as well.',
    },
    { name: 'json', about: 'Write the events and the outcome to standard output, one JSON object a line.' },
    { name: 'deltas', about: 'With --json: also what is only shown while it comes.' },
    { name: 'resume', value: 'ID', about: 'Go on with this session; the beginning of its ID will do.' },
    { name: 'continue', about: 'Go on with the latest session of this workspace.' },
  ],
  notes: [
    'The task is one argument; with - it is read from standard input, which is not touched otherwise.',
    'Progress goes to standard error, the answer to standard output.',
    '',
    'Exit codes: 0 completed, 1 error, 2 usage, 3 unverified, 4 limit, 5 denied, 6 stuck, 7 provider, 8 refused,',
    '9 waiting, 130 and 143 cancelled.',
  ],
};

export const command: Command = {
  ...spec,
  async run(parsed, { output, json }) {
    const request = requestFrom(parsed, readStandardInput(output.err.write));
    const result = await runTask(request, output, json);
    await reportOutcome(result, request, output, json);
    return result.exit;
  },
};

/** The run that was asked for, or a UsageError. Nothing is read and nothing is started here. */
export function requestFrom(parsed: Arguments, readTask: () => Promise<string>): RunRequest {
  const [task] = parsed.positionals;
  const handoff = valueIn(parsed, 'handoff');
  if (handoff?.trim() === '') throw new UsageError('--handoff needs a file.');
  const isNew = !parsed.options.has('resume') && !parsed.options.has('continue');
  if (task === undefined && isNew && handoff === undefined) {
    throw new UsageError(
      'There is no task. For example: reins run "fix the failing test"; or - to read it from standard input.',
    );
  }
  if (task !== undefined && task.trim() === '') throw new UsageError('The task is empty.');
  const deltas = parsed.options.has('deltas');
  if (deltas && !parsed.options.has('json')) throw new UsageError('--deltas adds to --json: give both.');
  return {
    ...runOptionsFrom(parsed),
    ...(task === undefined ? {} : { task: task === '-' ? readTask : task }),
    ...(handoff === undefined ? {} : { handoff }),
    ...reportFrom(parsed),
    ...imagesGiven(parsed, task),
    // Standard input is used up by the task: nobody can answer there.
    mayAsk: task !== '-',
    deltas,
  };
}

/** What holds for any run, whatever its task. */
export function runOptionsFrom(
  parsed: Arguments,
): Pick<RunRequest, 'workspace' | 'settings' | 'trust' | 'record' | 'appendPrompt' | 'resume' | 'again'> {
  const resume = resumeFrom(parsed);
  return {
    workspace: valueIn(parsed, 'directory') ?? process.cwd(),
    settings: settingsFrom(parsed),
    trust: parsed.options.has('trust'),
    again: givenAgain(parsed),
    ...recordFrom(parsed),
    ...appendFrom(parsed),
    ...(resume === undefined ? {} : { resume }),
  };
}

/** What is about this run alone: where it happens, what goes with its task, and what is written of it. */
const once = new Set('directory resume continue image handoff report record json deltas'.split(' '));

/** The options that shape the next run of the session just as well. */
function givenAgain({ options }: Arguments): RunRequest['again'] {
  return [...options].flatMap(([name, values]) =>
    once.has(name) ? [] : values.map((value): RunRequest['again'][number] => [name, value]),
  );
}

function imagesGiven(parsed: Arguments, task: string | undefined): Pick<RunRequest, 'images'> {
  const images = parsed.options.get('image');
  if (images === undefined) return {};
  if (task === undefined) throw new UsageError('--image goes with a task: say what is to be done with it.');
  return { images };
}

function resumeFrom(parsed: Arguments): RunRequest['resume'] {
  const id = valueIn(parsed, 'resume');
  const isContinue = parsed.options.has('continue');
  if (id !== undefined && isContinue) throw new UsageError('--resume and --continue exclude each other.');
  if (id?.trim() === '') throw new UsageError('--resume needs the ID of a session; `reins sessions` lists them.');
  return isContinue ? { latest: true } : id;
}

function recordFrom(parsed: Arguments): Pick<RunRequest, 'record'> {
  const record = valueIn(parsed, 'record');
  if (record?.trim() === '') throw new UsageError('--record needs a folder.');
  return record === undefined ? {} : { record };
}

function reportFrom(parsed: Arguments): Pick<RunRequest, 'report'> {
  const report = valueIn(parsed, 'report');
  if (report?.trim() === '') throw new UsageError('--report needs a file.');
  return report === undefined ? {} : { report };
}

function appendFrom(parsed: Arguments): Pick<RunRequest, 'appendPrompt'> {
  const appendPrompt = valueIn(parsed, 'append-prompt');
  return appendPrompt === undefined ? {} : { appendPrompt };
}

function settingsFrom(parsed: Arguments): RunSettings {
  const model = valueIn(parsed, 'model');
  if (model?.trim() === '') throw new UsageError('--model needs the name of a model.');
  const mode = valueIn(parsed, 'mode');
  const limits = limitsFrom(parsed);
  const onAsk = valueIn(parsed, 'on-ask');
  return {
    ...profileFrom(parsed),
    ...(model === undefined ? {} : { model }),
    ...workFrom(parsed),
    ...styleFrom(parsed),
    ...(mode === undefined ? {} : { mode: oneOf('--mode', mode, modes) }),
    ...proofFrom(parsed),
    ...shapesFrom(parsed, 'allow'),
    ...shapesFrom(parsed, 'deny'),
    ...(onAsk === undefined ? {} : { onAsk: oneOf('--on-ask', onAsk, ['deny', 'wait'] as const) }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}

function styleFrom(parsed: Arguments): Pick<RunSettings, 'style'> {
  const style = valueIn(parsed, 'style');
  if (style?.trim() === '') throw new UsageError('--style needs the name of a style.');
  return style === undefined ? {} : { style };
}

/** How the model is told to work. */
function workFrom(parsed: Arguments): Pick<RunSettings, 'effort' | 'thinking' | 'temperature'> {
  const effort = valueIn(parsed, 'effort');
  const thinking = valueIn(parsed, 'thinking');
  const temperature = valueIn(parsed, 'temperature');
  return {
    ...(effort === undefined ? {} : { effort: oneOf('--effort', effort, efforts) }),
    ...(thinking === undefined ? {} : { thinking: thinkingFrom(thinking) }),
    ...(temperature === undefined ? {} : { temperature: temperatureFrom(temperature) }),
  };
}

/** Tokens: the least that any provider takes. */
const leastBudget = 1024;

function thinkingFrom(value: string): NonNullable<RunSettings['thinking']> {
  if (value === 'off' || value === 'adaptive') return value;
  const budget = /^\d+$/.test(value) ? Number(value) : NaN;
  if (Number.isSafeInteger(budget) && budget >= leastBudget) return budget;
  throw new UsageError(
    `--thinking must be off, adaptive, or a budget of at least ${leastBudget} tokens, not ${JSON.stringify(oneLine(value))}.`,
  );
}

function temperatureFrom(value: string): number {
  const number = /^(\d+(\.\d*)?|\.\d+)$/.test(value) ? Number(value) : NaN;
  if (number >= 0 && number <= 2) return number;
  throw new UsageError(`--temperature must be a number from 0 to 2, not ${JSON.stringify(oneLine(value))}.`);
}

export function shapesFrom(parsed: Arguments, name: 'allow' | 'deny'): Pick<RunSettings, 'allow' | 'deny'> {
  const shapes = parsed.options.get(name);
  if (shapes === undefined) return {};
  if (shapes.some((shape) => shape.trim() === '')) throw new UsageError(`--${name} needs the shape of a call.`);
  return { [name]: shapes };
}

function limitsFrom(parsed: Arguments): Partial<Limits> {
  const limits: Partial<Limits> = {};
  const counts = { 'max-turns': 'turns', 'max-calls': 'calls' } as const;
  for (const [option, name] of Object.entries(counts) as [keyof typeof counts, 'turns' | 'calls'][]) {
    const value = valueIn(parsed, option);
    if (value !== undefined) limits[name] = value === 'none' ? null : wholeNumber(option, value, ', or none');
  }
  const amounts = { 'max-minutes': 'minutes', 'max-cost': 'cost' } as const;
  for (const [option, name] of Object.entries(amounts) as [keyof typeof amounts, 'minutes' | 'cost'][]) {
    const value = valueIn(parsed, option);
    if (value !== undefined) limits[name] = value === 'none' ? null : positiveNumber(option, value);
  }
  const output = valueIn(parsed, 'max-output-tokens');
  if (output !== undefined) limits.outputTokens = wholeNumber('max-output-tokens', output, '');
  return limits;
}

function wholeNumber(option: string, value: string, or: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new UsageError(`--${option} must be a whole number of at least 1${or}, not ${JSON.stringify(oneLine(value))}.`);
}

function positiveNumber(option: string, value: string): number {
  const number = /^(\d+(\.\d*)?|\.\d+)$/.test(value) ? Number(value) : NaN;
  if (Number.isFinite(number) && number > 0) return number;
  throw new UsageError(`--${option} must be a number above 0, or none, not ${JSON.stringify(oneLine(value))}.`);
}

/** The task on standard input, read to its end. */
const readStandardInput = (say: (text: string) => void) => async (): Promise<string> => {
  if (process.stdin.isTTY) say('The task, and Ctrl-D on a line of its own to end it:\n');
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const task = Buffer.concat(chunks).toString('utf8');
  if (task.trim() === '') throw new UsageError('The task on standard input is empty.');
  return task;
};

/** `reins resume`: chooses a session, and goes on with it as `reins run --resume` does. */
import { UsageError, valueIn, type Arguments, type CommandSpec } from '../arguments.ts';
import type { Command } from '../command.ts';
import { pickSession } from '../session-picker.ts';
import { command as run } from './run.ts';

/** The ways of `run` itself to name a session. */
const ownWays = ['resume', 'continue'];

const spec: CommandSpec = {
  name: 'resume',
  summary: 'Go on with a session.',
  usage: ['resume [options] ID ["task"]', 'resume [options] --last ["task"]', 'resume [options]'],
  examples: ['resume --last', 'resume 7a4tjp --max-turns 200', 'resume parser "now the docs"'],
  positionals: 2,
  tooMany: 'The task is one argument: put it in quotation marks, as in reins resume ID "now the docs".',
  options: [
    { name: 'last', about: 'The latest session of this workspace.' },
    ...run.options.filter(({ name }) => !ownWays.includes(name)),
  ],
  notes: [
    'ID is an ID, a part of one that only one session has, or of its title. Without any, on a terminal, you choose from a list.',
    'A session goes on in its own workspace. Without a task it goes on with what is there: with a raised limit, say.',
    'Everything else is as with `reins run`.',
  ],
};

export const command: Command = {
  ...spec,
  async run(parsed, context) {
    const { which, task } = await chosen(parsed, context.output);
    if ('latest' in which) return run.run(asRun(parsed, task, [['continue', '']]), context);
    const { describeSession } = await import('../../../harness/index.ts');
    const { id, workspace } = describeSession(undefined, which.id);
    const place: [string, string][] =
      parsed.options.has('directory') || workspace === '' ? [] : [['directory', workspace]];
    return run.run(asRun(parsed, task, [['resume', id], ...place]), context);
  },
};

type Chosen = { which: { id: string } | { latest: true }; task: string | undefined };

async function chosen(parsed: Arguments, output: Parameters<typeof pickSession>[1]): Promise<Chosen> {
  const [first, second] = parsed.positionals;
  if (parsed.options.has('last')) {
    if (second !== undefined) throw new UsageError('An ID and --last exclude each other.');
    return { which: { latest: true }, task: first };
  }
  if (first !== undefined) return { which: { id: first }, task: second };
  const picked = await pickSession(valueIn(parsed, 'directory') ?? process.cwd(), output);
  if (picked === undefined) throw new UsageError('Which session? Give an ID, or --last; `reins sessions` lists them.');
  return { which: { id: picked }, task: undefined };
}

/** What `run` would have been given. */
function asRun(parsed: Arguments, task: string | undefined, given: readonly [string, string][]): Arguments {
  const options = new Map([...parsed.options].filter(([name]) => name !== 'last'));
  for (const [name, value] of given) options.set(name, [value]);
  return { ...parsed, options, positionals: task === undefined ? [] : [task] };
}

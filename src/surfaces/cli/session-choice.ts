/** What the commands share that change a session back: which session, which turn, and what to do where others changed the same. */
import { realpathSync } from 'node:fs';
import type { Point } from '../../harness/index.ts';
import { UsageError, valueIn, type Arguments, type OptionSpec } from './arguments.ts';

export const sessionOptions: readonly OptionSpec[] = [
  {
    name: 'directory',
    short: 'C',
    value: 'DIR',
    about: 'The latest session of this workspace; the current folder by default.',
  },
];

export const overwriteOption: OptionSpec = {
  name: 'overwrite',
  value: 'PATH',
  many: true,
  about: 'Take this path back although others changed the same lines; redo brings their change back.',
};

/** The session that is named, or the latest of a workspace. */
export function whichSession(parsed: Arguments): string | { latest: string } {
  const [id] = parsed.positionals;
  const directory = valueIn(parsed, 'directory');
  if (id !== undefined && directory !== undefined) throw new UsageError('A session and -C can’t be given together.');
  return id ?? { latest: realPath(directory ?? process.cwd()) };
}

export const continueOptions: readonly OptionSpec[] = [
  { name: 'continue', about: 'The latest session of this workspace.' },
  {
    name: 'directory',
    short: 'C',
    value: 'DIR',
    about: 'With --continue: the workspace; the current folder by default.',
  },
];

/** The session that is named, or with --continue the latest of a workspace: for what isn't to happen to a session by chance. */
export function namedSession(parsed: Arguments): string | { latest: string } {
  const [id] = parsed.positionals;
  const isContinue = parsed.options.has('continue');
  if (id !== undefined && isContinue) throw new UsageError('An ID and --continue exclude each other.');
  if (id !== undefined) return id;
  if (!isContinue) throw new UsageError('Which session? Give an ID, or --continue for the latest of this workspace.');
  return { latest: realPath(valueIn(parsed, 'directory') ?? process.cwd()) };
}

/** Sessions are recorded by the real path of their workspace; one that is gone is only its name. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

export function turnIn(parsed: Arguments, name: string): number | undefined {
  const value = valueIn(parsed, name);
  if (value === undefined) return undefined;
  const turn = Number(value);
  if (!Number.isSafeInteger(turn) || turn < 1) throw new UsageError(`--${name} takes a whole number of at least 1.`);
  return turn;
}

export function overwrites(parsed: Arguments): (path: string) => boolean {
  const paths = new Set(parsed.options.get('overwrite'));
  return (path) => paths.has(path);
}

export const pointOptions: readonly OptionSpec[] = [
  {
    name: 'at',
    value: 'EVENT',
    about: 'After this event; `reins tree ID` shows them, the beginning of its id will do.',
  },
  { name: 'turn', value: 'N', about: 'Before this turn.' },
];

/** The point that is named; undefined for where the session stands. */
export function pointIn(parsed: Arguments): Point | undefined {
  const event = valueIn(parsed, 'at');
  const turn = turnIn(parsed, 'turn');
  if (event !== undefined && turn !== undefined) throw new UsageError('--at and --turn exclude each other.');
  if (event !== undefined) return { event };
  return turn === undefined ? undefined : { turn };
}

/** What the commands of a conversation do. Each gives lines for the person. */
import type { Limits, RunSettings } from '../../../harness/index.ts';
import { oneOf, UsageError } from '../arguments.ts';
import { clip, oneLine, printable } from '../printable.ts';
import { clockTime, compactionText, costLines, undoLines } from '../render/index.ts';
import type { HeldSession } from './held-session.ts';
import { helpLines, type CommandName } from './typed.ts';

type Mode = NonNullable<RunSettings['mode']>;

export interface Desk {
  held: HeldSession;
  workspace: string;
  modes: readonly Mode[];
  /** A run works: what changes then is for the next one. */
  works: boolean;
  /** Columns of the terminal. */
  width: number;
  /** Says something to the model. */
  say: (text: string, from: 'user' | 'follow-up') => Promise<void>;
  /** Writes to standard output. */
  answer: (text: string) => void;
  /** Lets the conversation end. */
  quit: () => void;
}

type Deed = (desk: Desk, argument: string) => Promise<string[]>;

const nothingYet = 'Nothing was asked yet.';
const sessionsShown = 10;

export const deeds: { readonly [name in CommandName]: Deed } = {
  later: async ({ say, works }, argument) => {
    if (argument === '') throw new UsageError('What is to be said later? /later TEXT.');
    await say(argument, works ? 'follow-up' : 'user');
    return [];
  },
  undo,
  diff,
  cost: async ({ held }) => {
    if (held.id === undefined) return [nothingYet];
    const session = await held.reach();
    return costLines(await session.report(), session.view.setup?.limits);
  },
  compact: async ({ held }, argument) => {
    if (held.id === undefined) return [nothingYet];
    const done = await (await held.take()).compact(argument === '' ? undefined : argument);
    return [done === undefined ? 'Nothing would be gained: it is short already.' : compactionText(done)];
  },
  plan: (desk) => changeMode(desk, 'plan'),
  mode: async (desk, argument) => {
    if (argument !== '') return changeMode(desk, oneOf('The mode', argument, desk.modes));
    return [`mode ${modeOf(desk) ?? 'of the settings'}; there are ${desk.modes.join(', ')}`];
  },
  model: async ({ held }, argument) => {
    if (argument !== '') await held.switchModel(argument);
    const { setup } = (await held.reach()).view;
    return [oneLine(`model ${setup?.provider}/${setup?.model}`)];
  },
  limit: changeLimit,
  resume,
  help: () => Promise.resolve(helpLines()),
  quit: ({ quit }) => {
    quit();
    return Promise.resolve([]);
  },
};

/** The session is let go of meanwhile: an undo holds it itself. */
async function undo({ held }: Desk, argument: string): Promise<string[]> {
  const turns = argument === '' ? undefined : Number(argument);
  if (turns !== undefined && !(Number.isSafeInteger(turns) && turns > 0)) {
    throw new UsageError('/undo takes a number of turns.');
  }
  await held.close();
  if (held.id === undefined) return [nothingYet];
  const { undoSession } = await import('../../../harness/index.ts');
  const report = await undoSession(undefined, held.id, turns === undefined ? {} : { turns });
  return undoLines(report, 'taken back');
}

async function diff({ held, answer }: Desk): Promise<string[]> {
  if (held.id === undefined) return [nothingYet];
  const { sessionDiff } = await import('../../../harness/index.ts');
  const { patch, left } = await sessionDiff(undefined, held.id);
  if (patch.length > 0) answer(printable(patch.toString('utf8')));
  const none = patch.length === 0 ? ['The session has changed nothing that stands.'] : [];
  return [...none, ...left.map(({ path, why }) => `not whole: ${oneLine(path)} (${oneLine(why)})`)];
}

async function changeMode(desk: Desk, mode: Mode): Promise<string[]> {
  if (modeOf(desk) === mode) return [`It is mode ${mode} already.`];
  return changed(desk, { mode }, `mode ${mode}`);
}

function modeOf({ held }: Desk): Mode | undefined {
  return held.settings.mode ?? held.current?.view.setup?.mode;
}

function changeLimit(desk: Desk, argument: string): Promise<string[]> {
  const [name = '', value = '', ...more] = argument.split(/\s+/);
  if (value === '' || more.length > 0)
    throw new UsageError('It is /limit NAME VALUE: /limit turns 200, /limit cost none.');
  const limit = oneOf('A limit', name, ['turns', 'calls', 'minutes', 'cost'] as const);
  const limits: Partial<Limits> = { ...desk.held.settings.limits, [limit]: amount(limit, value) };
  return changed(desk, { limits }, `limit of ${limit}: ${value}`);
}

function amount(limit: 'turns' | 'calls' | 'minutes' | 'cost', value: string): number | null {
  if (value === 'none') return null;
  const isWhole = limit === 'turns' || limit === 'calls';
  const number = /^(\d+(\.\d*)?|\.\d+)$/.test(value) ? Number(value) : NaN;
  if (number > 0 && (!isWhole || Number.isSafeInteger(number))) return number;
  throw new UsageError(`A limit of ${limit} is a ${isWhole ? 'whole number' : 'number'} above 0, or none.`);
}

/** At once where nothing runs, so that what can't be is said now. */
async function changed({ held, works }: Desk, settings: Partial<RunSettings>, what: string): Promise<string[]> {
  const { settings: before } = held;
  held.change(settings);
  if (works) return [`${what}, from the next run on`];
  await held.take().catch((error: unknown) => {
    held.change(before);
    throw error;
  });
  return [what];
}

async function resume({ held, workspace, width }: Desk, argument: string): Promise<string[]> {
  const { describeSession, listSessions } = await import('../../../harness/index.ts');
  if (argument !== '') {
    const session = await held.go(describeSession(undefined, argument).id);
    return [`It goes on with session ${session.id}.`];
  }
  const own = (await listSessions()).filter((session) => session.workspace === workspace && session.id !== held.id);
  const shown = own.toSorted((a, b) => b.lastAt - a.lastAt).slice(0, sessionsShown);
  if (shown.length === 0) return ['There is no other session of this workspace.'];
  return shown.map(({ id, lastAt, state, title }) =>
    clip(oneLine(`${clockTime(lastAt)}  ${id}  ${state}  ${title}`), width),
  );
}

/** The joint between instruction files and what they need: the hands, the settings, the screening of content. */
import { realpathSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { LoadedSettings } from '../config/index.ts';
import {
  loadInstructions,
  type Instructions,
  type LeftOut,
  type Place,
  type ReadableFolder,
} from '../context/index.ts';
import type { Draft, EventData, SetupInstructions, View } from '../core/index.ts';
import { createFiles, isWithin, type Git } from '../exec/index.ts';
import { loadContent, type Redactor } from '../safety/index.ts';
import { shownAsData } from '../tools/index.ts';

interface InstructionParts {
  loaded: LoadedSettings;
  /** The real path of the workspace. */
  workspace: string;
  git: Pick<Git, 'topLevel'>;
  /** Tokens of the model's context window. */
  window: number;
  secrets: Pick<Redactor, 'redact'>;
}

/** The instruction files of a session in the workspace; undefined where the settings want none. */
async function instructionsFor({
  loaded,
  workspace,
  git,
  window,
  secrets,
}: InstructionParts): Promise<Instructions | undefined> {
  const { settings, places } = loaded;
  const { enabled, names } = settings.instructions;
  if (!enabled) return undefined;
  const { Instructions } = await loadInstructions();
  const root = rootOf(workspace, git);
  const start = [...ownPlaces(places), ...projectPlaces(workspace, root, places.state)];
  const screening = {
    // What is quoted of it is in lower case, in which no secret would be known any more.
    suspicions: async (text: string) => (await loadContent()).suspicionsIn(secrets.redact(text)),
    show: shownAsData,
  };
  return new Instructions({
    start,
    bytes: Math.min(settings.instructions.bytes, room(window)),
    names,
    workspace,
    root,
    home: places.home,
    screening,
  });
}

/** Bytes that fill a quarter of a window, at three bytes a token: a small one is for the work. */
const room = (window: number): number => Math.floor((window / 4) * 3);

/** The user's own: what they link to or import may lie anywhere in the home folder. */
function ownPlaces({ settings, home, state }: LoadedSettings['places']): Place[] {
  const folder = realPath(dirname(settings));
  if (folder === undefined) return [];
  const own = realPath(home) ?? home;
  return [{ folder, of: 'user', within: readable(isWithin(folder, own) ? own : folder, state) }];
}

function rootOf(workspace: string, git: Pick<Git, 'topLevel'>): string {
  const top = git.topLevel() ?? workspace;
  // Whoever made a repository above a folder of somebody else's doesn't speak to them.
  return isWithin(workspace, top) && ownerOf(top) === ownerOf(workspace) ? top : workspace;
}

/** From the top of the repository down to the workspace. */
function projectPlaces(workspace: string, root: string, state: string): Place[] {
  const within = readable(root, state);
  const steps = relative(root, workspace)
    .split('/')
    .filter((step) => step !== '');
  const folders = [root, ...steps.map((_, at) => join(root, ...steps.slice(0, at + 1)))];
  return folders.map((folder) => ({ folder, of: 'project', within }));
}

function readable(folder: string, state: string): ReadableFolder {
  const files = createFiles({ workspace: folder, hidden: [state] });
  return {
    async read(path) {
      const real = await files.resolve(path, 'read');
      return typeof real === 'string' ? files.read(real) : real;
    },
    async list(path) {
      const real = await files.resolve(path, 'read');
      return typeof real === 'string' ? files.list(real).catch(() => []) : [];
    },
    stamp: stampOf,
  };
}

function stampOf(path: string): string | undefined {
  try {
    const status = statSync(path, { bigint: true, throwIfNoEntry: false });
    return status && `${status.ino} ${status.ctimeNs} ${status.size}`;
  } catch {
    return undefined; // What we may not look at isn't there for us.
  }
}

const ownerOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.uid;

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // There is no such folder.
  }
}

/** What a session has of instruction files; nothing where the settings want none. */
export interface SessionInstructions {
  /** The layer of the prompt, and what the setup says of it. */
  layer?: string;
  setup?: SetupInstructions;
  notices: EventData['notice'][];
  /** What is to be recorded of them before a request. */
  news?: (view: View) => Promise<Draft[]>;
}

export async function sessionInstructions(
  parts: InstructionParts,
  view: Pick<View, 'transcript'>,
): Promise<SessionInstructions> {
  const instructions = await instructionsFor(parts);
  if (instructions === undefined) return { notices: [] };
  const { leftOut, ...standing } = await instructions.standing(view);
  return { ...standing, notices: leftOutNotices(leftOut), news: newsOf(instructions, leftOut) };
}

/** The notice of a file that was left out or cut. */
export const leftOutCode = 'instructions-left-out';

/** What a person should know of files that were left out or cut. */
function leftOutNotices(leftOut: readonly LeftOut[]): EventData['notice'][] {
  return leftOut
    .filter(({ told }) => told === true)
    .map(({ path, why }) => ({
      code: leftOutCode,
      level: 'warning',
      text: `Instructions of ${path} don’t reach the model as they are: ${why}.`,
      data: { path, why },
    }));
}

/** Each thing that a person should know is told once. */
function newsOf(instructions: Instructions, before: readonly LeftOut[]): (view: View) => Promise<Draft[]> {
  const known = new Set(before.map(keyOf));
  return async (view) => {
    const { told, changed, leftOut } = await instructions.news(view);
    const fresh = leftOut.filter((each) => !known.has(keyOf(each)));
    for (const each of fresh) known.add(keyOf(each));
    const notices = [...changedNotice(changed), ...leftOutNotices(fresh)];
    return [
      ...(told === undefined ? [] : [{ kind: 'instructions' as const, data: told }]),
      ...notices.map((data) => ({ kind: 'notice' as const, data })),
    ];
  };
}

const keyOf = ({ path, why }: LeftOut): string => `${path}: ${why}`;

function changedNotice(paths: readonly string[]): EventData['notice'][] {
  if (paths.length === 0) return [];
  const text = `Instruction files changed while the session goes on (${paths.join(', ')}); the model is told.`;
  return [{ code: 'instructions-changed', level: 'info', text, data: { paths: [...paths] } }];
}

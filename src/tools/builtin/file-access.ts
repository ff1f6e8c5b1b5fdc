/** What the file tools share: which path a call means, what is there, and what to say when there is nothing. */
import { basename, dirname } from 'node:path';
import type { CallOutcome, Effect } from '../../core/index.ts';
import type { Effects, FileState, Files } from '../needs.ts';
import { failed, isRefusal } from '../outcome.ts';
import type { AnalysisContext } from '../tool.ts';
import { count, headOf, nearestFirst, visible } from '../text/index.ts';

const namesShown = 5;
const entriesShown = 200;
/** Characters of a path that can't be one. */
const pathShown = 300;

/** A path as the call names it. */
function shownPath(path: string): string {
  if (path.trim() === '') return JSON.stringify(path);
  return path.length <= pathShown ? visible(path) : `${visible(headOf(path, pathShown))}...`;
}

/** The effects of a call on one file. A path that leads outside, or nowhere by a loop of links, is refused before it runs. */
export async function effectsOnFile(path: string, effects: Effect[], { files }: AnalysisContext): Promise<Effects> {
  const access = effects.includes('write') ? 'write' : 'read';
  if (path.includes('\0')) return { effects, resources: [], refused: 'a path can’t hold a NUL character' };
  const real = await files.resolve(path, access);
  if (isRefusal(real)) return { effects, resources: [], refused: `${shownPath(path)}: ${real.refused}` };
  return { effects, resources: [{ access, path: real }] };
}

export interface Found {
  /** Real path, and the path as people write it. */
  real: string;
  name: string;
  /** Null where there is no file. */
  state: FileState | null;
}

/** What stands at the path now, or the error result that says why it can't be told. */
export async function find(
  path: string,
  access: 'read' | 'write',
  { files }: AnalysisContext,
): Promise<Found | CallOutcome> {
  const real = await files.resolve(path, access);
  if (isRefusal(real)) return failed(`${shownPath(path)}: ${real.refused}.`);
  const name = visible(files.display(real));
  const state = await files.read(real);
  if (!isRefusal(state)) return { real, name, state };
  const entries = await entriesOf(files, real);
  if (entries === undefined) return failed(`${name}: ${state.refused}.`);
  return failed(folderText(name, entries));
}

/** The names in a folder; undefined where there is no folder, which is all that a failure to list it can mean here. */
async function entriesOf(files: Files, real: string): Promise<string[] | undefined> {
  return files.list(real).catch(() => undefined);
}

function folderText(name: string, entries: string[]): string {
  if (entries.length === 0) return `${name} is a folder, and nothing is in it.`;
  const shown = entries.toSorted().slice(0, entriesShown).map(visible).join('\n');
  const more = entries.length > entriesShown ? `\n[${count(entries.length - entriesShown, 'more name')}]` : '';
  return `${name} is a folder, not a file. In it:\n${shown}${more}`;
}

/** The error for a file that isn't there, with the nearest names beside it. */
export async function missing({ real, name }: Found, { files }: AnalysisContext): Promise<CallOutcome> {
  const names = await entriesOf(files, dirname(real));
  if (names === undefined) return failed(`There is no ${name}, nor the folder that it would be in.`);
  if (names.length === 0) return failed(`There is no ${name}; its folder is empty.`);
  const nearest = nearestFirst(names, basename(real)).slice(0, namesShown).map(visible);
  return failed(`There is no ${name}. The nearest names in that folder: ${nearest.join(', ')}.`);
}

/** What is wrong with an argument whose name a tool doesn't know, as a part of a sentence; undefined where it knows them all. */
export function unknownArgument(args: object, known: readonly string[]): string | undefined {
  const name = Object.keys(args).find((key) => !known.includes(key));
  if (name === undefined) return undefined;
  return `${visible(name)}: unknown; known are, nearest first, ${nearestFirst(known, name).join(', ')}`;
}

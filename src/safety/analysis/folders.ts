/** Where `cd` and its like lead. */
import { normalize } from 'node:path/posix';
import type { Word } from '../programs/index.ts';
import type { Scope } from './scope.ts';
import type { Work } from './work.ts';

/** `cd`, `pushd` and `popd` with these arguments. */
export async function changeFolder(work: Work, program: string, words: readonly Word[], scope: Scope): Promise<void> {
  const before = scope.clone();
  const target = program === 'popd' ? (scope.earlierFolders.at(-1) ?? null) : targetOf(program, words, scope, work);
  if (program === 'popd') scope.earlierFolders.pop();
  else scope.earlierFolders.push(scope.folder);
  if (target === null || (program !== 'cd' && words.some(({ text }) => text?.startsWith('-') ?? true))) {
    scope.folder = null;
    scope.realFolder = null;
    return;
  }
  const isPhysical = words.some(({ text }) => text === '-P');
  const real = await work.options.realPath(isPhysical ? target : normalize(target));
  scope.realFolder = real;
  scope.folder = isPhysical ? real : withoutSlash(normalize(target));
  // Where there is no such folder yet, it may fail.
  if (!(await work.options.isFolder(real))) scope.addAlternative(before);
}

function targetOf(program: string, words: readonly Word[], scope: Scope, { options }: Work): string | null {
  const rest = words.filter(({ text }) => text === null || !/^-[LPe@]+$|^--$/.test(text));
  const [only, ...others] = rest;
  if (others.length > 0) return null;
  if (only === undefined) {
    // Alone, it goes to the place that it was at before, of which only `cd -` and `popd` are followed.
    if (program === 'pushd') return null;
    const home = scope.variables.get('HOME');
    return home === undefined ? options.place.home : home.text;
  }
  if (only.text === null || only.isPattern === true) return null;
  if (only.text === '-') return scope.earlierFolders.at(-1) ?? null;
  if (only.text === '') return scope.folder;
  if (only.text.startsWith('/')) return only.text;
  // A search path for folders is another way to another place.
  if (scope.variables.has('CDPATH') || scope.folder === null) return null;
  return `${scope.folder}/${only.text}`;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

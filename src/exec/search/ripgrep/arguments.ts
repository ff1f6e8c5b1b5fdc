/** What ripgrep is told, as options. */
import type { NameGlobs, Place, Query } from '../engine.ts';

/** The name of a file type that stands for the globs of one search. */
const typeName = 'reins';

/**
 * `sparing`: files are mapped into memory instead of being read, one after the other. That is slower, and takes next to no memory,
 * however long a line is and however much is printed of one file.
 */
export type Reading = 'fast' | 'sparing';

/** What every run has in common. The user's own settings and ignore files don't count: the answer is the same on every machine. */
function base(reading: Reading): string[] {
  return [
    '--no-config',
    '--color=never',
    '--no-heading',
    '--null',
    '--no-ignore-messages',
    ...(reading === 'sparing' ? ['--mmap', '--threads=1'] : ['--no-mmap']),
  ];
}

/** Which files: hidden ones too, never what is in a `.git`. */
export function walking(place: Place, names: NameGlobs | undefined): string[] {
  return [
    '--hidden',
    '--no-ignore-global',
    '--glob=!.git',
    ...(place.inRepository ? [] : ['--no-require-git']),
    ...(names ?? []).map((name) => `--type-add=${typeName}:${name}`),
    ...(names === undefined ? [] : [`--type=${typeName}`]),
  ];
}

/** What is looked for. */
export function looking({ pattern, ignoreCase, crlf, multiline }: Query, reading: Reading): string[] {
  return [
    ...base(reading),
    '--with-filename',
    ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...(crlf ? ['--crlf'] : []),
    ...(multiline ? ['--multiline'] : []),
    `--regexp=${pattern}`,
  ];
}

export function listing(): string[] {
  return [...base('fast'), '--files'];
}

/** The paths at the end: the folder, the one file, or some files. */
export function at(paths: readonly string[]): string[] {
  return ['--', ...paths.map((path) => `./${path}`)];
}

/** All that an analysis tells of a line, as short texts. */
import type { CommandAnalysis, CommandPart, GuessedPath, TouchedPath } from '../../../src/core/index.ts';
import type { Findings } from '../../../src/safety/programs/index.ts';

/** A text for each part, and for what can’t be told apart. */
export function inFull({ parts, unclear }: CommandAnalysis): string[] {
  return [...parts.map(partInFull), ...(unclear === undefined ? [] : [`unclear: ${unclear}`])];
}

/**
 * `words | effects | paths | paths that it may be | hosts | where it stands | what feeds it | whose output it runs | why it can’t be
 * told`; what is as ever is left out.
 */
function partInFull(part: CommandPart): string {
  const { text, words, effects, paths, guesses = [], hosts, inside, pipedFrom, codeFrom = [], reason } = part;
  return [
    words.map((word) => (word === null ? '?' : shown(word))).join(' ') || `(${text})`,
    effects.join() === 'read' ? undefined : effects.join(' ') || 'nothing',
    pathsInFull(paths),
    guesses.length === 0 ? undefined : `may ${guesses.map(guessInFull).join(', ')}`,
    hosts.map((host) => `@${host}`).join(' '),
    inside.length === 0 ? undefined : `in ${inside.join(' > ')}`,
    pipedFrom === undefined ? undefined : `from ${pipedFrom}`,
    codeFrom.length === 0 ? undefined : `runs what ${codeFrom.join(', ')} gives`,
    effects.includes('cannot-tell') ? reason : undefined,
  ]
    .filter((each) => each !== undefined && each !== '')
    .join(' | ');
}

/** All that the table of programs tells of a command: `effects | paths | hosts | what it runs | scripts | why it can’t be told`. */
export function foundInFull({ effects, paths, hosts, runs, scripts, reason }: Findings): string {
  return [
    effects.join(' '),
    pathsInFull(paths),
    hosts.map((host) => `@${host}`).join(' '),
    ...runs.map(({ words, as, folder }) => `${as}${folderInFull(folder)} runs ${words.map(wordInFull).join(' ')}`),
    ...scripts.map(({ text, as, folder, given = [] }) =>
      [`${as}${folderInFull(folder)} runs the line ${text ?? '?'}`, ...given.map(wordInFull)].join(' with '),
    ),
    effects.includes('cannot-tell') ? reason : undefined,
  ]
    .filter((each) => each !== undefined && each !== '')
    .join(' | ');
}

/** A word that can’t be told, with what it begins with. */
function wordInFull({ text, prefix = '' }: Findings['runs'][number]['words'][number]): string {
  return text === null ? `${prefix}?` : shown(text);
}

function folderInFull(folder: string | null | undefined): string {
  return folder === undefined ? '' : ` in ${folder ?? '?'}`;
}

function pathsInFull(paths: readonly TouchedPath[]): string {
  return paths.map(({ access, path, recursive }) => `${access} ${path}${recursive === true ? '/**' : ''}`).join(', ');
}

function guessInFull(guess: GuessedPath): string {
  return `${pathsInFull([guess])}${guess.because === 'empty' ? ' if empty' : ''}`;
}

function shown(word: string): string {
  return /^[\w./:=%@+-]+$/.test(word) ? word : `‘${word}’`;
}

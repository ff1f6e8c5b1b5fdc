/** What was found, as people read it. */
import type { Ended, FileLines, LineRecord, Trouble } from './engine.ts';
import { shownPath, textOf as textOfPath } from './paths-as-bytes.ts';

/** A line with the text that is shown of it. */
export type ShownRecord = LineRecord & { text: string };
export type ShownFile = Omit<FileLines, 'records'> & { records: ShownRecord[] };

/** A path as people read it; `prefix` leads from the workspace to the folder that was searched. */
export function displayPath(prefix: string, path: string): string {
  return shownPath(prefix + textOfPath(path));
}

/** The lines of all files. With `separated`, lines that don't follow each other have `--` between them. */
export function linesOf(files: readonly ShownFile[], prefix: string, separated: boolean): string[] {
  const lines: string[] = [];
  for (const { path, binary, records } of files) {
    const name = displayPath(prefix, path);
    if (binary) lines.push(...gap(lines, separated), binaryNote(name));
    let last: number | undefined;
    for (const { line, matched, text } of records) {
      if (line - 1 !== last) lines.push(...gap(lines, separated));
      last = line;
      const sign = matched ? ':' : '-';
      lines.push(`${name}${sign}${line}${sign}${text}`);
    }
  }
  return lines;
}

function gap(lines: readonly string[], separated: boolean): string[] {
  return separated && lines.length > 0 ? ['--'] : [];
}

export function binaryNote(name: string): string {
  return `${name}: binary file matches`;
}

/** Troubles that are named; more are counted. */
const namedTroubles = 3;

const reasons: { readonly [why: string]: string } = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EIO: 'the disk reports an error',
  ENAMETOOLONG: 'its path is too long',
  'too-large': 'too large to be searched without ripgrep',
  'too-hard': 'the pattern is too hard for it without ripgrep',
};

/** Why the answer isn't all; undefined when it is. */
export function incompleteness(ends: readonly Ended[], prefix: string, seconds: number): string | undefined {
  const halt = ends.find((end) => end.halt !== undefined)?.halt;
  const parts = [
    ...(halt === 'time' ? [`stopped after ${seconds} s`] : []),
    ...(halt === 'memory' ? ['stopped: it took too much memory'] : []),
    ...troubleText(
      ends.flatMap(({ troubles }) => troubles),
      prefix,
    ),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

function troubleText(troubles: readonly Trouble[], prefix: string): string[] {
  const byPlace = new Map(troubles.map(({ path, why }) => [displayPath(prefix, path) || '.', reasons[why] ?? why]));
  if (byPlace.size === 0) return [];
  const all = [...byPlace].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const named = all.slice(0, namedTroubles).map(([place, why]) => `${place} (${why})`);
  const more = all.length > named.length ? ` and ${all.length - named.length} more` : '';
  return [`can’t be looked at: ${named.join(', ')}${more}`];
}

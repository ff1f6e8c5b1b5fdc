/** A report as a file: whole or not at all, and nothing in it that a terminal would obey. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunReport } from '../types.ts';
import type { FileLines } from './files.ts';

const fileOf = (folder: string): string => join(folder, 'report.json');

/** The files that the last report of a session says were created: what a command makes is seen while the run works, not in its log. */
export function createdBefore(folder: string): FileLines[] {
  try {
    const { changed } = JSON.parse(readFileSync(fileOf(folder), 'utf8')) as Pick<RunReport, 'changed'>;
    return changed.flatMap(({ path, change }) => (change === 'created' ? [{ path, created: true as const }] : []));
  } catch {
    return []; // No run has ended, or somebody has changed it: then a file counts as modified.
  }
}

/** Gives the path. Throws what the file system says. */
export function writeReport(folder: string, report: RunReport): string {
  const file = fileOf(folder);
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${escaped(JSON.stringify(report, null, 2))}\n`, { mode: 0o600 });
  renameSync(temporary, file);
  return file;
}

/** JSON escapes what is below a blank; the rest that moves a cursor or reorders text is escaped here: the same value in other bytes. */
function escaped(json: string): string {
  return json.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

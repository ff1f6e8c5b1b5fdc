/** The folder of a recording: one file a cassette, named by its number. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ReinsError, systemReason } from '../../core/index.ts';
import { isUnreadable, parseCassette, type Cassette } from './cassette.ts';

const digits = 4;

export function fileOf(number: number): string {
  return `${String(number).padStart(digits, '0')}.json`;
}

/** The number of a cassette by the name of its file; undefined for any other file. */
export function numberIn(name: string): number | undefined {
  const number = /^(\d{4,9})\.json$/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** The cassettes of a folder by their numbers. Rejects with `cassette-invalid` for a folder without any and for a file that is none. */
export async function readRecording(folder: string): Promise<Cassette[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw invalid(folder, systemReason(error), error);
  });
  const numbered = names.flatMap((name) => {
    const number = numberIn(name);
    return number === undefined ? [] : [{ name, number }];
  });
  if (numbered.length === 0) throw invalid(folder, 'there are no cassettes in it');
  const cassettes: Cassette[] = [];
  for (const { name } of numbered.toSorted((a, b) => a.number - b.number)) {
    const file = join(folder, name);
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      throw invalid(file, systemReason(error), error);
    });
    const cassette = parseCassette(text);
    if (isUnreadable(cassette)) throw invalid(file, cassette.wrong);
    cassettes.push(cassette);
  }
  return cassettes;
}

function invalid(path: string, why: string, cause?: unknown): ReinsError {
  return new ReinsError('cassette-invalid', `${path}: ${why}.`, { cause });
}

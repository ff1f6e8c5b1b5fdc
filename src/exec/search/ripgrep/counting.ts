/** Which files match and how often, as ripgrep prints it. */
import type { BytePath, Counted, CountOptions, Query } from '../engine.ts';
import { NameReader, RecordReader } from './records.ts';

/** One way to learn it: the options for it, and what reads the output. */
export interface Counting {
  arguments: string[];
  take(chunk: Buffer): boolean;
  end(): Counted[];
}

function fileNames(): Counting {
  const files: Counted[] = [];
  const reader = new NameReader((path) => files.push({ path, count: 1 }));
  return { arguments: ['--files-with-matches'], take: (chunk) => reader.take(chunk), end: () => files };
}

function lineCounts(): Counting {
  const files: Counted[] = [];
  const record = (path: BytePath, rest: Buffer): boolean => {
    files.push({ path, count: Number(rest.toString('latin1')) });
    return true;
  };
  const reader = new RecordReader({ record });
  return { arguments: ['--count'], take: (chunk) => reader.take(chunk), end: () => files };
}

/**
 * Where a match may span lines, ripgrep counts matches; here lines are counted, by printing next to nothing of each. This also
 * tells which files are binary.
 */
function printedLines(): Counting {
  const files = new Map<BytePath, Counted>();
  const fileOf = (path: BytePath): Counted => {
    const known = files.get(path);
    if (known !== undefined) return known;
    const file: Counted = { path, count: 0, binary: false };
    files.set(path, file);
    return file;
  };
  const reader = new RecordReader({
    record: (path) => {
      fileOf(path).count += 1;
      return true;
    },
    binary: (path) => {
      fileOf(path).binary = true;
    },
  });
  return {
    arguments: ['--line-number', '--max-columns=1'],
    take: (chunk) => reader.take(chunk),
    end: () => {
      reader.end();
      return [...files.values()];
    },
  };
}

/** `oneFile`: a file that is named, which ripgrep searches even if it is binary. */
export function countingFor(query: Query, { filesOnly, withoutBinary }: CountOptions, oneFile: boolean): Counting {
  const counting = filesOnly ? fileNames() : query.multiline || oneFile ? printedLines() : lineCounts();
  return withoutBinary ? counting : { ...counting, arguments: [...counting.arguments, '--binary'] };
}

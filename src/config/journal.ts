/**
 * Small records in the user's state folder: one JSON object a line, appended with a single write, so that processes side by side
 * lose nothing of each other and one that dies leaves at most a line that doesn't count.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ReinsError, type JsonObject } from '../core/index.ts';

/** The file of a workspace (by its real path) among the records of one kind. */
export function journalFile(state: string, kind: 'trust' | 'grants' | 'memory', workspace: string): string {
  return join(state, kind, `${createHash('sha256').update(workspace).digest('hex')}.jsonl`);
}

/** The files of all workspaces with records of one kind. */
export function journalsOf(state: string, kind: 'trust' | 'grants'): string[] {
  const folder = join(state, kind);
  try {
    return readdirSync(folder)
      .filter((name) => /^[0-9a-f]{64}\.jsonl$/.test(name))
      .toSorted()
      .map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new ReinsError('state-unwritable', `${folder} can’t be read (${reason(error)}).`, { cause: error });
  }
}

/** Times that a record is written to a file that is replaced meanwhile; some file systems name a file anew each time. */
const mostTries = 3;

export function appendRecord(file: string, record: JsonObject, tries = mostTries): void {
  let isReplaced = false;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const handle = openSync(
      file,
      constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK,
      0o600,
    );
    try {
      if (!fstatSync(handle).isFile()) throw new Error('it is not a regular file');
      // The line break before the record ends the torn line of a process that died while it wrote.
      const line = Buffer.from(`\n${JSON.stringify(record)}\n`);
      const written = writeSync(handle, line);
      if (written !== line.length) throw new Error(`only ${written} of ${line.length} bytes were written`);
      fsyncSync(handle);
      isReplaced = statSync(file, { throwIfNoEntry: false })?.ino !== fstatSync(handle).ino;
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new ReinsError('state-unwritable', `${file} can’t be written (${reason(error)}).`, { cause: error });
  }
  // Whoever shortened the file meanwhile may not have seen this line: a record that stands twice counts once, by its id.
  if (isReplaced && tries > 1) appendRecord(file, record, tries - 1);
}

export interface Journal {
  records: JsonObject[];
  /** Why records don't count, in words. */
  problem?: string;
}

/** Records that someone else could have written don't count: file and folder must be the user's own, writable for nobody else. */
export function readRecords(file: string): Journal {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { records: [] };
    return { records: [], problem: `${file} can’t be opened (${reason(error)}) and doesn’t count.` };
  }
  try {
    const problem = whyForeign(file, handle);
    if (problem !== undefined) return { records: [], problem };
    return parseRecords(readFileSync(handle, 'utf8'), file);
  } catch (error) {
    return { records: [], problem: `${file} can’t be read (${reason(error)}) and doesn’t count.` };
  } finally {
    closeSync(handle);
  }
}

/** Why what stands in an open file is not the user's own word. */
export function whyForeign(file: string, handle: number): string | undefined {
  const status = fstatSync(handle);
  if (!status.isFile()) return `${file} is not a regular file and doesn’t count.`;
  const folder = dirname(file);
  for (const [path, { uid, mode }] of [
    [folder, statSync(folder)],
    [file, status],
  ] as const) {
    const isForeign = uid !== process.getuid?.() || (mode & 0o022) !== 0;
    if (isForeign) return `${path} can be written by others, so ${file} doesn’t count.`;
  }
  return undefined;
}

export function parseRecords(text: string, file: string): Journal {
  const records: JsonObject[] = [];
  let damaged = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const record = parseRecord(line);
    if (record === undefined) damaged += 1;
    else records.push(record);
  }
  if (damaged === 0) return { records };
  return { records, problem: `${file} has ${damaged} damaged line${damaged === 1 ? '' : 's'}, which don’t count.` };
}

function parseRecord(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isRecord ? (value as JsonObject) : undefined;
  } catch {
    return undefined; // A torn line: counted and named by the caller.
  }
}

export const reason = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? (error as Error).message;

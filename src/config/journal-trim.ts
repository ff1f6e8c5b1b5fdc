/**
 * Shortens a journal while others may write to it: who wrote to the file that was replaced writes again, and what came in that instant is
 * copied. Whoever dies before the replacement leaves the old file whole.
 */
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { ReinsError, type JsonObject } from '../core/index.ts';
import { appendRecord, parseRecords, reason, whyForeign } from './journal.ts';

/** After this long, whoever was shortening has died. */
const longestTrim = 60_000;

/** Puts what `shorten` makes of the records in their place, if the file has more bytes than that. Throws `state-unwritable`. */
export function trimRecords(file: string, most: number, shorten: (records: JsonObject[]) => JsonObject[]): void {
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (status === undefined || !status.isFile() || status.size <= most) return;
  try {
    const missed = replaced(file, `${file}.trim`, shorten);
    for (const record of missed) appendRecord(file, record);
  } catch (error) {
    if (error instanceof ReinsError) throw error;
    throw new ReinsError('state-unwritable', `${file} can’t be shortened (${reason(error)}).`, { cause: error });
  }
}

/** The records that others wrote while the file was replaced. */
function replaced(file: string, draft: string, shorten: (records: JsonObject[]) => JsonObject[]): JsonObject[] {
  const target = openDraft(draft);
  if (target === undefined) return [];
  let isInPlace = false;
  try {
    const source = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      // The new file is the user's own: what others wrote must not become so.
      if (whyForeign(file, source) !== undefined) return [];
      const before = readFileSync(source);
      const lines = shorten(parseRecords(before.toString(), file).records).map((record) => JSON.stringify(record));
      writeFileSync(target, `${lines.join('\n')}\n`);
      fsyncSync(target);
      renameSync(draft, file);
      isInPlace = true;
      return parseRecords(readFileSync(source, 'utf8'), file).records;
    } finally {
      closeSync(source);
    }
  } finally {
    closeSync(target);
    if (!isInPlace) rmSync(draft, { force: true });
  }
}

/** One at a time: the draft itself is the lock, and putting it in place lets go of it. */
function openDraft(draft: string): number | undefined {
  const since = statSync(draft, { throwIfNoEntry: false })?.mtimeMs;
  if (since !== undefined && Math.abs(Date.now() - since) > longestTrim) rmSync(draft, { force: true });
  try {
    return openSync(draft, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

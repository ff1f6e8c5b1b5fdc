/** Lines that are too long to be shown: a piece around the match, with what was left out. */
import { closeSync, constants, openSync, readSync } from 'node:fs';

/** Characters of a line that are shown, and how many of them before the match. */
const shown = 400;
const before = 100;
/** Bytes that are enough for the characters that are shown. */
export const enoughBytes = 4 * shown;

/** A line or its beginning. */
export interface LineStart {
  bytes: Buffer;
  /** It is all of the line. */
  whole: boolean;
}

/** Whether a line must be cut; a line of few bytes can't be too long. */
export function isLong(bytes: Buffer | undefined): boolean {
  return bytes === undefined || (bytes.length > shown && textOf(bytes).length > shown);
}

/** The text of a line, without the carriage return before its end. */
export function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/\r$/, '');
}

/** Reads up to so many bytes of a line from its file; undefined where it can't be read as the bytes that it is counted in. */
export function readLineStart(path: Buffer, offset: number, most: number): LineStart | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const mark = Buffer.alloc(3);
    readSync(descriptor, mark, 0, 3, 0);
    // The offset is one of the text as UTF-8, without a mark.
    if (['fffe', 'feff'].includes(mark.toString('hex', 0, 2))) return undefined;
    const skipped = mark.toString('hex') === 'efbbbf' ? 3 : 0;
    const bytes = Buffer.allocUnsafe(most);
    const length = readSync(descriptor, bytes, 0, most, offset + skipped);
    const end = bytes.subarray(0, length).indexOf(10);
    return { bytes: Buffer.from(bytes.subarray(0, end < 0 ? length : end)), whole: end >= 0 || length < most };
  } catch {
    return undefined; // it has gone or changed since it was searched
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The piece that is shown. `at`: the byte at which the match begins; 0 for none. */
export function cutLong({ bytes, whole }: LineStart, at: number): string {
  const text = textOf(bytes);
  const match = bytes.subarray(0, at).toString('utf8').length;
  const start = boundary(text, Math.max(0, Math.min(match - before, text.length - shown)));
  const end = boundary(text, start + shown);
  const left = start === 0 ? '' : `[... ${count(start)}] `;
  const right = text.length - end;
  const rest = whole ? count(right) : `more than ${count(right)}`;
  return `${left}${text.slice(start, end)}${right === 0 && whole ? '' : ` [... ${rest}]`}`;
}

/** A place that isn't within a surrogate pair. */
function boundary(text: string, place: number): number {
  const isWithin = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, place - 1), place + 1));
  return place > 0 && isWithin ? place - 1 : place;
}

function count(characters: number): string {
  return `${characters} character${characters === 1 ? '' : 's'}`;
}

/** How the bytes that a program prints become text that is safe to show: nothing of it can steer a terminal or be lost unseen. */
import { isUtf8 } from 'node:buffer';

/** Longest unfinished escape sequence that is held back in live output; what is longer is shown as it is. */
const longestHeld = 256;

/** Colours, cursor moves, titles and the like; bounded, so that hostile output can't make the search slow. */
const escapeSequence =
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b\n]{0,2048}(?:\u0007|\u001b\\)|[PX^_][^\u001b\n]{0,2048}\u001b\\|[ -/]{1,4}[0-~]|[0-OQ-WYZ\\`-~])/g;
/** The sequences that move the cursor to another line: what follows doesn't belong to what stands before. */
const otherLine = /^\u001b\[[0-9;]*[BEHdf]$/;
const unsafeCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Whole output as text: undecodable bytes as \xE9, terminal escapes removed (those that begin another line become a line end), other control characters escaped, line ends as \n. */
export function showable(bytes: Buffer): string {
  return neutralise(decode(bytes));
}

function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const parts: string[] = [];
  let valid = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(bytes.toString('utf8', valid, at), escapeByte(bytes[at] ?? 0));
    at += 1;
    valid = at;
  }
  parts.push(bytes.toString('utf8', valid));
  return parts.join('');
}

function escapeByte(byte: number): string {
  return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Bytes of the valid UTF-8 sequence at a place, 0 where there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = expectedLength(first);
  return length > 1 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

function expectedLength(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 1;
}

function neutralise(text: string): string {
  return text
    .replace(escapeSequence, (sequence) => (otherLine.test(sequence) ? '\n' : ''))
    .replace(/\r\n?/g, '\n')
    .replace(unsafeCharacter, (character) => {
      const code = character.charCodeAt(0);
      return code < 0x80 ? escapeByte(code) : `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
    });
}

/** Bytes at the end that belong together with what may come: half a character, half an escape sequence, half a line end. */
export function heldAtEnd(bytes: Buffer): number {
  const character = unfinishedAtEnd(bytes);
  const end = bytes.subarray(-longestHeld);
  const start = end.lastIndexOf(0x1b);
  const sequence = start < 0 ? '' : decode(end.subarray(start, end.length - character));
  if (sequence !== '' && sequence.search(escapeSequence) !== 0) return end.length - start;
  return character === 0 && bytes.at(-1) === 0x0d ? 1 : character;
}

/** Length of the unfinished UTF-8 sequence at the end, 0 when the bytes end with a whole character. */
export function unfinishedAtEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return expectedLength(byte) > back ? back : 0;
  }
  return 0;
}

/** Bytes at the start that belong to a character which began before. */
export function unfinishedAtStart(bytes: Buffer): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count += 1;
  return count;
}

/** Decodes output piece by piece, holding back what the next piece may complete. */
export class LiveDecoder {
  #bytes: Buffer = Buffer.alloc(0);
  #text = '';

  /** The text that is certain after this piece. */
  push(chunk: Buffer): string {
    const bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const whole = bytes.length - unfinishedAtEnd(bytes);
    this.#bytes = Buffer.from(bytes.subarray(whole));
    const text = this.#text + decode(bytes.subarray(0, whole));
    const held = heldLength(text);
    this.#text = text.slice(text.length - held);
    return neutralise(text.slice(0, text.length - held));
  }

  /** What was still held back. */
  end(): string {
    const rest = neutralise(this.#text + decode(this.#bytes));
    this.#bytes = Buffer.alloc(0);
    this.#text = '';
    return rest;
  }
}

/** Characters at the end that may be half of an escape sequence or of a line end. */
function heldLength(text: string): number {
  const start = text.lastIndexOf('\u001b');
  const length = text.length - start;
  if (start >= 0 && length <= longestHeld && text.slice(start).search(escapeSequence) !== 0) return length;
  return text.endsWith('\r') ? 1 : 0;
}

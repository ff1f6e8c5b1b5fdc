/** The bytes of a file as text, for programs that look at it; undefined for what is no text. */
import { isUtf8 } from 'node:buffer';

/** Larger files are not looked at: that would take longer than anybody wants to wait after an edit. */
const largest = 512 * 1024;

export function textOf(bytes: Buffer | null): string | undefined {
  if (bytes === null || bytes.length > largest) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes.includes(0)) return undefined;
  return isUtf8(bytes) ? bytes.toString('utf8').replace(/^\ufeff/, '') : bytes.toString('latin1');
}

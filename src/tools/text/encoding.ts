/** What the bytes of a file say as text, without ever guessing more than they show. */
import { isUtf8 } from 'node:buffer';

/**
 * `latin-1`: not UTF-8, and every byte above 7F stands alone and is a printable one of Latin-1. `8-bit`: some other encoding that
 * has ASCII as it is (GBK, Shift-JIS, a mixture); its bytes are shown as if they were Latin-1 and never made anew.
 */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin-1' | '8-bit';

export interface EncodedText {
  encoding: Encoding;
  /** Bytes of the byte order mark at the start. */
  mark: 0 | 2 | 3;
}

const encodingNames: { [E in Encoding]: string } = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'latin-1': 'Latin-1',
  '8-bit': 'neither UTF-8 nor UTF-16; shown as Latin-1',
};

export function encodingName(encoding: Encoding): string {
  return encodingNames[encoding];
}

/** Bytes that are looked at to tell text from binary. */
const probe = 65_536;
/** Control characters (other than tab, line ends, form feed, backspace, escape) that text may have: one in twenty. */
const controlsAtMost = 0.05;

/** The encoding of a file's bytes, or that it isn't text. */
export function encodingOf(bytes: Buffer): EncodedText | 'binary' {
  const wide = wideMark(bytes);
  if (wide !== undefined) {
    const text = unitsOf(bytes.subarray(0, probe), wide).slice(1);
    return looksBinary(text) ? 'binary' : { encoding: wide, mark: 2 };
  }
  if (looksBinary(bytes.toString('latin1', 0, probe))) return 'binary';
  if (isUtf8(bytes)) return { encoding: 'utf-8', mark: hasUtf8Mark(bytes) ? 3 : 0 };
  return { encoding: isLatin1(bytes) ? 'latin-1' : '8-bit', mark: 0 };
}

function wideMark(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function hasUtf8Mark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function looksBinary(text: string): boolean {
  if (text.includes('\0')) return true;
  const controls = text.match(/[\x01-\x07\x0b\x0e-\x1a\x1c-\x1f\x7f]/g)?.length ?? 0;
  return controls > text.length * controlsAtMost;
}

/** In the double-byte encodings of East Asia, bytes above 7F come in pairs or lie in 80-9F. */
function isLatin1(bytes: Buffer): boolean {
  return !/[\x80-\x9f]|[\xa0-\xff]{2}/.test(bytes.toString('latin1'));
}

/** Bytes of one unit of the strings that `unitsOf` gives. */
export function unitSize(encoding: Encoding): 1 | 2 {
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? 2 : 1;
}

/**
 * The bytes as a string of units: one character a byte, or one a UTF-16 unit. Position times `unitSize` is the place in the bytes,
 * whatever they hold. An odd byte at the end of UTF-16 is left out.
 */
export function unitsOf(bytes: Buffer, encoding: Encoding): string {
  if (encoding === 'utf-16le') return bytes.toString('utf16le');
  if (encoding === 'utf-16be') {
    return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le');
  }
  return bytes.toString('latin1');
}

/** The bytes of a string of units. */
export function bytesOfUnits(units: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-16le') return Buffer.from(units, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(units, 'utf16le').swap16();
  return Buffer.from(units, 'latin1');
}

/** Text as units of an encoding; undefined where that encoding doesn't hold it for certain. */
export function encodeUnits(text: string, encoding: Encoding): string | undefined {
  if (!text.isWellFormed()) return undefined;
  if (unitSize(encoding) === 2) return text;
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8').toString('latin1');
  const held = encoding === 'latin-1' ? /^[\0-\x7f\xa0-\xff]*$/ : /^[\0-\x7f]*$/;
  return held.test(text) ? text : undefined;
}

/** The text of a file for showing, without its byte order mark. */
export function decode(bytes: Buffer, { encoding, mark }: EncodedText): string {
  if (encoding === 'utf-8') return bytes.toString('utf8', mark);
  return unitsOf(bytes, encoding).slice(mark / unitSize(encoding));
}

/** What the bytes of a file say as text, without ever guessing more than they show. */
import { isUtf8 } from 'node:buffer';
import { isLatin1, looksBinary } from './evidence.ts';
import { legacyTable, legacyNames, type LegacyEncoding, type Table } from './legacy.ts';
import { unmarkedWide, wideText, type WideEncoding } from './wide.ts';

/**
 * `latin-1`: not UTF-8, and every byte above 7F stands alone and is a printable one of Latin-1. A legacy encoding is named only where
 * the bytes say so clearly. `8-bit`: some other encoding that has ASCII as it is, or a mixture; its bytes are shown as if they were
 * Latin-1 and never made anew.
 */
export type Encoding = 'utf-8' | WideEncoding | 'latin-1' | '8-bit' | LegacyEncoding;

export interface EncodedText {
  encoding: Encoding;
  /** Bytes of the byte order mark at the start. */
  mark: 0 | 2 | 3;
  /** Decodes and encodes where the encoding is a legacy one. */
  table?: Table;
}

const encodingNames: { [E in Exclude<Encoding, LegacyEncoding>]: string } = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'latin-1': 'Latin-1',
  '8-bit': 'neither UTF-8 nor UTF-16; shown as Latin-1',
};
const names: { [E in Encoding]: string } = { ...encodingNames, ...legacyNames };

export function encodingName(encoding: Encoding): string {
  return names[encoding];
}

/** Bytes that are looked at to tell text from binary. */
const probe = 65_536;
/** Bytes of the largest file whose legacy encoding is found out: it is decoded and encoded as a whole for that. */
const largestDetected = 16 * 1024 * 1024;

/** The encoding of a file's bytes, or that it isn't text. What tells legacy encodings apart is loaded only for bytes that need it. */
export async function detectEncoding(bytes: Buffer): Promise<EncodedText | 'binary'> {
  const encoded = encodingOf(bytes);
  if (encoded === 'binary' || !isSingleBytes(encoded.encoding) || bytes.length > largestDetected) return encoded;
  const table = await legacyTable(bytes);
  if (table === undefined) return { encoding: '8-bit', mark: 0 };
  return table === 'latin-1' ? { encoding: 'latin-1', mark: 0 } : { encoding: table.encoding, mark: 0, table };
}

/** The same without telling legacy encodings apart: all of them are `8-bit`. */
export function encodingOf(bytes: Buffer): EncodedText | 'binary' {
  const wide = wideMark(bytes);
  if (wide !== undefined) {
    const text = wideText(bytes.subarray(2, probe), wide);
    return looksBinary(text) ? 'binary' : { encoding: wide, mark: 2 };
  }
  if (looksBinary(bytes.toString('latin1', 0, probe))) {
    const unmarked = unmarkedWide(bytes);
    return unmarked === undefined ? 'binary' : { encoding: unmarked, mark: 0 };
  }
  if (isUtf8(bytes)) return { encoding: 'utf-8', mark: hasUtf8Mark(bytes) ? 3 : 0 };
  return { encoding: isLatin1(bytes.toString('latin1')) ? 'latin-1' : '8-bit', mark: 0 };
}

/** What was judged by its bytes alone. */
function isSingleBytes(encoding: Encoding): boolean {
  return encoding === 'latin-1' || encoding === '8-bit';
}

function wideMark(bytes: Buffer): WideEncoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function hasUtf8Mark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** The text of a file for showing, without its byte order mark. */
export function decode(bytes: Buffer, { encoding, mark, table }: EncodedText): string {
  const text = bytes.subarray(mark);
  if (encoding === 'utf-8') return text.toString('utf8');
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return wideText(text, encoding);
  return table === undefined ? text.toString('latin1') : table.decode(text);
}

/** The bytes of a text in an encoding, without a mark; undefined where it doesn't hold the text for certain. */
export function encode(text: string, { encoding, table }: EncodedText): Buffer | undefined {
  if (!text.isWellFormed()) return undefined;
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  if (table !== undefined) return table.encode(text);
  const held = encoding === 'latin-1' ? /^[\0-\x7f\xa0-\xff]*$/ : /^[\0-\x7f]*$/;
  return held.test(text) ? Buffer.from(text, 'latin1') : undefined;
}

/** The first character of a text that an encoding doesn't hold for certain; undefined where it holds them all. */
export function firstUnheld(text: string, encoded: EncodedText): string | undefined {
  if (encode(text, encoded) !== undefined) return undefined;
  for (const character of text) if (encode(character, encoded) === undefined) return character;
  return text;
}

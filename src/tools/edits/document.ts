/** A file's text as a string in which every place is a place in its bytes: what the edit tools find and replace in. */
import { decode, detectEncoding, encode, isWide, wideText, type EncodedText } from '../text/index.ts';
import { findAll, type Span } from './match.ts';

/**
 * Units: one character a byte (UTF-8, Latin-1, unknown 8-bit encodings), one UTF-16 unit (UTF-16), or one of the decoded text (legacy
 * encodings). The byte order mark, and an odd byte at the end of UTF-16, are no part of them.
 */
export interface TextDocument {
  readonly bytes: Buffer;
  readonly encoded: EncodedText;
  readonly units: string;
}

/** The text of a file's bytes, or why there is none. */
export async function openDocument(bytes: Buffer): Promise<TextDocument | { problem: string }> {
  const encoded = await detectEncoding(bytes);
  if (encoded === 'binary') return { problem: 'The file is binary; it can’t be edited as text.' };
  return { bytes, encoded, units: unitsOf(bytes.subarray(encoded.mark), encoded) };
}

function unitsOf(bytes: Buffer, { encoding, table }: EncodedText): string {
  if (isWide(encoding)) return wideText(bytes, encoding);
  return table === undefined ? bytes.toString('latin1') : table.decode(bytes);
}

/** Text to be written, as units; undefined where the encoding doesn't surely hold it. */
export function unitsOfText(text: string, encoded: EncodedText): string | undefined {
  const bytes = encode(text, encoded);
  if (bytes === undefined) return undefined;
  return isByteByByte(encoded) ? bytes.toString('latin1') : text;
}

/** Whether a unit is a byte. */
export function isByteByByte({ encoding, table }: EncodedText): boolean {
  return table === undefined && !isWide(encoding);
}

/**
 * The places of a text, in rising order; overlapping ones included unless `apart`. LF in it stands for LF and CRLF, everything else
 * for itself. `from` is the first unit that is considered.
 */
export function findText(
  document: TextDocument,
  wanted: string,
  { from = 0, apart = false }: { from?: number; apart?: boolean } = {},
): Span[] {
  const units = soughtUnits(wanted, document.encoded);
  return units === undefined ? [] : findAll(document.units, units, { from, apart });
}

/** What was read as Latin-1 is sought as the same bytes, also where it can't be written anew. */
function soughtUnits(wanted: string, encoded: EncodedText): string | undefined {
  return encoded.encoding === '8-bit' ? wanted : unitsOfText(wanted, encoded);
}

/** Each line without its line end. A last line end starts no further line; an empty file has none. */
export function lineSpans({ units }: TextDocument): Span[] {
  return Array.from(eachLine(units));
}

/** The lines with these numbers (from 1), each at its number less one: the array is as long as the file and holds no others. */
export function linesAt(document: TextDocument, numbers: ReadonlySet<number>): string[] {
  const lines: string[] = [];
  let count = 0;
  for (const span of eachLine(document.units)) {
    count += 1;
    if (numbers.has(count)) lines[count - 1] = lineText(document, span);
  }
  lines.length = count;
  return lines;
}

function* eachLine(units: string): Generator<Span> {
  for (let start = 0; start < units.length;) {
    const feed = units.indexOf('\n', start);
    const next = feed === -1 ? units.length : feed + 1;
    const end = feed !== -1 && units[feed - 1] === '\r' ? feed - 1 : feed;
    yield { start, end: feed === -1 ? next : end };
    start = next;
  }
}

/** The text that stands at a place. */
export function lineText({ units, encoded }: TextDocument, { start, end }: Span): string {
  const part = units.slice(start, end);
  return encoded.encoding === 'utf-8' ? Buffer.from(part, 'latin1').toString('utf8') : part;
}

/** The whole text, without its byte order mark. */
export function textOf({ bytes, encoded }: TextDocument): string {
  return decode(bytes, encoded);
}

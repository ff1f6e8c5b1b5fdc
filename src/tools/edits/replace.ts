/** Puts new text at places of a document; every byte outside them stays what it is. */
import { encode, encodingName, firstUnheld, isWide } from '../text/index.ts';
import { isByteByByte, unitsOfText, type TextDocument } from './document.ts';
import { withLocalLineEnds } from './line-ends.ts';
import type { Span } from './match.ts';
import { lineCounter, placesOf, type EditPlace, type Made } from './places.ts';

/** New text for a place in the units; an empty place is an insertion. */
export interface SpanReplacement {
  span: Span;
  text: string;
}

/** The new bytes, and the document that they are: its encoding stays the one that it was opened with. */
export interface Replaced {
  bytes: Buffer;
  places: EditPlace[];
  document: TextDocument;
}

/**
 * The places must rise and not overlap. Line ends of the new text become those of the place that it goes to. A problem, and nothing
 * done, where the file's encoding doesn't surely hold the text, or where a place may lie inside a character.
 */
export function replaceSpans(
  document: TextDocument,
  replacements: readonly SpanReplacement[],
): Replaced | { problem: string } {
  const { encoded } = document;
  const made: Made[] = [];
  for (const { span, text } of replacements) {
    const unsure = [span.start, span.end].find((place) => isPerhapsInside(document, place));
    if (unsure !== undefined) return { problem: insideCharacter(document, unsure) };
    const unheld = unheldIn(document, span, text);
    if (unheld !== undefined) return { problem: unencodable(document, text, unheld) };
    // In an unknown encoding the text repeats bytes that are shown as if they were Latin-1.
    const units = unitsOfText(text, encoded) ?? text;
    made.push({ span, units: withLocalLineEnds(document.units, span, units) });
  }
  const units = joinedUnits(document.units, made);
  const bytes = joinedBytes(document, made);
  // A place inside a character has none in the bytes, and beside what stands there new bytes could be read as another character.
  if (encoded.table !== undefined && encoded.table.decode(bytes) !== units) {
    return { problem: insideCharacter(document, replacements[0]?.span.start ?? 0) };
  }
  return { bytes, places: placesOf(document.units, made), document: { bytes, encoded, units } };
}

/** In an encoding that isn't known a run of bytes above 7F, and what may be the second half of its last character. */
const unknownRun = /[\x80-\xff]+[0-9@-~]?/g;

/**
 * What of a text the file doesn't surely hold. In an unknown encoding that is every byte above 7F that doesn't stand in the replaced
 * text just so: those are repeated, and not made.
 */
function unheldIn({ encoded, units }: TextDocument, { start, end }: Span, text: string): string | undefined {
  if (encoded.encoding !== '8-bit' || !text.isWellFormed()) return firstUnheld(text, encoded);
  const known = new Set(units.slice(start, end).match(unknownRun));
  return /[^\0-\xff]/u.exec(text)?.[0] ?? text.match(unknownRun)?.find((run) => !known.has(run));
}

function joinedUnits(units: string, made: readonly Made[]): string {
  const parts: string[] = [];
  let kept = 0;
  for (const { span, units: replacement } of made) {
    parts.push(units.slice(kept, span.start), replacement);
    kept = span.end;
  }
  return parts.join('') + units.slice(kept);
}

function joinedBytes(document: TextDocument, made: readonly Made[]): Buffer {
  const { bytes } = document;
  const byteAt = bytePlaces(document);
  const parts: Buffer[] = [];
  let kept = 0;
  for (const { span, units } of made) {
    parts.push(bytes.subarray(kept, byteAt(span.start)), bytesOfUnits(units, document));
    kept = byteAt(span.end);
  }
  return Buffer.concat([...parts, bytes.subarray(kept)]);
}

/** Gives the places in the bytes for places in the units that are asked for in rising order. */
function bytePlaces({ encoded, units }: TextDocument): (place: number) => number {
  const { mark, encoding, table } = encoded;
  if (table === undefined) return (place) => mark + place * (isWide(encoding) ? 2 : 1);
  let seen = 0;
  let byte = 0;
  return (place) => {
    byte += table.encode(units.slice(seen, place))?.length ?? 0;
    seen = place;
    return byte;
  };
}

/** The bytes of units that came from text which the encoding holds. */
function bytesOfUnits(units: string, { encoded }: TextDocument): Buffer {
  return isByteByByte(encoded) ? Buffer.from(units, 'latin1') : (encode(units, encoded) ?? Buffer.alloc(0));
}

function unencodable({ encoded }: TextDocument, text: string, unheld: string): string {
  if (!text.isWellFormed()) return 'The new text holds half of a surrogate pair, which is no character.';
  const name = encodingName(encoded.encoding);
  return `The file’s encoding is ${name}: “${unheld}” can’t be written into it safely. Write it with other characters, or convert the file first.`;
}

/** In double-byte encodings a digit, a letter or some signs can be the second half of a character. */
function isPerhapsInside({ units, encoded }: TextDocument, place: number): boolean {
  if (encoded.encoding !== '8-bit') return false;
  return units.charCodeAt(place - 1) >= 0x80 && /[0-9@-~\x80-\xff]/.test(units.charAt(place));
}

function insideCharacter({ units }: TextDocument, place: number): string {
  const line = lineCounter(units)(place);
  return `At line ${line} the text begins or ends right after a byte above 7F, perhaps inside a character (the file’s encoding isn’t known for certain). Extend it to a blank or to whole lines.`;
}

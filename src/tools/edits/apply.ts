/** One exact replacement in the bytes of a file. */
import {
  bytesOfUnits,
  count,
  decode,
  encodeUnits,
  encodingName,
  encodingOf,
  unitsOf,
  unitSize,
  type Encoding,
  type EncodedText,
} from '../text/index.ts';
import { explainMissing } from './explain.ts';
import { withLocalLineEnds } from './line-ends.ts';
import { findAll, type Span } from './match.ts';

interface Replacement {
  old: string;
  new: string;
  /** Replace every match, not the only one. */
  all: boolean;
}

/** Lines (from, to; counted from 1) that an edit touched, and those that stand there now; none where `to` is below `from`. */
export interface EditPlace {
  before: [number, number];
  after: [number, number];
}

type EditResult = { bytes: Buffer; places: EditPlace[] } | { problem: string };

/** Replaces `old` where it stands, exactly and once (or everywhere); every byte outside stays as it is. */
export function applyEdit(bytes: Buffer, edit: Replacement): EditResult {
  if (edit.old === edit.new) return { problem: '`old` and `new` are the same: there is nothing to change.' };
  const text = encodingOf(bytes);
  if (text === 'binary') return { problem: 'The file is binary; it can’t be edited as text.' };
  const { encoding } = text;
  const replacement = encodeUnits(edit.new, encoding);
  if (replacement === undefined) return { problem: unencodable(edit.new, encoding) };
  const units = unitsOf(bytes, encoding);
  const wanted = encodeOld(edit.old, encoding);
  const spans = wanted === undefined ? [] : findAll(units, wanted, edit.all);
  if (spans.length === 0) return { problem: explainMissing(decode(bytes, text), edit.old) };
  if (spans.length > 1 && !edit.all) return { problem: several(units, spans) };
  const unsure = spans.find((span) => mayStartInsideCharacter(units, span, encoding));
  if (unsure !== undefined) return { problem: insideCharacter(units, unsure) };
  return splice(bytes, text, units, spans, replacement);
}

/** What was read as Latin-1 is sought as the same bytes, also where it can't be written anew. */
function encodeOld(old: string, encoding: Encoding): string | undefined {
  return encodeUnits(old, encoding === '8-bit' ? 'latin-1' : encoding);
}

function splice(
  bytes: Buffer,
  { encoding }: EncodedText,
  units: string,
  spans: Span[],
  replacement: string,
): EditResult {
  const size = unitSize(encoding);
  const parts: Buffer[] = [];
  const places: EditPlace[] = [];
  const lineAt = lineCounter(units);
  let kept = 0;
  let grown = 0;
  for (const span of spans) {
    const made = withLocalLineEnds(units, span, replacement);
    parts.push(bytes.subarray(kept * size, span.start * size), bytesOfUnits(made, encoding));
    kept = span.end;
    const from = lineAt(span.start);
    const ends = lineAt(span.end) - from;
    const wholeLines = units[span.end - 1] === '\n';
    const madeEnds = countLineEnds(made);
    const openLine = wholeLines && (made === '' || made.endsWith('\n')) ? 0 : 1;
    places.push({
      before: [from, from + ends - (wholeLines ? 1 : 0)],
      after: [from + grown, from + grown + madeEnds + openLine - 1],
    });
    grown += madeEnds - ends;
  }
  parts.push(bytes.subarray(kept * size));
  const after = Buffer.concat(parts);
  if (after.equals(bytes)) {
    return {
      problem:
        'Nothing would change: a line feed in `new` takes the line end of the place it goes to. To convert line ends, use write or a command.',
    };
  }
  return { bytes: after, places };
}

/** Gives the line (from 1) of places that are asked for in rising order. */
function lineCounter(units: string): (place: number) => number {
  let line = 1;
  let seen = 0;
  return (place) => {
    for (let at = units.indexOf('\n', seen); at !== -1 && at < place; at = units.indexOf('\n', at + 1)) line += 1;
    seen = place;
    return line;
  };
}

function countLineEnds(text: string): number {
  return text.split('\n').length - 1;
}

function several(units: string, spans: Span[]): string {
  const lineAt = lineCounter(units);
  const shown = spans.slice(0, 10).map((span) => lineAt(span.start));
  const more = spans.length > shown.length ? ` and ${spans.length - shown.length} more` : '';
  return `\`old\` stands there ${spans.length} times, at lines ${shown.join(', ')}${more}; it must be unique. Add lines before or after it to \`old\`, or set \`all\` to replace every one.`;
}

function unencodable(text: string, encoding: Encoding): string {
  if (!text.isWellFormed()) return '`new` holds half of a surrogate pair, which is no character.';
  const [first] = text.match(encoding === 'latin-1' ? /[^\0-\x7f\xa0-\xff]/u : /[^\0-\x7f]/u) ?? [''];
  return `The file’s encoding is ${encodingName(encoding)}: “${first}” can’t be written into it safely. Use ASCII in \`new\`, or convert the file first.`;
}

/** In double-byte encodings a digit, a letter or some signs can be the second half of a character. */
function mayStartInsideCharacter(units: string, { start }: Span, encoding: Encoding): boolean {
  if (encoding !== '8-bit' || start === 0) return false;
  return units.charCodeAt(start - 1) >= 0x80 && /[0-9@-~]/.test(units.charAt(start));
}

function insideCharacter(units: string, span: Span): string {
  const line = lineCounter(units)(span.start);
  return `At line ${line} \`old\` begins right after a byte above 7F, perhaps inside a character (the file’s encoding isn’t known). Begin \`old\` at a blank or earlier in the line. (${count(1, 'match')} found, nothing changed.)`;
}

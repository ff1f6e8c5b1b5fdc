/** The bytes of new content: UTF-8, or the encoding of the file that it replaces, where that holds it. */
import {
  decode,
  detectEncoding,
  encode,
  encodingName,
  firstUnheld,
  isWide,
  linesOf,
  visible,
  type EncodedText,
} from '../../text/index.ts';

export interface NewContent {
  bytes: Buffer;
  /** The present text of the file as it is shown; empty where there is none. */
  present: string;
  /** What the file had and now has otherwise, or has against what the content says. */
  notes: string[];
}

const byteOrderMark = '\ufeff';

/** `present` are the bytes that are replaced. A problem where the content can't be written without loss. */
export async function newContent(
  content: string,
  present: Buffer | undefined,
): Promise<NewContent | { problem: string }> {
  if (!content.isWellFormed()) return { problem: '`content` holds half of a surrogate pair, which is no character' };
  const encoded = present === undefined ? 'binary' : await detectEncoding(present);
  if (present === undefined || encoded === 'binary') return { bytes: Buffer.from(content), present: '', notes: [] };
  const shown = decode(present, encoded);
  const stand = standIn(content, shown);
  if (stand !== undefined) return { problem: stand };
  const made = encoded.encoding === '8-bit' ? sameLines(content, shown) : bytesIn(content, encoded, present);
  if ('problem' in made) return made;
  return { ...made, present: shown, notes: [...made.notes, ...lineEndNotes(shown, content)] };
}

/** What read shows in the place of a character that can't be shown would be written as it is, and the character lost. */
function standIn(content: string, shown: string): string | undefined {
  const hidden = new Set(shown.match(/[\0-\x08\x0b-\x1f\x7f-\x9f]|\p{Cs}/gu));
  for (const character of hidden) {
    const picture = visible(character);
    const at = shown.includes(picture) ? -1 : content.indexOf(picture);
    if (at === -1 || content.includes(character)) continue;
    const line = content.slice(0, at).split('\n').length;
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `“${picture}” in line ${line} of \`content\` is how read shows the character U+${code}, which would be lost. Change other parts of the file with edit`;
  }
  return undefined;
}

type Made = { bytes: Buffer; notes: string[] };

/** In an encoding that isn't known, lines of the file can be repeated and ASCII added; anything else would be a guess. */
function sameLines(content: string, shown: string): Made | { problem: string } {
  const known = new Set(linesOf(shown).lines);
  const { lines } = linesOf(content);
  const index = lines.findIndex((line) => /[^\0-\x7f]/.test(line) && !known.has(line));
  if (index === -1) return { bytes: Buffer.from(content, 'latin1'), notes: [] };
  const character = /[^\0-\x7f]/u.exec(lines[index] ?? '')?.[0] ?? '';
  return {
    problem: `its encoding isn’t known for certain, so “${character}” in line ${index + 1} of \`content\` can’t be written safely. Repeat such lines exactly as they are shown, keep to ASCII otherwise, or convert the file first`,
  };
}

function bytesIn(content: string, encoded: EncodedText, present: Buffer): Made {
  const { encoding, mark } = encoded;
  if (encoding === 'utf-8') return inUtf8(content, present.subarray(0, mark));
  const text = mark > 0 && content.startsWith(byteOrderMark) ? content.slice(1) : content;
  const bytes = encode(text, encoded);
  const name = encodingName(encoding);
  if (bytes === undefined) {
    const note = `Note: it was ${name}; now it is UTF-8, since “${firstUnheld(text, encoded)}” isn’t in it.`;
    return { bytes: Buffer.from(content), notes: [note] };
  }
  const isAscii = !isWide(encoding) && !/[^\0-\x7f]/.test(text);
  const notes = isAscii ? [] : [`Note: it is written in ${name}, as it was.`];
  return { bytes: Buffer.concat([present.subarray(0, mark), bytes]), notes };
}

function inUtf8(content: string, mark: Buffer): Made {
  const bytes = Buffer.from(content);
  if (content.startsWith(byteOrderMark)) {
    return { bytes, notes: mark.length > 0 ? [] : ['Note: it has a byte order mark now.'] };
  }
  if (mark.length === 0) return { bytes, notes: [] };
  return { bytes: Buffer.concat([mark, bytes]), notes: ['Note: its byte order mark is kept.'] };
}

/** Line ends are as `content` has them: nothing is converted. */
function lineEndNotes(before: string, after: string): string[] {
  const { ends: endsBefore } = linesOf(before);
  const { ends } = linesOf(after);
  if (endsBefore === 'none' || ends === 'none' || endsBefore === ends) return [];
  return [`Note: its line ends were ${endsBefore}; now they are ${ends}.`];
}

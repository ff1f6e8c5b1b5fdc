/** Text files: a window of their lines. Only what is shown is decoded, however large the file is. */
import type { CallOutcome } from '../../../core/index.ts';
import type { ReadFact } from '../../known.ts';
import { failed } from '../../outcome.ts';
import { count, decode, encodingName, isWide, linesOf, type EncodedText } from '../../text/index.ts';
import { lineLength, showLines, whereText, type ShownLines, type Window } from './lines.ts';
import type { Subject } from './subject.ts';

/** Characters of a name that a note repeats. */
const longestName = 300;

/** What stands before a line besides its number. */
export type Lead = (line: string) => string;

export function readText(
  { name, real, state }: Subject,
  encoded: EncodedText,
  { offset, limit }: Window,
  lead?: Lead,
  hide?: (line: string) => string,
): CallOutcome {
  const extent = measure(state.bytes, encoded, offset, limit);
  const { total } = extent;
  if (total === 0) {
    const text = `${name} is empty: it has ${count(state.bytes.length, 'byte')} and no line.`;
    return outcome(text, { path: real, hash: state.hash, from: 0, to: 0, of: 0, cut: false });
  }
  if (offset > total) return failed(`${name} has only ${count(total, 'line')}; there is no line ${offset}.`);
  const part = state.bytes.subarray(extent.start, extent.end);
  const { lines } = linesOf(decode(part, { ...encoded, mark: 0 }));
  const shown = showLines(lines, offset, lead, hide);
  const to = offset + shown.lines.length - 1;
  const notes = [
    ...whereText(offset, to, total),
    ...cutNotes(shown, name),
    ...encodingNotes(encoded),
    ...lineEndNotes(extent),
  ];
  const cut = shown.cut !== undefined;
  return outcome([...shown.lines, ...notes].join('\n'), {
    path: real,
    hash: state.hash,
    from: offset,
    to,
    of: total,
    cut,
  });
}

function outcome(text: string, read: ReadFact): CallOutcome {
  return { outcome: 'ok', text, facts: { read } };
}

interface Extent {
  /** Where the window's bytes begin and end. */
  start: number;
  end: number;
  /** Lines of the whole file. A last line end starts no further line. */
  total: number;
  /** Line ends, and how many of them are CRLF. */
  feeds: number;
  carriages: number;
}

/** Finds the window's bytes. In every encoding that is read, a byte (or unit) of the value 10 is a line feed and nothing else. */
function measure(bytes: Buffer, { encoding, mark }: EncodedText, offset: number, limit: number): Extent {
  const step = isWide(encoding) ? 2 : 1;
  const whole = bytes.length - ((bytes.length - mark) % step);
  // Where the low and the high byte of a unit are; of a single byte, both are itself.
  const low = encoding === 'utf-16be' ? 1 : 0;
  const high = step - 1 - low;
  let [start, end, feeds, carriages, last] = [offset === 1 ? mark : whole, whole, 0, 0, mark];
  // Local numbers and no calls: a file can have a hundred million lines.
  for (let at = mark; at < whole; at += step) {
    if (bytes[at + low] !== 10 || (step === 2 && bytes[at + high] !== 0)) continue;
    const before = at - step;
    if (before >= mark && bytes[before + low] === 13 && (step === 1 || bytes[before + high] === 0)) carriages += 1;
    feeds += 1;
    last = at + step;
    if (feeds === offset - 1) start = last;
    if (feeds === offset - 1 + limit) end = last;
  }
  return { start, end, total: feeds + (last < whole ? 1 : 0), feeds, carriages };
}

/** How to see what was cut off. */
function cutNotes({ cut }: ShownLines, name: string): string[] {
  if (cut === undefined) return [];
  const file = name.length > longestName ? 'FILE' : `'${name.replaceAll("'", String.raw`'\''`)}'`;
  const command = `sed -n ${cut.line}p ${file} | cut -c${lineLength + 1}-`;
  return [`[Line ${cut.line} has ${count(cut.length, 'character')}. See its rest with a command: ${command}]`];
}

function encodingNotes({ encoding, mark }: EncodedText): string[] {
  if (encoding !== 'utf-8') return [`[Encoding: ${encodingName(encoding)}.]`];
  return mark === 0 ? [] : ['[UTF-8 with a byte order mark, which is kept by edit.]'];
}

function lineEndNotes({ feeds, carriages }: Extent): string[] {
  if (carriages === 0) return [];
  return feeds === carriages
    ? ['[Line ends: CRLF, kept by edit.]']
    : ['[Line ends: CRLF and LF mixed, each kept by edit.]'];
}

/** Replaces whole lines of a file; all other bytes, and whether the file ends with a line end, are kept. */
import type { EditPlace } from '../places.ts';
import { replaceSpans, type Replaced, type SpanReplacement } from '../replace.ts';
import type { FileLines } from './file-lines.ts';

/** Lines (from 0; `to` not included) and what is to stand there instead. An empty range is an insertion before `from`. */
export interface LineReplacement {
  from: number;
  to: number;
  lines: readonly string[];
}

/** The bytes with the lines replaced, and where. The ranges rise and don't overlap. */
export function replaceLines(
  file: FileLines,
  replacements: readonly LineReplacement[],
): Replaced | { problem: string } {
  const apart = joined(replacements);
  const result = replaceSpans(
    file.document,
    apart.map((one) => spanReplacement(file, one)),
  );
  return 'problem' in result ? result : { ...result, places: placesOf(apart) };
}

/** Ranges that touch become one: only then is it plain which of them holds the end of the file. */
function joined(replacements: readonly LineReplacement[]): LineReplacement[] {
  const apart: LineReplacement[] = [];
  for (const { from, to, lines } of replacements) {
    const last = apart.at(-1);
    if (last?.to === from) apart.splice(-1, 1, { from: last.from, to, lines: [...last.lines, ...lines] });
    else apart.push({ from, to, lines });
  }
  return apart;
}

function spanReplacement(file: FileLines, { from, to, lines }: LineReplacement): SpanReplacement {
  const { units } = file.document;
  const start = file.spans[from]?.start ?? units.length;
  const end = file.spans[to]?.start ?? units.length;
  const isOpen = end === units.length && units !== '' && !units.endsWith('\n');
  if (!isOpen || lines.length === 0) return { span: { start, end }, text: lines.map((line) => `${line}\n`).join('') };
  // The last line of the file has no line end: what takes its place has none, what comes after it ends it first.
  const text = lines.join('\n').replace(/\r$/, '');
  return { span: { start, end }, text: from === to ? `\n${text}` : text };
}

function placesOf(replacements: readonly LineReplacement[]): EditPlace[] {
  let grown = 0;
  return replacements.map(({ from, to, lines }) => {
    const first = from + grown + 1;
    grown += lines.length - (to - from);
    return { before: [from + 1, to], after: [first, first + lines.length - 1] };
  });
}

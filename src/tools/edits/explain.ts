/** Why a text isn't found: the nearest place and where it differs. */
import { cutLine, likeness, linesOf, pairsOf, visible } from '../text/index.ts';

const lineShown = 200;
const differencesShown = 3;
/** A hint must not take long: so many lines of the file, places and lines of the wanted text are compared. */
const linesCompared = 20_000;
const placesCompared = 30;
const wantedCompared = 40;
/** Likeness (0 to 1) below which two lines have nothing to do with each other. */
const likeEnough = 0.35;

const preface = '`old` isn’t in the file as it is now; nothing was changed.';

export function explainMissing(fileText: string, old: string): string {
  const { lines } = linesOf(fileText);
  const wanted = linesOf(old).lines;
  if (lines.length === 0) return `${preface} The file is empty.`;
  const bare = withoutNumbers(wanted);
  if (bare !== undefined && lines.join('\n').includes(bare)) {
    return `${preface} It has the line numbers that read shows: leave them out.`;
  }
  const place = nearestPlace(lines, wanted);
  if (place === undefined) return `${preface} No line there is like one of it. Read the file again.`;
  return `${preface}\n${differences(lines, wanted, place, old)}`;
}

/** The lines without number and tab in front, if all have them. */
function withoutNumbers(lines: string[]): string | undefined {
  const bare = lines.map((line) => /^\s*\d+\t(.*)$/.exec(line)?.[1]);
  return bare.length > 0 && bare.every((line) => line !== undefined) ? bare.join('\n') : undefined;
}

/** The line of the file (from 0) where the wanted lines are most like what stands there. */
function nearestPlace(lines: string[], wanted: string[]): number | undefined {
  const pairs = wanted.slice(0, wantedCompared).map(pairsOf);
  const candidates = [...sameButForBlanks(lines, wanted), ...likeTheLongest(lines, wanted)];
  let best: { place: number; score: number } | undefined;
  for (const place of new Set(candidates)) {
    const scores = pairs.map((line, offset) => likeness(line, pairsOf(lines[place + offset] ?? '')));
    const score = scores.reduce((sum, one) => sum + one, 0);
    if (best === undefined || score > best.score) best = { place, score };
  }
  return best?.place;
}

/** What two lines share that differ in blanks, quotes, dashes or escapes only. */
function keyOf(line: string): string {
  return line
    .replaceAll(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replaceAll(/[\u2010-\u2015]/g, '-')
    .replaceAll(/\\[ntr0]|[\s\u00a0\u200b\ufeff\\]+/g, '');
}

/** Places at which lines of the wanted text stand but for blanks and look-alikes; those with most of it first. */
function sameButForBlanks(lines: string[], wanted: string[]): number[] {
  const offsets = new Map<string, number[]>();
  wanted.forEach((line, offset) => {
    const key = keyOf(line);
    if (key !== '') offsets.set(key, [...(offsets.get(key) ?? []), offset]);
  });
  const weights = new Map<number, number>();
  lines.forEach((line, index) => {
    const key = keyOf(line);
    for (const offset of offsets.get(key) ?? []) {
      weights.set(index - offset, (weights.get(index - offset) ?? 0) + key.length);
    }
  });
  return [...weights]
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, placesCompared)
    .map(([place]) => place);
}

/** Places at which a line is like the longest wanted one. */
function likeTheLongest(lines: string[], wanted: string[]): number[] {
  const lengths = wanted.map((line) => line.trim().length);
  const offset = lengths.indexOf(Math.max(...lengths));
  const pairs = pairsOf(wanted[offset] ?? '');
  return lines
    .slice(0, linesCompared)
    .map((line, index) => ({ place: index - offset, score: likeness(pairs, pairsOf(line)) }))
    .filter(({ score }) => score >= likeEnough)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, placesCompared)
    .map(({ place }) => place);
}

function differences(lines: string[], wanted: string[], place: number, old: string): string {
  const found = wanted.flatMap((line, offset) => {
    const there = lines[place + offset];
    return there === line ? [] : [difference(place + offset, there, line)];
  });
  const from = Math.max(1, place + 1);
  const to = Math.min(place + wanted.length, lines.length);
  const where = to > from ? `The nearest place is lines ${from}-${to}` : `The nearest place is line ${from}`;
  if (found.length > 0) return `${where}. It differs:\n${found.slice(0, differencesShown).join('\n')}`;
  if (old.includes('\r')) return `${where}. Only line ends differ: use LF in \`old\`, it stands for CRLF too.`;
  return `${where}. Only the line end after it differs.`;
}

function difference(index: number, there: string | undefined, wanted: string): string {
  if (there === undefined) return `  outside the file, \`old\` has: ${cutLine(visible(wanted), lineShown)}`;
  const column = firstDifference(there, wanted);
  const line = `${index + 1}\t${cutLine(visible(there), lineShown)}`;
  return `${line}\n  at column ${column + 1} the file has ${named(there, column)}, \`old\` has ${named(wanted, column)}`;
}

function firstDifference(a: string, b: string): number {
  let column = 0;
  while (column < a.length && column < b.length && a[column] === b[column]) column += 1;
  return column;
}

const blanks: { [character: string]: string } = {
  ' ': 'a space',
  '\t': 'a tab',
  '\u00a0': 'a no-break space',
};

/** The character at a column in words and by its number. */
function named(line: string, column: number): string {
  const code = line.codePointAt(column);
  if (code === undefined) return 'the end of the line';
  const character = String.fromCodePoint(code);
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return `${blanks[character] ?? visible(character)} (${number})`;
}

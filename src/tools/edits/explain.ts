/** Why a text isn't found: the nearest place and where it differs. */
import { cutLine, likeness, linesOf, pairsOf, visible, withMarks, withUnseen } from '../text/index.ts';
import { compareAlike } from './differences.ts';
import { keyOf } from './look-alikes.ts';
import { characterName, stretchName } from './naming.ts';

const lineShown = 200;
const differencesShown = 3;
/** A hint must not take long: so many lines of the file, places, lines of the wanted text, and characters around a place are compared. */
const linesKeyed = 200_000;
const linesCompared = 20_000;
const placesCompared = 30;
const wantedCompared = 40;
const charactersCompared = 50_000;
/** Places, the likest first, around which a text of the same look is sought. */
const placesSearched = 10;
/** Lines around a place in which a text of the same look is sought. */
const linesAround = 3;
/** Likeness (0 to 1) below which two lines have nothing to do with each other. */
const likeEnough = 0.35;

const preface = '`old` isn’t in the file as it is now; nothing was changed.';

interface Near {
  /** Lines (from, to; counted from 1). */
  near: [number, number];
  text: string;
}

/** `fileText` is decoded and without its mark; `old` isn't in it. */
export function explainMissing(fileText: string, old: string): string {
  return whyMissing(fileText, old).problem;
}

/** The same, and the lines of the nearest place. */
export function whyMissing(fileText: string, old: string): { problem: string; near?: [number, number] } {
  const { lines } = linesOf(fileText);
  if (lines.length === 0) return { problem: `${preface} The file is empty.` };
  const wanted = linesOf(old).lines;
  const text = lines.join('\n') + (fileText.endsWith('\n') ? '\n' : '');
  const bare = withoutNumbers(wanted);
  if (bare !== undefined && text.includes(bare)) {
    return { problem: `${preface} It has the line numbers that read shows: leave them out.` };
  }
  const written = asShown(text, old);
  if (written !== undefined) return { problem: `${preface} ${written}` };
  const places = nearestPlaces(lines, wanted);
  const plain = old.replaceAll('\r\n', '\n');
  const found =
    otherLineEnds(text, plain) ??
    firstOf(places.slice(0, placesSearched), (place) => alikeAt(text, lines, plain, place)) ??
    firstOf(places, (place) => differences(lines, wanted, place));
  if (found === undefined) return { problem: `${preface} No line there is like one of it. Read the file again.` };
  return { problem: `${preface}\n${whereText(found.near)}. ${found.text}`, near: found.near };
}

/** The file has what results show otherwise than it is. */
function asShown(text: string, old: string): string | undefined {
  const bare = withMarks(withUnseen(old));
  if (bare === old || !text.includes(bare)) return undefined;
  return 'It has characters as results show them, and the file has others: where \\u{202e} or the like is shown, that character itself (in JSON as an escape); where ‹ is shown, the < or [ of a mark of models.';
}

/** The place where nothing but line ends differs. */
function otherLineEnds(text: string, plain: string): Near | undefined {
  const place = text.indexOf(plain);
  if (place === -1) return undefined;
  const from = lineNumber(text, place);
  const near: [number, number] = [from, from + linesOf(plain).lines.length - 1];
  return { near, text: 'Only line ends differ: use LF in `old`, it stands for CRLF too.' };
}

function firstOf<T, R>(items: readonly T[], make: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const made = make(item);
    if (made !== undefined) return made;
  }
  return undefined;
}

/** The lines without number and tab in front, if all have them. */
function withoutNumbers(lines: string[]): string | undefined {
  const bare = lines.map((line) => /^\s*\d+\t(.*)$/.exec(line)?.[1]);
  return bare.every((line) => line !== undefined) ? bare.join('\n') : undefined;
}

/** The line (from 1) of a place in a text. */
function lineNumber(text: string, place: number): number {
  return text.slice(0, place).split('\n').length;
}

/** The lines of the file (from 0) where the wanted lines are most like what stands there, the likest first. */
function nearestPlaces(lines: string[], wanted: string[]): number[] {
  const pairs = wanted.slice(0, wantedCompared).map(pairsOf);
  const keys = lines.slice(0, linesKeyed).map(keyOf);
  const candidates = [
    ...sameKeys(keys, wanted.slice(0, wantedCompared).map(keyOf)),
    ...holdingTheLongest(keys, wanted),
    ...likeTheLongest(lines, wanted),
  ];
  return [...new Set(candidates)]
    .map((place) => {
      const scores = pairs.map((line, offset) => likeness(line, pairsOf(lines[place + offset] ?? '')));
      return { place, score: scores.reduce((sum, one) => sum + one, 0) };
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ place }) => place);
}

/** Places at which lines of the wanted text stand but for look-alikes; those with most of it first. */
function sameKeys(keys: string[], wanted: string[]): number[] {
  const offsets = new Map<string, number[]>();
  wanted.forEach((key, offset) => {
    if (key !== '') offsets.set(key, [...(offsets.get(key) ?? []), offset]);
  });
  const weights = new Map<number, number>();
  keys.forEach((key, index) => {
    for (const offset of offsets.get(key) ?? []) {
      weights.set(index - offset, (weights.get(index - offset) ?? 0) + key.length);
    }
  });
  return [...weights]
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, placesCompared)
    .map(([place]) => place);
}

/** Places at which a line holds the longest wanted one but for look-alikes, an escaped line break ending it. */
function holdingTheLongest(keys: string[], wanted: string[]): number[] {
  const { line, offset } = longestOf(wanted);
  const key = longestOf(line.split(/\\n/).map(keyOf)).line;
  if (key === '') return [];
  const places: number[] = [];
  for (let index = 0; index < keys.length && places.length < placesCompared; index++) {
    if (keys[index]?.includes(key) === true) places.push(index - offset);
  }
  return places;
}

/** Places at which a line is like the longest wanted one. */
function likeTheLongest(lines: string[], wanted: string[]): number[] {
  const { line: longest, offset } = longestOf(wanted);
  const pairs = pairsOf(longest);
  return lines
    .slice(0, linesCompared)
    .map((line, index) => ({ place: index - offset, score: likeness(pairs, pairsOf(line)) }))
    .filter(({ score }) => score >= likeEnough)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, placesCompared)
    .map(({ place }) => place);
}

function longestOf(lines: string[]): { line: string; offset: number } {
  const lengths = lines.map((line) => line.trim().length);
  const offset = lengths.reduce((best, length, index) => (length > (lengths[best] ?? 0) ? index : best), 0);
  return { line: lines[offset] ?? '', offset };
}

/** What differs where the text around a place looks like the wanted one; undefined where it doesn't. */
function alikeAt(text: string, lines: string[], wanted: string, place: number): Near | undefined {
  if (wanted.length > charactersCompared) return undefined;
  const first = Math.max(0, place - linesAround);
  const length = wanted.split(/\n|\\n/).length + 2 * linesAround;
  const around = lines.slice(first, first + length).join('\n');
  const isEnd = first + length >= lines.length;
  const window = isEnd && !text.endsWith('\n') ? around : `${around}\n`;
  if (window.length > charactersCompared) return undefined;
  const found = compareAlike(window, wanted);
  if (found === undefined || found.differences.length === 0) return undefined;
  const shown = found.differences.slice(0, differencesShown).map(({ at, there, wanted: sought }) => {
    const number = first + lineNumber(window, at);
    const column = at - (window.lastIndexOf('\n', at - 1) + 1);
    const line = `${number}\t${cutLine(visible(lines[number - 1] ?? ''), lineShown)}`;
    return `${line}\n${whatStands(column, stretchName(there), stretchName(sought))}`;
  });
  const kinds = found.differences.map(({ kind }) => kind).join(', ');
  const near: [number, number] = [first + lineNumber(window, found.start), first + lineNumber(window, found.end)];
  return { near, text: `It differs in ${kinds}:\n${shown.join('\n')}` };
}

function whatStands(column: number, there: string, wanted: string): string {
  return `  at column ${column + 1} the file has ${there}, \`old\` has ${wanted}`;
}

function whereText([from, to]: [number, number]): string {
  return to > from ? `The nearest place is lines ${from}-${to}` : `The nearest place is line ${from}`;
}

function differences(lines: string[], wanted: string[], place: number): Near {
  const found = wanted.flatMap((line, offset) => {
    const there = lines[place + offset];
    return there === line ? [] : [difference(place + offset, there, line)];
  });
  // Lines that lie outside the file say least.
  found.sort((a, b) => Number(a.isOutside) - Number(b.isOutside));
  const near: [number, number] = [Math.max(1, place + 1), Math.min(place + wanted.length, lines.length)];
  if (found.length === 0) return { near, text: 'Only the line end after it differs.' };
  const shown = found.slice(0, differencesShown).map(({ text }) => text);
  return { near, text: `It differs:\n${shown.join('\n')}` };
}

function difference(index: number, there: string | undefined, wanted: string): { text: string; isOutside: boolean } {
  if (there === undefined) {
    return { text: `  outside the file, \`old\` has: ${cutLine(visible(wanted), lineShown)}`, isOutside: true };
  }
  const column = firstDifference(there, wanted);
  const line = `${index + 1}\t${cutLine(visible(there), lineShown)}`;
  const text = `${line}\n${whatStands(column, characterName(there, column), characterName(wanted, column))}`;
  return { text, isOutside: false };
}

function firstDifference(a: string, b: string): number {
  let column = 0;
  while (column < a.length && a[column] === b[column]) column += 1;
  return column;
}

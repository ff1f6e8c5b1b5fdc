/** Finds where a hunk stands in a file. Lines must be the same to the last character, and the place must be beyond doubt. */
import { count, cutLine, visible } from '../../text/index.ts';
import { findText, textOf } from '../document.ts';
import { explainMissing } from '../explain.ts';
import { lineCounter } from '../places.ts';
import { followAnchors } from './anchors.ts';
import { firstAbove, placesOfLines, type FileLines } from './file-lines.ts';
import { isProblem, type Hunk, type Problem } from './operations.ts';
import { problemAt } from './unwrap.ts';

const lineShown = 120;
const placesShown = 10;

/** Lines of the file, from 0; `to` isn't included. */
export interface HunkPlace {
  from: number;
  to: number;
}

/** `from`: the first line of the file that no hunk before it has taken. */
export function placeOfHunk(file: FileLines, hunk: Hunk, from: number): HunkPlace | Problem {
  const { strict, loose } = readings(hunk);
  const places = new Map<number, number>();
  for (const old of strict.length === loose.length ? [strict] : [strict, loose]) {
    const found = placesOf(file, hunk, old, from);
    if (isProblem(found)) return found;
    for (const at of found) places.set(at, at + old.length);
  }
  const [first, ...others] = places;
  if (first === undefined) return { problem: whyMissing(file, hunk, loose, from) };
  if (others.length > 0) return several(file, hunk, [...places.keys()]);
  return { from: first[0], to: first[1] };
}

/**
 * The lines that must stand in the file, read in two ways where the hunk ends in lines without a sign: these may be empty lines of the
 * file, or set the hunk apart from the next.
 */
function readings({ lines }: Hunk): { strict: string[]; loose: string[] } {
  const strict = lines.filter(({ sign }) => sign !== '+').map(({ text }) => text);
  return { strict, loose: strict.slice(0, strict.length - bareAtEnd(lines)) };
}

function bareAtEnd(lines: Hunk['lines']): number {
  return lines.length - 1 - lines.findLastIndex(({ bare }) => !bare);
}

/**
 * Where the hunk can stand. Below anchors that is the first place after them; where the outermost stands several times, one place
 * for each. A hunk can also repeat its last anchor as its first line.
 */
function placesOf(file: FileLines, hunk: Hunk, old: string[], from: number): Set<number> | Problem {
  const { anchors, atEnd } = hunk;
  const end = file.texts.length;
  const anchored = anchors.length === 0 ? undefined : followAnchors(file, anchors, from);
  if (isProblem(anchored)) return anchored;
  if (old.length === 0) return new Set(anchored === undefined || atEnd ? [end] : anchored.map((line) => line + 1));
  const all = placesOfLines(file, old, from).filter((place) => !atEnd || place + old.length === end);
  if (anchored === undefined) return new Set(all);
  const starts = new Set(all);
  return new Set(anchored.flatMap((line) => [firstAbove(all, line) ?? [], starts.has(line) ? line : []].flat()));
}

function several(file: FileLines, { line, lines, anchors }: Hunk, places: number[]): Problem {
  const shown = places
    .toSorted((a, b) => a - b)
    .slice(0, placesShown)
    .map((place) => `${place + 1}\t${cutLine(visible(file.texts[place] ?? '(end of the file)'), lineShown)}`);
  const more = places.length > shown.length ? [`[${count(places.length - shown.length, 'more place')}]`] : [];
  const outer = anchors.length > 0 ? 'an outer anchor above the others' : 'an anchor';
  const bare = bareAtEnd(lines) > 0 ? ' Begin empty lines of the file with a blank, or leave them out.' : '';
  const head = `Line ${line} of the patch: the hunk could stand in ${count(places.length, 'place')} of the file. Add lines around it, or ${outer} (“@@ ” and a whole line).${bare} Here:`;
  return { problem: [head, ...shown, ...more].join('\n') };
}

function whyMissing(file: FileLines, hunk: Hunk, old: string[], from: number): string {
  const places = placesOfLines(file, old, 0);
  const lines = places.slice(0, placesShown).map((place) => place + 1);
  const where = `Its lines stand at line ${lines.join(', ')} of the file`;
  const at = (why: string) => problemAt(hunk.line, why, '').problem;
  if (places.length === 0) return `Line ${hunk.line} of the patch: ${whyNowhere(file, old)}`;
  if (places.every((place) => place < from)) {
    return at(
      `this hunk comes after one that already takes line ${from} of the file. ${where}. Hunks of a file stand in its order and share no lines: put them in order, or join the two`,
    );
  }
  if (hunk.atEnd && places.every((place) => place + old.length !== file.texts.length)) {
    return at(
      `this hunk must stand at the end of the file (line ${file.texts.length}). ${where}. Leave out “*** End of File”`,
    );
  }
  return at(`this hunk doesn’t stand below its anchor. ${where}. Give a line above that as the anchor`);
}

function whyNowhere({ document }: FileLines, old: string[]): string {
  const text = old.join('\n');
  const [part] = findText(document, text);
  if (part !== undefined) {
    const line = lineCounter(document.units)(part.start);
    return `the hunk’s lines are only a part of what stands at line ${line}; nothing was changed. A hunk holds whole lines.`;
  }
  // The engine’s words for a text that was sought; here that is the hunk.
  return explainMissing(textOf(document), text).replaceAll('`old`', 'the hunk');
}

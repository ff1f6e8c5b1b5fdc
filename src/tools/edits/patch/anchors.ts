/** Follows the anchors of a hunk through a file. They only say where to look; what is replaced must fit exactly. */
import { cutLine, likeness, pairsOf, visible } from '../../text/index.ts';
import { firstAbove, isLine, type FileLines } from './file-lines.ts';
import { isProblem, type Anchor, type Problem } from './operations.ts';
import { problemAt } from './unwrap.ts';

const lineShown = 120;
const nearestShown = 3;
/** A hint must not take long: so many lines of the file are compared. */
const linesCompared = 20_000;
/** Likeness (0 to 1) from which on a line may be what an anchor meant. */
const likeEnough = 0.4;

/**
 * The lines (from 0) at which the last anchor is reached, one for each line that the first one can mean: from there on each further
 * anchor is the next line like it.
 */
export function followAnchors(file: FileLines, anchors: readonly Anchor[], from: number): number[] | Problem {
  let reached: number[] | undefined;
  for (const anchor of anchors) {
    const lines = linesLike(file, anchor.text, from);
    const next: number[] = reached?.flatMap((place) => firstAbove(lines, place) ?? []) ?? lines;
    if (next.length === 0) return whyMissing(file, anchor, reached?.[0] ?? from - 1);
    reached = next;
  }
  return [...new Set(reached)];
}

/** The lines that are the same as an anchor, and only where there is none those that differ in blanks around them. */
function linesLike(file: FileLines, anchor: string, from: number): number[] {
  const wanted = anchor.trim();
  const same = linesThat((index) => isLine(file, index, anchor), from, file.texts.length);
  if (same.length > 0) return same;
  return linesThat((index) => file.texts[index]?.trim() === wanted, from, file.texts.length);
}

function linesThat(fit: (index: number) => boolean, from: number, to: number): number[] {
  const lines: number[] = [];
  for (let index = from; index < to; index++) if (fit(index)) lines.push(index);
  return lines;
}

function whyMissing(file: FileLines, { text, line }: Anchor, after: number): Problem {
  const where = after < 0 ? 'no line of the file is' : `no line of the file after line ${after + 1} is`;
  const problem = problemAt(line, `${where} the one after “@@”`, `@@ ${text}`);
  if (isProblem(problem) && /^-\d+(,\d+)? \+\d+/.test(text)) {
    return {
      problem: `${problem.problem}\nLine numbers have no place here: write “@@” alone, or a whole line of the file after it.`,
    };
  }
  const nearest = nearestLines(file, text);
  const hint = nearest.length === 0 ? '' : `\nThe nearest lines:\n${nearest.join('\n')}`;
  return { problem: `${problem.problem}\nAn anchor is a whole line that stands above the hunk.${hint}` };
}

function nearestLines({ texts }: FileLines, anchor: string): string[] {
  const pairs = pairsOf(anchor);
  const wanted = anchor.trim();
  return texts
    .slice(0, linesCompared)
    .map((text, index) => ({ index, text, score: text.includes(wanted) ? 1 : likeness(pairs, pairsOf(text)) }))
    .filter(({ score }) => score >= likeEnough)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, nearestShown)
    .map(({ index, text }) => `${index + 1}\t${cutLine(visible(text), lineShown)}`);
}

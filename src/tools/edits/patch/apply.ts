/** Applies the hunks of one file to its bytes. */
import type { Replaced } from '../replace.ts';
import type { TextDocument } from '../document.ts';
import { linesOfDocument } from './file-lines.ts';
import { replaceLines, type LineReplacement } from './lines.ts';
import { isProblem, type Hunk, type Problem } from './operations.ts';
import { placeOfHunk } from './place.ts';
import { problemAt } from './unwrap.ts';

/** All of them, or none and why. Lines that a hunk only shows aren't touched, not even their ends. */
export function applyHunks(document: TextDocument, hunks: readonly Hunk[]): Replaced | Problem {
  const file = linesOfDocument(document);
  const replacements: LineReplacement[] = [];
  let from = 0;
  for (const hunk of hunks) {
    const place = placeOfHunk(file, hunk, from);
    if (isProblem(place)) return place;
    replacements.push(...changesOf(hunk, place.from));
    from = place.to;
  }
  const result = replaceLines(file, replacements);
  if (isProblem(result) || !result.bytes.equals(document.bytes)) return result;
  return problemAt(hunks[0]?.line ?? 1, 'nothing would change: what goes and what comes are the same', '');
}

/** What goes and what comes, one replacement for each run of such lines. */
function changesOf({ lines }: Hunk, start: number): LineReplacement[] {
  const changes: LineReplacement[] = [];
  let at = start;
  let run: { from: number; lines: string[] } | undefined;
  const close = (): void => {
    if (run !== undefined) changes.push({ from: run.from, to: at, lines: run.lines });
    run = undefined;
  };
  for (const { sign, text } of lines) {
    if (sign === ' ') {
      close();
      at += 1;
      continue;
    }
    run ??= { from: at, lines: [] };
    if (sign === '-') at += 1;
    else run.lines.push(text);
  }
  close();
  return changes;
}

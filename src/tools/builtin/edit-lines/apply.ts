/** Applies edits of named lines to a file: all of them, or none and why. */
import {
  excerptOf,
  lineName,
  linesOfDocument,
  replaceLines,
  tagOf,
  type FileLines,
  type LineReplacement,
  type Replaced,
  type TextDocument,
} from '../../edits/index.ts';
import { count } from '../../text/index.ts';
import type { LineEdit, LineName } from './requests.ts';

/** Lines on either side of a place that are shown when its line is another one now. */
const around = 3;
/** A line that has moved is looked for so many lines up and down. */
const searched = 100;
const problemsShown = 5;

interface Placed {
  edit: LineEdit;
  change: LineReplacement;
}

export function applyLineEdits(document: TextDocument, edits: readonly LineEdit[]): Replaced | { problem: string } {
  const file = linesOfDocument(document);
  const wrong = edits.flatMap((edit) => namesOf(edit).flatMap((name) => whyNotThere(file, edit, name) ?? []));
  if (wrong.length > 0) {
    const more = wrong.length > problemsShown ? [`[${count(wrong.length - problemsShown, 'more line')} alike]`] : [];
    return { problem: [...new Set(wrong)].slice(0, problemsShown).concat(more).join('\n') };
  }
  const placed = edits
    .map((edit) => ({ edit, change: changeOf(edit) }))
    .toSorted((a, b) => a.change.from - b.change.from || a.change.to - b.change.to);
  const overlap = overlapOf(placed);
  if (overlap !== undefined) return { problem: overlap };
  const result = replaceLines(
    file,
    placed.map(({ change }) => change),
  );
  if ('problem' in result || !result.bytes.equals(document.bytes)) return result;
  return { problem: 'Nothing would change: the lines are these already.' };
}

function namesOf({ target }: LineEdit): LineName[] {
  if ('after' in target) return [target.after];
  return target.first === target.last ? [target.first] : [target.first, target.last];
}

/** Why a line isn't the one that was named: what stands there now, and where the named one may be. */
function whyNotThere(file: FileLines, { path }: LineEdit, { number, tag }: LineName): string | undefined {
  if (number === 0) return undefined;
  const text = file.texts[number - 1];
  if (text !== undefined && tagOf(text) === tag) return undefined;
  const present = excerptOf(file.texts, [{ before: [number, number], after: [number, number] }], {
    around,
    limit: 2 * around + 1,
    name: lineName,
  });
  const why =
    text === undefined
      ? `the file has ${count(file.texts.length, 'line')}`
      : `line ${number} is another one now (${lineName(number, text)})`;
  const moved = onlyLineWithTag(file, number, tag);
  const hint = moved === undefined ? '' : ` The line with that tag may now be ${moved}:${tag}.`;
  return [`${path}: ${number}:${tag} isn’t there, ${why}.${hint}`, ...present].join('\n');
}

function onlyLineWithTag({ texts }: FileLines, number: number, tag: string): number | undefined {
  const first = Math.max(0, number - 1 - searched);
  const found = texts.slice(first, number + searched).flatMap((text, index) => (tagOf(text) === tag ? [index] : []));
  const [only] = found;
  return only !== undefined && found.length === 1 ? first + only + 1 : undefined;
}

function changeOf({ target, lines }: LineEdit): LineReplacement {
  if ('after' in target) return { from: target.after.number, to: target.after.number, lines };
  return { from: target.first.number - 1, to: target.last.number, lines };
}

/** The edits rise; two that share a line, or of which one lies inside the other, can't both be meant. */
function overlapOf(placed: readonly Placed[]): string | undefined {
  for (const [index, { edit, change }] of placed.entries()) {
    const next = placed[index + 1];
    if (next === undefined || next.change.from >= change.to) continue;
    return `${edit.path} and ${next.edit.path} overlap at line ${next.change.from + 1}: join them into one.`;
  }
  return undefined;
}

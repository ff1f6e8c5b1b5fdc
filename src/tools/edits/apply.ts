/** Exact replacements in a document, one after the other. */
import { cutLine, visible } from '../text/index.ts';
import { findText, linesAt, textOf, type TextDocument } from './document.ts';
import { whyMissing } from './explain.ts';
import type { Span } from './match.ts';
import { carryPlaces, lineCounter, type EditPlace } from './places.ts';
import { replaceSpans, type Replaced } from './replace.ts';

export interface Replacement {
  old: string;
  new: string;
  /** Replace every match, not the only one. */
  all: boolean;
}

/** Places shown of several, and characters shown of each line. */
const placesShown = 10;
const lineShown = 120;

/** Why a replacement doesn't fit, and the lines (from, to; counted from 1) where it nearly does. */
export interface Misfit {
  problem: string;
  near?: [number, number];
}

/** Applies replacements in order, each to the result of the one before; all or none. `number` is that of the one that failed, from 1. */
export function applyEdits(
  document: TextDocument,
  edits: readonly Replacement[],
): Replaced | (Misfit & { number: number }) {
  let now = document;
  let places: EditPlace[] = [];
  for (const [index, edit] of edits.entries()) {
    const replaced = applyEdit(now, edit);
    if ('problem' in replaced) return { ...replaced, number: index + 1 };
    now = replaced.document;
    places = [...carryPlaces(places, replaced.places), ...replaced.places];
  }
  return { bytes: now.bytes, places, document: now };
}

/** Replaces `old` where it stands, exactly and once (or everywhere); every byte outside stays as it is. */
function applyEdit(document: TextDocument, edit: Replacement): Replaced | Misfit {
  if (edit.old === '') return { problem: 'An empty `old` only creates a file, by one edit of its own.' };
  if (edit.old === edit.new) return { problem: '`old` and `new` are the same: there is nothing to change.' };
  const spans = findText(document, edit.old, { apart: edit.all });
  if (spans.length === 0) return whyMissing(textOf(document), edit.old);
  if (spans.length > 1 && !edit.all) return { problem: several(document, spans) };
  const replaced = replaceSpans(
    document,
    spans.map((span) => ({ span, text: edit.new })),
  );
  if ('problem' in replaced || !replaced.bytes.equals(document.bytes)) return replaced;
  return {
    problem:
      'Nothing would change: a line feed in `new` takes the line end of the place it goes to. To convert line ends, use write or a command.',
  };
}

function several(document: TextDocument, spans: Span[]): string {
  const numbers = spans
    .slice(0, placesShown)
    .map(({ start }) => start)
    .map(lineCounter(document.units));
  const lines = linesAt(document, new Set(numbers));
  const shown = numbers.map((number) => `${number}\t${cutLine(visible(lines[number - 1] ?? ''), lineShown)}`);
  const more = spans.length > shown.length ? [`[${spans.length - shown.length} more]`] : [];
  const head = `\`old\` stands there ${spans.length} times; it must be unique. Add lines before or after it to \`old\`, or set \`all\` to replace every one. It begins at:`;
  return [head, ...shown, ...more].join('\n');
}

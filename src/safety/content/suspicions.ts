/** Finds words in data that look like orders to a model. A person is told; nothing is blocked or changed for it. */
import { phrases, trigger, type Phrase } from './phrases.ts';
import { plainOf } from './plain.ts';

export interface Suspicion {
  kind: Phrase['kind'];
  /** Line of the text, from 1. */
  line: number;
  /** The words and what stands around them; plain and in lower case but for signs of turns. */
  quote: string;
}

/** Characters of one text that are looked at: what a result shows is less. */
const mostRead = 200_000;
/** Characters before and after the words. */
const around = 40;

/** The first place of each phrase, in the order of the text. */
export function suspicionsIn(text: string): Suspicion[] {
  const read = text.slice(0, mostRead);
  const isPlain = !/[^\x00-\x7f]|\\u\{|\b[a-z][ .-][a-z][ .-][a-z][ .-]/i.test(read);
  if (isPlain && !trigger.test(read)) return [];
  const plain = plainOf(read);
  const raw = { text: read, lines: lineStarts(read) };
  const found = phrases.flatMap(({ kind, pattern, raw: isRaw }) => {
    const { text: searched, lines } = isRaw === true ? raw : plain;
    const match = pattern.exec(searched);
    if (match === null) return [];
    const { index } = match;
    const quote = searched.slice(Math.max(0, index - around), index + match[0].length + around).trim();
    return [{ kind, line: lineAt(lines, index), quote }];
  });
  return found.toSorted((a, b) => a.line - b.line);
}

function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
}

/** The last line that begins at or before the place. */
function lineAt(lines: readonly number[], index: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle] ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

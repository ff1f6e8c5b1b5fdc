/** Layers of a request and their pieces in words: what `context` and `capture` have in common. */
import { grouped } from '../../../harness/index.ts';
import { clip, oneLine } from '../printable.ts';

const kindTexts: { [kind: string]: string } = {
  system: 'system prompt',
  user: 'user text',
  'system-messages': 'system messages',
  assistant: 'assistant text',
  'static-prompt': 'static prompt',
  'standing-context': 'standing context',
  appended: 'added to the prompt',
  frame: 'around them',
};

/** So many of the pieces of a layer are named, unless it is told whole. */
export const mostNamed = 3;
/** More of a name than a line shows is not even looked at. */
const longestName = 200;
const shownName = 50;

export function kindName(kind: string): string {
  return Object.hasOwn(kindTexts, kind) ? (kindTexts[kind] ?? kind) : oneLine(kind.slice(0, longestName));
}

export function pieceName(name: string): string {
  return `    ${clip(oneLine(name.slice(0, longestName)), shownName) || '(without a name)'}`;
}

/** An estimate. */
export function about(tokens: number): string {
  return `~${grouped(tokens)}`;
}

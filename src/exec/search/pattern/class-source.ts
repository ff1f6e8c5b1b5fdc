/** A set of characters in the syntax of JavaScript (with its flag `v`). */
import { propertySource } from './properties.ts';
import type { ClassSet } from './syntax.ts';

/** `ascii`: the text is known to be plain ASCII, so that smaller sets do. */
const perlSets = {
  d: { ascii: '0-9', unicode: String.raw`\p{Nd}` },
  s: { ascii: String.raw`\t\n\v\f\r\x20`, unicode: String.raw`\p{White_Space}` },
  w: { ascii: '0-9A-Z_a-z', unicode: String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}` },
};

const asciiSets: { readonly [name: string]: string } = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: String.raw`\x00-\x7f`,
  blank: String.raw`\t\x20`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: '0-9',
  graph: String.raw`\x21-\x7e`,
  lower: 'a-z',
  print: String.raw`\x20-\x7e`,
  punct: String.raw`\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e`,
  space: String.raw`\t\n\v\f\r\x20`,
  upper: 'A-Z',
  word: '0-9A-Z_a-z',
  xdigit: '0-9A-Fa-f',
};

/** The characters of words. */
export function wordSource(ascii: boolean): string {
  return `[${ascii ? perlSets.w.ascii : perlSets.w.unicode}]`;
}

/** A bracketed set, without the characters in `without` (ranges in the same syntax; may be empty). */
export function classSource(set: ClassSet, ascii: boolean, without: string): string {
  const source = bracketed(set, ascii);
  return without === '' ? source : `[${source}--[${without}]]`;
}

function bracketed(set: ClassSet, ascii: boolean): string {
  switch (set.kind) {
    case 'range':
      return `[${characterSource(set.from)}-${characterSource(set.to)}]`;
    case 'perl':
      return `[${set.negated ? '^' : ''}${perlSets[set.name][ascii ? 'ascii' : 'unicode']}]`;
    case 'ascii':
      return `[${set.negated ? '^' : ''}${asciiSets[set.name] ?? ''}]`;
    case 'property':
      return `[${propertySource(set)}]`;
    case 'union':
      return `[${set.negated ? '^' : ''}${set.items.map((item) => bracketed(item, ascii)).join('')}]`;
    default:
      return combined(set.kind, bracketed(set.left, ascii), bracketed(set.right, ascii));
  }
}

function combined(operator: 'both' | 'without' | 'either', left: string, right: string): string {
  if (operator === 'both') return `[${left}&&${right}]`;
  if (operator === 'without') return `[${left}--${right}]`;
  return `[[${left}--${right}][${right}--${left}]]`;
}

/** A character that stands for itself, in a set and outside. */
export function characterSource(code: number): string {
  const character = String.fromCodePoint(code);
  return /^[A-Za-z0-9_]$/.test(character) ? character : `\\u{${code.toString(16)}}`;
}

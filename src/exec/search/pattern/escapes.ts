/** What a backslash begins. */
import type { Reader } from './reader.ts';
import { PatternError, type Assertion, type ClassSet } from './syntax.ts';

export type Escape =
  | { kind: 'literal'; character: number }
  | { kind: 'set'; set: ClassSet }
  | { kind: 'assertion'; assertion: Assertion };

const controls: { readonly [letter: string]: number } = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
const assertions: { readonly [letter: string]: Assertion } = {
  A: 'text-start',
  z: 'text-end',
  b: 'word',
  B: 'not-word',
  '<': 'word-start',
  '>': 'word-end',
};
const boundaries: { readonly [name: string]: Assertion } = {
  start: 'word-start',
  end: 'word-end',
  'start-half': 'word-start-half',
  'end-half': 'word-end-half',
};
const digitsOf: { readonly [letter: string]: number } = { x: 2, u: 4, U: 8 };
const tooShort = 'incomplete escape sequence, reached end of pattern prematurely';

/** Reads an escape; the reader stands on its backslash, and afterwards behind it all. */
export function readEscape(reader: Reader): Escape {
  const begin = reader.at;
  if (!reader.bump()) throw new PatternError(tooShort, begin, 1, 'unknown-escape');
  const { character } = reader;
  if (/^[0-9]$/.test(character)) throw new PatternError('backreferences are not supported', begin, 2, 'look-around');
  if (character in digitsOf) return { kind: 'literal', character: readHex(reader, digitsOf[character] ?? 2) };
  if (character === 'p' || character === 'P') return { kind: 'set', set: readProperty(reader, begin) };
  reader.bump();
  const perl = character.toLowerCase();
  if (perl === 'd' || perl === 's' || perl === 'w')
    return { kind: 'set', set: { kind: 'perl', name: perl, negated: perl !== character } };
  const control = controls[character];
  if (control !== undefined) return { kind: 'literal', character: control };
  const assertion = assertions[character];
  if (assertion !== undefined)
    return { kind: 'assertion', assertion: (character === 'b' ? readBoundary(reader) : undefined) ?? assertion };
  // Every other character of ASCII that is no letter may have a backslash, whether it needs one or not.
  if (/^[\0-\x7f]$/.test(character) && !/^[A-Za-z]$/.test(character))
    return { kind: 'literal', character: character.codePointAt(0) ?? 0 };
  throw new PatternError('unrecognized escape sequence', begin, 2, 'unknown-escape');
}

/** `\b{start}` and its kin; undefined where the brace begins a repetition. */
function readBoundary(reader: Reader): Assertion | undefined {
  if (!reader.is('{')) return undefined;
  const brace = reader.at;
  if (!reader.bumpAndSkip())
    throw new PatternError(
      'found either the beginning of a special word boundary or a bounded repetition on a \\b with an opening brace, but no closing brace',
      brace,
    );
  if (!/^[A-Za-z-]$/.test(reader.character)) {
    reader.at = brace;
    return undefined;
  }
  const begin = reader.at;
  let name = '';
  while (/^[A-Za-z-]$/.test(reader.character)) {
    name += reader.character;
    reader.bumpAndSkip();
  }
  if (!reader.is('}'))
    throw new PatternError(
      'special word boundary assertion is either unclosed or contains an invalid character',
      brace,
    );
  const boundary = Object.hasOwn(boundaries, name) ? boundaries[name] : undefined;
  if (boundary === undefined)
    throw new PatternError(
      'unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half',
      begin,
      name.length,
    );
  reader.bump();
  return boundary;
}

/** The character of `\x7F`, `\u007F`, `\U0000007F` or one of these with braces. */
function readHex(reader: Reader, digits: number): number {
  if (!reader.bumpAndSkip()) throw new PatternError(tooShort, reader.at - 1, 1, 'unknown-escape');
  const isBraced = reader.is('{');
  const begin = isBraced ? reader.at + 1 : reader.at;
  if (isBraced) reader.bumpAndSkip();
  let text = '';
  while (isBraced ? !reader.is('}') : text.length < digits) {
    if (reader.ended) throw new PatternError(tooShort, begin, 1, 'unknown-escape');
    if (!/^[0-9A-Fa-f]$/.test(reader.character)) throw new PatternError('invalid hexadecimal digit', reader.at);
    text += reader.character;
    reader.bumpAndSkip();
  }
  if (text === '') throw new PatternError('hexadecimal literal empty', begin - 1, 2);
  const character = Number.parseInt(text, 16);
  if (!(character <= 0x10_ffff) || (character >= 0xd800 && character <= 0xdfff))
    throw new PatternError('hexadecimal literal is not a Unicode scalar value', begin, text.length);
  if (isBraced) reader.bump();
  return character;
}

/** `\pL`, `\p{Greek}`, `\p{sc=Greek}`. */
function readProperty(reader: Reader, begin: number): ClassSet {
  const negated = reader.is('P');
  if (!reader.bumpAndSkip()) throw new PatternError(tooShort, reader.at - 1, 1, 'unknown-escape');
  if (!reader.is('{')) {
    const name = reader.character;
    if (name === '\\') throw new PatternError('invalid escape sequence in a Unicode class', begin, 2);
    reader.bump();
    return { kind: 'property', name, negated, at: begin, length: reader.at - begin };
  }
  let name = '';
  while (reader.bumpAndSkip() && !reader.is('}')) name += reader.character;
  if (reader.ended) throw new PatternError(tooShort, reader.at, 1, 'unknown-escape');
  reader.bump();
  return { kind: 'property', name, negated, at: begin, length: reader.at - begin };
}

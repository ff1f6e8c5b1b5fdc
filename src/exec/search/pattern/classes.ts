/** What stands in brackets. */
import { readEscape } from './escapes.ts';
import type { Reader } from './reader.ts';
import { PatternError, type ClassSet } from './syntax.ts';

const asciiNames = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' '),
);
const operators: { readonly [twice: string]: 'both' | 'without' | 'either' } = {
  '&&': 'both',
  '--': 'without',
  '~~': 'either',
};

/** Reads a bracketed class; the reader stands on its bracket, and afterwards behind it all. */
export function readClass(reader: Reader): ClassSet {
  return new ClassReader(reader).read(0);
}

/** The deepest nesting of classes, as in ripgrep. */
const deepest = 250;

class ClassReader {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  read(depth: number): ClassSet {
    const reader = this.#reader;
    const begin = reader.at;
    if (depth > deepest) throw new PatternError('the classes of the pattern lie too deep in each other', begin);
    const unclosed = () => new PatternError('unclosed character class', begin, 1, 'escape');
    const { negated, items } = this.#open(unclosed);
    let left: { operator: 'both' | 'without' | 'either'; set: ClassSet } | undefined;
    let union = items;
    const joined = (): ClassSet => {
      const right: ClassSet = { kind: 'union', items: union, negated: false };
      return left === undefined ? right : { kind: left.operator, left: left.set, right };
    };
    for (;;) {
      reader.skip();
      if (reader.ended) throw unclosed();
      if (reader.is(']')) {
        reader.bump();
        return { kind: 'union', items: [joined()], negated };
      }
      const operator = operators[reader.character + reader.following];
      if (operator !== undefined) {
        left = { operator, set: joined() };
        union = [];
        reader.at += 2;
      } else if (reader.is('[')) union.push(this.#ascii() ?? this.read(depth + 1));
      else union.push(this.#range(unclosed));
    }
  }

  /** What only the beginning of a class may have: its negation, and brackets and dashes that mean themselves. */
  #open(unclosed: () => PatternError): { negated: boolean; items: ClassSet[] } {
    const reader = this.#reader;
    if (!reader.bumpAndSkip()) throw unclosed();
    const negated = reader.is('^');
    if (negated && !reader.bumpAndSkip()) throw unclosed();
    const items: ClassSet[] = [];
    while (reader.is('-')) {
      items.push(single('-'));
      if (!reader.bumpAndSkip()) throw unclosed();
    }
    if (items.length === 0 && reader.is(']')) {
      items.push(single(']'));
      if (!reader.bumpAndSkip()) throw unclosed();
    }
    return { negated, items };
  }

  /** `[:alpha:]`; undefined where the bracket begins an ordinary class. */
  #ascii(): ClassSet | undefined {
    const reader = this.#reader;
    const rest = reader.characters.slice(reader.at, reader.at + 12).join('');
    const [whole, not, name] = /^\[:(\^?)([a-z]+):\]/.exec(rest) ?? [];
    if (whole === undefined || name === undefined || !asciiNames.has(name)) return undefined;
    reader.at += whole.length;
    return { kind: 'ascii', name, negated: not === '^' };
  }

  #range(unclosed: () => PatternError): ClassSet {
    const reader = this.#reader;
    const begin = reader.at;
    const from = this.#item();
    reader.skip();
    if (reader.ended) throw unclosed();
    const after = reader.followingAfterSkip();
    if (!reader.is('-') || after === ']' || after === '-') return from;
    if (!reader.bumpAndSkip()) throw unclosed();
    const second = reader.at;
    const to = this.#item();
    if (from.kind !== 'range')
      throw new PatternError('invalid range boundary, must be a literal', begin, second - 1 - begin, 'escape');
    if (to.kind !== 'range')
      throw new PatternError('invalid range boundary, must be a literal', second, reader.at - second, 'escape');
    if (from.from > to.to)
      throw new PatternError(
        'invalid character class range, the start must be <= the end',
        begin,
        reader.at - begin,
        'escape',
      );
    return { kind: 'range', from: from.from, to: to.to };
  }

  #item(): ClassSet {
    const reader = this.#reader;
    if (!reader.is('\\')) {
      const { character } = reader;
      reader.bump();
      return single(character);
    }
    const begin = reader.at;
    const escape = readEscape(reader);
    if (escape.kind === 'assertion')
      throw new PatternError('invalid escape sequence found in character class', begin, reader.at - begin, 'escape');
    return escape.kind === 'set' ? escape.set : single(String.fromCodePoint(escape.character));
  }
}

function single(character: string): ClassSet {
  const code = character.codePointAt(0) ?? 0;
  return { kind: 'range', from: code, to: code };
}

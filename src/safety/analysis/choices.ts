/** What a word may be where it can't be told for certain: texts that the line itself names. */

interface Value {
  text: string | null;
  may?: readonly string[];
}

/** More than this many are of no use to anybody. */
const choicesAtMost = 16;

/** Each of the beginnings with each of the ends. */
export function joined(beginnings: readonly string[], ends: readonly string[]): string[] {
  return beginnings.flatMap((beginning) => ends.map((end) => beginning + end)).slice(0, choicesAtMost);
}

/** All that a value may be. */
export function choicesOf({ text, may }: Value): readonly string[] {
  return text === null ? (may ?? []) : [text];
}

/** Of two ways one; where a variable stays empty on one of them, the other is what is meant. */
export function eitherOf(one: Value, other: Value): readonly string[] {
  return [...new Set([...choicesOf(one), ...choicesOf(other)])].filter((text) => text !== '').slice(0, choicesAtMost);
}

/** `%`, `%%`, `#` and `##` with a pattern; any other operator leaves the value as it is, for all that is known. */
export function trimmed(text: string, operator: string | undefined, pattern: string | null): string {
  if (pattern === null || operator === undefined) return text;
  const ends = Array.from({ length: text.length + 1 }, (_, at) => at);
  const fits = new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  );
  const isGreedy = operator.length > 1;
  if (operator.startsWith('%')) {
    const found = (isGreedy ? ends : ends.toReversed()).find((at) => fits.test(text.slice(at)));
    return found === undefined ? text : text.slice(0, found);
  }
  const found = (isGreedy ? ends.toReversed() : ends).find((at) => fits.test(text.slice(0, at)));
  return found === undefined ? text : text.slice(found);
}

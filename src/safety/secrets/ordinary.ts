/** Values that are no secrets whatever they are called: replacing them would make plain text unreadable. */

/** Characters that a known secret has at least; anything shorter stands in ordinary text by chance. */
export const leastLength = 12;
/** Letters of one case in a row that no word has. */
const longestWord = 20;
const leastDistinct = 5;
/** What stands for another value: `${NAME}`, `$(command)`, `{{ name }}`, `<your key>`, `$NAME`. */
const reference = /\$\{[^}]*\}?|\$\([^)]*\)?|\{\{.*?(?:\}\}|$)|<[a-z _-]+>|^\$[A-Za-z_]+$/gis;

/** Words, paths, numbers, addresses without a password, and what a person puts in place of a secret. */
export function isOrdinary(value: string): boolean {
  if (value.length < leastLength) return true;
  if (new Set(value).size < leastDistinct) return true;
  if (/^[\d\s.,:_+-]+$/.test(value)) return true;
  const withoutReferences = value.replaceAll(reference, '');
  if (withoutReferences !== value) return isOrdinary(withoutReferences);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return !/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*:[^/?#\s]+@/i.test(value);
  if (isPath(value)) return true;
  return isWords(value);
}

function isPath(value: string): boolean {
  if (!/^(?:~|\.{1,2})?\/|^[A-Za-z]:\\/.test(value)) return false;
  return value.split(/[\\/]/).every((part) => part.length <= 2 * leastLength || isWords(part));
}

function isWords(value: string): boolean {
  const words = value.split(/[\s_.,:;/@&+-]+/);
  return words.every(
    (word) => word.length <= longestWord && /^(?:[A-Z]?[a-z]+){0,4}\d{0,4}$|^[A-Z]+\d{0,4}$/.test(word),
  );
}

/** Bits of Shannon entropy a character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Text that was made by chance: dense, with digits among letters, not one word after the other. */
export function isRandom(text: string): boolean {
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  const isHex = /^[0-9a-f]+$/i.test(text);
  return entropy(text) >= (isHex ? 3 : Math.min(3.4, Math.log2(text.length) - 0.6));
}

/** Texts as words that can be compared: names are taken apart, endings of number left off. */

/** `createIssue`, `create_issue` and `Creates issues` have the same words. */
export function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return (apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
}

/** Enough for names and descriptions: `issues` and `issue`, `queries` and `query`, `searches` and `search`. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

/** The words of a shell command, found without running or fully parsing it: too many rather than too few. */

/** What separates words, beside blanks: quotes, operators, expansions, assignments. */
const separators = /[\s'"`;|&<>(){}$=,\\]+/;

/** Pieces between separators, and quoted texts as a whole (names with blanks). Each once, in order. */
export function wordsOf(command: string): string[] {
  const quoted = [...command.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '');
  const words = [...command.split(separators), ...command.split(/\s+/), ...quoted];
  return [...new Set(words.filter((word) => word !== ''))];
}

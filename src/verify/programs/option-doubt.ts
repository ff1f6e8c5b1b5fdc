/** Why the arguments of a check take the worth from it. */
import { normalize, join } from 'node:path';
import { filtering, flags, meanings, settingOptions, subcommands, type Meaning } from './options.ts';
import { programs } from './table.ts';

interface Where {
  folder: string;
  exists: (path: string) => boolean;
}

/**
 * Undefined where they don't. Of what a script of the package says itself only what makes it no check at all counts: that script is the
 * repository's own, and watched. `added` are the words that are not: undefined, none of them is.
 */
export function optionDoubt(
  name: string,
  words: readonly string[],
  where: Where,
  { added }: { added?: ReadonlySet<string> },
): string | undefined {
  const isOwn = (word: string): boolean => added === undefined || added.has(word);
  const isTest = programs.some(
    (each) => each.kind === 'tests' && each.names.includes(name) && fits(each.arguments, words),
  );
  const holds = ({ names, tests }: Meaning): boolean => (names?.includes(name) ?? true) && (tests !== true || isTest);
  const held = meanings.filter(holds);
  for (const [index, word] of words.entries()) {
    const meaning = held.find((each) => (each.always === true || isOwn(word)) && each.words.test(word));
    if (meaning !== undefined) return `${word} ${meaning.means}`;
    if (!isOwn(word)) continue;
    if (leadsOut(word, words[index - 1], where)) return `${word} leads out of the workspace`;
    if (isTest && filtering.has(name) && !isSubcommand(name, words, index) && isFilter(word, words[index - 1], where))
      return `${word} keeps it to some of the tests`;
  }
  return undefined;
}

/** Whether a word tells a program what to do: before it stand options and others of its kind alone. */
export function isSubcommand(name: string, words: readonly string[], index: number): boolean {
  const own = subcommands[name] ?? [];
  const isOwn = (word: string): boolean => own.includes(word);
  return isOwn(words[index] ?? '') && words.slice(0, index).every((word) => word.startsWith('-') || isOwn(word));
}

/** The words that are for a package runner itself. */
export function beforeDashes(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

const fits = (pattern: RegExp | undefined, words: readonly string[]): boolean => pattern?.test(words.join(' ')) ?? true;

/** What is checked, or by which settings, lies elsewhere. Where results are written to doesn't matter. */
function leadsOut(word: string, before: string | undefined, { folder }: Where): boolean {
  const isValue = before !== undefined && takesValue(before);
  if (isValue && !settingOptions.test(before)) return false;
  if (word.startsWith('-') && !settingOptions.test(word)) return false;
  const value = word.startsWith('-') ? word.slice(word.indexOf('=') + 1) : word;
  if (value.startsWith('-')) return false;
  return value.startsWith('/') || value.startsWith('~') || /^\.\.(?:\/|$)/.test(normalize(join(folder, value)));
}

function isFilter(word: string, before: string | undefined, { folder, exists }: Where): boolean {
  if (word.startsWith('-') || (before !== undefined && takesValue(before))) return false;
  return !exists(normalize(join(folder, word))) && !/[*?]/.test(word);
}

const takesValue = (word: string): boolean => word.startsWith('-') && !word.includes('=') && !flags.test(word);

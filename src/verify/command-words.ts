/** The words of a shell command, found without running or fully parsing it: too many rather than too few. */
import type { OpenCall } from '../core/index.ts';

/** The command line of a call, as it was let pass; undefined where it had none. */
export function commandLineOf(call: Pick<OpenCall, 'verdict' | 'arguments'> | undefined): string | undefined {
  const command = (call?.verdict?.arguments ?? call?.arguments)?.['command'];
  return typeof command === 'string' ? command : undefined;
}

/** What separates words, beside blanks: quotes, operators, expansions, assignments. */
const separators = /[\s'"`;|&<>(){}$=,\\]+/;

/** Pieces between separators, and quoted texts as a whole (names with blanks). Each once, in order. */
export function wordsOf(command: string): string[] {
  const quoted = [...command.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '');
  const words = [...command.split(separators), ...command.split(/\s+/), ...quoted];
  return [...new Set(words.filter((word) => word !== ''))];
}

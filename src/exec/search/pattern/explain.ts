/** What is wrong with a pattern, where, and what helps. */
import type { PatternProblem, ProblemKind } from './syntax.ts';

/** Characters of the pattern that are shown on either side of the place. */
const around = 30;

const hints: { readonly [kind in ProblemKind]: string } = {
  escape: '. To find brackets, braces and other signs as they stand, put a backslash before each: \\( \\[ \\{ \\*',
  'look-around': '. Search for a plainer pattern and look at what it finds',
  newline: '. To search across line ends, set multiline',
  'unknown-escape': '. To find a backslash itself, write \\\\',
  unsupported: '',
  other: '',
};

export function explainProblem(pattern: string, { reason, at, length, kind }: PatternProblem): string {
  if (at < 0) return `the pattern can’t be searched for: ${reason}${hints[kind]}`;
  const characters = Array.from(pattern);
  const end = Math.min(characters.length, at + Math.max(1, length));
  const before = characters.slice(Math.max(0, at - around), at).join('');
  const after = characters.slice(end, end + around).join('');
  const place = `${at > around ? '...' : ''}${before}»${characters.slice(at, end).join('')}«${after}`;
  const cut = end + around < characters.length ? '...' : '';
  return `the pattern is no regular expression: ${reason}, at character ${at + 1}: ${place}${cut}${hints[kind]}`;
}

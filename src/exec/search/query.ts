/** From what is asked to what is looked for. */
import type { Query } from './engine.ts';
import { compilePattern, explainProblem } from './pattern/index.ts';
import type { Refusal, SearchRequest } from './requests.ts';

/** Characters of the longest pattern: far more than a useful one has, and fewer than an argument of a program may. */
const longest = 10_000;

/** With one of these in it, a pattern minds carriage returns or the very ends of lines, so lines must end where they do in the file. */
const mindsLineEnds = /\\r|\r|\\x0?d|\\x\{0*d\}|\\u000d|\\u\{0*d\}|\\U0000000d|\\[Az]|\(\?[a-z]*-[a-z]*[mr]/i;

/** What is looked for; refused where the pattern can't be one. */
export function queryOf({ pattern, ignoreCase = false, multiline = false }: SearchRequest): Query | Refusal {
  if (pattern.includes('\0')) return { refused: 'the pattern holds a NUL, which only binary files have' };
  if (!pattern.isWellFormed()) return { refused: 'the pattern holds half of a surrogate pair, which is no character' };
  if (pattern.length > longest) return { refused: `the pattern has more than ${longest} characters` };
  const query = { pattern, ignoreCase, multiline, crlf: !mindsLineEnds.test(pattern) };
  // Ripgrep puts a group around the pattern, which a bracket too many would close.
  const problem = pattern.includes(')') ? compilePattern(pattern, query) : undefined;
  if (problem !== undefined && 'reason' in problem && problem.reason === 'unopened group')
    return { refused: explainProblem(pattern, problem) };
  return query;
}

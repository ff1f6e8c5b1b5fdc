/** The inner door to patterns: what ripgrep's regular expressions mean, and what is wrong with one. */
import { demandNoNewline, requiredText, seesNewlines } from './facts.ts';
import { parsePattern, type PatternOptions } from './parse.ts';
import { PatternError, type Node, type PatternProblem } from './syntax.ts';
import { translate } from './translate.ts';

export { explainProblem } from './explain.ts';
export type { PatternProblem } from './syntax.ts';

export interface Pattern {
  /** For text of plain ASCII, which is faster, and for any other. Stateful: set `lastIndex`. */
  ascii: RegExp;
  unicode: RegExp;
  /** A match can span lines; else the text is searched line by line. */
  spansLines: boolean;
  /** Text that stands in every match; may be empty. */
  required: string;
}

/** The pattern for the own walk, or what is wrong with it. */
export function compilePattern(
  pattern: string,
  { multiline, ...options }: PatternOptions & { multiline: boolean },
): Pattern | PatternProblem {
  const node = parsePattern(pattern, options);
  if ('reason' in node) return node;
  try {
    return compiled(node, { multiline, crlf: options.crlf });
  } catch (error) {
    if (error instanceof PatternError) return error.problem;
    throw error;
  }
}

function compiled(node: Node, options: { multiline: boolean; crlf: boolean }): Pattern {
  if (!options.multiline) demandNoNewline(node);
  const spansLines = options.multiline && seesNewlines(node);
  const translation = { spansLines, wholeText: options.multiline, crlf: options.crlf };
  return {
    ascii: translate(node, { ...translation, ascii: true }),
    unicode: translate(node, { ...translation, ascii: false }),
    spansLines,
    required: requiredText(node),
  };
}

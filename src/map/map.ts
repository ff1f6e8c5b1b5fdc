/** A map of a repository: the symbols that matter for what is asked, within a number of tokens. */
import { fit, type Fitted } from './fit.ts';
import type { MappedFile } from './graph.ts';

import { soughtIn, type Question } from './question.ts';
import { rank } from './rank.ts';

export interface MapRequest extends Question {
  /** Tokens that it may have. */
  tokens: number;
  /** Whether a file may be told of, by its path. */
  mayShow: (path: string) => boolean;
}

export interface RepositoryMap extends Fitted {
  /** Of the whole repository: files that have symbols, and how many those are. */
  all: { files: number; symbols: number };
}

/** More candidates than fit, since not all may be shown. */
const spare = 200;

export function mapOf(
  { files, names }: { files: readonly MappedFile[]; names: readonly string[] },
  { tokens, mayShow, ...question }: MapRequest,
): RepositoryMap {
  const withSymbols = files.filter(({ mentioned }) => mentioned.length > 0);
  const ranked = rank(files, names, soughtIn(question), Math.ceil(tokens / 2) + spare);
  const symbols = withSymbols.reduce((sum, { mentioned }) => sum + mentioned.length, 0);
  return { ...fit(files, ranked, tokens, mayShow), all: { files: withSymbols.length, symbols } };
}

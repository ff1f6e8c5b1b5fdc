/** Whether a server reads all of a prompt: some cut what doesn’t fit without a word, and report only what is left. */
import type { Usage } from './messages.ts';
import { mostBytesPerToken } from './tokens.ts';

/** The code of the notice that a model’s window is smaller than it is said to be. */
export const promptCut = 'prompt-cut';

/** What a model reported of its prompts last, and how often in a row it reported the same although more was sent. */
export interface PromptsRead {
  bytes: number;
  tokens: number;
  alike: number;
}

/** Fewer tokens than this say nothing: no window is so small, but some servers count only what isn’t in their cache. */
const fewestTokens = 1_000;
/** Bytes by which a prompt must have grown to be a larger one, and the share within which two reports are the same. */
const leastGrowth = 400;
const sameWithin = 0.01;
/** Reports in a row that stay the same while the prompt grows; by chance that doesn’t happen. */
const enoughAlike = 2;

/** Undefined where nothing was reported. */
export function promptsRead(
  before: PromptsRead | undefined,
  bytes: number,
  usage: Usage | undefined,
): PromptsRead | undefined {
  if (usage?.input === undefined) return before;
  const tokens = usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
  const isTooFew = tokens >= fewestTokens && tokens < bytes / mostBytesPerToken;
  if (before === undefined || !isTooFew || Math.abs(tokens - before.tokens) > tokens * sameWithin) {
    return { bytes, tokens, alike: 0 };
  }
  if (bytes < before.bytes + leastGrowth) return before;
  return { bytes, tokens, alike: before.alike + 1 };
}

/** The tokens that a server reads at most, where it cuts what is longer. */
export function cutAt(read: PromptsRead | undefined): number | undefined {
  return read !== undefined && read.alike >= enoughAlike ? read.tokens : undefined;
}

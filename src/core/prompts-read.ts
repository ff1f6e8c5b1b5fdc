/** Whether a server reads all of a prompt: some cut what doesn’t fit without a word, and report only what is left. */
import type { Usage } from './messages.ts';
import { mostBytesPerToken } from './tokens.ts';

/** The code of the notice that a model’s window is smaller than it is said to be. */
export const promptCut = 'prompt-cut';

/** The most that a model reported of a prompt, the bytes of the last one, and how often in a row it reported no more although more was sent. */
export interface PromptsRead {
  bytes: number;
  tokens: number;
  alike: number;
}

/** Fewer tokens than this say nothing: no window is so small. */
const fewestTokens = 1_000;
/** Bytes by which a prompt must have grown to be a larger one. */
const leastGrowth = 400;
/** Shares of the most that was reported between which a report is as large: what is cut is cut at whole messages. */
const [leastShare, mostShare] = [0.6, 1.01];
/** Reports in a row that stay as they are while the prompt grows; by chance that doesn’t happen. */
const enoughAlike = 3;

/** As before where nothing was reported. */
export function promptsRead(
  before: PromptsRead | undefined,
  bytes: number,
  usage: Usage | undefined,
): PromptsRead | undefined {
  if (usage?.input === undefined) return before;
  const tokens = usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
  const isTooFew = tokens >= fewestTokens && tokens < bytes / mostBytesPerToken;
  if (before === undefined || !isTooFew) return { bytes, tokens, alike: 0 };
  const share = tokens / before.tokens;
  if (share < leastShare || share > mostShare) return { bytes, tokens, alike: 0 };
  const growth = bytes - before.bytes;
  if (growth < leastGrowth) return before;
  const alike = isOfNew(growth, tokens) ? before.alike : before.alike + 1;
  return { bytes, tokens: Math.max(tokens, before.tokens), alike };
}

/** Some servers count only what isn’t in their cache: then the report fits what was added. */
function isOfNew(growth: number, tokens: number): boolean {
  return growth >= tokens * 2 && growth <= tokens * mostBytesPerToken;
}

/** The tokens that a server reads at most, where it cuts what is longer. */
export function cutAt(read: PromptsRead | undefined): number | undefined {
  return read !== undefined && read.alike >= enoughAlike ? read.tokens : undefined;
}

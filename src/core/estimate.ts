/** What a next request would hold and cost at worst; estimates, on the safe side. */
import type { Rates } from './setup.ts';
import { byteLength } from './transcript.ts';
import type { View } from './view.ts';

/** Bytes of UTF-8 that are taken as one token: code and prose have 3.5 to 4.3, other scripts about 3. */
const bytesPerToken = 3;

/** Input tokens of the next request: what the last reply reported and what was said since; all by size where nothing was reported. */
export function estimatedInput(view: View): number {
  const { reportedTokens, sizeSinceReply, size } = view.transcript;
  if (reportedTokens !== undefined) return reportedTokens + Math.ceil(sizeSinceReply / bytesPerToken);
  return Math.ceil((standingSize(view) + size) / bytesPerToken);
}

function standingSize(view: View): number {
  if (view.setup === undefined) return 0;
  return byteLength(JSON.stringify([view.setup.system, view.setup.tools]));
}

/** Dollars of input at its dearest rate: a cache may have to be written anew. */
export function inputCost(tokens: number, rates: Rates): number {
  const dearest = Math.max(rates.input, rates.cacheWrite, rates.cacheWriteHour ?? 0);
  return (tokens * dearest) / 1_000_000;
}

export function outputCost(tokens: number, rates: Rates): number {
  return (tokens * rates.output) / 1_000_000;
}

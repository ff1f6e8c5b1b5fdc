/** How many bytes make a token: a figure to begin with, and what replies teach. */
import type { Usage } from './messages.ts';
import type { SetupData } from './setup.ts';
import { byteLength } from './sizes.ts';

/** Bytes of UTF-8 that are taken as one token until a reply has reported: code and prose have 3.5 to 4.3, other scripts about 3. */
export const assumedBytesPerToken = 3;

/** What a model reports is believed between these, and a little less than it: the next text may be denser. */
const least = 1;
/** No text is believed to hold more bytes in a token: whoever reports less for it is not to make the next request look small. */
export const mostBytesPerToken = 5;
const share = 0.95;
/** Less than this says nothing of the rest. */
const fewestBytes = 2_000;

/** Bytes of a token by what was sent and what was reported; undefined when that says nothing. */
export function measuredBytesPerToken(sent: number, usage: Usage | undefined): number | undefined {
  if (usage?.input === undefined || sent < fewestBytes) return undefined;
  const tokens = usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
  return tokens === 0 ? undefined : Math.min(mostBytesPerToken, Math.max(least, (sent / tokens) * share));
}

const sizes = new WeakMap<SetupData, number>();

/** Bytes of the standing part of requests. A deferred tool costs nothing before it is found, and then as a result does. */
export function standingSize(setup: SetupData | undefined): number {
  if (setup === undefined) return 0;
  const size =
    sizes.get(setup) ??
    byteLength(JSON.stringify([setup.system, setup.tools.filter(({ deferred }) => deferred !== true)]));
  sizes.set(setup, size);
  return size;
}

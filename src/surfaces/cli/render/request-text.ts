/** What is said of a request and of what was left out of it. */
import type { EventData } from '../../../harness/index.ts';
import { dollars, grouped } from './amounts.ts';

/** Where the cached beginning of a request broke, and what that may cost. */
export function missText({ broke = 'messages', miss }: EventData['request']): string {
  if (miss === undefined) return `the cached beginning of the request broke (${broke})`;
  const cost = miss.cost === undefined ? '' : `, up to ${dollars(miss.cost)}`;
  return `the cached beginning of the request broke at byte ${grouped(miss.at)}, ${miss.of}: about ${grouped(miss.tokens)} tokens${cost}`;
}

export function compactionText({ elided, before, after }: EventData['compaction']): string {
  const results = elided.length === 1 ? 'one old result was' : `${elided.length} old results were`;
  return `the conversation didn’t fit: ${results} elided, about ${grouped(before - after)} tokens`;
}

/** Usage in the words of both wires: the total of the input, and what of it came from a cache. What isn't given is not reported. */
import type { JsonObject, Usage } from '../../../core/index.ts';

/** The words that differ between the two wires. */
interface Words {
  input: string;
  output: string;
}

export function usageFields(usage: Usage, words: Words): JsonObject {
  const { input, cacheRead, cacheWrite, output, reasoning } = usage;
  const known = [input, cacheRead, cacheWrite].filter((tokens) => tokens !== undefined);
  const total = known.length === 0 ? undefined : known.reduce((sum, tokens) => sum + tokens, 0);
  const read = { ...(cacheRead !== undefined && { cached_tokens: cacheRead }) };
  const write = { ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }) };
  return {
    ...(total !== undefined && { [words.input]: total }),
    ...(total !== undefined && { [`${words.input}_details`]: { ...read, ...write } }),
    ...(output !== undefined && { [words.output]: output }),
    ...(reasoning !== undefined && { [`${words.output}_details`]: { reasoning_tokens: reasoning } }),
    ...(total !== undefined && output !== undefined && { total_tokens: total + output }),
  };
}

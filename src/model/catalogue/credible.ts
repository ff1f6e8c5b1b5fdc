/** What a provider reports of its tokens, as far as that can be. */
import type { Usage } from '../../core/index.ts';

/** Tokens of one kind in one request; no model takes or gives more. */
const most = 100_000_000;

/**
 * A report in whole tokens, without what can't be: a request that held nothing, a reply of no token although something came. What is
 * left out counts as not reported, so that it costs what it may have cost and not nothing. A report with an impossible figure says
 * nothing at all.
 */
export function credible(usage: Usage | undefined, hasOutput: boolean): Usage | undefined {
  const figures = Object.entries(usage ?? {}).map(([kind, tokens]) => [kind, Math.ceil(tokens)] as const);
  if (figures.some(([, tokens]) => tokens > most)) return undefined;
  const { input, output, ...told } = Object.fromEntries(figures) as Usage;
  const held = (input ?? 0) + (told.cacheRead ?? 0) + (told.cacheWrite ?? 0);
  const known: Usage = {
    ...(input !== undefined && held > 0 && { input }),
    ...told,
    ...(output !== undefined && (output > 0 || !hasOutput) && { output }),
  };
  return Object.keys(known).length === 0 ? undefined : known;
}

/** Efforts as a model knows them. */

/** From the least to the most; `minimal` is a model's own word, which the settings don't have. */
const scale: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * The effort that a model is told: the one that is set where it knows it, else the nearest below, else its lowest. Undefined where
 * none is set or the model can be told none.
 */
export function castEffort(effort: string | undefined, efforts: readonly string[]): string | undefined {
  if (effort === undefined) return undefined;
  if (efforts.includes(effort)) return effort;
  const wanted = scale.indexOf(effort);
  const known = scale.filter((word) => efforts.includes(word));
  return known.findLast((word) => scale.indexOf(word) < wanted) ?? known[0];
}

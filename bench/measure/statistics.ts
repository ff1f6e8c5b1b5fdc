/** Medians, and what they are worth: with the least and the greatest value beside them. */

export interface Figure {
  /** Whose: floor, reins, the name of a peer, or what was varied. */
  of: string;
  median: number;
  min: number;
  max: number;
  samples: number[];
}

export function figure(of: string, samples: number[]): Figure {
  if (samples.length === 0) throw new Error(`There is no measurement of ${of}.`);
  return { of, median: median(samples), min: Math.min(...samples), max: Math.max(...samples), samples };
}

export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

export const mean = (samples: readonly number[]): number =>
  samples.reduce((sum, sample) => sum + sample, 0) / samples.length;

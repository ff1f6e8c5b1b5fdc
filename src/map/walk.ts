/**
 * A walk along the edges of the graph, which begins anew, again and again, at the files that are meant: it spends its time where it
 * matters (PageRank with a personalisation).
 */
import type { Graph } from './graph.ts';

/** The share of the walk that goes on along an edge, and how often it is taken further, at most. */
const going = 0.85;
const mostSteps = 20;
/** Where no more than this moves in a step, all has been found. */
const settled = 1e-3;

export interface Walked {
  /** Of the time of a file, what goes along each of its edges. */
  shares: Float64Array;
  /** What each file has of the time; 1 together. */
  time: Float64Array;
}

/** `start`: where it begins; the shares of all files are 1 together. */
export function walk({ from, to, weight }: Graph, start: Float64Array): Walked {
  const shares = sharesOf(from, weight, start.length);
  let time = start;
  for (let step = 0; step < mostSteps; step += 1) {
    const next = stepOf({ from, to, shares, time });
    // What didn’t go along an edge begins anew.
    let anew = 1;
    for (const each of next) anew -= each;
    let moved = 0;
    for (let file = 0; file < next.length; file += 1) {
      next[file] = (next[file] ?? 0) + anew * (start[file] ?? 0);
      moved += Math.abs((next[file] ?? 0) - (time[file] ?? 0));
    }
    time = next;
    if (moved < settled) break;
  }
  return { shares, time };
}

function sharesOf(from: Uint32Array, weight: Float64Array, files: number): Float64Array {
  const out = new Float64Array(files);
  for (let edge = 0; edge < from.length; edge += 1) {
    const file = from[edge] ?? 0;
    out[file] = (out[file] ?? 0) + (weight[edge] ?? 0);
  }
  return weight.map((each, edge) => each / (out[from[edge] ?? 0] ?? 1));
}

function stepOf({ from, to, shares, time }: Pick<Graph, 'from' | 'to'> & Walked): Float64Array {
  const next = new Float64Array(time.length);
  for (let edge = 0; edge < shares.length; edge += 1) {
    const at = to[edge] ?? 0;
    next[at] = (next[at] ?? 0) + going * (time[from[edge] ?? 0] ?? 0) * (shares[edge] ?? 0);
  }
  return next;
}

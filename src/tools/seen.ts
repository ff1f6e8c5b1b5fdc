/** What the session has seen of files: a fold over the facts of results, so that it is the same after a restart. */
import type { Event, JsonObject } from '../core/index.ts';

export interface SeenFile {
  /** SHA-256 of the bytes that were shown or written. */
  hash: string;
  /** Every line of these bytes has been shown to the model or was written by it. */
  whole: boolean;
  /** The lines shown so far (from, to; counted from 1), as long as they aren't all. */
  shown: [number, number][];
}

/** Facts of a result: the window of a file that was shown. `cut`: a line of it was too long to be shown whole. */
export type ReadFact = { path: string; hash: string; from: number; to: number; of: number; cut: boolean };
/** Facts of a result: the bytes that a file has now. `whole`: the model knows all of them. */
export type WroteFact = { path: string; hash: string; whole: boolean };

/** Folds one event into what is known by real path, in place. */
export function foldSeen(seen: Map<string, SeenFile>, event: Event): Map<string, SeenFile> {
  if (event.kind !== 'result' || event.data.facts === undefined) return seen;
  const { read, wrote } = event.data.facts;
  if (isReadFact(read)) seen.set(read.path, withWindow(seen.get(read.path), read));
  if (isWroteFact(wrote)) seen.set(wrote.path, { hash: wrote.hash, whole: wrote.whole, shown: [] });
  return seen;
}

function withWindow(before: SeenFile | undefined, fact: ReadFact): SeenFile {
  const same = before?.hash === fact.hash ? before : undefined;
  if (same?.whole === true) return same;
  if (fact.cut) return { hash: fact.hash, whole: false, shown: same?.shown ?? [] };
  const shown = merge([...(same?.shown ?? []), [fact.from, fact.to]]);
  const [first] = shown;
  const whole = fact.of === 0 || (first !== undefined && first[0] <= 1 && first[1] >= fact.of);
  return { hash: fact.hash, whole, shown: whole ? [] : shown };
}

/** Joins windows that touch. */
function merge(windows: [number, number][]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [from, to] of windows.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

// A log can be damaged or of another version: what isn't a fact of this shape says nothing.
function isReadFact(fact: unknown): fact is ReadFact {
  return (
    hasPathAndHash(fact) &&
    ['from', 'to', 'of'].every((key) => typeof fact[key] === 'number') &&
    typeof fact['cut'] === 'boolean'
  );
}

function isWroteFact(fact: unknown): fact is WroteFact {
  return hasPathAndHash(fact) && typeof fact['whole'] === 'boolean';
}

function hasPathAndHash(fact: unknown): fact is JsonObject {
  if (typeof fact !== 'object' || fact === null) return false;
  const { path, hash } = fact as JsonObject;
  return typeof path === 'string' && typeof hash === 'string';
}

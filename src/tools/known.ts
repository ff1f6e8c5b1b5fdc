/** What a session knows from its own results: a fold over their facts, so that it is the same after a restart. */
import type { CallKey, Event, EventId, JsonObject } from '../core/index.ts';

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

/** What is known: of files by real path, and where the last command left the shell. */
export interface Known {
  seen: Map<string, SeenFile>;
  /** Replies so far, and at which of them a file was last read or written, by real path. */
  turn: number;
  readAt: Map<string, number>;
  /** Shapes that were granted for the session. */
  granted: Set<string>;
  /** Shapes of questions by the id of the question. */
  offered: Map<string, string>;
  /** Real path; absent as long as no command has gone elsewhere. Of calls at work at once the last in the model's order says it. */
  folder?: { call: CallKey; path: string };
  /** Calls that whoever was asked has refused in this run. */
  refused: RefusedCall[];
  /** Of calls that were asked about, by question: what they would be. */
  asked: Map<EventId, Pick<RefusedCall, 'tool' | 'arguments'>>;
  /** The arguments of the last verdict on each open call. */
  judged: Map<CallKey, Pick<RefusedCall, 'tool' | 'arguments'>>;
}

export interface RefusedCall {
  tool: string;
  arguments: JsonObject;
  by: string;
  reason?: string;
}

export function nothingKnown(): Known {
  return {
    seen: new Map(),
    turn: 0,
    readAt: new Map(),
    granted: new Set(),
    offered: new Map(),
    refused: [],
    asked: new Map(),
    judged: new Map(),
  };
}

/** Folds one event into what is known, in place. `wrote` and `gone` may be lists: a call can touch several files. */
export function foldKnown(known: Known, event: Event): Known {
  if (event.kind === 'reply') known.turn += 1;
  foldGrants(known, event);
  foldRefused(known, event);
  if (event.kind !== 'result' || event.data.facts === undefined) return known;
  const { seen } = known;
  const { read, wrote, gone, folder } = event.data.facts;
  if (isReadFact(read)) {
    seen.set(read.path, withWindow(seen.get(read.path), read));
    known.readAt.set(read.path, known.turn);
  }
  for (const fact of [wrote].flat()) {
    if (!isWroteFact(fact)) continue;
    seen.set(fact.path, { hash: fact.hash, whole: fact.whole, shown: [] });
    known.readAt.set(fact.path, known.turn);
  }
  for (const path of [gone].flat()) if (typeof path === 'string') seen.delete(path);
  if (typeof folder === 'string' && !isEarlier(event.data.call, known.folder?.call)) {
    known.folder = { call: event.data.call, path: folder };
  }
  return known;
}

/** Turns since a file was last read or written; undefined where it never was. */
export function ageOf({ readAt, turn }: Known, path: string): number | undefined {
  const at = readAt.get(path);
  return at === undefined ? undefined : turn - at;
}

function foldGrants({ offered, granted }: Known, event: Event): void {
  if (event.kind === 'ask' && event.data.shape !== undefined) offered.set(event.id, event.data.shape);
  if (event.kind !== 'answer') return;
  const shape = offered.get(event.data.ask);
  offered.delete(event.data.ask);
  const { decision, scope, arguments: edited } = event.data;
  // What was allowed in another form says nothing of calls like the one that was asked about.
  if (shape !== undefined && decision === 'yes' && scope === 'session' && edited === undefined) granted.add(shape);
}

/** What was refused stays so for the run, or until a person says something: that may be a change of mind. */
function foldRefused({ judged, asked, refused }: Known, event: Event): void {
  switch (event.kind) {
    case 'setup':
      if (event.data.switched === undefined) refused.length = 0;
      return;
    case 'input':
      if (event.data.from === 'user' || event.data.from === 'steer' || event.data.from === 'follow-up')
        refused.length = 0;
      return;
    case 'verdict': {
      const { call, tool, decision, arguments: args } = event.data;
      if (decision === 'ask') judged.set(call, { tool, arguments: args });
      return;
    }
    case 'ask': {
      const call = judged.get(event.data.call);
      if (call !== undefined && event.data.options === undefined) asked.set(event.id, call);
      return;
    }
    case 'answer': {
      const { ask, by, decision, reason } = event.data;
      const call = asked.get(ask);
      asked.delete(ask);
      if (call !== undefined && decision === 'no')
        refused.push({ ...call, by, ...(reason !== undefined && { reason }) });
      return;
    }
    case 'result':
      judged.delete(event.data.call);
      return;
    default:
  }
}

/** Whether a call comes before another one in the same reply. */
function isEarlier(call: CallKey, other: CallKey | undefined): boolean {
  if (other === undefined) return false;
  const [reply, index] = placeOf(call);
  const [otherReply, otherIndex] = placeOf(other);
  return reply === otherReply && index < otherIndex;
}

function placeOf(call: CallKey): [reply: string, index: number] {
  const at = call.lastIndexOf('/');
  return [call.slice(0, at), Number(call.slice(at + 1))];
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

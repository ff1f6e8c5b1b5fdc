/** What another harness’s file tells of a conversation: what was said, the replies with their calls, and the results of these. */
import type { JsonObject, ReplyPart, Source } from '../../core/index.ts';
import { isObject } from './lines.ts';

export interface ForeignResult {
  at: number;
  text: string;
  error: boolean;
}

export interface ForeignReply {
  kind: 'reply';
  at: number;
  source: Source;
  key?: string;
  parts: ReplyPart[];
  /** By the place of the call among those of the reply. */
  results: Map<number, ForeignResult>;
}

export type Item = { kind: 'said'; at: number; by: 'person' | 'harness'; text: string } | ForeignReply;

/** Where the session came from, as the file says. */
export interface Origin {
  session?: string;
  version?: string;
  workspace?: string;
}

export class History {
  readonly items: Item[] = [];
  readonly origin: Origin = {};
  /** What isn't taken over, by what it is. */
  readonly leftOut = new Map<string, number>();
  /** Calls without a result, by their id: where they stand. */
  readonly #open = new Map<string, { results: Map<number, ForeignResult>; place: number }[]>();
  #at = 0;

  leaveOut(what: string): void {
    const name = what.slice(0, 60);
    this.leftOut.set(name, (this.leftOut.get(name) ?? 0) + 1);
  }

  said(at: number | undefined, by: 'person' | 'harness', text: string): void {
    if (text.trim() !== '') this.items.push({ kind: 'said', at: this.#time(at), by, text: text.toWellFormed() });
  }

  /** Parts of one reply may come apart: those with the same key, or without one those that nothing stands between. */
  reply(at: number | undefined, source: Source, parts: ReplyPart[], key?: string): void {
    if (parts.length === 0) return;
    const last = this.items.at(-1);
    const goesOn = last?.kind === 'reply' && last.key === key && (key !== undefined || last.results.size === 0);
    const keyed = key === undefined ? {} : { key };
    const item: ForeignReply = goesOn
      ? last
      : { kind: 'reply', at: this.#time(at), source, ...keyed, parts: [], results: new Map() };
    if (!goesOn) this.items.push(item);
    let place = item.parts.filter(({ type }) => type === 'call').length;
    for (const part of parts) {
      item.parts.push(part);
      if (part.type !== 'call') continue;
      const open = this.#open.get(part.id) ?? [];
      open.push({ results: item.results, place });
      this.#open.set(part.id, open);
      place += 1;
    }
  }

  /** Answers the last call of this id that has no result; a result of no call is kept as a text. */
  result(at: number | undefined, id: string, text: string, error: boolean): void {
    const call = this.#open.get(id)?.pop();
    if (call !== undefined) {
      call.results.set(call.place, { at: this.#time(at), text: text.toWellFormed(), error });
      return;
    }
    this.leaveOut('results without a call, kept as text');
    this.said(at, 'harness', `[A result whose call isn’t in the imported session:]\n${text}`);
  }

  /** Times never run backwards in a log, and none is in the future. */
  #time(at = this.#at): number {
    this.#at = Math.max(this.#at, Math.min(Number.isFinite(at) ? at : 0, Date.now()));
    return this.#at;
  }
}

export function timeOf(value: string | number | undefined): number | undefined {
  const at = typeof value === 'number' ? value : Date.parse(value ?? '');
  return Number.isFinite(at) && at >= 0 ? Math.floor(at) : undefined;
}

export function textPart(text: string): ReplyPart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

/** The reasoning as a text: what is sealed in it is its provider’s, and this isn’t the session that it was given to. */
export function thinkingPart(text: string): ReplyPart[] {
  return text.trim() === '' ? [] : [{ type: 'thinking', text: text.toWellFormed() }];
}

/** Tools needn’t be known here: a wire makes names and ids such that its provider takes them. */
export function callPart(id: string, name: string, given: JsonObject | string): ReplyPart {
  const call = { type: 'call' as const, id, name: name || 'unnamed' };
  if (typeof given !== 'string') return { ...call, arguments: given };
  try {
    const parsed: unknown = JSON.parse(given);
    if (isObject(parsed as JsonObject)) return { ...call, arguments: parsed as JsonObject };
  } catch {
    // It stays as the text that it is.
  }
  return { ...call, arguments: {}, malformed: given.toWellFormed() };
}

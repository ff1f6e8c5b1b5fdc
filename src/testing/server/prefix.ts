/** Compares requests as a cache does: what was kept of the one before, what broke, and what a provider would have cached. */
import { createHash } from 'node:crypto';
import type { Usage } from '../../core/index.ts';
import type { CanonicalPart } from '../dialects/index.ts';

/** A request that doesn't extend the one before it in its conversation. */
export interface PrefixBreak {
  /** Number of the request, and of the one it is compared with. */
  request: number;
  against: number;
  /** Where it broke, and at which part of those, counted from 0. */
  of: CanonicalPart['of'];
  index: number;
  /** Estimated tokens of the former request that are still a prefix, and that aren't. */
  kept: number;
  lost: number;
  /** The part that broke, around its first difference: as it was, and as it is; absent where the request ends. */
  was: string;
  is?: string;
}

interface Former {
  request: number;
  parts: CanonicalPart[];
}

/** Conversations are told apart by their first message. */
export class PrefixWatch {
  readonly breaks: PrefixBreak[] = [];
  readonly #former = new Map<string, Former>();
  #latest: Former | undefined;

  /** Takes the next request; `goesOn` when it has replies in it already. */
  observe(request: number, parts: CanonicalPart[], goesOn: boolean): void {
    const key = parts.find((part) => part.of === 'messages')?.text ?? '';
    // A conversation that goes on, but begins like none before, is the latest one with its beginning changed.
    const former = this.#former.get(key) ?? (goesOn ? this.#latest : undefined);
    this.#latest = { request, parts };
    this.#former.set(key, this.#latest);
    const index = former?.parts.findIndex((part, place) => part.text !== parts[place]?.text) ?? -1;
    const was = former?.parts[index];
    if (!former || !was) return;
    const is = parts[index];
    this.breaks.push({
      request,
      against: former.request,
      of: was.of,
      index: index - former.parts.findIndex((part) => part.of === was.of),
      kept: sum(former.parts.slice(0, index)),
      lost: sum(former.parts.slice(index)),
      was: around(was.text, is?.text),
      ...(is === undefined ? {} : { is: around(is.text, was.text) }),
    });
  }
}

/** A text from shortly before to shortly after where it first differs from another. */
function around(text: string, other = ''): string {
  let same = 0;
  while (same < text.length && text[same] === other[same]) same += 1;
  const start = Math.max(0, same - 80);
  return text.slice(start, same + 160);
}

/** Providers cache nothing shorter, and look back this many parts from a mark for what they have. */
const shortestCached = 1024;
const lookBack = 20;

/** What a cache would have of each request, going by its marks. Entries never expire. */
export class CacheModel {
  readonly #entries = new Set<string>();

  /** Input tokens by how they are billed; what the request's marks ask for is cached from now on. */
  bill(model: string, parts: CanonicalPart[]): Usage {
    const total = sum(parts);
    const lastMark = parts.findLastIndex((part) => part.mark !== undefined);
    if (lastMark < 0) return { input: total, cacheRead: 0, cacheWrite: 0 };
    const keys = prefixKeys(model, parts);
    let read = 0;
    let before = 0;
    const sizes = parts.map((part) => (before += part.tokens));
    for (const [index, part] of parts.entries()) {
      if (part.mark === undefined) continue;
      for (let place = index; place >= Math.max(0, index - lookBack); place -= 1) {
        if (this.#entries.has(keys[place] ?? '')) read = Math.max(read, sizes[place] ?? 0);
      }
    }
    for (const [index, part] of parts.entries()) {
      if (part.mark !== undefined && (sizes[index] ?? 0) >= shortestCached) this.#entries.add(keys[index] ?? '');
    }
    const marked = sizes[lastMark] ?? 0;
    const write = marked >= shortestCached ? marked - read : 0;
    const hourMark = parts.findLastIndex((part) => part.mark === '1h');
    const hour = write > 0 && hourMark >= 0 && { cacheWriteHour: Math.max(0, (sizes[hourMark] ?? 0) - read) };
    return { input: total - read - write, cacheRead: read, cacheWrite: write, ...hour };
  }
}

function prefixKeys(model: string, parts: CanonicalPart[]): string[] {
  let key = model;
  return parts.map((part) => (key = createHash('sha256').update(key).update(part.text).digest('base64')));
}

const sum = (parts: CanonicalPart[]): number => parts.reduce((total, part) => total + part.tokens, 0);

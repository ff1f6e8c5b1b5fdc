/** What gives way when a window is nearly full: old results first, then older turns. Decided here; a summary is written elsewhere. */
import type { Action } from './decide.ts';
import { bytesPerToken, estimatedInput, fullAt, windowOf } from './estimate.ts';
import type { CallKey, EventId } from './events.ts';
import type { CompactionData, Gist } from './compactions.ts';
import { isElidable, isPause, saving, segmentSize, type CallState, type SaidText, type Segment } from './segment.ts';
import type { Target } from './setup.ts';
import { byteLength, sizeOf } from './sizes.ts';
import { standingSize } from './tokens.ts';
import { elidedSize, textsOf, type Transcript } from './transcript.ts';
import type { View } from './view.ts';

/** Share of the window that is aimed at, and shares of what the conversation may then take: the newest turns, and what people said. */
const aimAt = 0.5;
const tailShare = 0.4;
const saidShare = 0.2;
/** A summary takes this share of the window or so many tokens, whichever is less, but is never asked to be shorter than can be. */
const summaryShare = 0.05;
const longestSummary = 12_000;
const shortestSummary = 200;
/** What saves less of the window than this isn’t worth the break of the cache. */
const leastSaving = 0.05;

type Compact = Extract<Action, { do: 'compact' }>;
type Why = CompactionData['compaction']['why'];

/** Bytes of the conversation: what it has, what it is to have, and what it must not have more of. */
interface Room {
  goal: number;
  limit: number;
  least: number;
  /** Tokens of the summary, and of what the model may be asked. */
  summary: number;
  whole: number;
  summaryBytes: number;
}

/**
 * What is to give way, or undefined where nothing would be gained. `harder`: it was tried just now and wasn’t enough. A person who asks
 * for it gets a summary, also where results alone would do.
 */
export function compactionOf(view: View, target: Target, why: Why, harder = false): Compact | undefined {
  const { transcript } = view;
  const room = roomFor(view, target, why);
  const recent = tailFrom(transcript.segments, room.goal / 2);
  const old = elidable(transcript.segments.slice(0, recent));
  const saved = elidedSize(transcript, old);
  const isEnough = (bytes: number) => saved >= room.least && transcript.size - saved <= bytes;
  if (why !== 'manual' && !harder && isEnough(room.goal)) return { do: 'compact', why, elide: old };
  const folded = foldedOlder(view, room, harder);
  if (folded === undefined) return saved >= room.least ? { do: 'compact', why, elide: old } : undefined;
  // Without a summary turns are worth more than their results; who asks for it can ask again.
  const instead = why === 'manual' || isEnough(room.limit) ? { instead: old } : {};
  return { do: 'compact', why, elide: folded.elide, older: { ...folded.older, ...instead } };
}

function roomFor(view: View, target: Target, why: Why): Room {
  const window = windowOf(view, target);
  // Where it didn’t fit, the window is smaller than it seemed: what there is counts.
  const whole = why === 'window' ? window : Math.min(window, estimatedInput(view, target));
  const each = bytesPerToken(view, target);
  const standing = standingSize(view.setup);
  const summary = Math.round(Math.max(shortestSummary, Math.min(longestSummary, whole * summaryShare)));
  return {
    goal: Math.max(0, whole * aimAt * each - standing),
    limit: Math.max(0, whole * fullAt * each - standing),
    least: whole * leastSaving * each,
    summary,
    whole,
    summaryBytes: summary * each,
  };
}

type Older = NonNullable<Compact['older']>;

function foldedOlder(view: View, room: Room, harder: boolean): { older: Older; elide: CallKey[] } | undefined {
  const { segments, size } = view.transcript;
  const at = cutAtOrAfter(segments, tailFrom(segments, harder ? 0 : room.goal * tailShare));
  const tail = segments[at]?.id;
  if (tail === undefined) return undefined;
  const older = segments.slice(0, at);
  const kept = keptOf(segments, at, room.goal * saidShare);
  const fixed = sizeOfTexts(textsOf(older, kept, { id: '', text: '', from: 'harness' })) + room.summaryBytes;
  const left = segments.slice(at);
  const elide = elidedIn(left, (harder ? room.goal : room.limit) - fixed);
  const after = fixed + sizeOfAll(left) - elidedSize(view.transcript, elide);
  if (size - after < room.least) return undefined;
  return { older: { tail, ...kept, most: room.summary, window: room.whole }, elide };
}

/** Where the newest segments begin that together have at most so many bytes; the last one always belongs to them. */
function tailFrom(segments: readonly Segment[], most: number): number {
  let at = segments.length - 1;
  const last = segments[at];
  let bytes = last === undefined ? 0 : segmentSize(last);
  for (; at > 0; at -= 1) {
    const before = segments[at - 1];
    bytes += before === undefined ? 0 : segmentSize(before);
    if (bytes > most) return at;
  }
  return Math.max(0, at);
}

/** The first place from there on, else the last before it, where a cut leaves every call its result and every reply whole; -1 where there is none. */
function cutAtOrAfter(segments: readonly Segment[], from: number): number {
  const isCut = (at: number): boolean => {
    const before = segments[at - 1];
    return before !== undefined && !isPause(before) && segments[at]?.id !== undefined;
  };
  for (let at = Math.max(1, from); at < segments.length; at += 1) if (isCut(at)) return at;
  for (let at = from - 1; at > 0; at -= 1) if (isCut(at)) return at;
  return -1;
}

/** What was said from outside: the task and the last of it always, what is pinned too, of the rest the newest that have room. */
function keptOf(segments: readonly Segment[], at: number, most: number): Pick<Gist, 'kept' | 'last'> {
  const said = (some: readonly Segment[]) =>
    some.flatMap(({ texts }) => texts.filter(({ from }) => from === 'outside'));
  const older = said(segments.slice(0, at));
  const [task] = older;
  const newest = said(segments).at(-1);
  const last = newest !== undefined && newest !== task && older.includes(newest) ? newest.id : undefined;
  let left = most;
  const kept = new Set<EventId>();
  for (const each of older.toReversed()) {
    if (each.id === last) continue;
    const bytes = sizeOf(each.text, each.images);
    const isDue = each === task || each.pinned === true;
    if (!isDue && bytes > left) continue;
    if (!isDue) left -= bytes;
    kept.add(each.id);
  }
  const ids = older.flatMap(({ id }) => (kept.has(id) ? [id] : []));
  return { kept: ids, ...(last !== undefined && { last }) };
}

/** Results to elide, oldest first, until the segments have at most so many bytes. */
function elidedIn(segments: readonly Segment[], most: number): CallKey[] {
  let bytes = sizeOfAll(segments);
  const keys: CallKey[] = [];
  for (const call of segments.flatMap(({ calls }) => calls.filter(isElidable))) {
    if (bytes <= most) break;
    bytes -= saving(call);
    keys.push(call.key);
  }
  return keys;
}

function elidable(segments: readonly Segment[]): CallKey[] {
  return segments.flatMap(({ calls }) => calls.filter((call: CallState) => isElidable(call)).map(({ key }) => key));
}

const sizeOfAll = (segments: readonly Segment[]): number =>
  segments.reduce((sum, segment) => sum + segmentSize(segment), 0);

const sizeOfTexts = (texts: readonly SaidText[]): number =>
  texts.reduce((sum, { text, images }) => sum + sizeOf(text, images), 0);

/** Bytes of the conversation after a compaction. */
export function sizeAfter(transcript: Transcript, elided: readonly CallKey[], gist: Gist | undefined): number {
  const { segments, size } = transcript;
  const saved = elidedSize(transcript, elided);
  const at = segments.findIndex(({ id }) => id !== undefined && id === gist?.tail);
  if (gist === undefined || at < 1) return size - saved;
  const texts = textsOf(segments.slice(0, at), gist, { id: '', text: '', from: 'harness' });
  return sizeOfTexts(texts) + byteLength(gist.shown) + sizeOfAll(segments.slice(at)) - saved;
}

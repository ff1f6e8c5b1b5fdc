/** The transcript: what the model sees of a path, as segments (a reply with its calls, then what was said to the model after it). */
import type { Gist } from './compactions.ts';
import type { CallKey, Event, EventData, EventId } from './events.ts';
import { foldWith, type Folds } from './fold.ts';
import type { CallPart, ImagePart, Source } from './messages.ts';
import { heldOf, payload, replySize, saving, Segment, segmentSize, type CallState, type SaidText } from './segment.ts';
import { isReply, wantedChange } from './planning.ts';
import { sizeOf } from './sizes.ts';
import { steeringText } from './steering.ts';

export class Transcript {
  readonly segments: Segment[] = [new Segment()];
  readonly calls = new Map<CallKey, CallState>();
  /** Follow-ups that the model hasn't been told yet, in their order. */
  readonly held: SaidText[] = [];
  /** The plan that is under review. */
  review?: EventId;
  /** Files and folders that calls have read or changed: real paths. */
  readonly touched = new Set<string>();
  /** The open request: how many texts of the last segment it covers, and whether it is the closing turn. */
  out?: { id: EventId; texts: number; closing: boolean };
  /** Bytes of UTF-8 (roughly) said since the last reply, and all together; for estimates. */
  sizeSinceReply = 0;
  size = 0;
  /** Bytes of the replies in it. */
  repliesSize = 0;
  /** The size when the last request was made. */
  sizeAsked = 0;
  /** Tokens that the last reply reported for everything before and in it, and whose they are; absent while none did. */
  reported?: { tokens: number; source: Source };
  /** What stands in place of older turns. */
  gist?: Gist;
}

export const recordLost = 'The record of this result was lost; its effects are unknown. Look before you repeat it.';
export const interruptedText =
  'Interrupted: it was started and its outcome is unknown. It may have had effects; look before you repeat it.';
export const leftBehind = 'Not run: left behind. The session went on from another point.';

export function lastSegment(transcript: Transcript): Segment {
  return transcript.segments.at(-1) ?? new Segment();
}

/** Calls of the last reply that have no result. */
export function openCalls(transcript: Transcript): CallState[] {
  return lastSegment(transcript).calls.filter((call) => call.result === undefined);
}

/** Whether something has been said or returned that the model has not answered yet. */
export function wantsModel(transcript: Transcript): boolean {
  const last = lastSegment(transcript);
  return last.texts.length > 0 || last.calls.length > 0 || last.reply?.stop === 'pause';
}

export function foldTranscript(transcript: Transcript, event: Event): void {
  foldWith(folds, transcript, event);
}

/** What belongs to no known call (its reply was lost) is elided, and of two results the first counts. */
const folds: Folds<Transcript> = {
  input(transcript, { text, from, images = [], pinned = false }, { id }) {
    if (isReply(from)) delete transcript.review;
    const more = { ...(images.length > 0 && { images }), ...(pinned && { pinned: true as const }) };
    if (from === 'follow-up') {
      transcript.held.push({ id, text, from: 'outside', ...more });
      return;
    }
    const shown = from === 'steer' && text.trim() !== '' ? steeringText(text) : text;
    say(transcript, { id, text: shown, from: from === 'harness' ? 'harness' : 'outside', ...more });
  },
  'follow-up'(transcript, { input }, { id }) {
    const index = transcript.held.findIndex((held) => held.id === input);
    const [due] = index < 0 ? [] : transcript.held.splice(index, 1);
    if (due !== undefined) say(transcript, { ...due, id });
  },
  evidence(transcript, { shown = '' }, { id }) {
    say(transcript, { id, text: shown, from: 'harness' });
  },
  judgement(transcript, { shown = '' }, { id }) {
    say(transcript, { id, text: shown, from: 'harness' });
  },
  instructions(transcript, { text, ...instructions }, { id }) {
    say(transcript, { id, text, from: 'harness', instructions });
  },
  undo(transcript, data, { id }) {
    say(transcript, { id, text: undoText(data), from: 'harness' });
  },
  request(transcript, { closing = false }, { id }) {
    transcript.out = { id, texts: lastSegment(transcript).texts.length, closing };
    transcript.sizeAsked = transcript.size;
  },
  failure(transcript) {
    delete transcript.out;
  },
  reply(transcript, data, { id }) {
    foldReply(transcript, id, data);
  },
  head(transcript) {
    delete transcript.out;
    for (const call of openCalls(transcript)) call.left = true;
  },
  verdict(transcript, data) {
    setCall(transcript, data.call, { verdict: data });
  },
  ask(transcript, data, { id }) {
    setCall(transcript, data.call, { ask: id });
    if (data.plan !== undefined) transcript.review = id;
  },
  answer(transcript, data, { id }) {
    if (data.ask === transcript.review) foldReview(transcript, data, id);
    for (const call of openCalls(transcript)) if (call.ask === data.ask) call.answer ??= data;
  },
  start(transcript, { call }) {
    setCall(transcript, call, { started: true });
  },
  result(transcript, data) {
    if (transcript.calls.get(data.call)?.result === undefined) setCall(transcript, data.call, { result: data });
    grow(transcript, data.text, data.images);
    touch(transcript, data);
  },
  compaction(transcript, { elided, gist }, { id }) {
    for (const key of elided) elide(transcript, key);
    if (gist !== undefined) replaceOlder(transcript, gist, id);
    measure(transcript);
  },
};

/** What a person wants changed in a plan goes back to the model in their words. */
function foldReview(transcript: Transcript, answer: EventData['answer'], id: EventId): void {
  delete transcript.review;
  const change = wantedChange(answer);
  if (change !== undefined) say(transcript, { id, text: `The plan is to be changed: ${change}`, from: 'outside' });
}

/** What was only asked for, and was refused, touched nothing. */
function touch({ calls, touched }: Transcript, { call, outcome, facts }: EventData['result']): void {
  if (outcome !== 'ok' && outcome !== 'error') return;
  const { resources = 'unknown' } = calls.get(call)?.verdict ?? {};
  if (resources !== 'unknown') for (const { path } of resources) if (path.startsWith('/')) touched.add(path);
  if (typeof facts?.['folder'] === 'string') touched.add(facts['folder']);
}

const pathsShown = 20;

/** What the model is told of effects that were taken back: without it, it would build on what is there no more. */
function undoText({ changes, undone }: EventData['undo']): string {
  const paths = changes.map(({ path }) => path);
  const more = paths.length > pathsShown ? `, and ${paths.length - pathsShown} more` : '';
  const what =
    undone === undefined ? 'took back changes of yours' : 'brought back changes of yours that had been taken back';
  const where =
    paths.length === 0 ? 'no file changed by that' : `changed by that: ${paths.slice(0, pathsShown).join(', ')}${more}`;
  return `The user ${what}; ${where}. Read a file again before you build on it.`;
}

function setCall(transcript: Transcript, key: CallKey, progress: Partial<CallState>): void {
  const call = transcript.calls.get(key);
  if (call !== undefined) Object.assign(call, progress);
}

function elide(transcript: Transcript, key: CallKey): void {
  const call = transcript.calls.get(key);
  if (call?.result === undefined || call.elided !== undefined) return;
  const { images: _, ...result } = call.result;
  call.elided = payload(call);
  call.result = { ...result, text: heldOf(result.text) };
  for (const segment of transcript.segments) if (segment.calls.includes(call)) delete segment.frozen;
}

/** Everything before the tail gives way to what is kept of it. Where the tail was lost, all stays as it is. */
function replaceOlder(transcript: Transcript, gist: Gist, id: EventId): void {
  const { segments, calls } = transcript;
  const at = segments.findIndex((segment) => segment.id === gist.tail);
  if (at < 1) return;
  const older = segments.splice(0, at);
  for (const call of older.flatMap((segment) => segment.calls)) calls.delete(call.key);
  const head = new Segment();
  head.texts = textsOf(older, gist, { id, text: gist.shown, from: 'harness' });
  segments.unshift(head);
  transcript.gist = gist;
}

/** What is kept word for word, around what stands for the rest. */
export function textsOf(
  older: readonly Segment[],
  { kept, last }: Pick<Gist, 'kept' | 'last'>,
  note: SaidText,
): SaidText[] {
  const texts = new Map(older.flatMap((segment) => segment.texts.map((said) => [said.id, said] as const)));
  const named = (ids: readonly EventId[]) => ids.flatMap((each) => texts.get(each) ?? []);
  return [...named(kept), note, ...named(last === undefined ? [] : [last])];
}

/** What was reported says nothing of what is left. */
function measure(transcript: Transcript): void {
  const { segments } = transcript;
  transcript.size = segments.reduce((sum, segment) => sum + segmentSize(segment), 0);
  transcript.repliesSize = segments.reduce((sum, segment) => sum + replySize(segment), 0);
  delete transcript.reported;
}

/** Bytes that eliding the results of these calls saves. */
export function elidedSize(transcript: Transcript, keys: readonly CallKey[]): number {
  return keys.reduce((sum, key) => {
    const call = transcript.calls.get(key);
    return call === undefined ? sum : sum + saving(call);
  }, 0);
}

function say(transcript: Transcript, said: SaidText): void {
  if (said.text.trim() === '' && said.images === undefined) return;
  lastSegment(transcript).texts.push(said);
  grow(transcript, said.text, said.images);
}

/** A reply answers what its request covered; what came in meanwhile follows it. */
function foldReply(transcript: Transcript, id: EventId, reply: EventData['reply']): void {
  const before = lastSegment(transcript);
  const out = transcript.out?.id === reply.request ? transcript.out : undefined;
  const segment = new Segment();
  Object.assign(segment, { id, reply });
  segment.closing = out?.closing ?? false;
  if (out !== undefined) segment.texts = before.texts.splice(out.texts);
  delete transcript.out;
  const calls = reply.parts.filter((part) => part.type === 'call');
  segment.calls = calls.map((part, index) => openCall(`${id}/${index}`, part));
  for (const index of reply.withheld ?? []) Object.assign(segment.calls[index] ?? {}, { withheld: true });
  for (const call of segment.calls) transcript.calls.set(call.key, call);
  transcript.segments.push(segment);
  countReply(transcript, reply, segment);
}

function countReply(transcript: Transcript, reply: EventData['reply'], segment: Segment): void {
  transcript.sizeSinceReply = 0;
  for (const { text, images } of segment.texts) transcript.sizeSinceReply += sizeOf(text, images);
  const bytes = replySize(segment);
  transcript.size += bytes;
  transcript.repliesSize += bytes;
  const { input, cacheRead, cacheWrite, output } = reply.usage ?? {};
  if (input === undefined || output === undefined) delete transcript.reported;
  else {
    const tokens = input + (cacheRead ?? 0) + (cacheWrite ?? 0) + output;
    transcript.reported = { tokens, source: reply.source };
  }
}

function openCall(key: CallKey, { type: _, opaque: __, ...part }: CallPart): CallState {
  return { key, ...part, started: false, left: false, lost: false };
}

/** Adds to the sizes; a text in the middle of a path grows both. */
function grow(transcript: Transcript, text: string, images?: readonly ImagePart[]): void {
  const bytes = sizeOf(text, images);
  transcript.sizeSinceReply += bytes;
  transcript.size += bytes;
}

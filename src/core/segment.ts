/** A segment of the transcript: a reply with its calls, then what was said to the model after it. */
import type { CallKey, EventData, EventId } from './events.ts';
import type { InstructionData } from './instructions.ts';
import type { CallPart, ImagePart, Message } from './messages.ts';
import { byteLength, sizeOf } from './sizes.ts';

export interface CallState {
  key: CallKey;
  id: string;
  name: string;
  arguments: CallPart['arguments'];
  malformed?: string;
  /** Its arguments held a secret that Reins knows, so they aren't what the model wrote. */
  withheld?: true;
  verdict?: EventData['verdict'];
  ask?: EventId;
  answer?: EventData['answer'];
  started: boolean;
  result?: EventData['result'];
  /** The head moved away while it was open: never to be run. */
  left: boolean;
  /** Lines after it are unreadable: it may have run. */
  lost: boolean;
  /** Its result is shown as a note of its size, in characters; the whole of it stands in the record alone. */
  elided?: number;
}

/** Something that was said to the model, with the event it came from. */
export interface SaidText {
  id: EventId;
  text: string;
  from: 'harness' | 'outside';
  images?: ImagePart[];
  /** Every compaction keeps it word for word. */
  pinned?: true;
  /** The instruction files that the text holds: they are in force as long as it is here. */
  instructions?: Omit<InstructionData['instructions'], 'text'>;
}

export class Segment {
  /** The event of the reply. */
  id?: EventId;
  reply?: EventData['reply'];
  calls: CallState[] = [];
  /** What was said to the model after the reply and its results. */
  texts: SaidText[] = [];
  /** The reply answers the closing turn. */
  closing = false;
  /** Messages made of a segment that can't change any more. */
  frozen?: Message[];
}

/** Its maker wants it back to go on with it: what follows belongs to it. */
export function isPause({ reply, calls, texts }: Segment): boolean {
  return reply?.stop === 'pause' && calls.length === 0 && texts.length === 0;
}

/** What is kept of a result whose size would only be replaced by a note as long. */
const leastElided = 500;

/** Whether a note in place of its result saves something. */
export function isElidable(call: CallState): boolean {
  return call.elided === undefined && (payload(call) > leastElided || call.result?.images !== undefined);
}

/** Characters of an elided result that are held for summaries and judges, at its beginning and its end. */
const heldHead = 400;
const heldTail = 1600;

/** What is held of a result that the model doesn't see any more: memory must not grow with all that was ever printed. */
export function heldOf(text: string): string {
  if (text.length <= heldHead + heldTail) return text;
  return `${text.slice(0, heldHead)}\n[...]\n${text.slice(-heldTail)}`;
}

/** Characters of its result, also of one that is elided. */
export function payload(call: CallState): number {
  return call.elided ?? call.result?.text.length ?? 0;
}

/** Bytes that eliding a result saves. */
export function saving(call: CallState): number {
  return Math.max(0, sizeOf(call.result?.text ?? '', call.result?.images) - byteLength(elidedText(call)));
}

export function elidedText(call: CallState): string {
  return `[Elided to make room: ${payload(call)} characters of output. Call the tool again if you need them.]`;
}

/** Bytes of the reply of a segment. */
export function replySize({ reply }: Segment): number {
  return (reply?.parts ?? []).reduce((sum, part) => sum + byteLength(JSON.stringify(part)), 0);
}

/** Bytes of a segment, as it is shown. */
export function segmentSize(segment: Segment): number {
  const results = segment.calls.reduce((sum, call) => sum + resultSize(call), 0);
  return replySize(segment) + results + segment.texts.reduce((sum, said) => sum + sizeOf(said.text, said.images), 0);
}

function resultSize(call: CallState): number {
  const { text = '', images } = call.result ?? {};
  return call.elided === undefined ? sizeOf(text, images) : byteLength(elidedText(call));
}

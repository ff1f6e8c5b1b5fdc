/**
 * The transcript as messages. Whatever a log has lost, they keep to the strictest protocol: they begin with the user, roles alternate,
 * each call has exactly one result right after it, no text is blank.
 */
import type { ImagePart, Json, Message, ResultPart, Source, TextPart, UserMessage } from './messages.ts';
import { isSameSource } from './target.ts';
import { elidedText, isPause, type CallState, type Segment } from './segment.ts';
import { recordLost, type Transcript } from './transcript.ts';

export const messageLost = '[A message is missing here: its record was lost.]';
export const pausedText = '[Your turn was not over: go on from where it ended.]';

/**
 * The whole conversation for a wire. Messages of finished segments are the same objects from turn to turn. `to` is who is asked: what
 * another one has paused in is over for it.
 */
export function messagesOf(view: { transcript: Transcript }, to?: Source): Message[] {
  const messages: Message[] = [];
  const { segments } = view.transcript;
  let resumes = false;
  segments.forEach((segment, index) => {
    const made = segment.frozen ?? segmentMessages(segment);
    if (index < segments.length - 1) segment.frozen = made;
    for (const message of made) append(messages, message, resumes);
    if (made.length > 0) resumes = isPause(segment);
  });
  const last = messages.at(-1);
  if (to !== undefined && last?.role === 'assistant' && !isSameSource(last.source, to)) messages.push(pausedMessage);
  return messages;
}

function segmentMessages(segment: Segment): Message[] {
  const user = userMessage(segment.calls.map(resultPart), segment);
  if (segment.reply === undefined) return user;
  // A declined reply is no part of the conversation: sent back, it makes the provider decline again.
  if (segment.reply.stop === 'refusal') return userMessage([], segment);
  const said = segment.reply.parts.some((part) => part.type !== 'text' || part.text.trim() !== '');
  if (!said) return user;
  return [{ role: 'assistant', parts: segment.reply.parts, source: segment.reply.source }, ...user];
}

function userMessage(results: ResultPart[], segment: Segment): UserMessage[] {
  const said = segment.texts.flatMap(({ text, from, images = [] }): (ImagePart | TextPart)[] => {
    if (text.trim() === '') return images;
    return [...images, { type: 'text', text, ...(from === 'harness' && { voice: 'harness' }) }];
  });
  const parts = [...results, ...said];
  return parts.length === 0 ? [] : [{ role: 'user', parts }];
}

function resultPart(call: CallState): ResultPart {
  const isElided = call.elided !== undefined;
  const text = isElided ? elidedText(call) : (call.result?.text ?? recordLost);
  const error = call.result === undefined || call.result.outcome !== 'ok';
  const { images, facts = {} } = isElided ? {} : (call.result ?? {});
  const found = namesIn(facts['found']);
  return {
    type: 'result',
    id: call.id,
    name: call.name,
    text,
    error,
    ...(images !== undefined && { images }),
    ...(found.length > 0 && { found }),
  };
}

/** A log of another version can hold anything as a fact. */
function namesIn(fact: Json | undefined): string[] {
  return Array.isArray(fact) ? fact.filter((name) => typeof name === 'string') : [];
}

/**
 * Appends so that roles alternate: messages of the user merge, a reply that continues its maker's pause joins it, and where a message
 * is missing between two replies a statement stands in.
 */
function append(messages: Message[], message: Message, resumes: boolean): void {
  const last = messages.at(-1);
  if (last !== undefined && isJoined(last, message, resumes)) {
    messages[messages.length - 1] = join(last, message);
    return;
  }
  if (message.role === 'assistant' && last?.role !== 'user') messages.push(resumes ? pausedMessage : lostMessage);
  messages.push(message);
}

/** What another one goes on with is a reply of its own: joined, it would go back as if the first had given it. */
function isJoined(last: Message, message: Message, resumes: boolean): boolean {
  if (last.role === 'user' || message.role === 'user') return last.role === message.role;
  return resumes && isSameSource(last.source, message.source);
}

const lostMessage: UserMessage = { role: 'user', parts: [{ type: 'text', text: messageLost }] };
const pausedMessage: UserMessage = { role: 'user', parts: [{ type: 'text', text: pausedText }] };
const joined = new WeakMap<Message, WeakMap<Message, Message>>();

/** Joins two messages of one role; the same two give the same object, so that a wire can keep what it made of it. */
function join(first: Message, second: Message): Message {
  const seconds = joined.get(first) ?? new WeakMap<Message, Message>();
  joined.set(first, seconds);
  const known = seconds.get(second);
  if (known !== undefined) return known;
  const both = { ...first, parts: [...first.parts, ...second.parts] } as Message;
  seconds.set(second, both);
  return both;
}

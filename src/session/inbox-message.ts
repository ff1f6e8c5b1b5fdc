/** What may be dropped into the inbox of a session from outside, and how it becomes an event. */
import type { Draft, EventData } from '../core/index.ts';
import { wrongWith } from './event-shapes.ts';

/** The name of its file; the event that it becomes carries it as `message`, so that it is taken once. */
export type MessageName = string;

export type InboxMessage =
  | { kind: 'input'; data: Omit<EventData['input'], 'message'> }
  | { kind: 'cancel'; data: Omit<EventData['cancel'], 'message'> }
  | { kind: 'answer'; data: Omit<EventData['answer'], 'message'> }
  /** A job of the session is to be ended. */
  | { kind: 'job-end'; data: Omit<EventData['job-end'], 'message'> }
  | { kind: 'title'; data: Omit<EventData['title'], 'message'> };

const kinds: readonly string[] = ['input', 'cancel', 'answer', 'job-end', 'title'] satisfies InboxMessage['kind'][];

/** The message in the bytes of a file, or what is wrong with them. */
export function parseMessage(bytes: Buffer): InboxMessage | { malformed: string } {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { malformed: 'it isn’t JSON' }; // The parser's own words quote the content, which is for nobody's eyes.
  }
  const { kind, data } = Object(value) as { kind?: unknown; data?: unknown };
  if (typeof kind !== 'string' || !kinds.includes(kind)) {
    return { malformed: `its kind is none of ${kinds.join(', ')}` };
  }
  const wrong = wrongWith(kind as InboxMessage['kind'], data);
  return wrong === undefined ? ({ kind, data } as InboxMessage) : { malformed: wrong };
}

/** The event that a message becomes. */
export function draftOf(message: InboxMessage, name: MessageName): Draft {
  return { kind: message.kind, data: { ...message.data, message: name } } as Draft;
}

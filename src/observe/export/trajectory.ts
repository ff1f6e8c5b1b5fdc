/** What all exports are made of: the events of a path as steps, with texts, thinking, calls, results and what they used. */
import type {
  Change,
  EventData,
  EventId,
  ImagePart,
  JsonObject,
  Outcome,
  Source,
  ToolSpec,
  Usage,
} from '../../core/index.ts';

export interface Trajectory {
  session: string;
  title: string;
  workspace: string;
  /** The version of Reins that wrote the log. */
  reins: string;
  /** Milliseconds since the epoch, of the first and the last event. */
  startedAt: number;
  endedAt: number;
  /** The setup in force at the end; absent before the first run. */
  setup?: Pick<EventData['setup'], 'provider' | 'wire' | 'model' | 'mode'> & { tools: ToolSpec[] };
  steps: Step[];
  totals: Totals;
  /** How the last run ended, where it did. */
  stop?: EventData['stop'];
}

/** As far as it was reported: what nobody said is absent, never zero. */
export interface Totals {
  turns: number;
  calls: number;
  usage: Usage;
  /** Dollars, failed attempts and side questions included; absent where the cost of a reply is unknown. */
  cost?: number;
}

interface Common {
  id: EventId;
  /** The step above it on its path; null for the first. */
  parent: EventId | null;
  at: number;
  /** It was taken over from the session that this one was forked from. */
  copied?: true;
}

/** Something that was said to the model: by a person, or by Reins itself. */
export interface Said extends Common {
  kind: 'said';
  by: 'person' | 'harness';
  /** What kind of input it was, or the kind of the event whose text the model was told. */
  from: string;
  text: string;
  code?: string;
  images?: ImagePart[];
}

export interface Turn extends Common {
  kind: 'turn';
  /** From 1. */
  turn: number;
  source: Source;
  parts: TurnPart[];
  stop: EventData['reply']['stop'];
  usage?: Usage;
  cost?: number;
  /** Milliseconds from sending to the end. */
  elapsed?: number;
}

/** `sealed` stands for a block that only its provider can read. */
export type TurnPart =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'call'; call: Call }
  | { type: 'sealed' };

export interface Call {
  /** The provider's id where it names one call only; else the call's key. */
  id: string;
  name: string;
  arguments: JsonObject;
  /** The raw argument text, where it isn't a JSON object. */
  malformed?: string;
  startedAt?: number;
  result?: Result;
}

export interface Result {
  at: number;
  outcome: Outcome;
  /** What the model saw. */
  text: string;
  exit?: number | null;
  elapsed?: number;
  changes?: Change[];
  images?: ImagePart[];
  /** Bytes of the whole output, where `text` is a part of it. */
  bytes?: number;
}

/** Older turns gave way to `text`, or the results of so many calls to a note of their size. */
export interface Compacted extends Common {
  kind: 'compaction';
  why: EventData['compaction']['why'];
  text: string;
  elided: number;
  before: number;
  after: number;
}

export interface Checked extends Common {
  kind: 'check';
  command: string;
  passed: boolean;
  exit: number | null;
}

export interface Ended extends Common {
  kind: 'stop';
  reason: EventData['stop']['reason'];
  code?: string;
  detail: string;
}

export type Step = Said | Turn | Compacted | Checked | Ended;

export function textOf(turn: Turn): string {
  return turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

export function thinkingOf(turn: Turn): string {
  return turn.parts.flatMap((part) => (part.type === 'thinking' ? [part.text] : [])).join('\n\n');
}

export function callsOf(turn: Turn): Call[] {
  return turn.parts.flatMap((part) => (part.type === 'call' ? [part.call] : []));
}

/** What was said, with a note for each image: exports hold no images. */
export function saidText({ text, images = [] }: { text: string; images?: ImagePart[] }): string {
  const notes = images.map(({ mediaType, bytes }) => `[image: ${mediaType}, ${bytes} bytes]`);
  return [...notes, ...(text === '' ? [] : [text])].join('\n');
}

/** All tokens that were read, the cached ones included. */
export function promptTokens({ input, cacheRead = 0, cacheWrite = 0 }: Usage): number | undefined {
  return input === undefined ? undefined : input + cacheRead + cacheWrite;
}

export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

export function isError({ outcome }: Result): boolean {
  return outcome !== 'ok';
}

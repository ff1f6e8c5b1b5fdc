/** The recorded replies of a session as the script of a model: for the model server, and as a scenario file for whoever keeps it. */
import type { EventData, Json, JsonObject, ReplyPart } from '../../core/index.ts';
import type { Answer, RecordedRequest, Scenario, ScriptedReply } from '../../testing/index.ts';
import type { Drive } from './rehearsal-work.ts';

/** Puts today's folder in the place of the recorded one in a text. */
export type MapText = (text: string) => string;

type ScriptedBlock = NonNullable<ScriptedReply['blocks']>[number];

function scriptedReply(reply: EventData['reply'], map: MapText): ScriptedReply {
  const { parts, stop, stopRaw, stopDetail, usage } = reply;
  return {
    blocks: parts.flatMap((part) => blocksOf(part, map)),
    // A word that this version has no name for is the wire's own.
    stop: stop === 'other' ? (stopRaw ?? 'end') : stop,
    ...(stopDetail !== undefined && { stopDetail: map(stopDetail) }),
    usage: usage ?? 'none',
  };
}

/** Thinking comes without its proof: the server signs its own, and takes back what it has signed. */
function blocksOf(part: ReplyPart, map: MapText): ScriptedBlock[] {
  if (part.type === 'text') return [{ text: map(part.text) }];
  if (part.type === 'thinking') return [part.text === '' ? { redacted: 'recorded' } : { thinking: map(part.text) }];
  if (part.type === 'opaque') {
    if (isSealed(part.opaque)) return [{ redacted: 'recorded' }];
    // One wire keeps several of its own in one part.
    const own = Array.isArray(part.opaque) ? part.opaque : [part.opaque];
    return own.map((each) => ({ opaque: objectOf(each) }));
  }
  const { id, name, arguments: args, malformed } = part;
  const call = { id, name, arguments: mapJson(args, map) as JsonObject };
  return [{ call: malformed === undefined ? call : { ...call, malformed: map(malformed) } }];
}

function isSealed(opaque: Json): boolean {
  return objectOf(opaque)['type'] === 'redacted_thinking';
}

function objectOf(value: Json): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function mapJson(value: Json, map: MapText): Json {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((each) => mapJson(each, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapJson(part, map)]));
}

/** The failure with which a run ended, as a server would give it. */
function failedAnswer({ status, message, class: kind }: EventData['failure'], isCancelled: boolean): Answer {
  // Whoever cancelled does so again.
  if (kind === 'cancelled' && isCancelled) return { silence: 'before-headers' };
  if (status !== undefined && status !== 200) return { status, message };
  if (kind === 'broken-stream' || kind === 'unreachable') return { close: true };
  return { status: 400, message };
}

/** Answers the requests of one drive after the other with its recorded replies. */
export class ReplyScript {
  /** Requests for which nothing was recorded. */
  surplus = 0;
  readonly #map: MapText;
  /** How the question for a summary is told from the others. */
  readonly #summaryPrompt: string;
  #drive: Drive | undefined;
  #next = 0;
  #nextSummary = 0;

  constructor(map: MapText, summaryPrompt: string) {
    this.#map = map;
    this.#summaryPrompt = summaryPrompt;
  }

  begin(drive: Drive): void {
    this.#drive = drive;
    this.#next = 0;
    this.#nextSummary = 0;
  }

  readonly handler = ({ question }: RecordedRequest): Answer => {
    if (question.system === this.#summaryPrompt) return this.#summary();
    const reply = this.#drive?.replies[this.#next];
    if (reply !== undefined) {
      this.#next += 1;
      return scriptedReply(reply, this.#map);
    }
    const { failure, arrivals = [] } = this.#drive ?? {};
    if (failure !== undefined)
      return failedAnswer(
        failure,
        arrivals.some(({ kind }) => kind === 'cancel'),
      );
    this.surplus += 1;
    return { status: 400, message: 'The record has no further reply: the session did not ask here.' };
  };

  /** Where older turns give way sooner or later than they did, the last one counts once more. */
  #summary(): Answer {
    const { summaries = [] } = this.#drive ?? {};
    const text = summaries[Math.min(this.#nextSummary, summaries.length - 1)];
    this.#nextSummary += 1;
    return text === undefined ? { status: 400, message: 'The record has no summary.' } : { text: this.#map(text) };
  }
}

/** All replies in their order, with `${workspace}` for the recorded folder. */
export function scenarioOf(drives: readonly Drive[], description: string, map: MapText): Scenario {
  return {
    description,
    position: 'count',
    turns: drives.flatMap(({ replies }) => replies.map((reply) => scriptedReply(reply, map))),
  };
}

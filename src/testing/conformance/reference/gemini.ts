/** Reads a recorded stream of Gemini's generateContent by adding up the parts of its chunks. */
import type { Json, JsonObject, ReplyStop } from '../../../core/index.ts';
import {
  complaint,
  countOf,
  cut,
  objectOf,
  objectsIn,
  settled,
  textOf,
  type NoReading,
  type ReadCall,
  type Reading,
  type ReadUsage,
  type RecordedEvent,
} from '../reading.ts';

const stops: { [word: string]: ReplyStop } = {
  STOP: 'end',
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'refusal',
  RECITATION: 'refusal',
  LANGUAGE: 'refusal',
  ESCALATION: 'refusal',
  BLOCKLIST: 'refusal',
  PROHIBITED_CONTENT: 'refusal',
  SPII: 'refusal',
  MODEL_ARMOR: 'refusal',
  IMAGE_SAFETY: 'refusal',
  IMAGE_PROHIBITED_CONTENT: 'refusal',
  IMAGE_RECITATION: 'refusal',
};

/** Words that say that what came is no reply: the model didn't get it right, or isn't served to this account. */
const failures = [
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'PUP_LIMITED_DISABLED',
];
const noWord = 'FINISH_REASON_UNSPECIFIED';

interface Call {
  id: string;
  name: string;
  args: JsonObject;
  /** More of its arguments are announced. */
  open: boolean;
}

interface Said {
  text: string;
  reasoning: string;
  calls: Call[];
  others: number;
}

export function readGemini(events: RecordedEvent[]): Reading | NoReading {
  const said: Said = { text: '', reasoning: '', calls: [], others: 0 };
  let usage: JsonObject = {};
  let word = '';
  let isBlocked = false;
  for (const { data, raw } of events) {
    if (data === undefined && raw.trim() === '[DONE]') continue;
    if (data === undefined) return { failure: `an event is no JSON: ${raw.slice(0, 80)}` };
    for (const chunk of Array.isArray(data) ? objectsIn(data) : [objectOf(data)]) {
      if ((chunk['error'] ?? null) !== null) return complaint(chunk);
      usage = { ...usage, ...objectOf(chunk['usageMetadata']) };
      const candidate = objectsIn(chunk['candidates']).find(({ index }) => (index ?? 0) === 0) ?? {};
      for (const part of objectsIn(objectOf(candidate['content'])['parts'])) addPart(said, part);
      // A prompt that is blocked gets no candidate at all.
      const blocked = textOf(objectOf(chunk['promptFeedback'])['blockReason']);
      const ended = textOf(candidate['finishReason']);
      if (blocked !== '') isBlocked = true;
      word = blocked || (ended === noWord ? '' : ended) || word;
    }
  }
  if (word === '') return cut;
  if (failures.includes(word)) return { failure: `the provider ended its reply with ${word}` };
  const calls = said.calls.map(finished);
  const known = Object.hasOwn(stops, word) ? stops[word] : undefined;
  const stop = isBlocked ? 'refusal' : settled(known, calls);
  return { ...said, reasoning: [said.reasoning], calls, stop, word, usage: usageOf(usage) };
}

function addPart(said: Said, part: JsonObject): void {
  const { text, functionCall: call } = part;
  if (typeof text === 'string') {
    if (part['thought'] === true) said.reasoning += text;
    else said.text += text;
  } else if (call !== undefined) addCall(said.calls, objectOf(call));
  else said.others += 1;
}

/** A call comes whole, or is begun and then filled, argument by argument, until no more is announced. */
function addCall(calls: Call[], piece: JsonObject): void {
  const last = calls.at(-1);
  const goesOn = last?.open === true && piece['name'] === undefined;
  const call = goesOn ? last : { id: '', name: '', args: {}, open: false };
  if (!goesOn) calls.push(call);
  call.id ||= textOf(piece['id']);
  call.name ||= textOf(piece['name']);
  Object.assign(call.args, objectOf(piece['args']));
  for (const partial of objectsIn(piece['partialArgs'])) fill(call.args, partial);
  call.open = piece['willContinue'] === true;
}

/** Puts a partial argument where its path says; a text that goes on is added to. */
function fill(args: JsonObject, partial: JsonObject): void {
  const steps = textOf(partial['jsonPath']).match(/[^.[\]'"$]+/g) ?? [];
  const last = steps.pop();
  if (last === undefined || [...steps, last].includes('__proto__')) return;
  let place: { [key: string]: Json } = args;
  steps.forEach((step, depth) => {
    const next = steps[depth + 1] ?? last;
    const inner = place[step];
    // Lists have numbers for keys too.
    place[step] = typeof inner === 'object' && inner !== null ? inner : /^\d+$/.test(next) ? [] : {};
    place = place[step] as { [key: string]: Json };
  });
  const before = place[last];
  const { stringValue, numberValue, boolValue } = partial;
  if (typeof stringValue === 'string') place[last] = textOf(before) + stringValue;
  else place[last] = numberValue ?? boolValue ?? null;
}

const finished = ({ id, name, args }: Call): ReadCall => ({
  ...(id === '' ? {} : { id }),
  name,
  json: JSON.stringify(args),
});

/** The prompt is told with what was cached in it; what was thought isn't part of the candidates. */
function usageOf(usage: JsonObject): ReadUsage {
  const prompt = countOf(usage['promptTokenCount']);
  const tools = countOf(usage['toolUsePromptTokenCount']) ?? 0;
  const cacheRead = countOf(usage['cachedContentTokenCount']);
  const said = countOf(usage['candidatesTokenCount']);
  const reasoning = countOf(usage['thoughtsTokenCount']);
  const isTold = said !== undefined || reasoning !== undefined;
  return {
    input: prompt === undefined ? undefined : prompt + tools - (cacheRead ?? 0),
    cacheRead,
    output: isTold ? (said ?? 0) + (reasoning ?? 0) : undefined,
    reasoning,
  };
}

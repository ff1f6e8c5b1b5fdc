/** Reads a recorded stream of Chat Completions, in any of the ways in which providers write them. */
import type { Json, JsonObject, ReplyStop } from '../../../core/index.ts';
import {
  complaint,
  countOf,
  cut,
  isObject,
  objectOf,
  objectsIn,
  settled,
  textOf,
  without,
  type NoReading,
  type ReadCall,
  type Reading,
  type ReadUsage,
  type RecordedEvent,
} from '../reading.ts';

const stops: { [word: string]: ReplyStop } = {
  stop: 'end',
  stop_sequence: 'end',
  eos: 'end',
  eos_token: 'end',
  end_turn: 'end',
  tool_calls: 'calls',
  tool_call: 'calls',
  function_call: 'calls',
  length: 'length',
  max_tokens: 'length',
  model_length: 'overflow',
  content_filter: 'refusal',
  refusal: 'refusal',
};

/** Words that say that the provider broke off, not that the model ended. */
const failures = ['error', 'abort', 'insufficient_system_resource'];

interface Call extends ReadCall {
  index: Json | undefined;
  json: string;
}

export function readChat(events: RecordedEvent[]): Reading | NoReading {
  const calls: Call[] = [];
  let text = '';
  let reasoning = '';
  let refusal = '';
  let word = '';
  let usage: JsonObject = {};
  let over = false;
  for (const { data, raw } of events) {
    if (data === undefined && raw.trim() !== '[DONE]') return { failure: `an event is no JSON: ${raw.slice(0, 80)}` };
    if (data === undefined) {
      over = true;
      break;
    }
    const chunk = objectOf(data);
    const choice = objectsIn(chunk['choices']).find(({ index }) => (index ?? 0) === 0) ?? {};
    const broken = [chunk, choice].find((part) => (part['error'] ?? null) !== null || part['object'] === 'error');
    if (broken) return complaint(broken);
    usage = { ...usage, ...told(chunk), ...told(choice) };
    const delta = objectOf(choice['delta'] ?? choice['message']);
    text += saidIn(delta['content']);
    refusal += textOf(delta['refusal']);
    reasoning += thoughtIn(delta);
    const call = delta['function_call'];
    const pieces = isObject(call) ? [{ index: 'function_call', function: call }] : [];
    for (const piece of [...placed(objectsIn(delta['tool_calls'])), ...pieces]) addCall(calls, piece);
    word = textOf(choice['finish_reason']) || word;
    if (failures.includes(word)) return { failure: `the provider broke off: ${word}` };
    if (word !== '') over = true;
  }
  if (!over) return cut;
  const known = Object.hasOwn(stops, word) ? stops[word] : undefined;
  const stop = refusal === '' ? settled(known, calls) : 'refusal';
  return { ...withoutTags(text, reasoning), calls: calls.map(finished), others: 0, stop, word, usage: usageOf(usage) };
}

/** What a chunk or its choice reports; figures that are null don't take earlier ones away. */
function told(chunk: JsonObject): JsonObject {
  const usage = objectOf(chunk['usage'] ?? objectOf(chunk['x_groq'])['usage']);
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
}

/** Content is a text, or a list of parts of which some are thoughts. */
const saidIn = (content: Json | undefined): string =>
  textOf(content) +
  objectsIn(content)
    .filter((part) => part['type'] === 'text')
    .map((part) => textOf(part['text']))
    .join('');

/** Three names are in use for the same field; some send it under two of them at once. */
function thoughtIn(delta: JsonObject): string {
  const thoughts = objectsIn(delta['content']).flatMap((part) => objectsIn(part['thinking']));
  const details = objectsIn(delta['reasoning_details']).map((part) => textOf(part['text']) || textOf(part['summary']));
  return (
    textOf(delta['reasoning_content']) ||
    textOf(delta['reasoning']) ||
    details.join('') ||
    thoughts.map((part) => textOf(part['text'])).join('')
  );
}

/** Servers without a parser of their own leave the thoughts in the text, between tags at its beginning. */
function withoutTags(text: string, reasoning: string): { text: string; reasoning: string[] } {
  const [, inside, rest = ''] = /^\s*<think>(.*?)(?:<\/think>\s*(.*))?$/s.exec(text) ?? [];
  if (reasoning !== '' || inside === undefined) return { text, reasoning: [reasoning] };
  return { text: rest, reasoning: [inside] };
}

/** Where several pieces come at once, their order is their index. */
const placed = (pieces: JsonObject[]): JsonObject[] =>
  pieces.length < 2 ? pieces : pieces.map((piece, place) => ({ ...piece, index: piece['index'] ?? place }));

/** A piece goes to the call of its index, or to the last one, unless it says that it is of another. */
function addCall(calls: Call[], piece: JsonObject): void {
  const called = objectOf(piece['function']);
  const { arguments: given } = called;
  const json = typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given);
  const said = { index: piece['index'] ?? undefined, id: textOf(piece['id']), name: textOf(called['name']), json };
  const known = said.index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === said.index);
  const isNew = known === undefined || isAnother(known, said);
  const call: Call = isNew ? { index: said.index, name: '', json: '' } : known;
  if (isNew) calls.push(call);
  // Some end with the whole call once more.
  if (call.id !== undefined && call.id === said.id && call.json !== '' && call.json === json) return;
  if (said.id !== '') call.id ??= said.id;
  // Some send the name again with every piece, some in pieces.
  if (said.name !== call.name) call.name += said.name;
  call.json += json;
}

/** Ids can be new in every piece, and indices the same for all calls: what is whole can't be gone on with. */
function isAnother(known: Call, said: { index: Json | undefined; id: string; name: string; json: string }): boolean {
  const hasOtherId = said.id !== '' && known.id !== undefined && said.id !== known.id;
  if (said.name === '') return hasOtherId && isWhole(known.json);
  if (hasOtherId) return true;
  if (said.index === undefined && known.name !== '' && known.name !== said.name) return true;
  return isWhole(known.json) && said.id === '' && said.json.trim() !== '';
}

function isWhole(json: string): boolean {
  try {
    return isObject(JSON.parse(json));
  } catch {
    return false; // the answer to the question
  }
}

const finished = ({ index: _, json, ...call }: Call): ReadCall => ({ ...call, json: json.trim() === '' ? '{}' : json });

/** The prompt is told with what was cached in it, unless that is more; reasoning is part of the completion, but for one provider. */
function usageOf(usage: JsonObject): ReadUsage {
  const details = objectOf(usage['prompt_tokens_details']);
  const prompt = countOf(usage['prompt_tokens']);
  const cacheRead =
    countOf(details['cached_tokens']) ??
    countOf(usage['prompt_cache_hit_tokens']) ??
    countOf(usage['cached_tokens']) ??
    countOf(usage['num_cached_tokens']);
  const cacheWrite = countOf(details['cache_write_tokens']);
  const fresh = without(without(prompt, cacheRead), cacheWrite);
  const completion = countOf(usage['completion_tokens']);
  const reasoning = countOf(objectOf(usage['completion_tokens_details'])['reasoning_tokens']);
  const apart = sum(prompt, completion, reasoning) === countOf(usage['total_tokens']);
  return {
    input: fresh,
    cacheRead,
    cacheWrite,
    output: apart ? sum(completion, reasoning) : completion,
    reasoning,
  };
}

const sum = (...counts: (number | undefined)[]): number =>
  counts.reduce<number>((total, count) => total + (count ?? 0), 0);

/** Reads a recorded stream of OpenAI's Responses API by its finished items; deltas are for display. */
import type { Json, JsonObject, ReplyStop } from '../../../core/index.ts';
import {
  complaint,
  countOf,
  cut,
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

/** Why a response is incomplete; any other reason cut it too. */
const reasons: { [reason: string]: ReplyStop } = { max_output_tokens: 'length', content_filter: 'refusal' };

/** An item with the texts that its deltas add up to, by the field that they belong to. */
interface Item {
  begun: JsonObject;
  deltas: { [field: string]: string };
}

/** The fields that deltas add to, by their events. */
const growing: { [event: string]: string } = {
  'response.output_text.delta': 'text',
  'response.refusal.delta': 'refusal',
  'response.reasoning_summary_text.delta': 'thought',
  'response.reasoning_text.delta': 'thought',
  'response.function_call_arguments.delta': 'arguments',
  'response.custom_tool_call_input.delta': 'input',
};

export function readResponses(events: RecordedEvent[]): Reading | NoReading {
  const done: JsonObject[] = [];
  const items = new Map<Json, Item>();
  for (const { data, raw } of events) {
    if (data === undefined && raw.trim() === '[DONE]') continue;
    if (data === undefined) return { failure: `an event is no JSON: ${raw.slice(0, 80)}` };
    const event = objectOf(data);
    const type = textOf(event['type']);
    const response = objectOf(event['response']);
    if (type === 'error') return complaint(event);
    if (type === 'response.failed' || response['status'] === 'failed') return complaint(response);
    if (type === 'response.completed' || type === 'response.incomplete') {
      return reading(finalItems(done, objectsIn(response['output']), [...items.values()]), response);
    }
    const field = Object.hasOwn(growing, type) ? growing[type] : undefined;
    const place = event['item_id'] ?? objectOf(event['item'])['id'] ?? event['output_index'] ?? null;
    if (type === 'response.output_item.done') done.push(filled(objectOf(event['item']), items.get(place)));
    if (field === undefined && type !== 'response.output_item.added') continue;
    const item = items.get(place) ?? { begun: objectOf(event['item']), deltas: {} };
    if (field !== undefined) item.deltas[field] = (item.deltas[field] ?? '') + textOf(event['delta']);
    items.set(place, item);
  }
  return cut;
}

/** What is done counts, or what the end repeats if that is more; deltas only where neither comes. */
function finalItems(done: JsonObject[], repeated: JsonObject[], open: Item[]): JsonObject[] {
  if (repeated.length > done.length) return repeated;
  return done.length > 0 ? done : open.map(grown);
}

/** Some close an item without saying again what it holds. */
function filled(item: JsonObject, open: Item | undefined): JsonObject {
  const said = item['content'] ?? item['summary'] ?? item['arguments'] ?? item['input'];
  return open === undefined || said !== undefined ? item : grown({ begun: item, deltas: open.deltas });
}

function grown({ begun, deltas }: Item): JsonObject {
  const { text = '', refusal = '', thought = '', ...whole } = deltas;
  const content = [{ text }, ...(refusal === '' ? [] : [{ type: 'refusal', refusal }])];
  if (begun['type'] === 'message') return { ...begun, content };
  return begun['type'] === 'reasoning' ? { ...begun, content: [{ text: thought }] } : { ...begun, ...whole };
}

function reading(items: JsonObject[], response: JsonObject): Reading {
  const of = (type: string) => items.filter((item) => item['type'] === type);
  const contents = of('message').flatMap((item) => objectsIn(item['content']));
  const thoughts = of('reasoning').flatMap((item) => [...objectsIn(item['summary']), ...objectsIn(item['content'])]);
  const calls = items.flatMap(readCall);
  const said = contents.map((content) => textOf(content['text'])).join('');
  const refused = contents.map((content) => textOf(content['refusal'])).join('');
  const status = textOf(response['status']);
  const reason = textOf(objectOf(response['incomplete_details'])['reason']);
  const isCut = status === 'incomplete';
  const isDeclined = refused.trim() !== '' && said.trim() === '' && calls.length === 0;
  const cutStop = Object.hasOwn(reasons, reason) ? reasons[reason] : 'length';
  return {
    text: contents.map((content) => textOf(content['text']) + textOf(content['refusal'])).join(''),
    reasoning: thoughts.map((thought) => textOf(thought['text'])),
    calls,
    others: items.filter((item) => !['message', 'reasoning'].includes(textOf(item['type']))).length - calls.length,
    stop: settled(isCut ? cutStop : isDeclined ? 'refusal' : 'end', calls),
    word: (isCut && reason) || status,
    usage: usageOf(response['usage']),
  };
}

function readCall(item: JsonObject): ReadCall[] {
  const call = { id: textOf(item['call_id']), name: textOf(item['name']) };
  if (item['type'] === 'function_call') return [{ ...call, json: textOf(item['arguments']) || '{}' }];
  return item['type'] === 'custom_tool_call' ? [{ ...call, text: textOf(item['input']) }] : [];
}

/** Input is told with what was cached in it, unless that is more. */
function usageOf(value: Json | undefined): ReadUsage {
  const usage = objectOf(value);
  const details = objectOf(usage['input_tokens_details']);
  const all = countOf(usage['input_tokens']);
  const cacheRead = countOf(details['cached_tokens']);
  const cacheWrite = countOf(details['cache_write_tokens']);
  return {
    input: without(without(all, cacheRead), cacheWrite),
    cacheRead,
    cacheWrite,
    output: countOf(usage['output_tokens']),
    reasoning: countOf(objectOf(usage['output_tokens_details'])['reasoning_tokens']),
  };
}

/** Writes responses, as a stream of events or whole. */
import type { Json, JsonObject } from '../../../core/index.ts';
import type { ScriptedReply } from '../../scenario/index.ts';
import type { ReplyContext, StreamPlan } from '../dialect.ts';
import { asText, EventList, piecesOf, rawPlan, usageFields } from '../openai/index.ts';
import { idOf } from '../seals.ts';
import { incompleteReason, refusalPart, summaryPart, textPart, type Carrier, type OutItem } from './output.ts';
import { isStored } from './shape.ts';

/** When every response was made, in seconds since the epoch: the same in every rehearsal. */
const createdAt = 1_767_225_600;

/** How the text of an item travels: the events with it, the key of the whole text, and the part of the item that holds it. */
interface Carriage {
  events: string;
  key: string;
  part?: InPart;
  more?: JsonObject;
}

interface InPart {
  events: string;
  index: string;
  of: (text: string) => JsonObject;
}

const inContent = (of: InPart['of']): InPart => ({
  events: 'response.content_part',
  index: 'content_index',
  of,
});

const carriages: { [C in Carrier]: Carriage } = {
  text: { events: 'response.output_text', key: 'text', part: inContent(textPart), more: { logprobs: [] } },
  refusal: { events: 'response.refusal', key: 'refusal', part: inContent(refusalPart) },
  summary: {
    events: 'response.reasoning_summary_text',
    key: 'text',
    part: { events: 'response.reasoning_summary_part', index: 'summary_index', of: summaryPart },
  },
  arguments: { events: 'response.function_call_arguments', key: 'arguments' },
  input: { events: 'response.custom_tool_call_input', key: 'input' },
};

export const eventText = (event: JsonObject): string =>
  `event: ${asText(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;

type Write = (type: string, fields: JsonObject) => string;

export function streamReply(
  reply: ScriptedReply,
  context: ReplyContext,
  items: OutItem[],
  body: JsonObject,
): StreamPlan {
  if (reply.raw)
    return rawPlan(reply.raw, eventText, (event) =>
      /"type"\s*:\s*"response\.(completed|incomplete|failed)"/.test(event),
    );
  let sequence = 0;
  const write: Write = (type, fields) => eventText({ type, sequence_number: sequence++, ...fields });
  const list = new EventList();
  const begun = { response: responseOf(context, body, { status: 'in_progress', output: [], usage: null }) };
  list.add(write('response.created', begun), write('response.in_progress', begun));
  items.forEach((item, index) => addItem(list, write, item, { index, chunk: reply.chunk }));
  list.markEnd();
  const response = wholeReply(reply, context, items, body);
  list.add(write(`response.${asText(response['status'])}`, { response }));
  return list.plan();
}

function addItem(
  list: EventList,
  write: Write,
  { kind, whole, opening, text, carrier }: OutItem,
  { index, chunk }: { index: number; chunk: number | undefined },
): void {
  list.add(write('response.output_item.added', { output_index: index, item: opening }));
  if (text !== undefined && carrier !== undefined) {
    const { events, key, part, more } = carriages[carrier];
    const place = { item_id: asText(opening['id']), output_index: index, ...(part && { [part.index]: 0 }) };
    if (part) list.add(write(`${part.events}.added`, { ...place, part: part.of('') }));
    const deltas = piecesOf(text, chunk).map((delta) => write(`${events}.delta`, { ...place, delta, ...more }));
    list.addDeltas(kind, deltas);
    list.add(write(`${events}.done`, { ...place, [key]: text, ...more }));
    if (part) list.add(write(`${part.events}.done`, { ...place, part: part.of(text) }));
  }
  list.add(write('response.output_item.done', { output_index: index, item: whole }));
}

export function wholeReply(
  reply: ScriptedReply,
  context: ReplyContext,
  items: OutItem[],
  body: JsonObject,
): JsonObject {
  const reason = incompleteReason(reply);
  const words = { input: 'input_tokens', output: 'output_tokens' };
  return responseOf(context, body, {
    status: reason === undefined ? 'completed' : 'incomplete',
    incomplete_details: reason === undefined ? null : { reason },
    output: items.map(({ whole }) => whole),
    usage: context.usage ? usageFields(context.usage, words) : null,
  });
}

export const responseId = ({ place, question }: ReplyContext): string =>
  idOf('resp_', `${place} ${question.messages.length}`, 48);

function responseOf(context: ReplyContext, body: JsonObject, state: { [key: string]: Json }): JsonObject {
  return {
    id: responseId(context),
    object: 'response',
    created_at: createdAt,
    background: false,
    error: null,
    incomplete_details: null,
    model: context.model,
    parallel_tool_calls: body['parallel_tool_calls'] !== false,
    previous_response_id: body['previous_response_id'] ?? null,
    store: isStored(body),
    metadata: {},
    ...state,
  };
}

/** Reasoning on Chat Completions: what goes out is remembered, and what comes back is known again. */
import type { JsonObject } from '../../../core/index.ts';
import type { ScriptedReply } from '../../scenario/index.ts';
import { asText, isObject, objectsIn, rawEvents, type IssuedReasoning } from '../openai/index.ts';
import { idOf, sign } from '../seals.ts';
import { reasoningIn, toolCalls } from './shape.ts';

/**
 * An id of a call that proves the reasoning of its reply: plain reasoning carries no signature on this wire, and the ids of calls
 * are all that comes back as the server made it. So also a server that was started later knows it again.
 */
export function provenId(model: string, reasoning: string, seed: string): string {
  const id = idOf('call_', seed, 16);
  return id + proofOf(id, model, reasoning);
}

const proofLength = 8;

const proofOf = (id: string, model: string, reasoning: string): string =>
  idOf('', `${id} ${sign(model, reasoning)}`, proofLength);

function proves(id: string, model: string, reasoning: string): boolean {
  const own = id.slice(0, -proofLength);
  return id === own + proofOf(own, model, reasoning);
}

/** The deltas in a stream that is given as it is. */
export const rawDeltas = (raw: NonNullable<ScriptedReply['raw']>): JsonObject[] => rawEvents(raw).flatMap(deltasIn);

/** Remembers for a model what the deltas of a reply hold of reasoning. */
export function rememberReasoning(issued: IssuedReasoning, model: string, deltas: JsonObject[]): void {
  const told = deltas.flatMap(reasoningIn);
  for (const field of new Set(told.map((each) => each.field))) {
    issued.remember(model, told.map((each) => (each.field === field ? each.text : '')).join(''));
  }
  const details = deltas.flatMap((delta) => objectsIn(delta['reasoning_details']));
  issued.remember(model, details.map(detailText).join(''));
  for (const detail of details) {
    issued.remember(model, detailText(detail));
    issued.remember(model, asText(detail['data']));
  }
}

const detailText = (detail: JsonObject): string => asText(detail['text']) || asText(detail['summary']);

function deltasIn(event: JsonObject): JsonObject[] {
  return objectsIn(event['choices']).flatMap((choice) => {
    const delta = choice['delta'] ?? choice['message'];
    return isObject(delta) ? [delta] : [];
  });
}

/** The first field with reasoning in a message of the model that wasn't issued for it; undefined when all was. */
export function foreignReasoning(issued: IssuedReasoning, model: string, message: JsonObject): string | undefined {
  const ids = toolCalls(message).map(({ id }) => id);
  const isKnown = (text: string) => issued.has(model, text) || ids.some((id) => proves(id, model, text));
  const unknown = reasoningIn(message).find(({ text }) => !isKnown(text));
  if (unknown) return unknown.field;
  const foreign = objectsIn(message['reasoning_details']).find((detail) => {
    const text = detailText(detail);
    return detail['type'] === 'reasoning.encrypted'
      ? !issued.isSealed(model, asText(detail['data']))
      : text !== '' && !isKnown(text);
  });
  return foreign && 'reasoning_details';
}

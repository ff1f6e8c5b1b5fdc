/** The Responses API of OpenAI. */
import type { JsonObject } from '../../../core/index.ts';
import type { ScriptedReply } from '../../scenario/index.ts';
import type { Question } from '../../script/index.ts';
import type { Dialect, ReplyContext } from '../dialect.ts';
import {
  asText,
  errorBody,
  errorFields,
  isObject,
  IssuedReasoning,
  limitHeaders,
  objectsIn,
  overloadedStatus,
  rawEvents,
} from '../openai/index.ts';
import { GivenResponses } from './given.ts';
import { outItems, type OutItem } from './output.ts';
import { eventText, responseId, streamReply, wholeReply } from './reply.ts';
import { canonicalParts, readQuestion } from './request.ts';
import { isStored } from './shape.ts';
import { firstViolation } from './strict/index.ts';

/** An error can come anywhere in a stream: its number is beyond all that may have come before. */
const lastSequenceNumber = 1_000_000;

export function openaiResponses(): Dialect {
  const issued = new IssuedReasoning();
  const given = new GivenResponses();
  const bodies = new WeakMap<Question, JsonObject>();
  const bodyOf = ({ question }: ReplyContext): JsonObject => bodies.get(question) ?? {};
  const issue = (reply: ScriptedReply, context: ReplyContext): OutItem[] => {
    const { model } = context.question;
    const body = bodyOf(context);
    const items = outItems(reply, context, body);
    const output = reply.raw ? rawOutput(reply.raw) : items.map(({ whole }) => whole);
    for (const item of output) issued.remember(model, asText(item['encrypted_content']));
    given.rememberThoughts(model, output);
    if (isStored(body)) given.store(responseId(context), body, output);
    return items;
  };
  return {
    route(method, path) {
      if (method !== 'POST') return undefined;
      if (path.endsWith('/responses')) return 'reply';
      return path.endsWith('/responses/input_tokens') ? 'count' : undefined;
    },
    read(body) {
      const question = readQuestion(body, given.inputOf(body));
      bodies.set(question, body);
      return question;
    },
    check: (body, options) => firstViolation(body, options, { issued, given }),
    canonical: (body) => canonicalParts(body, given.inputOf(body)),
    stream: (reply, context) => streamReply(reply, context, issue(reply, context), bodyOf(context)),
    whole: (reply, context) => wholeReply(reply, context, issue(reply, context), bodyOf(context)),
    counted: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
    error: (status, message, type) => errorBody(status, message, type),
    errorEvent(message, name) {
      const { code, param } = errorFields(overloadedStatus, message, name);
      const event = { type: 'error', code: name ?? code ?? null, message, param: param ?? null };
      return eventText({ ...event, sequence_number: lastSequenceNumber });
    },
    headers: limitHeaders,
  };
}

/** The items of a stream that is given as it is. */
function rawOutput(raw: NonNullable<ScriptedReply['raw']>): JsonObject[] {
  return rawEvents(raw).flatMap(({ item, response }) => [
    ...(isObject(item) ? [item] : []),
    ...objectsIn(isObject(response) ? response['output'] : undefined),
  ]);
}

/** Checks calls against their results: each has exactly one, right after it, and no result is without its call. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import { asText, faults, isObject, parseObject, unknownKeys, type Findings } from '../../openai/index.ts';
import { rawMessages, toolCalls, type RawMessage } from '../shape.ts';

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;
const longestId = 64;

export function* checkCalls(body: JsonObject): Findings {
  const messages = rawMessages(body);
  const seen = new Set<string>();
  for (const [place, message] of messages.entries()) {
    if (message.role === 'assistant') {
      yield* checkCallShapes(message, seen);
      yield* checkAnswered(message, resultsAfter(messages, place));
    } else if (message.role === 'tool') yield* checkAnswer(message, callsBefore(messages, place));
  }
}

/** Ids of the results right after a message. */
function resultsAfter(messages: RawMessage[], place: number): string[] {
  const after = messages.slice(place + 1);
  const end = after.findIndex(({ role }) => role !== 'tool');
  return after.slice(0, end < 0 ? after.length : end).map(({ message }) => asText(message['tool_call_id']));
}

/** Ids of the calls that the results around a place belong to. */
function callsBefore(messages: RawMessage[], place: number): string[] {
  const caller = messages.slice(0, place).findLast(({ role }) => role !== 'tool');
  return caller?.role === 'assistant' ? toolCalls(caller.message).map(({ id }) => id) : [];
}

function* checkCallShapes({ index, message }: RawMessage, seen: Set<string>): Findings {
  const { tool_calls: calls } = message;
  if (calls === undefined || calls === null) return;
  const where = `messages[${index}].tool_calls`;
  if (!Array.isArray(calls)) yield { rule: 'input', message: faults.wrongType(where, 'an array') };
  else if (calls.length === 0) yield { rule: 'input', message: faults.emptyList(where) };
  else for (const [place, call] of calls.entries()) yield* checkCall(call, `${where}[${place}]`, seen);
}

function* checkCall(call: Json, where: string, seen: Set<string>): Findings {
  const called = isObject(call) ? call['function'] : undefined;
  if (!isObject(call) || call['type'] !== 'function' || !isObject(called)) {
    yield { rule: 'input', message: faults.wrongType(where, 'a call of the type function') };
    return;
  }
  yield* unknownKeys(call, ['id', 'type', 'function', 'extra_content'], (key) =>
    faults.unknownParameter(`${where}.${key}`),
  );
  yield* unknownKeys(called, ['name', 'arguments'], (key) => faults.unknownParameter(`${where}.function.${key}`));
  const id = asText(call['id']);
  if (id === '') yield { rule: 'ids', message: faults.emptyText(`${where}.id`) };
  if (id.length > longestId) yield { rule: 'ids', message: faults.tooLong(`${where}.id`, longestId, id.length) };
  if (seen.has(id)) yield { rule: 'ids', message: `Duplicate value for 'tool_call_id' of '${id}' - '${where}.id'` };
  seen.add(id);
  if (!namePattern.test(asText(called['name']))) {
    yield { rule: 'input', message: faults.wrongPattern(`${where}.function.name`, namePattern) };
  }
  if (parseObject(asText(called['arguments'])) === undefined) {
    yield { rule: 'input', message: faults.wrongType(`${where}.function.arguments`, 'the text of a JSON object') };
  }
}

function* checkAnswered({ message }: RawMessage, answered: string[]): Findings {
  const ids = toolCalls(message).map(({ id }) => id);
  const open = ids.filter((id) => !answered.includes(id));
  if (open.length > 0) {
    yield {
      rule: 'results',
      message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    };
  }
  const twice = answered.find((id, index) => ids.includes(id) && answered.indexOf(id) !== index);
  if (twice !== undefined) {
    yield { rule: 'results', message: `Each 'tool_call_id' has one response message; '${twice}' has several.` };
  }
}

function* checkAnswer({ index, message }: RawMessage, calls: string[]): Findings {
  if (calls.includes(asText(message['tool_call_id']))) return;
  yield {
    rule: 'orphan-results',
    message: `Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'. - 'messages[${index}].tool_call_id'`,
  };
}

/** Checks the input items one by one: their types, keys, ids and what is in them. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import type { CheckOptions } from '../../dialect.ts';
import { asText, faults, isObject, parseObject, unknownKeys, type Findings } from '../../openai/index.ts';
import { isOutput, outputTypeFor, speakerOf, typeOf } from '../shape.ts';
import { itemKeys } from './keys.ts';
import { checkMessage, checkParts } from './messages.ts';

const namePattern = /^[a-zA-Z0-9_-]{1,128}$/;
const longestId = 64;

/** How the ids of items begin that were given by the server. */
const idPrefixes: { [type: string]: string } = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
};

export function* checkInput(body: JsonObject, items: JsonObject[], options: CheckOptions): Findings {
  const { input } = body;
  if (input === undefined || (Array.isArray(input) && input.length === 0)) {
    if (items.length === 0) yield { rule: 'input', message: faults.missingParameter('input') };
  } else if (typeof input !== 'string' && !Array.isArray(input)) {
    yield { rule: 'input', message: faults.wrongType('input', 'a string or an array of items') };
  } else if (Array.isArray(input) && !input.every(isObject)) {
    yield { rule: 'input', message: faults.wrongType('input', 'an array of objects') };
  }
  yield* checkEnds(items, options);
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const where = `input[${index}]`;
    yield* checkShape(item, where);
    yield* checkId(item, where, seen);
    yield* checkContent(item, where);
  }
}

function* checkEnds(items: JsonObject[], { paused }: CheckOptions): Findings {
  const last = items.at(-1);
  if (items.length > 0 && items.every((item) => speakerOf(item) === 'system')) {
    yield { rule: 'roles', message: 'The input needs a message of the user.' };
  }
  if (last && speakerOf(last) === 'model' && !paused) {
    yield { rule: 'roles', message: 'The input must not end with an item of the model itself.' };
  }
}

function* checkShape(item: JsonObject, where: string): Findings {
  const type = typeOf(item);
  const keys = Object.hasOwn(itemKeys, type) ? itemKeys[type] : undefined;
  if (keys === undefined) yield { rule: 'input', message: faults.wrongValue(type, Object.keys(itemKeys)) };
  else if (keys !== 'any') yield* unknownKeys(item, keys, (key) => faults.unknownParameter(`${where}.${key}`));
}

function* checkId(item: JsonObject, where: string, seen: Set<string>): Findings {
  const { id } = item;
  if (id === undefined || id === null) return;
  const type = typeOf(item);
  const prefix = Object.hasOwn(idPrefixes, type) ? (idPrefixes[type] ?? '') : '';
  const text = asText(id);
  if (text === '') yield { rule: 'ids', message: faults.emptyText(`${where}.id`) };
  else if (!text.startsWith(prefix)) {
    yield { rule: 'ids', message: `Invalid '${where}.id': '${text}'. Expected an ID that begins with '${prefix}'.` };
  }
  if (text.length > longestId) yield { rule: 'ids', message: faults.tooLong(`${where}.id`, longestId, text.length) };
  if (seen.has(text)) {
    yield {
      rule: 'ids',
      message: `Duplicate item found with id ${text}. Remove duplicate items from your input and try again.`,
    };
  }
  seen.add(text);
}

function* checkContent(item: JsonObject, where: string): Findings {
  const type = typeOf(item);
  if (type === 'message') yield* checkMessage(item, where);
  if (type === 'reasoning' && !Array.isArray(item['summary'])) {
    yield { rule: 'input', message: faults.missingParameter(`${where}.summary`) };
  }
  if (outputTypeFor(type) !== undefined) yield* checkCall(item, where);
  if (!isOutput(type)) return;
  yield* checkCallId(item, where);
  yield* checkOutput(item['output'], `${where}.output`);
}

function* checkCallId(item: JsonObject, where: string): Findings {
  const id = asText(item['call_id']);
  if (id === '') yield { rule: 'ids', message: faults.emptyText(`${where}.call_id`) };
  if (id.length > longestId) yield { rule: 'ids', message: faults.tooLong(`${where}.call_id`, longestId, id.length) };
}

function* checkCall(item: JsonObject, where: string): Findings {
  yield* checkCallId(item, where);
  if (!namePattern.test(asText(item['name']))) {
    yield { rule: 'input', message: faults.wrongPattern(`${where}.name`, namePattern) };
  }
  if (typeOf(item) === 'custom_tool_call') {
    if (typeof item['input'] !== 'string') {
      yield { rule: 'input', message: faults.wrongType(`${where}.input`, 'a string') };
    }
  } else if (parseObject(asText(item['arguments'])) === undefined) {
    yield { rule: 'input', message: faults.wrongType(`${where}.arguments`, 'the text of a JSON object') };
  }
}

/** An output may be empty, but not a list without an entry, or with a blank one. */
function* checkOutput(output: Json | undefined, where: string): Findings {
  if (typeof output === 'string') return;
  if (!Array.isArray(output)) {
    yield { rule: 'input', message: faults.wrongType(where, 'a string or an array of parts') };
  } else if (output.length === 0) yield { rule: 'blank', message: faults.emptyList(where) };
  else yield* checkParts(output, 'user', where);
}

/** The shape of a conversation: who spoke, which tools were called, what was answered; whatever was said. */
import type { Json, JsonObject } from '../../core/index.ts';
import { isObject, parseObject, textOf } from '../reply.ts';

/** How the wires mark calls and results, by the type of a block or by its key. */
const callTypes = new Set(['tool_use', 'function_call', 'custom_tool_call']);
const resultTypes = new Set(['tool_result', 'function_call_output', 'custom_tool_call_output']);

/** One line a message; bodies whose lines are the same are alike. Undefined for what is no conversation. */
export function shapeOf(body: string): string | undefined {
  const value = parseObject(body);
  const list = value?.['messages'] ?? value?.['input'] ?? value?.['contents'];
  if (!Array.isArray(list)) return undefined;
  return list.map((entry) => (isObject(entry) ? lineOf(entry) : '?')).join('\n');
}

function lineOf(entry: JsonObject): string {
  const role = textOf(entry['role']) || textOf(entry['type']);
  return [role, ...marksIn(entry, 0)].join(' ');
}

/** Levels below a message in which blocks can stand. */
const deepest = 4;

function marksIn(value: Json | undefined, depth: number): string[] {
  if (depth > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((each) => marksIn(each, depth + 1));
  if (!isObject(value)) return [];
  const type = textOf(value['type']);
  if (callTypes.has(type)) return [`call:${nameIn(value)}`];
  if (resultTypes.has(type)) return ['result'];
  const { functionCall, functionResponse, content, parts, tool_calls: calls } = value;
  if (isObject(functionCall)) return [`call:${nameIn(functionCall)}`];
  if (isObject(functionResponse)) return ['result'];
  const wrapped = isObject(value['function']) ? [`call:${nameIn(value['function'])}`] : [];
  return [...wrapped, ...[content, parts, calls].flatMap((inner) => marksIn(inner, depth + 1))];
}

function nameIn(call: JsonObject): string {
  return textOf(call['name']);
}

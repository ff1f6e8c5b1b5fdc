/** A request body of the Responses API, taken apart without trusting its shape. */
import type { Json, JsonObject } from '../../../core/index.ts';
import { asList, asText, isObject, objectsIn } from '../openai/index.ts';

/** The items of the request itself, what isn't an object left out; a string is one message of the user. */
export function ownItems({ input }: JsonObject): JsonObject[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : objectsIn(input);
}

/** A message may come without its type. */
export function typeOf(item: JsonObject): string {
  return item['type'] === undefined && item['role'] !== undefined ? 'message' : asText(item['type']);
}

/** The type of the output that answers a call of a type. */
const outputTypes: { [type: string]: string } = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
};

export const outputTypeFor = (type: string): string | undefined =>
  Object.hasOwn(outputTypes, type) ? outputTypes[type] : undefined;

export const isOutput = (type: string): boolean => Object.values(outputTypes).includes(type);

export type Speaker = 'system' | 'user' | 'model';

/** Items, beside outputs and messages, that don't come from the model. */
const fromClient = ['mcp_approval_response', 'compaction_trigger', 'additional_tools', 'configuration_update'];

/** Whose item it is; undefined for a message of an unknown role. */
export function speakerOf(item: JsonObject): Speaker | undefined {
  const type = typeOf(item);
  if (type !== 'message') return type.endsWith('_output') || fromClient.includes(type) ? 'user' : 'model';
  const role = asText(item['role']);
  if (role === 'assistant') return 'model';
  if (role === 'system' || role === 'developer') return 'system';
  return role === 'user' ? 'user' : undefined;
}

/** The system messages in front, and everything after them. */
export function splitSystem(items: JsonObject[]): { system: JsonObject[]; conversation: JsonObject[] } {
  const first = items.findIndex((item) => speakerOf(item) !== 'system');
  const end = first < 0 ? items.length : first;
  return { system: items.slice(0, end), conversation: items.slice(end) };
}

/** Content or output as parts: a string is one part of text. */
export function contentParts(content: Json | undefined, type = 'input_text'): Json[] {
  return typeof content === 'string' ? [{ type, text: content }] : asList(content);
}

/** Text in content that may be a string or parts; what the model declined to say counts too. */
export function textIn(content: Json | undefined): string {
  return objectsIn(contentParts(content))
    .flatMap((part) => [part['text'], part['refusal']].filter((text) => typeof text === 'string'))
    .join('\n');
}

/** Names of the tools that a request declares as custom: they are called with plain text. */
export function customTools(body: JsonObject): Set<string> {
  const custom = objectsIn(body['tools']).filter((tool) => tool['type'] === 'custom');
  return new Set(custom.map((tool) => asText(tool['name'])));
}

/** Whether reasoning is to be handed out sealed. */
export const asksForSeals = ({ include }: JsonObject): boolean =>
  asList(include).includes('reasoning.encrypted_content');

export const isStored = ({ store }: JsonObject): boolean => store !== false;

export const effortOf = ({ reasoning }: JsonObject): string => (isObject(reasoning) ? asText(reasoning['effort']) : '');

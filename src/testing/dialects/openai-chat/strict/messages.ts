/** Checks the messages: roles, keys and content. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import type { CheckOptions } from '../../dialect.ts';
import { asText, faults, imageFault, isBlank, isObject, unknownKeys, type Findings } from '../../openai/index.ts';
import { contentParts, rawMessages, splitSystem, toolCalls, type RawMessage } from '../shape.ts';

/** Keys of a message, those of other providers included: how they name reasoning, and how they are asked to go on with a text. */
const messageKeys: { [role: string]: string[] } = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: [
    'role',
    'content',
    'name',
    'refusal',
    'audio',
    'tool_calls',
    'reasoning_content',
    'reasoning',
    'reasoning_details',
    'prefix',
    'partial',
  ],
  tool: ['role', 'content', 'tool_call_id', 'name'],
};
const roles = Object.keys(messageKeys);

/** Parts that the content of a role may hold, and the keys of those that Reins makes. */
const text = ['type', 'text', 'cache_control', 'prompt_cache_breakpoint'];
const userParts: { [type: string]: string[] | 'any' } = {
  text,
  image_url: ['type', 'image_url', 'cache_control', 'prompt_cache_breakpoint'],
  input_audio: 'any',
  file: 'any',
  video_url: 'any',
};
const partsOf: { [role: string]: typeof userParts } = {
  user: userParts,
  assistant: { text, refusal: 'any', thinking: ['type', 'thinking', 'closed'] },
};

export function* checkMessages(body: JsonObject, options: CheckOptions): Findings {
  const { messages } = body;
  if (!Array.isArray(messages)) {
    yield { rule: 'input', message: faults.missingParameter('messages') };
    return;
  }
  if (messages.length === 0) yield { rule: 'input', message: faults.emptyList('messages') };
  const odd = messages.findIndex((message) => !isObject(message));
  if (odd >= 0) yield { rule: 'input', message: faults.wrongType(`messages[${odd}]`, 'an object') };
  yield* checkRoles(body, options);
  for (const message of rawMessages(body)) yield* checkMessage(message);
}

function* checkRoles(body: JsonObject, { paused }: CheckOptions): Findings {
  const messages = rawMessages(body);
  const unknown = messages.find(({ role }) => !roles.includes(role));
  if (unknown) yield { rule: 'roles', message: faults.wrongValue(unknown.role, roles) };
  const { conversation } = splitSystem(body);
  if (messages.length > 0 && conversation.length === 0) {
    yield { rule: 'roles', message: 'The messages need one of the user.' };
  }
  if (conversation[0]?.role === 'assistant') {
    yield { rule: 'roles', message: "The first message after the system prompt must have the role 'user'." };
  }
  if (messages.at(-1)?.role === 'assistant' && !paused) {
    yield { rule: 'roles', message: "Expected the last role to be 'user' or 'tool', but got 'assistant'." };
  }
}

function* checkMessage({ index, role, message }: RawMessage): Findings {
  const where = `messages[${index}]`;
  const keys = Object.hasOwn(messageKeys, role) ? messageKeys[role] : undefined;
  if (!keys) return;
  const unexpected = (key: string) => `Additional properties are not allowed ('${key}' was unexpected) - '${where}'`;
  yield* unknownKeys(message, keys, unexpected);
  const { content } = message;
  if (content === undefined || content === null) yield* checkSilence(role, message, where);
  else if (typeof content !== 'string' && !Array.isArray(content)) {
    yield { rule: 'input', message: faults.wrongType(`${where}.content`, 'a string or an array of parts') };
  } else if (typeof content === 'string' ? isBlank(content) : content.length === 0) {
    yield* checkBlank(role, message, `${where}.content`);
  }
  if (!Array.isArray(content)) return;
  for (const [place, part] of contentParts(content).entries()) {
    yield* checkPart(part, role, `${where}.content[${place}]`);
  }
}

/** Nothing may be said only where something is called. */
function* checkSilence(role: string, message: JsonObject, where: string): Findings {
  if (role === 'assistant' && toolCalls(message).length > 0) return;
  yield {
    rule: 'input',
    message: `Invalid value for 'content': expected a string, got null. - '${where}.content'`,
  };
}

/** A result may be empty, and so may be the words beside a call. */
function* checkBlank(role: string, message: JsonObject, where: string): Findings {
  const { content } = message;
  const mayBeEmpty = role === 'tool' || (role === 'assistant' && toolCalls(message).length > 0);
  if (typeof content === 'string' && mayBeEmpty) return;
  yield { rule: 'blank', message: typeof content === 'string' ? faults.emptyText(where) : faults.emptyList(where) };
}

function* checkPart(part: Json, role: string, where: string): Findings {
  const allowed = Object.hasOwn(partsOf, role) ? partsOf[role] : { text };
  const type = isObject(part) ? asText(part['type']) : '';
  if (type === 'image_url' && role !== 'user') {
    yield {
      rule: 'images',
      message: `Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`,
    };
    return;
  }
  const keys = allowed && Object.hasOwn(allowed, type) ? allowed[type] : undefined;
  if (!isObject(part) || keys === undefined) {
    yield { rule: 'input', message: `${faults.wrongValue(type, Object.keys(allowed ?? {}))} - '${where}.type'` };
    return;
  }
  if (keys !== 'any') yield* unknownKeys(part, keys, (key) => faults.unknownParameter(`${where}.${key}`));
  if (type === 'text' && isBlank(part['text'])) yield { rule: 'blank', message: faults.emptyText(`${where}.text`) };
  if (type === 'image_url') yield* checkImage(part, where);
}

function* checkImage(part: JsonObject, where: string): Findings {
  const image = part['image_url'];
  if (!isObject(image)) {
    yield { rule: 'images', message: faults.wrongType(`${where}.image_url`, 'an object') };
    return;
  }
  yield* unknownKeys(image, ['url', 'detail'], (key) => faults.unknownParameter(`${where}.image_url.${key}`));
  const fault = imageFault(asText(image['url']));
  if (fault !== undefined) yield { rule: 'images', message: fault };
}

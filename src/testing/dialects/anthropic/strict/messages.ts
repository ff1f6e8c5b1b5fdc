/** Checks the messages: roles, blocks and their text. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import type { CheckOptions } from '../../dialect.ts';
import { asList, asText, contentBlocks, isObject, rawMessages } from '../shape.ts';
import { isBlank, unknownKeys, type Findings } from './findings.ts';
import { imageFault } from './image.ts';

/** Blocks that a message of a role may hold and the keys of those that Reins makes; of others only the type is checked. */
const userBlocks: { [type: string]: string[] | 'any' } = {
  text: ['type', 'text', 'cache_control', 'citations'],
  image: ['type', 'source', 'cache_control', 'transformations'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control', 'toolset_name'],
  document: 'any',
  search_result: 'any',
  container_upload: 'any',
};
const assistantBlocks: { [type: string]: string[] | 'any' } = {
  text: ['type', 'text', 'cache_control', 'citations'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller', 'toolset_name'],
  server_tool_use: 'any',
  web_search_tool_result: 'any',
  web_fetch_tool_result: 'any',
  code_execution_tool_result: 'any',
  bash_code_execution_tool_result: 'any',
  text_editor_code_execution_tool_result: 'any',
  tool_search_tool_result: 'any',
  mcp_tool_use: 'any',
  mcp_tool_result: 'any',
  container_upload: 'any',
  compaction: 'any',
};

const messageLimit = 100_000;

export function* checkMessages(body: JsonObject, options: CheckOptions): Findings {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) {
    yield { rule: 'input', message: 'messages: at least one message is required' };
    return;
  }
  if (messages.length > messageLimit) {
    yield { rule: 'window', message: `messages: at most ${messageLimit} are allowed` };
  }
  yield* checkRoles(body, options);
  for (const [index, message] of messages.entries()) {
    const where = `messages.${index}`;
    if (!isObject(message)) {
      yield { rule: 'input', message: `${where}: Input should be an object` };
      continue;
    }
    yield* unknownKeys(message, ['role', 'content'], `${where}.`);
    const { content } = message;
    if (typeof content !== 'string' && !Array.isArray(content)) {
      yield { rule: 'input', message: `${where}.content: Input should be a string or a list of blocks` };
    } else if (content.length === 0) {
      yield { rule: 'blank', message: `${where}: all messages must have non-empty content` };
    }
    const allowed = message['role'] === 'assistant' ? assistantBlocks : userBlocks;
    for (const [place, block] of contentBlocks(content).entries()) {
      yield* checkBlock(block, allowed, `${where}.content.${place}`);
    }
  }
}

function* checkRoles(body: JsonObject, options: CheckOptions): Findings {
  const messages = rawMessages(body);
  for (const { role, index } of messages) {
    if (role === 'user' || role === 'assistant') continue;
    const afterUser = messages[index - 1]?.role === 'user';
    const next = messages[index + 1]?.role;
    const beforeReply = next === undefined || next === 'assistant';
    if (role === 'system' && options.systemMessages === true && afterUser && beforeReply) continue;
    yield { rule: 'roles', message: `messages.${index}.role: Input should be 'user' or 'assistant'` };
  }
  if (messages[0]?.role !== 'user') {
    yield { rule: 'roles', message: 'messages: first message must use the "user" role' };
  }
  if (messages.at(-1)?.role === 'assistant' && !options.paused) {
    yield {
      rule: 'roles',
      message: 'This model does not support assistant message prefill. The conversation must end with a user message.',
    };
  }
}

function* checkBlock(block: Json, allowed: typeof userBlocks, where: string): Findings {
  const type = isObject(block) ? asText(block['type']) : '';
  const keys = Object.hasOwn(allowed, type) ? allowed[type] : undefined;
  if (!isObject(block) || keys === undefined) {
    yield { rule: 'input', message: `${where}: a block of type '${type}' is not allowed here` };
    return;
  }
  if (keys !== 'any') yield* unknownKeys(block, keys, `${where}.${type}.`);
  if (type === 'text' && isBlank(block['text'])) {
    yield { rule: 'blank', message: `${where}: text content blocks must contain non-whitespace text` };
  }
  if (type === 'image') yield* checkImage(block, where);
  if (type === 'tool_result') yield* checkResultContent(block, where);
}

function* checkResultContent(block: JsonObject, where: string): Findings {
  const { content } = block;
  if (block['is_error'] !== undefined && typeof block['is_error'] !== 'boolean') {
    yield { rule: 'input', message: `${where}.tool_result.is_error: Input should be a valid boolean` };
  }
  if (block['is_error'] === true && asList(content).length === 0 && isBlank(content)) {
    yield { rule: 'blank', message: `${where}.tool_result: content cannot be empty if \`is_error\` is true` };
  }
  if (content === undefined || typeof content === 'string') return;
  if (!Array.isArray(content)) {
    yield { rule: 'input', message: `${where}.tool_result.content: Input should be a string or a list of blocks` };
    return;
  }
  for (const [index, inner] of content.entries()) {
    const place = `${where}.tool_result.content.${index}`;
    const type = isObject(inner) ? asText(inner['type']) : '';
    if (!isObject(inner) || !['text', 'image', 'document', 'search_result', 'tool_reference'].includes(type)) {
      yield { rule: 'input', message: `${place}: a block of type '${type}' is not allowed here` };
    } else if (type === 'text' && isBlank(inner['text'])) {
      yield { rule: 'blank', message: `${place}: text content blocks must contain non-whitespace text` };
    } else if (type === 'image') yield* checkImage(inner, place);
  }
}

function* checkImage(block: JsonObject, where: string): Findings {
  const { source } = block;
  if (!isObject(source)) {
    yield { rule: 'images', message: `${where}.image.source: Field required` };
    return;
  }
  if (source['type'] !== 'base64') return;
  const fault = imageFault(asText(source['media_type']), asText(source['data']));
  if (fault !== undefined) yield { rule: 'images', message: `${where}.image.source.base64: ${fault}` };
}

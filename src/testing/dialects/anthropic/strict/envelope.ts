/** Checks everything but the messages: keys, limits, system, tools. */
import type { JsonObject } from '../../../../core/index.ts';
import type { CheckOptions } from '../../dialect.ts';
import { asList, asText, contentBlocks, isObject, objectsIn } from '../shape.ts';
import { isBlank, unknownKeys, type Findings } from './findings.ts';

/** Keys of a request, from the typings of the official SDK 1.14 (stable and beta). */
const requestKeys = [
  'model',
  'messages',
  'max_tokens',
  'system',
  'tools',
  'tool_choice',
  'stream',
  'stop_sequences',
  'temperature',
  'top_k',
  'top_p',
  'thinking',
  'output_config',
  'metadata',
  'cache_control',
  'container',
  'context_management',
  'diagnostics',
  'inference_geo',
  'mcp_servers',
  'service_tier',
  'speed',
  'compaction',
];

const toolKeys = [
  'name',
  'description',
  'input_schema',
  'type',
  'cache_control',
  'strict',
  'eager_input_streaming',
  'defer_loading',
  'allowed_callers',
  'input_examples',
];

const toolName = /^[a-zA-Z0-9_-]{1,128}$/;
const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/;

export function* checkEnvelope(body: JsonObject, options: CheckOptions): Findings {
  yield* unknownKeys(body, requestKeys, '');
  if (isBlank(body['model'])) yield { rule: 'input', message: 'model: Field required' };
  if (!options.counting) yield* checkLimits(body);
  if (body['stream'] !== undefined && typeof body['stream'] !== 'boolean') {
    yield { rule: 'input', message: 'stream: Input should be a valid boolean' };
  }
  yield* checkSystem(body);
  yield* checkTools(body);
}

function* checkLimits(body: JsonObject): Findings {
  const { max_tokens: most, thinking } = body;
  if (typeof most !== 'number' || !Number.isInteger(most) || most < 0) {
    yield { rule: 'input', message: 'max_tokens: Input should be a valid integer, 0 or more' };
    return;
  }
  if (!isObject(thinking)) return;
  if (!['enabled', 'adaptive', 'disabled', 'between_tools'].includes(asText(thinking['type']))) {
    yield { rule: 'input', message: 'thinking.type: Input should be enabled, adaptive, disabled or between_tools' };
  }
  if (thinking['type'] !== 'enabled') return;
  const budget = thinking['budget_tokens'];
  if (typeof budget !== 'number' || budget < 1024) {
    yield { rule: 'input', message: 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024' };
  } else if (budget >= most) {
    yield { rule: 'input', message: '`max_tokens` must be greater than `thinking.budget_tokens`' };
  }
}

function* checkSystem(body: JsonObject): Findings {
  const { system } = body;
  if (system === undefined) return;
  if (typeof system !== 'string' && !Array.isArray(system)) {
    yield { rule: 'input', message: 'system: Input should be a string or a list of text blocks' };
  }
  const blocks = contentBlocks(system);
  for (const [index, block] of blocks.entries()) {
    const where = `system.${index}`;
    if (!isObject(block) || block['type'] !== 'text') {
      yield { rule: 'input', message: `${where}: Input should be a text block` };
    } else if (isBlank(block['text'])) {
      yield { rule: 'blank', message: `${where}: text content blocks must contain non-whitespace text` };
    }
  }
  if (Array.isArray(system) && blocks.length === 0) {
    yield { rule: 'blank', message: 'system: list of blocks must not be empty' };
  }
}

function* checkTools(body: JsonObject): Findings {
  const names = new Set<string>();
  for (const [index, tool] of asList(body['tools']).entries()) {
    const where = `tools.${index}`;
    if (!isObject(tool)) {
      yield { rule: 'tools', message: `${where}: Input should be an object` };
      continue;
    }
    const name = asText(tool['name']);
    if (names.has(name)) yield { rule: 'tools', message: 'tools: Tool names must be unique.' };
    names.add(name);
    // The provider's own tools (a type other than custom) have shapes of their own.
    if ((tool['type'] ?? 'custom') === 'custom') yield* checkTool(tool, `${where}.custom.`);
  }
  const { tool_choice: choice } = body;
  if (isObject(choice) && choice['type'] === 'tool' && !names.has(asText(choice['name']))) {
    yield { rule: 'tools', message: `tool_choice: Tool '${asText(choice['name'])}' not found in provided tools` };
  }
}

function* checkTool(tool: JsonObject, where: string): Findings {
  yield* unknownKeys(tool, toolKeys, where);
  if (!toolName.test(asText(tool['name']))) {
    yield { rule: 'tools', message: `${where}name: String should match pattern '${toolName.source}'` };
  }
  if (tool['description'] !== undefined && typeof tool['description'] !== 'string') {
    yield { rule: 'tools', message: `${where}description: Input should be a valid string` };
  }
  const { input_schema: schema } = tool;
  if (!isObject(schema)) {
    yield { rule: 'tools', message: `${where}input_schema: Field required` };
    return;
  }
  if (schema['type'] !== 'object') {
    yield { rule: 'tools', message: `${where}input_schema.type: Input should be 'object'` };
  }
  const union = ['oneOf', 'anyOf', 'allOf'].find((key) => schema[key] !== undefined);
  if (union !== undefined) {
    yield { rule: 'tools', message: `${where}input_schema: ${union} is not supported at the top level` };
  }
  yield* checkSchema(schema, `${where}input_schema`);
}

/** JSON Schema as far as mistakes are likely: properties, required and items at any depth. */
function* checkSchema(schema: JsonObject, where: string): Findings {
  const { properties, required, items } = schema;
  const invalid = {
    rule: 'tools',
    message: `${where}: JSON schema is invalid. It must match JSON Schema draft 2020-12`,
  } as const;
  if (properties !== undefined && !isObject(properties)) yield invalid;
  const named = Array.isArray(required) && required.every((key) => typeof key === 'string');
  if (required !== undefined && !named) yield invalid;
  for (const [key, inner] of Object.entries(isObject(properties) ? properties : {})) {
    if (!propertyName.test(key)) {
      yield {
        rule: 'tools',
        message: `${where}.properties: Property keys should match pattern '${propertyName.source}'`,
      };
    }
    if (isObject(inner)) yield* checkSchema(inner, `${where}.properties.${key}`);
    else if (typeof inner !== 'boolean') yield invalid;
  }
  if (items !== undefined && typeof items !== 'boolean' && !isObject(items)) yield invalid;
  if (isObject(items)) yield* checkSchema(items, `${where}.items`);
}

/** At most four cache marks, of known kinds, the longer-lived first. */
export function* checkMarks(body: JsonObject): Findings {
  const marked = [
    ...objectsIn(body['tools']),
    ...objectsIn(contentBlocks(body['system'])),
    ...objectsIn(body['messages']).flatMap((message) =>
      objectsIn(contentBlocks(message['content'])).flatMap((block) => [
        ...objectsIn(block['type'] === 'tool_result' ? contentBlocks(block['content']) : []),
        block,
      ]),
    ),
    body,
  ].filter((holder) => isObject(holder['cache_control']));
  if (marked.length > 4) {
    yield {
      rule: 'marks',
      message: `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`,
    };
  }
  let short = false;
  for (const { cache_control: mark } of marked) {
    if (!isObject(mark)) continue;
    const ttl = mark['ttl'] ?? '5m';
    if (mark['type'] !== 'ephemeral' || (ttl !== '5m' && ttl !== '1h')) {
      yield { rule: 'marks', message: "cache_control: Input should be of type 'ephemeral', with ttl '5m' or '1h'" };
    }
    if (ttl === '1h' && short) {
      yield { rule: 'marks', message: "cache_control: a ttl='1h' block must not come after a ttl='5m' block" };
    }
    short ||= ttl === '5m';
  }
}

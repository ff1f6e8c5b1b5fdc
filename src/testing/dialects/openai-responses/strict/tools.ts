/** Checks the tools: functions, custom tools with their formats, and the choice among them. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import {
  asText,
  checkParameters,
  faults,
  isBlank,
  isObject,
  objectsIn,
  unknownKeys,
  type Findings,
} from '../../openai/index.ts';

const toolName = /^[a-zA-Z0-9_-]{1,128}$/;

const functionKeys = [
  'type',
  'name',
  'description',
  'parameters',
  'strict',
  'async',
  'defer_loading',
  'allowed_callers',
  'output_schema',
];
const customKeys = ['type', 'name', 'description', 'format', 'async', 'defer_loading', 'allowed_callers'];

/** Tools that the provider runs itself, with shapes of their own. */
const ownTools = [
  'file_search',
  'computer',
  'computer_use_preview',
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'mcp',
  'code_interpreter',
  'programmatic_tool_calling',
  'image_generation',
  'local_shell',
  'shell',
  'namespace',
  'tool_search',
  'apply_patch',
];

export function* checkTools(body: JsonObject): Findings {
  const { tools } = body;
  if (tools !== undefined && tools !== null && !Array.isArray(tools)) {
    yield { rule: 'tools', message: faults.wrongType('tools', 'an array') };
  }
  const names = new Set<string>();
  for (const [index, tool] of (Array.isArray(tools) ? tools : []).entries()) {
    yield* checkTool(tool, `tools[${index}]`, names);
  }
  yield* checkChoice(body);
}

function* checkTool(tool: Json, where: string, names: Set<string>): Findings {
  const type = isObject(tool) ? asText(tool['type']) : '';
  if (isObject(tool) && ownTools.includes(type)) return;
  if (!isObject(tool) || (type !== 'function' && type !== 'custom')) {
    yield { rule: 'tools', message: faults.wrongValue(type, ['function', 'custom', ...ownTools]) };
    return;
  }
  const name = asText(tool['name']);
  if (tool['name'] === undefined) yield { rule: 'tools', message: faults.missingParameter(`${where}.name`) };
  else if (!toolName.test(name)) yield { rule: 'tools', message: faults.wrongPattern(`${where}.name`, toolName) };
  if (names.has(name)) yield { rule: 'tools', message: `Tool names must be unique: '${name}' is there twice.` };
  names.add(name);
  const { description } = tool;
  if (description !== undefined && description !== null && typeof description !== 'string') {
    yield { rule: 'tools', message: faults.wrongType(`${where}.description`, 'a string') };
  }
  const say = (key: string) => faults.unknownParameter(`${where}.${key}`);
  yield* unknownKeys(tool, type === 'function' ? functionKeys : customKeys, say);
  if (type === 'function') yield* checkParameters(name, tool['parameters'], tool['strict'] === true);
  else yield* checkFormat(tool['format'], `${where}.format`);
}

/** A custom tool takes any text, or one that fits a grammar. */
function* checkFormat(format: Json | undefined, where: string): Findings {
  if (format === undefined) return;
  const type = isObject(format) ? asText(format['type']) : '';
  if (!isObject(format) || (type !== 'text' && type !== 'grammar')) {
    yield { rule: 'tools', message: faults.wrongValue(type, ['text', 'grammar']) };
    return;
  }
  const known = type === 'text' ? ['type'] : ['type', 'syntax', 'definition'];
  yield* unknownKeys(format, known, (key) => faults.unknownParameter(`${where}.${key}`));
  if (type === 'text') return;
  const syntax = asText(format['syntax']);
  if (syntax !== 'lark' && syntax !== 'regex') {
    yield { rule: 'tools', message: faults.wrongValue(syntax, ['lark', 'regex']) };
  }
  if (isBlank(format['definition'])) {
    yield { rule: 'tools', message: faults.missingParameter(`${where}.definition`) };
  }
}

function* checkChoice(body: JsonObject): Findings {
  const { tool_choice: choice } = body;
  const type = isObject(choice) ? asText(choice['type']) : '';
  if (!isObject(choice) || (type !== 'function' && type !== 'custom')) return;
  const name = asText(choice['name']);
  const found = objectsIn(body['tools']).some((tool) => tool['type'] === type && tool['name'] === name);
  if (!found) yield { rule: 'tools', message: `Tool choice '${name}' not found in 'tools' parameter.` };
}

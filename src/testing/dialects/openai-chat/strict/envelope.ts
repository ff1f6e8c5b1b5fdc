/** Checks everything but the messages: keys, limits, tools. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import {
  asList,
  asText,
  checkParameters,
  faults,
  isBlank,
  isObject,
  objectsIn,
  unknownKeys,
  type Findings,
} from '../../openai/index.ts';
import { requestKeys } from './keys.ts';

const toolName = /^[a-zA-Z0-9_-]{1,64}$/;
const mostTools = 128;

export function* checkEnvelope(body: JsonObject): Findings {
  yield* unknownKeys(body, requestKeys, (key) => `Unrecognized request argument supplied: ${key}`);
  if (isBlank(body['model'])) yield { rule: 'input', message: 'you must provide a model parameter' };
  yield* checkLimits(body);
  yield* checkStream(body);
  yield* checkTools(body);
  yield* checkChoice(body);
}

function* checkLimits(body: JsonObject): Findings {
  const { max_tokens: older, max_completion_tokens: newer } = body;
  for (const [key, most] of Object.entries({ max_tokens: older, max_completion_tokens: newer })) {
    if (most === undefined || most === null) continue;
    if (typeof most !== 'number' || !Number.isInteger(most)) {
      yield { rule: 'input', message: faults.wrongType(key, 'an integer') };
    } else if (most < 1) yield { rule: 'input', message: faults.tooSmall(key, 1, most) };
  }
  if (isGiven(older) && isGiven(newer)) {
    yield {
      rule: 'input',
      message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    };
  }
}

const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null;

function* checkStream({ stream, stream_options: options }: JsonObject): Findings {
  if (isGiven(stream) && typeof stream !== 'boolean') {
    yield { rule: 'input', message: faults.wrongType('stream', 'a boolean') };
  }
  if (!isGiven(options)) return;
  if (stream !== true) {
    yield { rule: 'input', message: "The 'stream_options' parameter is only allowed when 'stream' is enabled." };
  }
  if (!isObject(options)) {
    yield { rule: 'input', message: faults.wrongType('stream_options', 'an object') };
    return;
  }
  const known = ['include_usage', 'include_obfuscation'];
  yield* unknownKeys(options, known, (key) => faults.unknownParameter(`stream_options.${key}`));
}

function* checkTools({ tools }: JsonObject): Findings {
  if (!isGiven(tools)) return;
  if (!Array.isArray(tools)) {
    yield { rule: 'tools', message: faults.wrongType('tools', 'an array') };
    return;
  }
  if (tools.length === 0) yield { rule: 'tools', message: faults.emptyList('tools') };
  if (tools.length > mostTools) {
    yield {
      rule: 'tools',
      message: `Invalid 'tools': array too long. Expected an array with maximum length ${mostTools}, but got an array with length ${tools.length} instead.`,
    };
  }
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) yield* checkTool(tool, `tools[${index}]`, names);
}

function* checkTool(tool: Json, where: string, names: Set<string>): Findings {
  if (!isObject(tool)) {
    yield { rule: 'tools', message: faults.wrongType(where, 'an object') };
    return;
  }
  yield* unknownKeys(tool, ['type', 'function', 'cache_control'], (key) => faults.unknownParameter(`${where}.${key}`));
  if (tool['type'] !== 'function') {
    yield { rule: 'tools', message: faults.wrongValue(asText(tool['type']), ['function']) };
  }
  const declared = tool['function'];
  if (!isObject(declared)) {
    yield { rule: 'tools', message: faults.missingParameter(`${where}.function`) };
    return;
  }
  const known = ['name', 'description', 'parameters', 'strict'];
  yield* unknownKeys(declared, known, (key) => faults.unknownParameter(`${where}.function.${key}`));
  const name = asText(declared['name']);
  if (!toolName.test(name)) {
    yield { rule: 'tools', message: faults.wrongPattern(`${where}.function.name`, toolName) };
  }
  if (names.has(name)) yield { rule: 'tools', message: `Tool names must be unique: '${name}' is there twice.` };
  names.add(name);
  if (isGiven(declared['description']) && typeof declared['description'] !== 'string') {
    yield { rule: 'tools', message: faults.wrongType(`${where}.function.description`, 'a string') };
  }
  yield* checkParameters(name, declared['parameters'], declared['strict'] === true);
}

function* checkChoice(body: JsonObject): Findings {
  const { tool_choice: choice } = body;
  const names = objectsIn(body['tools']).map((tool) => isObject(tool['function']) && asText(tool['function']['name']));
  for (const key of ['tool_choice', 'parallel_tool_calls']) {
    if (isGiven(body[key]) && asList(body['tools']).length === 0) {
      yield { rule: 'tools', message: `'${key}' is only allowed when 'tools' are specified.` };
    }
  }
  if (!isObject(choice) || choice['type'] !== 'function') return;
  const name = isObject(choice['function']) ? asText(choice['function']['name']) : '';
  if (names.includes(name)) return;
  yield {
    rule: 'tools',
    message: `Invalid value for 'tool_choice': no function named '${name}' was specified in the 'tools' parameter.`,
  };
}

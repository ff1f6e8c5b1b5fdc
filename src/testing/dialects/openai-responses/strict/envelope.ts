/** Checks everything but the input and the tools: keys and limits. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import type { CheckOptions } from '../../dialect.ts';
import { asList, asText, faults, isBlank, isObject, unknownKeys, type Findings } from '../../openai/index.ts';

/** Keys of a request, from the typings of the official SDK 7.59, and the one that OpenAI's own client adds. */
const requestKeys = [
  'model',
  'input',
  'access_programs',
  'background',
  'background_options',
  'client_metadata',
  'context_management',
  'conversation',
  'image',
  'include',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'moderation',
  'parallel_tool_calls',
  'previous_response_id',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
];

const includable = [
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
];

const fewestTokens = 16;

export function* checkEnvelope(body: JsonObject, { counting }: CheckOptions): Findings {
  yield* unknownKeys(body, requestKeys, faults.unknownParameter);
  if (isBlank(body['model'])) yield { rule: 'input', message: faults.missingParameter('model') };
  if (!counting) yield* checkLimit(body['max_output_tokens']);
  for (const key of ['stream', 'store', 'parallel_tool_calls']) {
    if (isGiven(body[key]) && typeof body[key] !== 'boolean') {
      yield { rule: 'input', message: faults.wrongType(key, 'a boolean') };
    }
  }
  yield* checkInstructions(body);
  yield* checkInclude(body);
  const { reasoning } = body;
  if (isGiven(reasoning) && !isObject(reasoning)) {
    yield { rule: 'input', message: faults.wrongType('reasoning', 'an object') };
  } else if (isObject(reasoning)) {
    const known = ['effort', 'summary', 'generate_summary', 'mode', 'context'];
    yield* unknownKeys(reasoning, known, (key) => faults.unknownParameter(`reasoning.${key}`));
  }
}

const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null;

function* checkLimit(most: Json | undefined): Findings {
  if (!isGiven(most)) return;
  if (typeof most !== 'number' || !Number.isInteger(most)) {
    yield { rule: 'input', message: faults.wrongType('max_output_tokens', 'an integer') };
  } else if (most < fewestTokens) {
    yield { rule: 'input', message: faults.tooSmall('max_output_tokens', fewestTokens, most) };
  }
}

function* checkInstructions({ instructions }: JsonObject): Findings {
  if (!isGiven(instructions)) return;
  if (typeof instructions !== 'string') {
    yield { rule: 'input', message: faults.wrongType('instructions', 'a string') };
  } else if (isBlank(instructions)) yield { rule: 'blank', message: faults.emptyText('instructions') };
}

function* checkInclude({ include }: JsonObject): Findings {
  if (isGiven(include) && !Array.isArray(include)) {
    yield { rule: 'input', message: faults.wrongType('include', 'an array') };
  }
  const unknown = asList(include).find((entry) => !includable.includes(asText(entry)));
  if (unknown !== undefined) yield { rule: 'input', message: faults.wrongValue(asText(unknown), includable) };
}

/** Checks everything but the contents and the tools: fields, limits, system instruction. */
import type { Json, JsonObject } from '../../../../core/index.ts';
import type { CheckOptions } from '../../dialect.ts';
import { asList, asText, isObject, partsOf, requestOf } from '../shape.ts';
import { checkFields, invalidValue, unknownFields, type Findings } from './findings.ts';

/** Fields of a request, from what the official SDK 3.3 sends to this API. */
const requestFields = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'cachedContent',
  'labels',
  'serviceTier',
  'store',
  'continuationToken',
];

const configFields = [
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'seed',
  'stopSequences',
  'candidateCount',
  'thinkingConfig',
  'presencePenalty',
  'frequencyPenalty',
  'responseLogprobs',
  'logprobs',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'responseFormat',
  'mediaResolution',
  'speechConfig',
  'imageConfig',
  'audioTranscriptionConfig',
  'translationConfig',
  'enableEnhancedCivicAnswers',
];

const thinkingLevels = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'XHIGH'];
const callingModes = ['AUTO', 'ANY', 'NONE', 'VALIDATED'];
const mostStopSequences = 5;

export function* checkEnvelope(body: JsonObject, options: CheckOptions): Findings {
  const request = requestOf(body);
  if (request === body) yield* unknownFields(body, requestFields, '');
  else {
    // Only counting takes a whole request in a field.
    yield* unknownFields(body, options.counting ? ['generateContentRequest'] : requestFields, '');
    yield* unknownFields(request, [...requestFields, 'model'], 'generate_content_request');
  }
  yield* checkConfig(request);
  yield* checkSystem(request);
  yield* checkToolConfig(request);
  for (const [index, setting] of asList(request['safetySettings']).entries()) {
    const where = `safety_settings[${index}]`;
    if (isObject(setting)) yield* unknownFields(setting, ['category', 'threshold'], where);
    else yield invalidValue(where, setting);
  }
  if (request['cachedContent'] !== undefined) {
    yield { rule: 'marks', status: 403, message: 'CachedContent not found (or permission denied)' };
  }
}

function* checkConfig(request: JsonObject): Findings {
  const config = yield* checkFields(request, 'generationConfig', configFields, 'generation_config');
  const { maxOutputTokens: most, stopSequences: stops } = config;
  if (most !== undefined && !isCount(most)) {
    yield { rule: 'input', message: 'max_output_tokens must be positive.' };
  }
  for (const [key, highest] of Object.entries({ temperature: 2, topP: 1, topK: Infinity })) {
    const value = config[key];
    if (value === undefined || (typeof value === 'number' && value >= 0 && value <= highest)) continue;
    yield invalidValue(`generation_config.${key}`, value);
  }
  const areTexts = Array.isArray(stops) && stops.every((stop) => typeof stop === 'string' && stop !== '');
  if (stops !== undefined && !(areTexts && stops.length <= mostStopSequences)) {
    yield invalidValue('generation_config.stop_sequences', stops);
  }
  yield* checkThinking(config);
}

const isCount = (value: Json): boolean => typeof value === 'number' && Number.isInteger(value) && value > 0;

function* checkThinking(config: JsonObject): Findings {
  const where = 'generation_config.thinking_config';
  const fields = ['includeThoughts', 'thinkingBudget', 'thinkingLevel'];
  const thinking = yield* checkFields(config, 'thinkingConfig', fields, where);
  const { includeThoughts: included, thinkingBudget: budget, thinkingLevel: level } = thinking;
  if (included !== undefined && typeof included !== 'boolean')
    yield invalidValue(`${where}.include_thoughts`, included);
  // Minus one leaves the budget to the model.
  const isBudget = budget === 0 || budget === -1 || (budget !== undefined && isCount(budget));
  if (budget !== undefined && !isBudget) yield invalidValue(`${where}.thinking_budget`, budget);
  if (level !== undefined && !thinkingLevels.includes(asText(level).toUpperCase())) {
    yield invalidValue(`${where}.thinking_level`, level);
  }
  if (budget !== undefined && level !== undefined) {
    yield { rule: 'input', message: 'You can only set only one of thinking budget and thinking level.' };
  }
}

function* checkSystem(request: JsonObject): Findings {
  const where = 'system_instruction';
  yield* checkFields(request, 'systemInstruction', ['role', 'parts'], where);
  if (!isObject(request['systemInstruction'])) return;
  const parts = partsOf(request['systemInstruction']);
  if (parts.length === 0) {
    yield { rule: 'blank', message: `GenerateContentRequest.${where}.parts: must not be empty.` };
  }
  for (const [index, part] of parts.entries()) {
    const place = `${where}.parts[${index}]`;
    if (!isObject(part) || typeof part['text'] !== 'string') {
      yield { rule: 'input', message: `${place}: system instructions are text only.` };
      continue;
    }
    yield* unknownFields(part, ['text'], place);
    if (part['text'] === '') yield { rule: 'blank', message: `${place}.text: must not be empty.` };
  }
}

function* checkToolConfig(request: JsonObject): Findings {
  const fields = ['functionCallingConfig', 'retrievalConfig', 'includeServerSideToolInvocations'];
  const config = yield* checkFields(request, 'toolConfig', fields, 'tool_config');
  const where = 'tool_config.function_calling_config';
  const calling = yield* checkFields(config, 'functionCallingConfig', ['mode', 'allowedFunctionNames'], where);
  const { mode, allowedFunctionNames: allowed } = calling;
  if (mode !== undefined && !callingModes.includes(asText(mode))) yield invalidValue(`${where}.mode`, mode);
  if (allowed !== undefined && mode !== 'ANY' && mode !== 'VALIDATED') {
    yield { rule: 'tools', message: 'Allowed function names should only be set when function calling mode is ANY.' };
  }
}

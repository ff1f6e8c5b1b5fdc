/** Gemini generateContent: the shapes of the protocol, as far as they are sent or read. */
import type { Json, JsonObject, ModelSettings, ReplyStop, Target } from '../../../core/index.ts';
import { castEffort, furtherKeys, type ImageRule, type NameRule, type ToolRule } from '../../sending/index.ts';
import { isObject } from '../../reply.ts';
import type { Order } from '../../wire.ts';

export const wireName = 'gemini';
export const version = '/v1beta';
export const method = 'streamGenerateContent?alt=sse';

export interface FunctionCall {
  /** Only where the provider gave one. */
  id?: string;
  name: string;
  args: JsonObject;
}

export interface FunctionResponse {
  id?: string;
  name: string;
  response: { output: string } | { error: string };
}

/** A part holds one of these; one of the provider's own goes back verbatim. */
export interface Part {
  text?: string;
  inlineData?: { mimeType: string; data: string };
  functionCall?: FunctionCall;
  functionResponse?: FunctionResponse;
  thoughtSignature?: string;
}

export interface FunctionDeclaration {
  name: string;
  description: string;
  /** JSON Schema. */
  parametersJsonSchema?: JsonObject;
  /** The older dialect of servers that don't take JSON Schema. */
  parameters?: JsonObject;
}

/** The body without what settings add to it. */
export interface RequestBody {
  systemInstruction?: { parts: Part[] };
  tools?: { functionDeclarations: FunctionDeclaration[] }[];
  contents: { role: 'user' | 'model'; parts: Part[] }[];
  generationConfig: {
    maxOutputTokens: number;
    thinkingConfig?: { includeThoughts?: boolean; thinkingLevel?: string; thinkingBudget?: number };
    temperature?: number;
    topP?: number;
  };
}

/** What the wire itself sends and settings may not; the cached content of the provider would stand for all of it. */
const reservedKeys: readonly string[] = [
  'model',
  'systemInstruction',
  'system_instruction',
  'tools',
  'contents',
  'cachedContent',
  'cached_content',
];

/** The same of `generationConfig`. */
const reservedConfig: readonly string[] = ['maxOutputTokens', 'candidateCount'];

/** What stands for a signature on calls that no model with signatures made. */
export const noSignature = 'skip_thought_signature_validator';

/** Ids are the provider's own business here: this rule only tells calls apart. */
export const callIdRule: NameRule = { illegal: /[^\w.:-]/g, longest: 256 };

/** In a result, the text that stands where there are only images. */
export const onlyImages = '(see the image that follows)';

const name: ToolRule['name'] = { illegal: /[^a-zA-Z0-9_.-]/g, longest: 64, first: /[a-zA-Z_]/ };

const jsonSchemaKeywords: ReadonlySet<string> = new Set([
  'type',
  'format',
  'title',
  'description',
  'enum',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'anyOf',
  'properties',
  'additionalProperties',
  'required',
]);

/** The documented part of JSON Schema. */
const toolRule: ToolRule = {
  name,
  schema: {
    keywords: jsonSchemaKeywords,
    references: false,
    topUnions: false,
    typeLists: 'keep',
    enums: 'scalars',
    needsType: false,
    needsItems: true,
    lonelyUnions: false,
    depth: 32,
    bytes: 262_144,
  },
};

/** The profile of servers that only know the older dialect, which is OpenAPI's. */
const openapiProfile = 'openapi';

const openapiKeywords: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'enum',
  'items',
  'minimum',
  'maximum',
  'anyOf',
  'properties',
  'required',
  'nullable',
]);

const openapiRule: ToolRule = {
  name,
  schema: {
    ...toolRule.schema,
    keywords: openapiKeywords,
    typeLists: 'nullable',
    enums: 'strings',
    lonelyUnions: true,
  },
};

export function speaksOpenapi({ profile }: Target): boolean {
  return profile === openapiProfile;
}

export function toolRuleOf(target: Target): ToolRule {
  return speaksOpenapi(target) ? openapiRule : toolRule;
}

/** The dialect names types in capitals, and knows no object without properties: such a one is left open. */
export function openapiSchema(schema: JsonObject): JsonObject {
  const { type, properties, items, anyOf, ...rest } = schema;
  const isOpen = type === 'object' && (!isObject(properties) || Object.keys(properties).length === 0);
  return {
    ...(typeof type === 'string' && !isOpen ? { type: type.toUpperCase() } : {}),
    ...rest,
    ...(isObject(properties) && !isOpen ? { properties: openapiMembers(properties) } : {}),
    ...(isObject(items) ? { items: openapiSchema(items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((kind) => (isObject(kind) ? openapiSchema(kind) : kind)) } : {}),
  };
}

function openapiMembers(properties: JsonObject): JsonObject {
  const members = Object.entries(properties).map(([key, schema]): [string, Json] => {
    return [key, isObject(schema) ? openapiSchema(schema) : schema];
  });
  return Object.fromEntries(members);
}

/** What is sent of images; a request may hold 20 MB in all. */
export const imageRule: ImageRule = {
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp'],
  longest: 10 * 1024 * 1024,
};

/** Models that refuse a call without a signature: from version 3 on, and those that are named without a version. */
export function wantsSignatures(model: string): boolean {
  const [, number] = /gemini-(\d+)/.exec(model) ?? [];
  return number === undefined ? model.includes('gemini') : Number(number) >= 3;
}

/** A reason that is listed nowhere here counts as an ordinary end of an unknown kind. */
export const stopReasons: { [reason: string]: ReplyStop } = {
  STOP: 'end',
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'refusal',
  RECITATION: 'refusal',
  LANGUAGE: 'refusal',
  BLOCKLIST: 'refusal',
  PROHIBITED_CONTENT: 'refusal',
  SPII: 'refusal',
  ESCALATION: 'refusal',
  MODEL_ARMOR: 'refusal',
  IMAGE_SAFETY: 'refusal',
  IMAGE_PROHIBITED_CONTENT: 'refusal',
  IMAGE_RECITATION: 'refusal',
};

/** The reply is no reply: another try may give one. */
export const brokenReasons: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
]);

/** The account is no longer served. */
export const disabledReason = 'PUP_LIMITED_DISABLED';

/** No reason at all. */
export const noReason = 'FINISH_REASON_UNSPECIFIED';

/** A chunk of the stream, unchecked: every field may be missing or of another type. */
export interface Chunk {
  candidates?: Json;
  promptFeedback?: Json;
  usageMetadata?: Json;
  responseId?: Json;
  error?: Json;
}

/** What varies: limits, thinking, sampling and further keys, each with a comma before it. */
export function settingsOf({ target, maxOutput }: Order): string {
  const { body = {}, temperature, topP } = target.settings;
  const { generationConfig, ...rest } = body;
  const given = isObject(generationConfig) ? generationConfig : {};
  const { sampling } = target.abilities;
  const keys = {
    ...given,
    thinkingConfig: thinkingOf(target, given['thinkingConfig'], maxOutput),
    ...(sampling ? { temperature: temperature ?? given['temperature'] } : {}),
    ...(sampling ? { topP: topP ?? given['topP'] } : {}),
  };
  const config = `,"generationConfig":{"maxOutputTokens":${maxOutput}${furtherKeys(keys, reservedConfig)}}`;
  return config + furtherKeys(rest, reservedKeys);
}

/** A model is told either how hard or how long to think, never both. */
function thinkingOf(target: Target, given: Json | undefined, maxOutput: number): JsonObject | undefined {
  const { thinking, efforts } = target.abilities;
  const asked = isObject(given) ? given : {};
  if (thinking === 'none' && efforts.length === 0) return isObject(given) ? given : undefined;
  const told = toldThinking(target.settings, target, maxOutput);
  const { thinkingLevel: _level, thinkingBudget: _budget, ...rest } = asked;
  const amount = Object.keys(told).length === 0 ? asked : { ...rest, ...told };
  const isOff = amount['thinkingBudget'] === 0;
  return { ...(isOff ? {} : { includeThoughts: true }), ...amount };
}

function toldThinking({ thinking, effort }: ModelSettings, { abilities }: Target, maxOutput: number): JsonObject {
  const takesBudget = abilities.thinking === 'budget' || abilities.thinking === 'either';
  const { leastThinking: least = 0 } = abilities;
  // What is thought counts as output.
  if (typeof thinking === 'number' && takesBudget)
    return { thinkingBudget: Math.max(least, Math.min(thinking, maxOutput - 1)) };
  const wanted = thinking === 'off' ? 'none' : effort;
  const level = castEffort(wanted, abilities.efforts);
  if (level === 'none' || (thinking === 'off' && takesBudget)) return { thinkingBudget: least };
  if (level !== undefined) return { thinkingLevel: level.toUpperCase() };
  return thinking === 'adaptive' && takesBudget ? { thinkingBudget: -1 } : {};
}

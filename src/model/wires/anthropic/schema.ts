/** Anthropic Messages: the shapes of the protocol, as far as they are sent or read. */
import type { Abilities, Json, JsonObject, ReplyStop, Target } from '../../../core/index.ts';
import {
  castEffort,
  furtherKeys,
  wholeSchema,
  type ImageRule,
  type NameRule,
  type ToolRule,
} from '../../sending/index.ts';
import { isObject } from '../../reply.ts';

export const wireName = 'anthropic';
export const messagesPath = '/v1/messages';
/** The version of the protocol; the only one there is since 2023. */
export const protocolVersion = '2023-06-01';

export interface TextBlock {
  type: 'text';
  text: string;
}

export interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: JsonObject;
}

export type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export interface ImageBlock {
  type: 'image';
  source: { type: 'base64'; media_type: MediaType; data: string };
}

/** Stands for the whole definition of a deferred tool, which from here on the model can call. */
export interface ToolReference {
  type: 'tool_reference';
  tool_name: string;
}

export interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  /** Blocks only where there are images, or where tools were found: references stand alone. */
  content: string | (TextBlock | ImageBlock)[] | ToolReference[];
  is_error?: true;
}

export interface ToolDefinition {
  name: string;
  description: string;
  input_schema: JsonObject & { type: 'object' };
  /** Kept out of the model’s sight, and of the cached prefix, until a reference to it comes. It takes no cache mark. */
  defer_loading?: true;
}

/** The body without what settings add to it and without cache marks. A block can also be one of the provider's own, verbatim. */
export interface RequestBody {
  model: string;
  tools?: ToolDefinition[];
  system?: TextBlock[];
  messages: (
    | { role: 'user' | 'assistant'; content: (TextBlock | ImageBlock | ToolUseBlock | ToolResultBlock)[] }
    | { role: 'system'; content: TextBlock[] }
  )[];
  max_tokens: number;
  stream: true;
}

/** What the wire itself sends and settings may not. */
const reservedKeys: readonly string[] = [
  'model',
  'tools',
  'system',
  'messages',
  'max_tokens',
  'stream',
  'cache_control',
] satisfies (keyof RequestBody | 'cache_control')[];

/** The mark as the last key of a block, in place of the block's closing brace. */
export const cacheMark = Buffer.from(',"cache_control":{"type":"ephemeral"}}');

/** What the provider allows in the id of a call. */
export const callIdRule: NameRule = { illegal: /[^a-zA-Z0-9_-]/g, longest: 64 };

/** JSON Schema as a whole, but for unions at its top. */
export const toolRule: ToolRule = {
  name: { illegal: /[^a-zA-Z0-9_-]/g, longest: 128 },
  property: /^[a-zA-Z0-9_.-]{1,64}$/,
  schema: wholeSchema,
};

/** Whether a model finds deferred tools by the wire’s own means. */
export function searchesTools({ toolSearch = false }: Abilities): boolean {
  return toolSearch;
}

/** A deferred tool, which is no part of what a cache is keyed by. */
export function isDeferred(tool: Json): boolean {
  return isObject(tool) && tool['defer_loading'] === true;
}

/** The limit of 5 MB holds for an image as it is sent. */
export const imageRule: ImageRule = {
  mediaTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] satisfies MediaType[],
  longest: 5 * 1024 * 1024,
};

/** The least budget of `thinking: {type: 'enabled'}`, in tokens, and the one for a model that needs a figure and was given none. */
const leastBudget = 1_024;
const usualBudget = 16_000;

type Thinking = NonNullable<Target['settings']['thinking']>;

/** Thinking in the way that the model takes: by a budget, by itself, or not at all. */
function thinkingOf(wanted: Thinking, { thinking: able }: Target['abilities'], maxOutput: number): JsonObject | null {
  if (able === 'none') return null;
  if (wanted === 'off') return { type: 'disabled' };
  if (able === 'adaptive' || (able === 'either' && wanted === 'adaptive')) return { type: 'adaptive' };
  return budgetOf(wanted === 'adaptive' ? Math.min(usualBudget, Math.floor(maxOutput / 2)) : wanted, maxOutput);
}

/** A budget has to stay below the output limit, which can be lowered to what is affordable; below the least there is no thinking. */
function budgetOf(wanted: number, maxOutput: number): JsonObject | null {
  const budget = Math.min(Math.max(wanted, leastBudget), maxOutput - 1);
  return budget < leastBudget ? null : { type: 'enabled', budget_tokens: budget };
}

function thinks(thinking: Json | undefined): boolean {
  return isObject(thinking) && thinking['type'] !== 'disabled';
}

/** The most that is taken as temperature. */
const highestTemperature = 1;

/** A reason that is not listed counts as an ordinary end of an unknown kind. */
export const stopReasons: { [reason: string]: ReplyStop } = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'calls',
  max_tokens: 'length',
  pause_turn: 'pause',
  compaction: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'overflow',
};

/** The events that mean something here; all others are ignored. */
export const knownEvents: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
]);

/** An event of the stream, unchecked: every field may be missing or of another type. */
export interface StreamEvent {
  type?: Json;
  index?: Json;
  message?: Json;
  content_block?: Json;
  delta?: Json;
  usage?: Json;
}

/** The blocks of the model's own words, thoughts and calls, and the deltas that they take; one that isn't listed takes any. */
export const ownDeltas: { [block: string]: readonly string[] } = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  redacted_thinking: [],
  tool_use: ['input_json_delta'],
};

/** The text fields that a delta of each kind adds to. */
export const growingFields: { [delta: string]: readonly string[] } = {
  text_delta: ['text'],
  thinking_delta: ['thinking'],
  compaction_delta: ['content', 'encrypted_content'],
};

/** The settings as further keys of the body, each with a comma before it. */
export function settingsOf({ settings, abilities }: Target, maxOutput: number): string {
  const { body = {} } = settings;
  const effort = castEffort(settings.effort, abilities.efforts);
  const output = isObject(body['output_config']) ? body['output_config'] : {};
  const thinking =
    settings.thinking === undefined ? body['thinking'] : thinkingOf(settings.thinking, abilities, maxOutput);
  const keys = {
    ...body,
    output_config: effort === undefined ? body['output_config'] : { ...output, effort },
    thinking,
    ...(abilities.sampling && !thinks(thinking) ? samplingOf(settings) : {}),
  };
  return furtherKeys(keys, reservedKeys);
}

/** The provider takes one of the two. */
function samplingOf({ temperature, topP }: Target['settings']): { [key: string]: number } {
  if (temperature !== undefined) return { temperature: Math.min(temperature, highestTemperature) };
  return topP === undefined ? {} : { top_p: topP };
}

/** What the provider says about the end besides its name: why it declined, or which sequence stopped it. */
export function stopDetail(stop: JsonObject): string | undefined {
  const details = isObject(stop['stop_details']) ? stop['stop_details'] : {};
  const said = [details['category'], details['explanation']].filter((text) => typeof text === 'string');
  if (said.length > 0) return said.join(': ');
  return typeof stop['stop_sequence'] === 'string' ? stop['stop_sequence'] : undefined;
}

/** Whether a delta adds to what is said or to what is thought. */
export function wordsIn({ type }: JsonObject): 'text' | 'thinking' | undefined {
  if (type === 'text_delta') return 'text';
  return type === 'thinking_delta' ? 'thinking' : undefined;
}

/** OpenAI Responses: the shapes of the protocol, as far as they are sent or read. */
import type { Json, JsonObject, ReplyStop, Target } from '../../../core/index.ts';
import {
  castEffort,
  furtherKeys,
  wholeSchema,
  type ImageRule,
  type NameRule,
  type ToolRule,
} from '../../sending/index.ts';
import type { Growth } from '../../reading/index.ts';
import { isObject, textOf } from '../../reply.ts';

export const wireName = 'openai-responses';
export const responsesPath = '/v1/responses';

export interface TextContent {
  type: 'input_text' | 'output_text';
  text: string;
}

export interface ImageContent {
  type: 'input_image';
  image_url: string;
  detail: 'auto';
}

export interface MessageItem {
  type: 'message';
  role: 'user' | 'assistant' | 'developer';
  content: (TextContent | ImageContent)[];
}

export interface FunctionCallItem {
  type: 'function_call';
  call_id: string;
  name: string;
  /** JSON. */
  arguments: string;
}

export interface CustomCallItem {
  type: 'custom_tool_call';
  call_id: string;
  name: string;
  input: string;
}

export interface OutputItem {
  type: 'function_call_output' | 'custom_tool_call_output';
  call_id: string;
  /** Contents only where there are images. */
  output: string | (TextContent | ImageContent)[];
}

export interface FunctionDefinition {
  type: 'function';
  name: string;
  description: string;
  parameters: JsonObject & { type: 'object' };
  /** The provider's own subset of JSON Schema isn't asked for: calls are checked here. */
  strict: false;
}

export interface CustomDefinition {
  type: 'custom';
  name: string;
  description: string;
  format: { type: 'text' } | { type: 'grammar'; syntax: 'lark' | 'regex'; definition: string };
}

/** The body without what settings add to it. An item can also be one of the provider's own, verbatim. */
export interface RequestBody {
  model: string;
  instructions?: string;
  tools?: (FunctionDefinition | CustomDefinition)[];
  input: (MessageItem | FunctionCallItem | CustomCallItem | OutputItem)[];
  max_output_tokens: number;
  stream: true;
  store: false;
  include?: 'reasoning.encrypted_content'[];
  prompt_cache_key: string;
}

/** What the wire itself sends and settings may not, and what would make the provider keep or leave out a part of the conversation. */
const reservedKeys: readonly string[] = [
  'model',
  'instructions',
  'tools',
  'input',
  'max_output_tokens',
  'stream',
  'store',
  'include',
  'prompt_cache_key',
  'previous_response_id',
  'conversation',
  'background',
  'truncation',
] satisfies (keyof RequestBody | 'previous_response_id' | 'conversation' | 'background' | 'truncation')[];

/** The least that may be offered as output, and the longest key of a cache. */
export const leastOutput = 16;
export const longestCacheKey = 64;

/** What the provider allows in the id of a call. */
export const callIdRule: NameRule = { illegal: /[^a-zA-Z0-9_-]/g, longest: 64 };

/** JSON Schema as a whole, but for unions at its top and lists that don't say of what. */
export const toolRule: ToolRule = {
  name: { illegal: /[^a-zA-Z0-9_-]/g, longest: 64 },
  schema: { ...wholeSchema, needsItems: true },
};

/** Besides unions, what the provider doesn't take at the top of a schema. */
export const notAtTheTop: readonly string[] = ['enum', 'const', 'not'];

/** An image may have 20 MB. */
export const imageRule: ImageRule = {
  mediaTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  longest: Math.floor((20 * 1024 * 1024) / 3) * 4,
};

/** The profile of servers that imitate this protocol and know functions only. */
export const plainProfile = 'plain';

/** Whether tools that take text are offered so. */
export function takesText({ profile }: Target): boolean {
  return profile !== plainProfile;
}

/** Whose item it is: outputs are the user's, everything else without a role is the model's. */
export function roleOf({ type, role }: { type?: unknown; role?: unknown }): string {
  if (typeof role === 'string') return role.toWellFormed();
  return textOf(type).endsWith('_output') ? 'user' : 'assistant';
}

const notOffered = 'Not run: there is no such tool here.';

/** Calls of tools that nobody offered: the provider wants an output for each before it goes on. */
const unoffered: { [type: string]: (callId: string) => JsonObject } = {
  shell_call: (callId) => ({
    type: 'shell_call_output',
    call_id: callId,
    output: [{ stdout: '', stderr: notOffered, outcome: { type: 'exit', exit_code: 127 } }],
  }),
  apply_patch_call: (callId) => ({
    type: 'apply_patch_call_output',
    call_id: callId,
    status: 'failed',
    output: notOffered,
  }),
  local_shell_call: (callId) => ({ type: 'local_shell_call_output', call_id: callId, output: notOffered }),
  tool_search_call: (callId) => ({
    type: 'tool_search_output',
    call_id: callId,
    execution: 'client',
    status: 'completed',
    tools: [],
  }),
};

/** What was called without being offered is answered at once: the provider doesn't go on without it. Its own calls have no id. */
export function answersTo(items: readonly JsonObject[]): JsonObject[] {
  return items.flatMap((item) => {
    const type = textOf(item['type']);
    const callId = textOf(item['call_id']);
    const answer = Object.hasOwn(unoffered, type) ? unoffered[type]?.(callId) : undefined;
    if (answer === undefined || callId === '') return [];
    const isAnswered = items.some((other) => other['type'] === answer['type'] && other['call_id'] === callId);
    return isAnswered ? [] : [answer];
  });
}

/**
 * An item of the provider as it goes back: without the id under which nothing is stored. Of what isn't interpreted here all else
 * stays; the other items lose what the provider only tells of them.
 */
export function returned({ id: _, ...item }: JsonObject): JsonObject {
  const { status: _status, ...rest } = item;
  const { content } = rest;
  switch (item['type']) {
    case 'message':
      return {
        ...rest,
        role: 'assistant',
        ...(Array.isArray(content) ? { content: content.flatMap(saidContent) } : {}),
      };
    case 'reasoning':
      return Array.isArray(rest['summary']) ? rest : { ...rest, summary: [] };
    case 'function_call':
    case 'custom_tool_call':
      return rest;
    default:
      return item;
  }
}

/** A content that says something, without how likely each of its words was. Some servers don't say what it is. */
function saidContent(content: Json): JsonObject[] {
  if (!isObject(content)) return [];
  const { logprobs: _, ...rest } = content;
  const text = textOf(rest['text']);
  const isBlank = (text || textOf(rest['refusal'])).trim() === '';
  if (isBlank) return [];
  return textOf(rest['type']) === '' ? [{ ...rest, type: text === '' ? 'refusal' : 'output_text' }] : [rest];
}

/** Why a reply is incomplete. A reason that is not listed counts as a cut, so that no call of it is run. */
export const incompleteReasons: { [reason: string]: ReplyStop } = {
  max_output_tokens: 'length',
  content_filter: 'refusal',
};

/** Where a text grows while it comes in, by the event that brings a piece of it, and how it is shown. */
export const growing: { [event: string]: Growth & { shown?: 'text' | 'thinking' } } = {
  'response.output_text.delta': { item: 'message', field: 'text', shown: 'text' },
  'response.refusal.delta': { item: 'message', field: 'refusal', shown: 'text' },
  'response.reasoning_summary_text.delta': { item: 'reasoning', field: 'summary', shown: 'thinking' },
  'response.reasoning_text.delta': { item: 'reasoning', field: 'thought', shown: 'thinking' },
  'response.function_call_arguments.delta': { item: 'function_call', field: 'arguments' },
  'response.custom_tool_call_input.delta': { item: 'custom_tool_call', field: 'input' },
};

/** The events that mean something here; all others are ignored. */
export const knownEvents: ReadonlySet<string> = new Set([
  'response.created',
  'response.in_progress',
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
  'response.output_item.added',
  'response.output_item.done',
  ...Object.keys(growing),
  'error',
]);

/** An event of the stream, unchecked: every field may be missing or of another type. */
export interface StreamEvent {
  type?: Json;
  response?: Json;
  item?: Json;
  item_id?: Json;
  output_index?: Json;
  /** Of a text that is in several parts, which. */
  content_index?: Json;
  summary_index?: Json;
  delta?: Json;
  error?: Json;
}

/** A model that doesn't reason refuses to be asked for it. */
export function reasons({ abilities }: Target): boolean {
  return abilities.efforts.length > 0 || abilities.thinking !== 'none';
}

/** The settings as further keys of the body, each with a comma before it. */
export function settingsOf(target: Target): string {
  const { settings, abilities } = target;
  const { body = {} } = settings;
  const effort = castEffort(settings.effort ?? (settings.thinking === 'off' ? 'none' : undefined), abilities.efforts);
  const given = isObject(body['reasoning']) ? body['reasoning'] : {};
  const wanted = { summary: 'auto', ...given, ...(effort === undefined ? {} : { effort }) };
  const reasoning = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null));
  const keys = {
    parallel_tool_calls: true,
    ...body,
    reasoning: reasons(target) ? reasoning : body['reasoning'],
    ...(abilities.sampling ? { temperature: settings.temperature ?? body['temperature'] } : {}),
    ...(abilities.sampling ? { top_p: settings.topP ?? body['top_p'] } : {}),
  };
  return furtherKeys(keys, reservedKeys);
}

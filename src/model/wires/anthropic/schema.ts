/** Anthropic Messages: the shapes of the protocol, as far as they are sent or read. */
import type { Json, JsonObject, ReplyStop } from '../../../core/index.ts';
import type { NameRule } from '../../call-ids.ts';

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

export interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content: string;
  is_error?: true;
}

export interface ToolDefinition {
  name: string;
  description: string;
  input_schema: JsonObject & { type: 'object' };
}

/** The body without what settings add to it and without cache marks. A block can also be one of the provider's own, verbatim. */
export interface RequestBody {
  model: string;
  tools?: ToolDefinition[];
  system?: TextBlock[];
  messages: { role: 'user' | 'assistant'; content: (TextBlock | ToolUseBlock | ToolResultBlock)[] }[];
  max_tokens: number;
  stream: true;
}

/** What the wire itself sends and settings may not. */
export const reservedKeys: readonly string[] = [
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

/** What the provider allows in the id of a call and in the name of a tool. */
export const callIdRule: NameRule = { illegal: /[^a-zA-Z0-9_-]/g, longest: 64 };
export const toolNameRule: NameRule = { illegal: /[^a-zA-Z0-9_-]/g, longest: 128 };

/** The least budget of `thinking: {type: 'enabled'}`, in tokens. */
export const leastThinkingBudget = 1_024;

/** A reason that is not listed counts as an ordinary end of an unknown kind. */
export const stopReasons: { [reason: string]: ReplyStop } = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'calls',
  max_tokens: 'length',
  pause_turn: 'pause',
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

/** The text fields that a delta of each kind adds to. */
export const growingFields: { [delta: string]: string } = {
  text_delta: 'text',
  thinking_delta: 'thinking',
};

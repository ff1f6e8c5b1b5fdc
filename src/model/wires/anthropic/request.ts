/**
 * Anthropic Messages: a conversation as exact bytes. What stays the same from turn to turn comes first, so that a request is the
 * bytes of the one before and more, but for the moved cache mark and the few keys after the messages.
 */
import {
  ReinsError,
  type CallPart,
  type Json,
  type JsonObject,
  type Message,
  type ReplyPart,
  type ResultPart,
  type Source,
  type ToolSpec,
} from '../../../core/index.ts';
import { addressCalls, castName, type Addressed, type AddressedReply, type AddressedUser } from '../../call-ids.ts';
import { json } from '../../json.ts';
import { isObject, parseObject, textOf } from '../../reply.ts';
import type { ByteRange, Canonical, CanonicalBlock, Encoded, Standing } from '../../wire.ts';
import {
  cacheMark,
  callIdRule,
  leastThinkingBudget,
  reservedKeys,
  toolNameRule,
  type TextBlock,
  type ToolDefinition,
  type ToolResultBlock,
  type ToolUseBlock,
} from './schema.ts';

type Role = Message['role'];

interface Turn {
  role: Role;
  blocks: CanonicalBlock[];
  /** The message as it is sent without a mark. */
  bytes: Buffer;
}

export function encode(setup: Standing, messages: readonly Message[], maxOutput: number, source: Source): Encoded {
  const tools = toolBlocks(setup.tools);
  const system = systemBlocks(setup.system);
  const turns = turnsOf(messages, source);
  const body = new BodyWriter();
  body.write(`{"model":${json(source.model)}`);
  const sections = {
    tools: body.list('tools', tools, new Set([tools.length - 1])),
    system: body.list('system', system, new Set([0, system.length - 1])),
    messages: body.messages(turns),
  };
  body.write(`,"max_tokens":${maxOutput},"stream":true${settingsOf(setup.settings, maxOutput)}}`);
  const canonical = {
    tools: joinedOnce(tools),
    system: joinedOnce(system),
    blocks: turns.flatMap((turn) => turn.blocks),
  };
  return { body: body.bytes(), sections, canonical };
}

/** The canonical sequence read back out of a body; undefined when the bytes aren't a body of this wire. */
export function canonical(body: Uint8Array): Canonical | undefined {
  const parsed = parseObject(Buffer.from(body.buffer, body.byteOffset, body.length).toString());
  if (parsed === undefined || !Array.isArray(parsed['messages'])) return undefined;
  const blocks: CanonicalBlock[] = [];
  for (const message of parsed['messages']) {
    if (!isObject(message) || !Array.isArray(message['content'])) return undefined;
    const role = textOf(message['role']);
    for (const block of message['content']) blocks.push({ role, bytes: unmarked(block) });
  }
  return { tools: joined(unmarkedList(parsed['tools'])), system: joined(unmarkedList(parsed['system'])), blocks };
}

function unmarkedList(blocks: Json | undefined): Buffer[] {
  return Array.isArray(blocks) ? blocks.map(unmarked) : [];
}

function unmarked(block: Json): Buffer {
  if (!isObject(block)) return Buffer.from(JSON.stringify(block));
  const { cache_control: _, ...rest } = block;
  return Buffer.from(JSON.stringify(rest));
}

/** Puts a body together from blocks that are encoded already. */
class BodyWriter {
  private readonly pieces: Buffer[] = [];
  private length = 0;

  write(text: string): void {
    this.push(Buffer.from(text));
  }

  list(key: string, blocks: readonly Buffer[], marked: ReadonlySet<number>): ByteRange {
    if (blocks.length === 0) return { start: this.length, end: this.length };
    this.write(`,"${key}":`);
    const start = this.length;
    this.write('[');
    this.blocks(blocks, marked);
    this.write(']');
    return { start, end: this.length };
  }

  messages(turns: readonly Turn[]): ByteRange {
    this.write(',"messages":');
    const start = this.length;
    // A reply that goes back unchanged for the provider to go on takes no mark.
    const markedTurn = turns.findLastIndex((turn) => turn.role === 'user');
    this.write('[');
    turns.forEach((turn, index) => {
      if (index > 0) this.push(comma);
      if (index !== markedTurn) return this.push(turn.bytes);
      this.push(turn.bytes.subarray(0, -turnEnd.length - 1));
      this.push(cacheMark);
      return this.push(turnEnd);
    });
    this.write(']');
    return { start, end: this.length };
  }

  bytes(): Buffer {
    return Buffer.concat(this.pieces, this.length);
  }

  private blocks(blocks: readonly Buffer[], marked: ReadonlySet<number>): void {
    blocks.forEach((block, index) => {
      if (index > 0) this.push(comma);
      if (!marked.has(index)) return this.push(block);
      this.push(block.subarray(0, -1));
      this.push(cacheMark);
    });
  }

  private push(piece: Buffer): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }
}

const comma = Buffer.from(',');
const turnEnd = Buffer.from(']}');

/** Messages with blocks, neighbours of one role merged: dropping what another model may not see must not break the alternation. */
function turnsOf(messages: readonly Message[], source: Source): Turn[] {
  const turns: Turn[] = [];
  for (const addressed of addressCalls(messages, callIdRule)) {
    const turn = renderOnce(addressed, source);
    if (turn.blocks.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === turn.role) turns[turns.length - 1] = turnOf(turn.role, [...last.blocks, ...turn.blocks]);
    else turns.push(turn);
  }
  return turns;
}

function turnOf(role: Role, blocks: CanonicalBlock[]): Turn {
  const list = blocks.flatMap(({ bytes }, index) => (index === 0 ? bytes : [comma, bytes]));
  return { role, blocks, bytes: Buffer.concat([Buffer.from(`{"role":"${role}","content":[`), ...list, turnEnd]) };
}

/** A long history isn't encoded anew in every turn: messages that didn't change are the same objects. */
const renderedMessages = new WeakMap<Message, { key: string; turn: Turn }>();

function renderOnce(addressed: Addressed, source: Source): Turn {
  const key = [source.wire, source.model, ...addressed.ids].join('\n');
  const known = renderedMessages.get(addressed.message);
  if (known?.key === key) return known.turn;
  const role = addressed.message.role;
  const texts = 'results' in addressed ? renderUser(addressed) : renderAssistant(addressed, source);
  const turn = turnOf(
    role,
    texts.map((text) => ({ role, bytes: Buffer.from(text) })),
  );
  renderedMessages.set(addressed.message, { key, turn });
  return turn;
}

function renderUser(addressed: AddressedUser): string[] {
  const results = addressed.results.map((part, index) => json(resultBlock(part, addressed.ids[index] ?? part.id)));
  const texts = addressed.message.parts.flatMap((part) => (part.type === 'text' ? textBlock(part.text) : []));
  return [...results, ...texts.map(json)];
}

function resultBlock(part: ResultPart, id: string): ToolResultBlock {
  const silent = part.error ? '(failed without output)' : '(no output)';
  const content = part.text.trim() === '' ? silent : part.text;
  return { type: 'tool_result', tool_use_id: id, content, ...(part.error ? { is_error: true } : {}) };
}

function renderAssistant(addressed: AddressedReply, source: Source): string[] {
  const { message } = addressed;
  const own = message.source.wire === source.wire && message.source.model === source.model;
  const ids = addressed.ids.values();
  return message.parts.flatMap((part) => {
    if (part.type === 'call') return json(callBlock(part, ids.next().value ?? part.id, own));
    return renderPart(part, own);
  });
}

/** What a provider gave goes back to the same model exactly as it was; thinking of another or without its end goes nowhere. */
function renderPart(part: Exclude<ReplyPart, CallPart>, own: boolean): string[] {
  if (part.type === 'text' && part.text.trim() === '') return [];
  if (own && part.opaque !== undefined) return [JSON.stringify(part.opaque)];
  return part.type === 'text' ? textBlock(part.text).map(json) : [];
}

function callBlock(part: CallPart, id: string, own: boolean): ToolUseBlock | JsonObject {
  if (own && isObject(part.opaque)) {
    return { ...part.opaque, id, ...(part.malformed === undefined ? {} : { input: {} }) };
  }
  const input = part.malformed === undefined ? part.arguments : {};
  return { type: 'tool_use', id, name: castName(part.name, toolNameRule), input };
}

function textBlock(text: string): TextBlock[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

const renderedTools = new WeakMap<readonly ToolSpec[], Buffer[]>();
const renderedSystem = new WeakMap<readonly string[], Buffer[]>();
const joinedBlocks = new WeakMap<Buffer[], Buffer>();

function toolBlocks(tools: readonly ToolSpec[]): Buffer[] {
  return once(renderedTools, tools, () => tools.map((tool) => Buffer.from(json(toolDefinition(tool)))));
}

/** The provider wants the arguments called an object, which a schema from elsewhere may leave out. */
function toolDefinition({ name, description, input }: ToolSpec): ToolDefinition {
  return { name, description, input_schema: { ...input, type: 'object' } };
}

function systemBlocks(layers: readonly string[]): Buffer[] {
  return once(renderedSystem, layers, () => layers.flatMap(textBlock).map((block) => Buffer.from(json(block))));
}

function joinedOnce(blocks: Buffer[]): Buffer {
  return once(joinedBlocks, blocks, () => joined(blocks));
}

function joined(blocks: readonly Buffer[]): Buffer {
  return Buffer.concat(blocks.flatMap((block) => [block, comma]));
}

function once<K extends WeakKey, V>(known: WeakMap<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** The settings as further keys of the body, each with a comma before it. */
function settingsOf(settings: JsonObject, maxOutput: number): string {
  const { effort, ...rest } = settings;
  const output = isObject(rest['output_config']) ? rest['output_config'] : {};
  const sent: JsonObject = { ...rest };
  if (effort !== undefined && effort !== null) sent['output_config'] = { ...output, effort };
  if (isObject(rest['thinking'])) sent['thinking'] = affordableThinking(rest['thinking'], maxOutput);
  return Object.entries(sent)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => `,${json(unreserved(key))}:${json(value)}`)
    .join('');
}

function unreserved(key: string): string {
  if (!reservedKeys.includes(key)) return key;
  throw new ReinsError('config-invalid', `The model setting "${key}" is set by Reins itself.`);
}

/** A budget has to stay below the output limit, which can be lowered to what is affordable; below the least there is no thinking. */
function affordableThinking(thinking: JsonObject, maxOutput: number): JsonObject | null {
  const budget = thinking['budget_tokens'];
  if (typeof budget !== 'number' || budget < maxOutput) return thinking;
  return maxOutput > leastThinkingBudget ? { ...thinking, budget_tokens: maxOutput - 1 } : null;
}

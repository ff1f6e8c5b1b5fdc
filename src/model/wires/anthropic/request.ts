/**
 * Anthropic Messages: a conversation as exact bytes. What stays the same from turn to turn comes first, so that a request is the
 * bytes of the one before and more, but for the moved cache mark and the few keys after the messages.
 */
import {
  isSameSource,
  sourceOf,
  type CallPart,
  type ImagePart,
  type Json,
  type JsonObject,
  type Message,
  type ReplyPart,
  type ResultPart,
  type Source,
  type ToolSpec,
} from '../../../core/index.ts';
import {
  addressCalls,
  BodyWriter,
  castTools,
  imageData,
  imagesAtHand,
  joined,
  json,
  once,
  separated,
  toolNames,
  type Addressed,
  type AddressedReply,
  type AddressedUser,
  type CastTool,
  type ToolNames,
} from '../../sending/index.ts';
import { isObject, parseObject, textOf } from '../../reply.ts';
import type { Canonical, CanonicalBlock, Encoded, LeftOut, Order } from '../../wire.ts';
import {
  cacheMark,
  callIdRule,
  imageRule,
  isDeferred,
  searchesTools,
  settingsOf,
  toolRule,
  type ImageBlock,
  type MediaType,
  type TextBlock,
  type ToolDefinition,
  type ToolReference,
  type ToolResultBlock,
  type ToolUseBlock,
} from './schema.ts';

/** What a message becomes: blocks, each with its role as it is sent unless another comes after it. */
interface Rendered {
  role: Message['role'];
  blocks: (CanonicalBlock & { harness?: boolean })[];
  turns: Turn[];
}

interface Turn {
  role: string;
  blocks: CanonicalBlock[];
  /** The message as it is sent without a mark. */
  bytes: Buffer;
}

export function encode(order: Order): Encoded {
  const { setup, target, messages, maxOutput } = order;
  const { told, deferred, leftOut } = toolBlocks(order);
  const system = systemBlocks(setup.system);
  const turns = turnsOf(messages, order);
  const body = new BodyWriter();
  body.write(`{"model":${json(target.model)}`);
  const sections = {
    tools: body.list('tools', [...withMarks(told, [told.length - 1]), ...deferred]),
    system: body.list('system', withMarks(system, [0, system.length - 1])),
    messages: body.list('messages', withMark(turns)),
  };
  body.write(`,"max_tokens":${maxOutput},"stream":true${settingsOf(target, maxOutput)}}`);
  const canonical = {
    tools: joinedOnce(told),
    system: joinedOnce(system),
    blocks: turns.flatMap((turn) => turn.blocks),
  };
  return { body: body.bytes(), sections, canonical, leftOut };
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
  const tools = Array.isArray(parsed['tools']) ? parsed['tools'].filter((tool) => !isDeferred(tool)) : [];
  return { tools: joined(unmarkedList(tools)), system: joined(unmarkedList(parsed['system'])), blocks };
}

function unmarkedList(blocks: Json | undefined): Buffer[] {
  return Array.isArray(blocks) ? blocks.map(unmarked) : [];
}

function unmarked(block: Json): Buffer {
  return Buffer.from(JSON.stringify(isObject(block) ? withoutMark(block) : block));
}

function withMarks(blocks: readonly Buffer[], places: readonly number[]): Buffer[] {
  return blocks.map((block, index) =>
    places.includes(index) ? Buffer.concat([block.subarray(0, -1), cacheMark]) : block,
  );
}

/** The mark at the end of the last message. A reply that goes back unchanged for the provider to go on takes none. */
function withMark(turns: readonly Turn[]): Buffer[] {
  const last = turns.findLastIndex((turn) => turn.role !== 'assistant');
  return turns.map(({ bytes }, index) => {
    if (index !== last) return bytes;
    return Buffer.concat([bytes.subarray(0, -turnEnd.length - 1), cacheMark, turnEnd]);
  });
}

const turnEnd = Buffer.from(']}');

/** Messages with blocks, neighbours of one role merged: dropping what another model may not see must not break the alternation. */
function turnsOf(messages: readonly Message[], order: Order): Turn[] {
  const rendered: Rendered[] = [];
  const { systemMessages } = order.target.abilities;
  for (const addressed of addressCalls(messages, callIdRule)) {
    const next = renderOnce(addressed, order);
    if (next.blocks.length === 0) continue;
    const last = rendered.at(-1);
    if (last?.role !== next.role) rendered.push(next);
    else rendered[rendered.length - 1] = merged(next.role, [...last.blocks, ...next.blocks], systemMessages);
  }
  return rendered.flatMap(({ turns }) => turns);
}

/**
 * What the harness says at the end of a turn of the user goes as a message of the system, where the model takes that; the provider
 * takes it nowhere else: not before something of the user, and not without anything of the user before it.
 */
function merged(role: Message['role'], blocks: Rendered['blocks'], systemMessages: boolean): Rendered {
  const end = systemMessages && role === 'user' ? blocks.findLastIndex((block) => block.harness !== true) + 1 : 0;
  if (end === 0 || end === blocks.length) return { role, blocks, turns: [turnOf(role, blocks)] };
  return { role, blocks, turns: [turnOf(role, blocks.slice(0, end)), turnOf('system', blocks.slice(end))] };
}

function turnOf(role: string, blocks: readonly CanonicalBlock[]): Turn {
  const own = blocks.map(({ bytes }) => ({ role, bytes }));
  const list = separated(own.map(({ bytes }) => bytes));
  return { role, blocks: own, bytes: Buffer.concat([Buffer.from(`{"role":"${role}","content":[`), ...list, turnEnd]) };
}

/** A long history isn't encoded anew in every turn: messages that didn't change are the same objects. */
const renderedMessages = new WeakMap<Message, { key: string; tools: readonly ToolSpec[]; rendered: Rendered }>();

function renderOnce(addressed: Addressed, order: Order): Rendered {
  const { tools } = order.setup;
  const { message } = addressed;
  const key = renderKey(addressed, order);
  const known = renderedMessages.get(message);
  if (known?.key === key && known.tools === tools) return known.rendered;
  const blocks =
    'results' in addressed
      ? renderUser(addressed, order)
      : renderAssistant(addressed, sourceOf(order.target), toolNames(tools, toolRule));
  const rendered = merged(message.role, blocks, order.target.abilities.systemMessages);
  renderedMessages.set(message, { key, tools, rendered });
  return rendered;
}

/** All that the blocks of a message depend on besides itself and the tools. */
function renderKey({ message, ids }: Addressed, order: Order): string {
  const { provider, wire, model, abilities } = order.target;
  const able = [abilities.images, abilities.systemMessages, searchesTools(abilities)];
  return [provider, wire, model, ...able, imagesAtHand(message, order), ...ids].join('\n');
}

function renderUser(addressed: AddressedUser, order: Order): Rendered['blocks'] {
  const results = addressed.results.map((part, index) => resultBlock(part, addressed.ids[index] ?? part.id, order));
  const said = addressed.message.parts.flatMap((part) => {
    if (part.type === 'result') return [];
    const blocks = part.type === 'image' ? [imageBlock(part, order)] : textBlock(part.text);
    const harness = part.type === 'text' && part.voice === 'harness';
    return blocks.map((block) => ({ role: 'user', bytes: Buffer.from(json(block)), harness }));
  });
  return [...results.map((block) => ({ role: 'user', bytes: Buffer.from(json(block)) })), ...said];
}

function imageBlock(image: ImagePart, order: Order): ImageBlock | TextBlock {
  const found = imageData(image, order, imageRule);
  if ('note' in found) return { type: 'text', text: found.note };
  return { type: 'image', source: { type: 'base64', media_type: image.mediaType as MediaType, data: found.data } };
}

function resultBlock(part: ResultPart, id: string, order: Order): ToolResultBlock {
  const references = referencesIn(part, order);
  if (references.length > 0) return { type: 'tool_result', tool_use_id: id, content: references };
  const images = (part.images ?? []).map((image) => imageBlock(image, order));
  const blocks = [...textBlock(part.text), ...images];
  const silent = part.error ? '(failed without output)' : '(no output)';
  const texts = blocks.flatMap((block) => (block.type === 'text' ? block.text : []));
  const hasImages = texts.length < blocks.length;
  const content = hasImages ? blocks : texts.join('\n') || silent;
  return { type: 'tool_result', tool_use_id: id, content, ...(part.error ? { is_error: true } : {}) };
}

function renderAssistant(addressed: AddressedReply, source: Source, names: ToolNames): CanonicalBlock[] {
  const { message } = addressed;
  const own = isSameSource(message.source, source);
  const ids = addressed.ids.values();
  const texts = message.parts.flatMap((part) => {
    if (part.type === 'call') return json(callBlock(part, ids.next().value ?? part.id, own, names));
    return renderPart(part, own);
  });
  return texts.map((text) => ({ role: message.role, bytes: Buffer.from(text) }));
}

/** What a provider gave goes back to the same model exactly as it was; thinking of another or without its end goes nowhere. */
function renderPart(part: Exclude<ReplyPart, CallPart>, own: boolean): string[] {
  if (part.type === 'text' && part.text.trim() === '') return [];
  if (!own || part.opaque === undefined) return part.type === 'text' ? textBlock(part.text).map(json) : [];
  // What doesn't say what it is no provider takes.
  return isObject(part.opaque) && textOf(part.opaque['type']) !== '' ? [json(withoutMark(part.opaque))] : [];
}

/** Marks are set by whoever asks, not by what was answered. */
function withoutMark({ cache_control: _, ...block }: JsonObject): JsonObject {
  return block;
}

function callBlock(part: CallPart, id: string, own: boolean, names: ToolNames): ToolUseBlock | JsonObject {
  if (own && isObject(part.opaque)) {
    return {
      ...withoutMark(part.opaque),
      id,
      name: names.sent(part.name),
      ...(part.malformed === undefined ? {} : { input: {} }),
    };
  }
  const input = part.malformed === undefined ? part.arguments : {};
  return { type: 'tool_use', id, name: names.sent(part.name), input };
}

function textBlock(text: string): TextBlock[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** References in place of the text, where the provider has all of the tools that were found: one that it hasn't is refused. */
function referencesIn({ found = [], error }: ResultPart, order: Order): ToolReference[] {
  if (error || found.length === 0 || !searchesTools(order.target.abilities)) return [];
  const { sent } = toolBlocks(order);
  const names = found.flatMap((name) => sent.get(name) ?? []);
  return names.length < found.length ? [] : names.map((name) => ({ type: 'tool_reference', tool_name: name }));
}

interface ToolBlocks {
  told: Buffer[];
  deferred: Buffer[];
  /** By its own name, the name under which a tool is sent. */
  sent: Map<string, string>;
  leftOut: LeftOut[];
}

const renderedTools = new WeakMap<readonly ToolSpec[], ToolBlocks>();
const renderedWithDeferred = new WeakMap<readonly ToolSpec[], ToolBlocks>();
const renderedSystem = new WeakMap<readonly string[], Buffer[]>();
const joinedBlocks = new WeakMap<Buffer[], Buffer>();

function toolBlocks({ setup: { tools }, target }: Order): ToolBlocks {
  const searches = searchesTools(target.abilities);
  return once(searches ? renderedWithDeferred : renderedTools, tools, () => {
    const { tools: cast, leftOut } = castTools(tools, toolRule, searches);
    const blocks = cast.map((tool) => Buffer.from(json(toolDefinition(tool))));
    return {
      told: blocks.filter((_, index) => cast[index]?.spec.deferred !== true),
      deferred: blocks.filter((_, index) => cast[index]?.spec.deferred === true),
      sent: new Map(cast.map(({ spec, name }) => [spec.name, name])),
      leftOut,
    };
  });
}

/** The provider wants the arguments called an object, which a schema from elsewhere may leave out. */
function toolDefinition({ name, description, input, spec }: CastTool): ToolDefinition {
  const schema = { ...input, type: 'object' as const };
  return { name, description, input_schema: schema, ...(spec.deferred === true && { defer_loading: true }) };
}

function systemBlocks(layers: readonly string[]): Buffer[] {
  return once(renderedSystem, layers, () => layers.flatMap(textBlock).map((block) => Buffer.from(json(block))));
}

function joinedOnce(blocks: Buffer[]): Buffer {
  return once(joinedBlocks, blocks, () => joined(blocks));
}

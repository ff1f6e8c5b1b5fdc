/**
 * OpenAI Responses: a conversation as exact bytes. Nothing is stored with the provider: each request holds the whole conversation,
 * and is the bytes of the one before and more, but for the few keys after the input.
 */
import {
  isSameSource,
  sourceOf,
  type CallPart,
  type ImagePart,
  type JsonObject,
  type Message,
  type ReplyPart,
  type ResultPart,
  type TextPart,
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
  resultText,
  separated,
  toolNames,
  type Addressed,
  type AddressedReply,
  type AddressedUser,
  type CastTool,
} from '../../sending/index.ts';
import { isObject, parseObject, textOf } from '../../reply.ts';
import type { Canonical, CanonicalBlock, Encoded, Order } from '../../wire.ts';
import {
  answersTo,
  callIdRule,
  imageRule,
  leastOutput,
  longestCacheKey,
  notAtTheTop,
  reasons,
  returned,
  roleOf,
  settingsOf,
  takesText,
  toolRule,
  type CustomDefinition,
  type FunctionDefinition,
  type ImageContent,
  type OutputItem,
  type TextContent,
} from './schema.ts';

/** An item of the input: as a whole, or a message whose contents can be joined with those of a neighbour. */
interface Entry {
  role: string;
  blocks: CanonicalBlock[];
  isMessage: boolean;
  bytes: Buffer;
}

type CallType = 'function_call' | 'custom_tool_call';

interface Rendered {
  entries: Entry[];
  /** How the calls of a reply are sent, in their order. */
  calls: CallType[];
}

export function encode(order: Order): Encoded {
  const { setup, target, messages, maxOutput, cacheKey } = order;
  const cast = castTools(setup.tools, toolRule);
  const tools = toolBlocks(cast.tools, takesText(target));
  const instructions = instructionsOf(setup.system);
  const entries = entriesOf(messages, order);
  const body = new BodyWriter();
  body.write(`{"model":${json(target.model)}`);
  const system = body.value('instructions', instructions);
  const sections = {
    tools: body.list('tools', tools),
    system,
    messages: body.list('input', bytesOf(entries)),
  };
  body.write(`,"max_output_tokens":${Math.max(maxOutput, leastOutput)},"stream":true,"store":false`);
  if (reasons(target)) body.write(',"include":["reasoning.encrypted_content"]');
  body.write(`,"prompt_cache_key":${json(cacheKey.slice(0, longestCacheKey))}${settingsOf(target)}}`);
  const canonical = {
    tools: once(joinedTools, tools, () => joined(tools)),
    system: instructions,
    blocks: entries.flatMap(({ blocks }) => blocks),
  };
  return { body: body.bytes(), sections, canonical, leftOut: cast.leftOut };
}

/** The canonical sequence read back out of a body; undefined when the bytes aren't a body of this wire. */
export function canonical(body: Uint8Array): Canonical | undefined {
  const parsed = parseObject(Buffer.from(body.buffer, body.byteOffset, body.length).toString());
  if (parsed === undefined || !Array.isArray(parsed['input'])) return undefined;
  const blocks: CanonicalBlock[] = [];
  for (const item of parsed['input']) {
    if (!isObject(item)) return undefined;
    const role = roleOf(item);
    const isSaid = item['type'] === 'message' && role !== 'assistant' && Array.isArray(item['content']);
    const contents = isSaid && Array.isArray(item['content']) ? item['content'] : [item];
    for (const content of contents) blocks.push({ role, bytes: Buffer.from(JSON.stringify(content)) });
  }
  const { tools, instructions } = parsed;
  return {
    tools: joined(Array.isArray(tools) ? tools.map((tool) => Buffer.from(JSON.stringify(tool))) : []),
    system: Buffer.from(instructions === undefined ? '' : JSON.stringify(instructions)),
    blocks,
  };
}

function entriesOf(messages: readonly Message[], order: Order): Entry[] {
  const entries: Entry[] = [];
  const types = new Map<string, CallType>();
  for (const [index, addressed] of addressCalls(messages, callIdRule).entries()) {
    const rendered = renderOnce(addressed, order, { isFirst: index === 0, types });
    for (const [place, type] of rendered.calls.entries()) types.set(addressed.ids[place] ?? '', type);
    const [first, ...rest] = rendered.entries;
    const last = entries.at(-1);
    if (first === undefined) continue;
    if (last?.isMessage === true && first.isMessage && last.role === first.role)
      entries[entries.length - 1] = messageEntry(first.role, [...last.blocks, ...first.blocks]);
    else entries.push(first);
    entries.push(...rest);
  }
  return entries;
}

function messageEntry(role: string, blocks: CanonicalBlock[]): Entry {
  const head = Buffer.from(`{"type":"message","role":"${role}","content":[`);
  const list = separated(bytesOf(blocks));
  return { role, blocks, isMessage: true, bytes: Buffer.concat([head, ...list, messageEnd]) };
}

function bytesOf(list: readonly { bytes: Buffer }[]): Buffer[] {
  return list.map(({ bytes }) => bytes);
}

const messageEnd = Buffer.from(']}');

function itemEntry(item: object): Entry {
  const bytes = Buffer.from(json(item));
  const role = roleOf(item);
  return { role, blocks: [{ role, bytes }], isMessage: false, bytes };
}

/** What a message depends on besides itself and the order. */
interface Place {
  isFirst: boolean;
  types: ReadonlyMap<string, CallType>;
}

/** A long history isn't encoded anew in every turn: messages that didn't change are the same objects. */
const renderedMessages = new WeakMap<Message, { key: string; tools: readonly ToolSpec[]; rendered: Rendered }>();

function renderOnce(addressed: Addressed, order: Order, place: Place): Rendered {
  const { message, ids } = addressed;
  const { tools } = order.setup;
  const { provider, wire, model, profile, abilities } = order.target;
  const types = 'results' in addressed ? ids.map((id) => place.types.get(id)) : [];
  const state = [abilities.images, abilities.systemMessages, imagesAtHand(message, order), place.isFirst];
  const key = [provider, wire, model, profile, ...state, ...types, ...ids].join('\n');
  const known = renderedMessages.get(message);
  if (known?.key === key && known.tools === tools) return known.rendered;
  const rendered = 'results' in addressed ? renderUser(addressed, order, place) : renderAssistant(addressed, order);
  renderedMessages.set(message, { key, tools, rendered });
  return rendered;
}

function renderUser({ message, ids, results }: AddressedUser, order: Order, place: Place): Rendered {
  const entries = results.map((part, index) => {
    const id = ids[index] ?? part.id;
    return itemEntry(outputItem(part, id, place.types.get(id) ?? 'function_call', order));
  });
  // The conversation begins with the user, whoever has the word.
  const hasVoice = order.target.abilities.systemMessages && !place.isFirst;
  for (const part of message.parts) {
    if (part.type === 'result') continue;
    const role = hasVoice && part.type === 'text' && part.voice === 'harness' ? 'developer' : 'user';
    const said = contentOf(part, order).map((content) => ({ role, bytes: Buffer.from(json(content)) }));
    const last = entries.at(-1);
    if (said.length === 0) continue;
    if (last?.isMessage === true && last.role === role)
      entries[entries.length - 1] = messageEntry(role, [...last.blocks, ...said]);
    else entries.push(messageEntry(role, said));
  }
  return { entries, calls: [] };
}

function contentOf(part: ImagePart | TextPart, order: Order): (TextContent | ImageContent)[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'input_text', text: part.text }];
  const found = imageData(part, order, imageRule);
  if ('note' in found) return [{ type: 'input_text', text: found.note }];
  return [{ type: 'input_image', image_url: `data:${part.mediaType};base64,${found.data}`, detail: 'auto' }];
}

function outputItem(part: ResultPart, id: string, type: CallType, order: Order): OutputItem {
  const images = (part.images ?? []).flatMap((image) => contentOf(image, order));
  const isSilent = part.text.trim() === '' && !part.error && images.length > 0;
  const contents: (TextContent | ImageContent)[] = [
    ...(isSilent ? [] : [{ type: 'input_text' as const, text: resultText(part) }]),
    ...images,
  ];
  const texts = contents.flatMap((content) => (content.type === 'input_image' ? [] : content.text));
  const output = texts.length < contents.length ? contents : texts.join('\n');
  return { type: `${type}_output`, call_id: id, output };
}

function renderAssistant({ message, ids }: AddressedReply, order: Order): Rendered {
  const own = isSameSource(message.source, sourceOf(order.target));
  const calls: CallType[] = [];
  const left = ids.values();
  const items = message.parts.flatMap((part): JsonObject[] => {
    if (part.type !== 'call') return own ? ownItem(part) : textItem(part);
    const item = callItem(part, left.next().value ?? part.id, own, order);
    calls.push(item['type'] === 'custom_tool_call' ? 'custom_tool_call' : 'function_call');
    return [item];
  });
  // Reasoning that led to nothing that is sent is refused.
  const end = items.findLastIndex((item) => item['type'] !== 'reasoning') + 1;
  const sent = items.slice(0, end);
  return { entries: [...sent, ...answersTo(sent)].map(itemEntry), calls };
}

/** What a provider gave goes back to the same model as it was; thinking that can't be read again goes nowhere. */
function ownItem(part: Exclude<ReplyPart, CallPart>): JsonObject[] {
  if (part.type === 'text' && part.text.trim() === '') return [];
  // What doesn't say what it is no provider takes.
  return isObject(part.opaque) && textOf(part.opaque['type']) !== '' ? [returned(part.opaque)] : textItem(part);
}

function textItem(part: Exclude<ReplyPart, CallPart>): JsonObject[] {
  if (part.type !== 'text' || part.text.trim() === '') return [];
  return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: part.text }] }];
}

function callItem(part: CallPart, id: string, own: boolean, { setup, target }: Order): JsonObject {
  const name = toolNames(setup.tools, toolRule).sent(part.name);
  const written = part.malformed === undefined ? json(part.arguments) : '{}';
  if (own && isObject(part.opaque)) {
    const item = returned(part.opaque);
    if (item['type'] !== 'function_call') return { ...item, call_id: id, name };
    const asGiven = part.malformed === undefined && parseObject(textOf(item['arguments'])) !== undefined;
    return { ...item, call_id: id, name, ...(asGiven ? {} : { arguments: written }) };
  }
  const text = takesText(target) ? setup.tools.find((tool) => tool.name === part.name)?.text : undefined;
  if (text === undefined) return { type: 'function_call', call_id: id, name, arguments: written };
  const input = part.arguments[text.argument];
  return { type: 'custom_tool_call', call_id: id, name, input: textOf(input) || (part.malformed ?? '') };
}

const renderedTools = new WeakMap<readonly CastTool[], Map<boolean, Buffer[]>>();
const renderedSystem = new WeakMap<readonly string[], Buffer>();
const joinedTools = new WeakMap<Buffer[], Buffer>();

function toolBlocks(tools: readonly CastTool[], withText: boolean): Buffer[] {
  const known = once(renderedTools, tools, () => new Map<boolean, Buffer[]>());
  const blocks = known.get(withText) ?? tools.map((tool) => Buffer.from(json(toolDefinition(tool, withText))));
  known.set(withText, blocks);
  return blocks;
}

function toolDefinition(tool: CastTool, withText: boolean): FunctionDefinition | CustomDefinition {
  const { name, description, input, spec } = tool;
  if (withText && spec.text !== undefined) {
    const { grammar } = spec.text;
    const format = grammar === undefined ? { type: 'text' as const } : { type: 'grammar' as const, ...grammar };
    return { type: 'custom', name, description: spec.text.description ?? description, format };
  }
  const schema = Object.fromEntries(Object.entries(input).filter(([key]) => !notAtTheTop.includes(key)));
  return { type: 'function', name, description, parameters: { ...schema, type: 'object' }, strict: false };
}

/** The layers of the prompt as one text; nothing where there is none. */
function instructionsOf(layers: readonly string[]): Buffer {
  return once(renderedSystem, layers, () => {
    const said = layers.filter((layer) => layer.trim() !== '');
    return Buffer.from(said.length === 0 ? '' : json(said.join('\n\n')));
  });
}

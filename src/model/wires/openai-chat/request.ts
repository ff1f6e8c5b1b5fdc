/**
 * OpenAI Chat Completions: a conversation as exact bytes. What stays the same from turn to turn comes first, so that a request is
 * the bytes of the one before and more, but for the few keys after the messages (and a cache mark, where a provider takes marks).
 */
import {
  isSameSource,
  sourceOf,
  type CallPart,
  type ImagePart,
  type JsonObject,
  type Message,
  type ResultPart,
  type ToolSpec,
} from '../../../core/index.ts';
import {
  addressCalls,
  BodyWriter,
  castTools,
  furtherKeys,
  imageData,
  imagesAtHand,
  joined,
  json,
  once,
  resultText,
  shortIds,
  toolNames,
  type Addressed,
  type AddressedReply,
  type AddressedUser,
  type ToolRule,
} from '../../sending/index.ts';
import { profileOf, returned, settingKeys, type ChatProfile } from '../../profiles/index.ts';
import { isObject, parseObject, textOf } from '../../reply.ts';
import type { ByteRange, Canonical, Encoded, LeftOut, Order } from '../../wire.ts';
import {
  bridge,
  contentOf,
  isText,
  joinedMessage,
  markedEnd,
  messageEnd,
  reservedKeys,
  textParts,
  withMark,
  type AssistantMessage,
  type ChatMessage,
  type SystemMessage,
  type ToolCall,
  type ToolDefinition,
  type ToolMessage,
  type UserMessage,
} from './schema.ts';

/** A message as it is sent, without a mark. */
interface Turn {
  message: ChatMessage;
  bytes: Buffer;
}

export function encode(order: Order): Encoded {
  const { setup, target, maxOutput } = order;
  const profile = profileOf(target);
  const { blocks: tools, leftOut } = toolBlocks(setup.tools, profile.tools);
  const hasMarks = takesMarks(order, profile);
  const system = systemMessage(setup.system, profile, hasMarks);
  const turns = turnsOf(order, profile);
  const body = new BodyWriter();
  body.write(`{"model":${json(target.model)}`);
  const toolRange = body.list('tools', tools);
  const systemBytes = system === undefined ? [] : [Buffer.from(json(hasMarks ? withMarks(system) : system))];
  const blocks = hasMarks ? markedLast(turns) : turns.map(({ bytes }) => bytes);
  const range = body.list('messages', [...systemBytes, ...blocks]);
  body.write(`,"${profile.limitKey}":${maxOutput},"stream":true${settingsOf(order, profile)}}`);
  return {
    body: body.bytes(),
    sections: { tools: toolRange, ...sectionsOf(range, systemBytes[0]?.length) },
    canonical: {
      tools: joined(tools),
      system: system === undefined ? Buffer.alloc(0) : Buffer.from(json(system)),
      blocks: turns.map(({ message, bytes }) => ({ role: message.role, bytes })),
    },
    leftOut,
  };
}

/** The canonical sequence read back out of a body; undefined when the bytes aren't a body of this wire. */
export function canonical(body: Uint8Array): Canonical | undefined {
  const parsed = parseObject(Buffer.from(body.buffer, body.byteOffset, body.length).toString());
  if (parsed === undefined || !Array.isArray(parsed['messages'])) return undefined;
  const { messages, tools } = parsed;
  if (!messages.every(isObject)) return undefined;
  const [first] = messages;
  const hasSystem = first?.['role'] === 'system' || first?.['role'] === 'developer';
  const blocks = messages.map((message) => ({ role: textOf(message['role']), bytes: unmarked(message) }));
  return {
    tools: joined(Array.isArray(tools) ? tools.map((tool) => Buffer.from(JSON.stringify(tool))) : []),
    system: (hasSystem ? blocks[0]?.bytes : undefined) ?? Buffer.alloc(0),
    blocks: hasSystem ? blocks.slice(1) : blocks,
  };
}

function unmarked(message: JsonObject): Buffer {
  const { content } = message;
  if (!Array.isArray(content)) return Buffer.from(JSON.stringify(message));
  const plain = content.map((part) => {
    if (!isObject(part)) return part;
    const { cache_control: _, ...rest } = part;
    return rest;
  });
  return Buffer.from(JSON.stringify({ ...message, content: plain }));
}

/** The system prompt is the first message: its bytes by themselves, and those of all others. */
function sectionsOf(
  { start, end }: ByteRange,
  length: number | undefined,
): Pick<Encoded['sections'], 'system' | 'messages'> {
  if (length === undefined) return { system: { start, end: start }, messages: { start, end } };
  const system = { start: start + 1, end: start + 1 + length };
  return { system, messages: { start: system.end, end } };
}

function takesMarks({ target }: Pick<Order, 'target'>, { marked }: ChatProfile): boolean {
  return marked?.test(target.model) ?? false;
}

function systemMessage(
  layers: readonly string[],
  { systemRole }: ChatProfile,
  asParts: boolean,
): SystemMessage | undefined {
  const texts = layers.flatMap(textParts);
  return texts.length === 0 ? undefined : { role: systemRole, content: contentOf(texts, asParts) };
}

/** Marks at the end of the static prompt and of the standing context. */
function withMarks(system: SystemMessage): SystemMessage {
  const { role, content } = system;
  if (typeof content === 'string') return system;
  const last = content.length - 1;
  return { role, content: content.map((part, index) => (index === 0 || index === last ? withMark(part) : part)) };
}

/** A mark at the end of the last message that isn't a reply. */
function markedLast(turns: readonly Turn[]): Buffer[] {
  const last = turns.findLastIndex(({ message }) => message.role !== 'assistant');
  return turns.map(({ bytes }, index) => {
    return index === last ? Buffer.concat([bytes.subarray(0, -messageEnd.length), markedEnd]) : bytes;
  });
}

/** Messages in the order that every template takes: dropping what another model may not see must not put two of one role in a row. */
function turnsOf(order: Order, profile: ChatProfile): Turn[] {
  const { callIds } = profile;
  const addressed = addressCalls(order.messages, callIds);
  const conversation = callIds.exactly === undefined ? addressed : shortIds(addressed, callIds.exactly);
  const turns: Turn[] = [];
  for (const turn of conversation.flatMap((each) => renderOnce(each, order, profile))) {
    const last = turns.at(-1)?.message;
    const joint = last === undefined ? undefined : joinedMessage(last, turn.message);
    if (profile.bridge && last?.role === 'tool' && isSaid(turn.message)) turns.push(turnOf(bridge));
    if (joint === undefined) turns.push(turn);
    else turns[turns.length - 1] = turnOf(joint);
  }
  return turns;
}

function isSaid({ role }: ChatMessage): boolean {
  return role !== 'tool' && role !== 'assistant';
}

function turnOf(message: ChatMessage): Turn {
  return { message, bytes: Buffer.from(json(message)) };
}

/** A long history isn't encoded anew in every turn: messages that didn't change are the same objects. */
const renderedMessages = new WeakMap<Message, { key: string; tools: readonly ToolSpec[]; turns: Turn[] }>();

function renderOnce(addressed: Addressed, order: Order, profile: ChatProfile): Turn[] {
  const { tools } = order.setup;
  const { provider, model, profile: name, abilities } = order.target;
  const { images, systemMessages } = abilities;
  const at = imagesAtHand(addressed.message, order);
  const key = [provider, model, name, images, systemMessages, at, ...addressed.ids].join('\n');
  const known = renderedMessages.get(addressed.message);
  if (known?.key === key && known.tools === tools) return known.turns;
  const messages =
    'results' in addressed ? userMessages(addressed, order, profile) : replies(addressed, order, profile);
  const turns = messages.map(turnOf);
  renderedMessages.set(addressed.message, { key, tools, turns });
  return turns;
}

/** Results, then their images, then what was said. */
function userMessages({ message, ids, results }: AddressedUser, order: Order, profile: ChatProfile): ChatMessage[] {
  const asParts = takesMarks(order, profile);
  const tools = results.map((part, index) => resultMessage(part, ids[index] ?? part.id, order, profile));
  const said: Voiced[] = results.flatMap((part) => imagesOf(part, order, profile));
  for (const part of message.parts) {
    if (part.type === 'image') said.push({ part: imagePart(part, order, profile), isHarness: false });
    if (part.type !== 'text') continue;
    const isHarness = part.voice === 'harness' && order.target.abilities.systemMessages;
    said.push(...textParts(part.text).map((text) => ({ part: text, isHarness })));
  }
  return [...tools, ...spoken(said, profile, asParts)];
}

interface Voiced {
  part: UserPart;
  isHarness: boolean;
}

type UserPart = Exclude<UserMessage['content'], string>[number];

/** Each run of one voice is a message. */
function spoken(said: readonly Voiced[], { systemRole }: ChatProfile, asParts: boolean): ChatMessage[] {
  const runs: { isHarness: boolean; parts: UserPart[] }[] = [];
  for (const { part, isHarness } of said) {
    const last = runs.at(-1);
    if (last?.isHarness === isHarness) last.parts.push(part);
    else runs.push({ isHarness, parts: [part] });
  }
  return runs.map(({ isHarness, parts }) => {
    if (!isHarness) return { role: 'user', content: contentOf(parts, asParts) };
    return { role: systemRole, content: contentOf(parts.filter(isText), asParts) };
  });
}

/** Images have no place in a result: they follow. */
function resultMessage(part: ResultPart, id: string, order: Order, profile: ChatProfile): ToolMessage {
  const images = (part.images ?? []).map((image) => imagePart(image, order, profile));
  const texts = [...textParts(part.text), ...images.filter(isText)].map(({ text }) => text);
  if (texts.length === 0 && images.length > 0) texts.push('(shown below)');
  const text = resultText({ text: texts.join('\n'), error: part.error });
  return { role: 'tool', tool_call_id: id, content: contentOf(textParts(text), takesMarks(order, profile)) };
}

function imagesOf({ name, images = [] }: ResultPart, order: Order, profile: ChatProfile): Voiced[] {
  const shown = images.map((image) => imagePart(image, order, profile)).filter((part) => !isText(part));
  if (shown.length === 0) return [];
  const sent = toolNames(order.setup.tools, profile.tools).sent(name);
  const parts: UserPart[] = [...textParts(`From the result of ${sent}:`), ...shown];
  return parts.map((part) => ({ part, isHarness: false }));
}

function imagePart(image: ImagePart, order: Order, { images }: ChatProfile): UserPart {
  const found = imageData(image, order, images);
  if ('note' in found) return { type: 'text', text: found.note };
  return { type: 'image_url', image_url: { url: `data:${image.mediaType};base64,${found.data}` } };
}

function replies({ message, ids }: AddressedReply, order: Order, profile: ChatProfile): AssistantMessage[] {
  const own = isSameSource(message.source, sourceOf(order.target));
  const names = toolNames(order.setup.tools, profile.tools);
  const sent = ids.values();
  const calls = message.parts.flatMap((part) => {
    return part.type === 'call' ? callOf(part, sent.next().value ?? part.id, names.sent(part.name), own) : [];
  });
  const { content, fields } = returned(message.parts, own, profile.reasoning);
  if (content === null && calls.length === 0) return [];
  const said = { role: 'assistant' as const, content: content ?? profile.silence, ...fields };
  return [calls.length === 0 ? said : { ...said, tool_calls: calls }];
}

function callOf(part: CallPart, id: string, name: string, own: boolean): ToolCall {
  const given = part.malformed === undefined ? part.arguments : {};
  const more = own && isObject(part.opaque) ? part.opaque : {};
  return { id, type: 'function', function: { name, arguments: json(given) }, ...more };
}

interface ToolBlocks {
  blocks: Buffer[];
  leftOut: LeftOut[];
}

const renderedTools = new WeakMap<ToolRule, WeakMap<readonly ToolSpec[], ToolBlocks>>();

function toolBlocks(tools: readonly ToolSpec[], rule: ToolRule): ToolBlocks {
  const known = once(renderedTools, rule, () => new WeakMap<readonly ToolSpec[], ToolBlocks>());
  return once(known, tools, () => {
    const cast = castTools(tools, rule);
    const blocks = cast.tools.map(({ name, description, input }) => {
      const definition: ToolDefinition = { type: 'function', function: { name, description, parameters: input } };
      return Buffer.from(json(definition));
    });
    return { blocks, leftOut: cast.leftOut };
  });
}

/** The settings as further keys of the body; null in `settings.body` leaves out what the wire would send. */
function settingsOf({ target, maxOutput, cacheKey }: Order, profile: ChatProfile): string {
  const keys = {
    ...(profile.usageOption === 'send' ? { stream_options: { include_usage: true } } : {}),
    ...(profile.cacheKey ? { prompt_cache_key: cacheKey } : {}),
    ...target.settings.body,
    ...settingKeys(target, profile, maxOutput),
  };
  return furtherKeys(keys, reservedKeys);
}

/**
 * Gemini generateContent: a conversation as exact bytes. What stays the same from turn to turn comes first, so that a request is the
 * bytes of the one before and more, but for the few keys after the contents. The model is named in the path.
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
import type { Canonical, CanonicalBlock, Encoded, Order } from '../../wire.ts';
import {
  callIdRule,
  imageRule,
  noSignature,
  onlyImages,
  openapiSchema,
  settingsOf,
  speaksOpenapi,
  toolRuleOf,
  wantsSignatures,
  type FunctionDeclaration,
  type FunctionResponse,
  type Part,
  type RequestBody,
} from './schema.ts';

type Role = RequestBody['contents'][number]['role'];

interface Turn {
  role: Role;
  blocks: CanonicalBlock[];
  bytes: Buffer;
}

/** How a call is sent, for its response to say the same. */
type Address = Pick<FunctionResponse, 'id' | 'name'>;

interface Rendered {
  turn: Turn;
  /** Of the calls of a reply, in their order. */
  calls: Address[];
}

export function encode(order: Order): Encoded {
  const { setup, target, messages } = order;
  const cast = castTools(setup.tools, toolRuleOf(target));
  const declarations = declarationBlocks(cast.tools, speaksOpenapi(target));
  const system = systemBlocks(setup.system);
  const turns = turnsOf(messages, order);
  const body = new BodyWriter();
  const sections = {
    system: body.value('systemInstruction', wrapped('{"parts":[', system, ']}')),
    tools: body.value('tools', wrapped('[{"functionDeclarations":[', declarations, ']}]')),
    messages: body.value('contents', listOf(turns)),
  };
  body.write(`${settingsOf(order)}}`);
  const bytes = body.bytes();
  // Each key was written with a comma before it; before the first there is the brace.
  bytes.write('{');
  const canonical = {
    tools: once(joinedBlocks, declarations, () => joined(declarations)),
    system: once(joinedBlocks, system, () => joined(system)),
    blocks: turns.flatMap((turn) => turn.blocks),
  };
  return { body: bytes, sections, canonical, leftOut: cast.leftOut };
}

/** The canonical sequence read back out of a body; undefined when the bytes aren't a body of this wire. */
export function canonical(body: Uint8Array): Canonical | undefined {
  const parsed = parseObject(Buffer.from(body.buffer, body.byteOffset, body.length).toString());
  if (parsed === undefined || !Array.isArray(parsed['contents'])) return undefined;
  const blocks: CanonicalBlock[] = [];
  for (const content of parsed['contents']) {
    if (!isObject(content) || !Array.isArray(content['parts'])) return undefined;
    const role = textOf(content['role']);
    for (const part of content['parts']) blocks.push({ role, bytes: Buffer.from(JSON.stringify(part)) });
  }
  const [tool] = Array.isArray(parsed['tools']) ? parsed['tools'] : [];
  return {
    tools: joined(bytesIn(tool, 'functionDeclarations')),
    system: joined(bytesIn(parsed['systemInstruction'], 'parts')),
    blocks,
  };
}

function bytesIn(holder: Json | undefined, key: string): Buffer[] {
  const list = isObject(holder) ? holder[key] : undefined;
  return Array.isArray(list) ? list.map((entry) => Buffer.from(JSON.stringify(entry))) : [];
}

function listOf(turns: readonly Turn[]): Buffer {
  return Buffer.concat([Buffer.from('['), ...separated(turns.map(({ bytes }) => bytes)), Buffer.from(']')]);
}

/** Blocks between what opens and closes them; nothing for no blocks. */
function wrapped(open: string, blocks: readonly Buffer[], close: string): Buffer {
  if (blocks.length === 0) return Buffer.alloc(0);
  return Buffer.concat([Buffer.from(open), ...separated(blocks), Buffer.from(close)]);
}

/** Messages with parts, neighbours of one role merged: dropping what another model may not see must not break the alternation. */
function turnsOf(messages: readonly Message[], order: Order): Turn[] {
  const turns: Turn[] = [];
  const calls = new Map<string, Address>();
  for (const addressed of addressCalls(messages, callIdRule)) {
    const { turn, calls: made } = renderOnce(addressed, order, calls);
    for (const [place, address] of made.entries()) calls.set(addressed.ids[place] ?? '', address);
    const last = turns.at(-1);
    if (turn.blocks.length === 0) continue;
    if (last?.role === turn.role) turns[turns.length - 1] = turnOf(turn.role, [...last.blocks, ...turn.blocks]);
    else turns.push(turn);
  }
  return turns;
}

function turnOf(role: Role, blocks: CanonicalBlock[]): Turn {
  const list = separated(blocks.map(({ bytes }) => bytes));
  return { role, blocks, bytes: Buffer.concat([Buffer.from(`{"role":"${role}","parts":[`), ...list, turnEnd]) };
}

const turnEnd = Buffer.from(']}');

/** A long history isn't encoded anew in every turn: messages that didn't change are the same objects. */
const renderedMessages = new WeakMap<Message, { key: string; tools: readonly ToolSpec[]; rendered: Rendered }>();

function renderOnce(addressed: Addressed, order: Order, calls: ReadonlyMap<string, Address>): Rendered {
  const { message, ids } = addressed;
  const { tools } = order.setup;
  const { provider, wire, model, profile, abilities } = order.target;
  const addresses = 'results' in addressed ? ids.map((id) => calls.get(id) ?? { name: '' }) : [];
  const key = JSON.stringify([
    [provider, wire, model, profile, abilities.images, imagesAtHand(message, order)],
    addresses.map(({ id, name }) => [id, name]),
    ids,
  ]);
  const known = renderedMessages.get(message);
  if (known?.key === key && known.tools === tools) return known.rendered;
  const { role, parts, made } =
    'results' in addressed
      ? { role: 'user' as const, parts: userParts(addressed, addresses, order), made: [] }
      : modelParts(addressed, order);
  const blocks = parts.map((part) => ({ role, bytes: Buffer.from(json(part)) }));
  const rendered = { turn: turnOf(role, blocks), calls: made };
  renderedMessages.set(message, { key, tools, rendered });
  return rendered;
}

/** All responses stand together, in the order of the calls; what they show follows. */
function userParts({ message, results }: AddressedUser, addresses: readonly Address[], order: Order): Part[] {
  const answers = results.map((result, index) => answerOf(result, addresses[index] ?? { name: result.name }, order));
  const said = message.parts.flatMap((part): Part[] => {
    if (part.type === 'result') return [];
    return part.type === 'image' ? [imagePart(part, order)] : textPart(part.text);
  });
  return [...answers.map(({ part }) => part), ...answers.flatMap(({ images }) => images), ...said];
}

function answerOf(result: ResultPart, address: Address, order: Order): { part: Part; images: Part[] } {
  const shown = (result.images ?? []).map((image) => imagePart(image, order));
  const notes = shown.flatMap(({ text }) => text ?? []);
  const images = shown.filter(({ inlineData }) => inlineData !== undefined);
  const text = [result.text, ...notes].filter((line) => line.trim() !== '').join('\n');
  const silent = result.error ? '(failed without output)' : images.length > 0 ? onlyImages : '(no output)';
  const said = text === '' ? silent : text;
  const { id, name } = address;
  const response = result.error ? { error: said } : { output: said };
  return { part: { functionResponse: { ...(id === undefined ? {} : { id }), name, response } }, images };
}

/** An image, or the note that stands in for it. */
function imagePart(image: ImagePart, order: Order): Part {
  const found = imageData(image, order, imageRule);
  return 'note' in found ? { text: found.note } : { inlineData: { mimeType: image.mediaType, data: found.data } };
}

function textPart(text: string): Part[] {
  return text.trim() === '' ? [] : [{ text }];
}

function modelParts(
  { message }: AddressedReply,
  { setup, target }: Order,
): { role: Role; parts: object[]; made: Address[] } {
  const own = isSameSource(message.source, sourceOf(target));
  const names = toolNames(setup.tools, toolRuleOf(target));
  const made: Address[] = [];
  const parts = message.parts.flatMap((part): object[] => {
    if (part.type !== 'call') return own ? ownParts(part) : foreignPart(part);
    const { id, name, sent } = callPart(part, own, names);
    made.push({ ...(id === undefined ? {} : { id }), name });
    const isUnsigned = made.length === 1 && sent['thoughtSignature'] === undefined && wantsSignatures(target.model);
    return [isUnsigned ? { ...sent, thoughtSignature: noSignature } : sent];
  });
  return { role: 'model', parts, made };
}

/** What the provider gave goes back to the same model part by part as it was; thinking without a signature goes nowhere. */
function ownParts(part: Exclude<ReplyPart, CallPart>): object[] {
  if (part.opaque === undefined) return foreignPart(part);
  const given = Array.isArray(part.opaque) ? part.opaque : [part.opaque];
  return given.filter((entry) => isObject(entry)).flatMap(withData);
}

/** A part must hold something. A signature that came without anything to sign stands on an empty text; what holds neither isn’t sent. */
function withData(part: JsonObject): JsonObject[] {
  const { text, thought, thoughtSignature } = part;
  const isData = ([key, value]: [string, Json]) => key !== 'text' && isObject(value);
  const hasData = typeof text === 'string' ? text !== '' : text === undefined && Object.entries(part).some(isData);
  if (hasData) return [part];
  const signature = textOf(thoughtSignature);
  if (signature === '') return [];
  if (typeof text === 'string') return [part];
  return [{ text: '', ...(thought === true ? { thought } : {}), thoughtSignature: signature }];
}

function foreignPart(part: Exclude<ReplyPart, CallPart>): Part[] {
  return part.type === 'text' ? textPart(part.text) : [];
}

function callPart(part: CallPart, own: boolean, names: ToolNames): Address & { sent: JsonObject } {
  const args = part.malformed === undefined ? part.arguments : {};
  const given = own && isObject(part.opaque) ? part.opaque : {};
  const { functionCall } = given;
  const call = isObject(functionCall) ? functionCall : {};
  const name = textOf(call['name']) || names.sent(part.name);
  const id = textOf(call['id']);
  const isAsGiven = part.malformed === undefined && isObject(functionCall) && functionCall['name'] === name;
  const sent = isAsGiven ? given : { ...given, functionCall: { ...call, name, args } };
  return { ...(id === '' ? {} : { id }), name, sent };
}

const renderedTools = new WeakMap<readonly CastTool[], Buffer[]>();
const renderedSystem = new WeakMap<readonly string[], Buffer[]>();
const joinedBlocks = new WeakMap<Buffer[], Buffer>();

function declarationBlocks(tools: readonly CastTool[], openapi: boolean): Buffer[] {
  return once(renderedTools, tools, () => tools.map((tool) => Buffer.from(json(declarationOf(tool, openapi)))));
}

/** In the older dialect a tool without parameters says nothing of them. */
function declarationOf({ name, description, input }: CastTool, openapi: boolean): FunctionDeclaration {
  if (!openapi) return { name, description, parametersJsonSchema: input };
  const parameters = openapiSchema(input);
  return { name, description, ...(parameters['properties'] === undefined ? {} : { parameters }) };
}

function systemBlocks(layers: readonly string[]): Buffer[] {
  return once(renderedSystem, layers, () => layers.flatMap(textPart).map((part) => Buffer.from(json(part))));
}

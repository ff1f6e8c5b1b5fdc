/** Reads requests of generateContent: in neutral words, and as the sequence that a cache sees. */
import type { Json, JsonObject } from '../../../core/index.ts';
import { estimateTokens, type AskedMessage, type AskedResult, type Question } from '../../script/index.ts';
import type { CanonicalPart } from '../dialect.ts';
import { addressOf } from './address.ts';
import {
  asList,
  asText,
  declarationsIn,
  heldIn,
  isObject,
  partsOf,
  rawContents,
  requestOf,
  textsIn,
  type RawContent,
} from './shape.ts';

type AskedCall = AskedMessage['calls'][number];

export function readQuestion(body: JsonObject, path: string): Question {
  const request = requestOf(body);
  const address = addressOf(path);
  const { generationConfig: config } = request;
  const most = isObject(config) ? config['maxOutputTokens'] : undefined;
  return {
    model: address?.model ?? '',
    stream: address?.method === 'streamGenerateContent',
    maxOutput: typeof most === 'number' ? most : 0,
    system: textsIn(partsOf(request['systemInstruction'])).join('\n'),
    tools: declarationsIn(request).map((declaration) => asText(declaration['name'])),
    messages: readMessages(rawContents(request)),
  };
}

/** Messages with neighbours of one role joined; what has another role is none. */
function readMessages(contents: RawContent[]): AskedMessage[] {
  const messages: AskedMessage[] = [];
  let open: AskedCall[] = [];
  for (const content of contents) {
    if (content.role !== 'user' && content.role !== 'model') continue;
    const role = content.role === 'model' ? 'assistant' : 'user';
    const last = messages.at(-1);
    const message = last?.role === role ? last : emptyMessage(role);
    if (message !== last) {
      messages.push(message);
      if (role === 'assistant') open = [];
    }
    addContent(message, content, open);
  }
  return messages;
}

const emptyMessage = (role: AskedMessage['role']): AskedMessage => ({
  role,
  text: '',
  results: [],
  calls: [],
  images: 0,
  blocks: 0,
});

/** `open` are the calls of the latest reply that no result has been seen of; it is kept up to date. */
function addContent(message: AskedMessage, { index, parts }: RawContent, open: AskedCall[]): void {
  const calls = heldIn(parts, 'functionCall').map(({ id, name }, place) => ({
    // Calls usually have no ids here: their place tells them apart.
    id: asText(id) || `content ${index} call ${place}`,
    name: asText(name),
  }));
  message.calls.push(...calls);
  open.push(...calls);
  const responses = heldIn(parts, 'functionResponse');
  message.results.push(...responses.map((response) => readResult(response, open)));
  // A streamed reply comes back in the pieces it came in, texts of the user are each a text of their own.
  const pieces = textsIn(parts);
  if (message.role === 'assistant') message.text += pieces.join('');
  else message.text = [message.text, ...pieces].filter((text) => text !== '').join('\n');
  const inner = responses.flatMap((response) => asList(response['parts']));
  message.images += [...heldIn(parts, 'inlineData'), ...heldIn(inner, 'inlineData')].filter(isImage).length;
  message.blocks += parts.length;
}

const isImage = (data: JsonObject): boolean => asText(data['mimeType']).startsWith('image/');

/** By its id where it has one, else it answers the first open call of its name. */
function readResult({ id, name, response }: JsonObject, open: AskedCall[]): AskedResult {
  const place = open.findIndex((call) => (typeof id === 'string' && id !== '' ? call.id === id : call.name === name));
  const [call] = place < 0 ? [] : open.splice(place, 1);
  const content = isObject(response) ? response : {};
  const failed = content['error'] !== undefined && content['error'] !== null;
  return {
    id: asText(id) || (call?.id ?? ''),
    ...(typeof name === 'string' ? { name } : {}),
    text: resultText(failed ? content['error'] : content['output'], content),
    error: failed,
  };
}

function resultText(said: Json | undefined, content: JsonObject): string {
  if (typeof said === 'string') return said;
  try {
    return JSON.stringify(said ?? content);
  } catch {
    return ''; // nested deeper than can be written: there is nothing to look for in it
  }
}

/** Tools, system and messages as a cache compares them: declaration by declaration and part by part. */
export function canonicalParts(body: JsonObject): CanonicalPart[] {
  const request = requestOf(body);
  return [
    ...asList(request['tools']).flatMap(toolParts),
    ...partsOf(request['systemInstruction']).map((value) => part('system', '', value)),
    ...rawContents(request).flatMap(({ role, parts }) => parts.map((value) => part('messages', asText(role), value))),
  ];
}

function toolParts(tool: Json): CanonicalPart[] {
  if (!isObject(tool)) return [part('tools', '', tool)];
  const { functionDeclarations: declarations, ...others } = tool;
  const own = asList(declarations).map((declaration) => part('tools', '', declaration));
  return Object.keys(others).length === 0 ? own : [...own, part('tools', '', others)];
}

function part(of: CanonicalPart['of'], role: string, value: Json): CanonicalPart {
  const text = role + JSON.stringify(value);
  return { of, text, tokens: countTokens(value, text) };
}

/** What an image costs at the default resolution of the current models; its bytes say nothing about it. */
const imageTokens = 1120;

function countTokens(value: Json, text: string): number {
  const images = inlineSizes(value);
  const size = images.reduce((total, bytes) => total + bytes, 0);
  return estimateTokens(text.length - size) + images.length * imageTokens;
}

/** The sizes of all data that a part holds in base64. */
function inlineSizes(value: Json): number[] {
  if (Array.isArray(value)) return value.flatMap(inlineSizes);
  if (!isObject(value)) return [];
  const { mimeType, data } = value;
  if (typeof mimeType === 'string' && typeof data === 'string') return [data.length];
  return Object.values(value).flatMap(inlineSizes);
}

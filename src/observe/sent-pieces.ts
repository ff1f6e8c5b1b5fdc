/**
 * The parts of a request as they are sent, taken apart by what they are: a text, a call, a result, an image. It knows the shapes of
 * all wires by their words and trusts none: requests of any program come through here, and what isn't known is `other`.
 */
import type { Json, JsonObject } from '../core/index.ts';

/** One tool, one block of the system prompt, or one block of the conversation. */
export interface SentPart {
  of: 'tools' | 'system' | 'messages';
  /** Of a message, in the wire's own word. */
  role: string;
  /** The part as JSON. */
  text: string;
}

export type PieceKind =
  | 'tools'
  | 'system'
  | 'user'
  | 'system-messages'
  | 'assistant'
  | 'thinking'
  | 'calls'
  | 'results'
  | 'images'
  | 'other';

export interface Piece {
  kind: PieceKind;
  /** What it is in a few words; from outside, not printable as it is. */
  name: string;
  /** Bytes of its JSON. */
  bytes: number;
  /** 1; 0 for what only stands around another piece. */
  count: 0 | 1;
}

const longestName = 120;
const deepest = 12;
const imageKeys = ['url', 'image_url', 'file_data'];
const callTypes = /(^|_)(tool_use|call)$/;
const resultTypes = /(_result|_output)$/;
const thinkingTypes = /(^|_)thinking$|^reasoning/;
const fileTypes = /(^|_)(image|image_url|file|document)$/;
/** Arguments that say what a call is about, the most telling first. */
const telling = ['command', 'cmd', 'path', 'file_path', 'file', 'pattern', 'query', 'url', 'name'];

/** Reads the parts of one request in their order: a result is named after its call. */
export class PieceReader {
  readonly #calls = new Map<string, string>();
  /** Calls without an id, whose results are told by their order. */
  #open: { name: string; label: string }[] = [];
  #answering = 'result';

  /** The pieces of a part: their bytes are its bytes. */
  read({ of, role, text }: SentPart): Piece[] {
    const bytes = Buffer.byteLength(text);
    const value = parsed(text);
    if (of === 'tools') return [{ kind: 'tools', name: toolName(value), bytes, count: 1 }];
    if (of === 'system') return [{ kind: 'system', name: excerpt(textOf(value)), bytes, count: 1 }];
    const inner = isObject(value) ? [...this.#callsIn(value), ...thoughtsIn(value), ...filesIn(value)] : [];
    const rest = bytes - inner.reduce((sum, piece) => sum + piece.bytes, 0);
    const around = this.#around(value, roleIn(value, role), inner);
    // A part that isn't written as JSON is mostly written can hold more than itself by this count: then it is told as a whole.
    return rest < 0 ? [{ ...around, bytes, count: 1 }] : [...inner, { ...around, bytes: rest }];
  }

  /** The calls that a message carries beside its text. */
  #callsIn(value: JsonObject): Piece[] {
    return objectsIn(value['tool_calls']).map((call) => {
      return { kind: 'calls', name: this.#called(call), bytes: sizeOf(call), count: 1 };
    });
  }

  /** What remains of a part without the pieces that are in it. */
  #around(value: Json | undefined, role: string, inner: Piece[]): Omit<Piece, 'bytes'> {
    const kind = kindOf(value, role);
    const holds = (wanted: PieceKind): boolean => inner.some((piece) => piece.kind === wanted);
    if (isObject(value) && kind === 'calls') return { kind, name: this.#called(value), count: 1 };
    if (isObject(value) && kind === 'results')
      return { kind, name: this.#answered(value), count: isAddress(value) ? 0 : 1 };
    if (kind === 'images') return { kind, name: 'image', count: holds('images') ? 0 : 1 };
    const said = textOf(value);
    const isFrame = said === '' && inner.length > 0;
    if (!isFrame) return { kind, name: said === '' ? kind : excerpt(said), count: 1 };
    return { kind: inner[0]?.kind ?? kind, name: kind, count: 0 };
  }

  #called(value: JsonObject): string {
    const call = objectAt(value, 'functionCall') ?? objectAt(value, 'function') ?? value;
    const name = wordAt(call, 'name') ?? wordAt(value, 'type') ?? 'call';
    const label = excerpt(`${name} ${targetOf(call['args'] ?? call['input'] ?? call['arguments'] ?? call['action'])}`);
    const id = wordAt(value, 'call_id') ?? wordAt(call, 'id') ?? wordAt(value, 'id');
    if (id === undefined) this.#open.push({ name, label });
    else this.#calls.set(id, label);
    return label;
  }

  /** A result may come in several parts, of which only the first says whose it is. */
  #answered(value: JsonObject): string {
    const result = objectAt(value, 'functionResponse') ?? value;
    const id = ['tool_use_id', 'call_id', 'tool_call_id', 'id'].map((key) => wordAt(result, key)).find(isThere);
    const name = wordAt(result, 'name');
    if (id === undefined && name === undefined) return this.#answering;
    this.#answering = (id === undefined ? undefined : this.#calls.get(id)) ?? this.#next(name) ?? name ?? 'result';
    return this.#answering;
  }

  #next(name: string | undefined): string | undefined {
    const at = this.#open.findIndex((call) => call.name === name);
    return at < 0 ? undefined : this.#open.splice(at, 1)[0]?.label;
  }
}

/** Only whose result comes next. */
function isAddress(value: JsonObject): boolean {
  return 'tool_call_id' in value && !('content' in value);
}

function kindOf(value: Json | undefined, role: string): PieceKind {
  if (!isObject(value)) return value === undefined ? 'other' : kindOfRole(role);
  const type = wordAt(value, 'type') ?? '';
  if (value['thought'] === true || thinkingTypes.test(type)) return 'thinking';
  if (callTypes.test(type) || isObject(value['functionCall'])) return 'calls';
  if (resultTypes.test(type) || isObject(value['functionResponse'])) return 'results';
  const holdsFile = isObject(value['inlineData']) || isObject(value['fileData']);
  return fileTypes.test(type) || holdsFile ? 'images' : kindOfRole(role);
}

function kindOfRole(role: string): PieceKind {
  if (role === 'assistant' || role === 'model') return 'assistant';
  if (role === 'tool' || role === 'function') return 'results';
  if (role === 'system' || role === 'developer') return 'system-messages';
  return role === 'user' ? 'user' : 'other';
}

/** Reasoning that a message carries beside its text. */
function thoughtsIn(value: JsonObject): Piece[] {
  return ['reasoning_content', 'reasoning', 'reasoning_details'].flatMap((key): Piece[] => {
    const thought = value[key];
    if (thought === undefined || thought === null || thought === '') return [];
    return [{ kind: 'thinking', name: 'thinking', bytes: sizeOf(thought), count: 1 }];
  });
}

/** Images and other files whose bytes are in a part. */
function filesIn(value: Json, depth = 0): Piece[] {
  if (depth > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((each) => filesIn(each, depth + 1));
  if (!isObject(value)) return [];
  const { data } = value;
  const type = ['media_type', 'mimeType', 'mime_type'].map((key) => wordAt(value, key)).find(isThere);
  if (typeof data === 'string' && type !== undefined) return [file(type, data)];
  return Object.entries(value).flatMap(([key, each]) => {
    if (typeof each !== 'string') return filesIn(each, depth + 1);
    const [, named] = (imageKeys.includes(key) ? /^data:([^,;]{0,100})[^,]{0,100};base64,/.exec(each) : null) ?? [];
    return named === undefined ? [] : [file(named, each)];
  });
}

function file(type: string, data: string): Piece {
  return { kind: 'images', name: excerpt(type), bytes: sizeOf(data), count: 1 };
}

function toolName(value: Json | undefined): string {
  if (!isObject(value)) return 'tool';
  const name = wordAt(objectAt(value, 'function') ?? value, 'name') ?? wordAt(value, 'type') ?? Object.keys(value)[0];
  return excerpt(name ?? 'tool');
}

/** What a part says, for its name. */
function textOf(value: Json | undefined, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > deepest) return '';
  if (Array.isArray(value)) return value.map((each) => textOf(each, depth + 1)).find((text) => text !== '') ?? '';
  if (!isObject(value)) return '';
  return textOf(value['text'] ?? value['content'] ?? value['thinking'], depth + 1);
}

/** Arguments as an object, or as the text of one. */
function targetOf(value: Json | undefined): string {
  const given = typeof value === 'string' ? (parsed(value) ?? value) : value;
  if (typeof given === 'string') return given.slice(0, longestName);
  if (!isObject(given)) return '';
  const said = telling.map((key) => given[key]).find((each) => typeof each === 'string' || Array.isArray(each));
  if (said === undefined) return '';
  return (typeof said === 'string' ? said : JSON.stringify(said)).slice(0, longestName);
}

function roleIn(value: Json | undefined, role: string): string {
  return (isObject(value) ? wordAt(value, 'role') : undefined) ?? role;
}

function excerpt(text: string): string {
  return text.slice(0, longestName).replaceAll(/\s+/g, ' ').trim().toWellFormed();
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // it is counted all the same
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function objectAt(value: JsonObject, key: string): JsonObject | undefined {
  const found = value[key];
  return isObject(found) ? found : undefined;
}

function wordAt(value: JsonObject, key: string): string | undefined {
  const found = value[key];
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

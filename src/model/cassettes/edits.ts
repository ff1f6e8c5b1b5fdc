/**
 * Replacing words in an answer that came in pieces, also where a piece, or an event of the stream, ends in the middle of one. The
 * pieces stay as many as they were, so that their times still fit.
 */
import type { Json, JsonObject } from '../../core/index.ts';
import { isObject, parseObject } from '../reply.ts';

/** A part of a text and what stands there instead; in order, not overlapping. */
export interface Edit {
  start: number;
  end: number;
  with: string;
}

export type Editor = (text: string) => Edit[];

export function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let place = 0;
  for (const { start, end, with: word } of edits) {
    result += text.slice(place, start) + word;
    place = end;
  }
  return result + text.slice(place);
}

/** Replaces in every string of a JSON text, keys among them; text that is no JSON object is replaced as it is. What has nothing to replace stays byte for byte. */
export function editedJson(text: string, editor: Editor): string {
  const value = parseObject(text);
  if (value === undefined) return edited(text, editor(text));
  const changed = mapStrings(value, { value: (inner) => edited(inner, editor(inner)), key: keyMap(editor) });
  return changed === value ? text : JSON.stringify(changed);
}

interface StringMaps {
  value: (text: string) => string;
  key: (text: string) => string;
}

/** Keys are few, and come again and again. */
function keyMap(editor: Editor): (key: string) => string {
  const known = new Map<string, string>();
  return (key) => {
    const mapped = known.get(key) ?? edited(key, editor(key));
    known.set(key, mapped);
    return mapped;
  };
}

function mapStrings(value: Json, maps: StringMaps): Json {
  if (typeof value === 'string') return maps.value(value);
  if (Array.isArray(value)) {
    const items = value.map((each) => mapStrings(each, maps));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  const before = Object.entries(value);
  const after = before.map(([key, part]) => [maps.key(key), mapStrings(part, maps)] as const);
  const isSame = after.every(([key, part], index) => key === before[index]?.[0] && part === before[index]?.[1]);
  return isSame ? value : Object.fromEntries<Json>(after);
}

/** Replaces in an answer: in the texts of a stream of events, as its reader puts them together, or in the one JSON text that it is. */
export function editedPieces(pieces: readonly Buffer[], isStream: boolean, editor: Editor): Buffer[] {
  const whole = Buffer.concat(pieces).toString('latin1');
  const changes = isStream ? streamEdits(whole, editor) : wholeEdits(whole, editor);
  if (changes.length === 0) return [...pieces];
  return cutAgain(pieces, changes);
}

const beyondAscii = /[\u0080-\u00ff]/;

/** One character a byte, so that places in the text are places in the bytes. */
function fromBytes(text: string): string {
  return beyondAscii.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}

function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function wholeEdits(whole: string, editor: Editor): Edit[] {
  const text = fromBytes(whole);
  const changed = editedJson(text, editor);
  return changed === text ? [] : [{ start: 0, end: whole.length, with: toBytes(changed) }];
}

/** A line of a stream that isn't blank: its payload is JSON, or it is text. */
interface Line {
  /** Place of the payload in the bytes. */
  start: number;
  end: number;
  value?: JsonObject;
}

/** A string in the JSON of a line. */
interface Leaf {
  line: Line;
  holder: { [key: string]: Json };
  key: string;
  text: string;
}

function streamEdits(whole: string, editor: Editor): Edit[] {
  const lines = linesOf(whole);
  const { byPlace, byWord, keys } = leavesOf(lines);
  const changed = new Set<Line>();
  for (const leaves of byPlace.values()) replaceIn(leaves, editor, changed);
  // Not every server says which block a piece belongs to, or says the same of it twice.
  for (const leaves of byWord.values()) replaceIn(leaves, editor, changed);
  const key = keyMap(editor);
  const maps: StringMaps = { value: (text) => text, key };
  const hasKeys = [...keys].some((each) => key(each) !== each);
  return lines.flatMap((line) => {
    const { start, end, value } = line;
    if (value !== undefined) {
      const renamed = hasKeys ? mapStrings(value, maps) : value;
      const isSame = renamed === value && !changed.has(line);
      return isSame ? [] : [{ start, end, with: toBytes(JSON.stringify(renamed)) }];
    }
    const text = fromBytes(whole.slice(start, end));
    const edits = editor(text);
    return edits.length === 0 ? [] : [{ start, end, with: toBytes(edited(text, edits)) }];
  });
}

function linesOf(whole: string): Line[] {
  return [...whole.matchAll(/[^\r\n]+/g)].map(({ 0: text, index }) => {
    const payload = /^(?:data:)?[ \t]*/.exec(text)?.[0].length ?? 0;
    const isJson = text.startsWith('{', payload);
    const value = isJson ? parseObject(fromBytes(text.slice(payload))) : undefined;
    return { start: index + payload, end: index + text.length, ...(value !== undefined && { value }) };
  });
}

/** The keys under which texts come in pieces, whatever block a piece is said to be of. */
const grown = new Set(
  'text delta content thinking reasoning reasoning_content refusal partial_json arguments input stringValue'.split(' '),
);

interface Leaves {
  /** Those that a reader of the stream joins: the same place in the same block. */
  byPlace: Map<string, Leaf[]>;
  /** Those that can be pieces of one text, as they come. */
  byWord: Map<string, Leaf[]>;
  /** All keys that there are. */
  keys: Set<string>;
}

function leavesOf(lines: readonly Line[]): Leaves {
  const found: Leaves = { byPlace: new Map(), byWord: new Map(), keys: new Set() };
  for (const line of lines) if (line.value !== undefined) collect(line.value, '', line, found);
  return found;
}

function collect(parent: JsonObject | Json[], place: string, line: Line, found: Leaves): void {
  const isList = Array.isArray(parent);
  const here = isList ? place : `${place}${blockOf(parent)}`;
  for (const [key, value] of Object.entries(parent)) {
    if (!isList) found.keys.add(key);
    if (typeof value === 'object' && value !== null) collect(value, `${here}/${key}`, line, found);
    if (typeof value !== 'string') continue;
    const leaf: Leaf = { line, holder: parent as { [key: string]: Json }, key, text: value };
    listAt(found.byPlace, `${here}/${key}`).push(leaf);
    if (grown.has(key)) listAt(found.byWord, key).push(leaf);
  }
}

function listAt<T>(lists: Map<string, T[]>, name: string): T[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}

const blockNames = ['index', 'output_index', 'content_index', 'item_id'];

/** Which block an event belongs to, in the words of the wires. */
function blockOf(event: JsonObject): string {
  const names = blockNames.filter((name) => event[name] !== undefined);
  return names.map((name) => `#${JSON.stringify(event[name])}`).join('');
}

/** What replaces a word stands where it begins; the rest of it goes from the events after. */
function replaceIn(leaves: readonly Leaf[], editor: Editor, changed: Set<Line>): void {
  const edits = editor(leaves.map(({ text }) => text).join(''));
  if (edits.length === 0) return;
  const next = parted(edits);
  for (const leaf of leaves) {
    const own = next(leaf.text.length);
    if (own.length === 0) continue;
    leaf.text = edited(leaf.text, own);
    Object.defineProperty(leaf.holder, leaf.key, { value: leaf.text, enumerable: true, writable: true });
    changed.add(leaf.line);
  }
}

/** Goes through a text part by part: the edits as far as they concern the next part, with places in it. */
function parted(edits: readonly Edit[]): (length: number) => Edit[] {
  let from = 0;
  let first = 0;
  return (length) => {
    const start = from;
    const to = start + length;
    from = to;
    while ((edits[first]?.end ?? Infinity) <= start) first += 1;
    const own: Edit[] = [];
    for (let at = first; (edits[at]?.start ?? Infinity) < to; at += 1) {
      const edit = edits[at];
      if (edit === undefined) break;
      const word = edit.start >= start ? edit.with : '';
      own.push({ start: Math.max(edit.start, start) - start, end: Math.min(edit.end, to) - start, with: word });
    }
    return own;
  };
}

function cutAgain(pieces: readonly Buffer[], edits: readonly Edit[]): Buffer[] {
  const next = parted(edits);
  return pieces.map((piece) => {
    const own = next(piece.length);
    return own.length === 0 ? piece : Buffer.from(edited(piece.toString('latin1'), own), 'latin1');
  });
}

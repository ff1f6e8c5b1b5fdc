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

/** Replaces in every string of a JSON text; text that is no JSON object is replaced as it is. What has nothing to replace stays byte for byte. */
export function editedJson(text: string, editor: Editor): string {
  const value = parseObject(text);
  if (value === undefined) return edited(text, editor(text));
  const changed = mapStrings(value, (inner) => edited(inner, editor(inner)));
  return changed === value ? text : JSON.stringify(changed);
}

function mapStrings(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) {
    const items = value.map((each) => mapStrings(each, map));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, mapStrings(part, map)] as const);
  return entries.every(([key, part]) => part === value[key]) ? value : Object.fromEntries<Json>(entries);
}

/** Replaces in an answer: in the texts of a stream of events, as its reader puts them together, or in the one JSON text that it is. */
export function editedPieces(pieces: readonly Buffer[], isStream: boolean, editor: Editor): Buffer[] {
  const whole = Buffer.concat(pieces).toString('latin1');
  const changes = isStream ? streamEdits(whole, editor) : wholeEdits(whole, editor);
  if (changes.length === 0) return [...pieces];
  return cutAgain(pieces, changes);
}

/** One character a byte, so that places in the text are places in the bytes. */
function fromBytes(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
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

/** A string in the JSON of a line, and how to put another in its place. */
interface Leaf {
  line: Line;
  text: string;
  set: (text: string) => void;
}

function streamEdits(whole: string, editor: Editor): Edit[] {
  const lines = linesOf(whole);
  const changed = new Set<Line>();
  for (const leaves of leavesOf(lines).values()) replaceIn(leaves, editor, changed);
  return lines.flatMap((line) => {
    const { start, end, value } = line;
    if (value !== undefined) return changed.has(line) ? [{ start, end, with: toBytes(JSON.stringify(value)) }] : [];
    const text = fromBytes(whole.slice(start, end));
    const edits = editor(text);
    return edits.length === 0 ? [] : [{ start, end, with: toBytes(edited(text, edits)) }];
  });
}

function linesOf(whole: string): Line[] {
  return [...whole.matchAll(/[^\r\n]+/g)].map(({ 0: text, index }) => {
    const payload = /^(?:data:)? ?/.exec(text)?.[0].length ?? 0;
    const start = index + payload;
    const value = parseObject(fromBytes(text.slice(payload)));
    return { start, end: index + text.length, ...(value !== undefined && { value }) };
  });
}

/** The strings of all events, those together that a reader of the stream would join: the same place in the same block. */
function leavesOf(lines: readonly Line[]): Map<string, Leaf[]> {
  const found = new Map<string, Leaf[]>();
  for (const line of lines) {
    if (line.value !== undefined) collect(line.value, '', line, found);
  }
  return found;
}

function collect(parent: JsonObject | Json[], place: string, line: Line, found: Map<string, Leaf[]>): void {
  const here = Array.isArray(parent) ? place : `${place}${blockOf(parent)}`;
  for (const [key, value] of Object.entries(parent)) {
    const inner = `${here}/${key}`;
    if (typeof value === 'object' && value !== null) collect(value, inner, line, found);
    if (typeof value !== 'string') continue;
    const leaves = found.get(inner) ?? [];
    const holder = parent as { [key: string]: Json };
    leaves.push({
      line,
      text: value,
      set: (text) => void Object.defineProperty(holder, key, { value: text, enumerable: true, writable: true }),
    });
    found.set(inner, leaves);
  }
}

/** Which block an event belongs to, in the words of the wires. */
function blockOf(event: JsonObject): string {
  const names = ['index', 'output_index', 'content_index', 'item_id'];
  return names.map((name) => (event[name] === undefined ? '' : `#${JSON.stringify(event[name])}`)).join('');
}

/** What replaces a word stands where it begins; the rest of it goes from the events after. */
function replaceIn(leaves: readonly Leaf[], editor: Editor, changed: Set<Line>): void {
  const edits = editor(leaves.map(({ text }) => text).join(''));
  if (edits.length === 0) return;
  let offset = 0;
  for (const { text, line, set } of leaves) {
    const own = within(edits, offset, offset + text.length);
    offset += text.length;
    if (own.length === 0) continue;
    set(edited(text, own));
    changed.add(line);
  }
}

/** The edits as far as they concern a part of the text, with places in it. */
function within(edits: readonly Edit[], from: number, to: number): Edit[] {
  return edits
    .filter(({ start, end }) => start < to && end > from)
    .map(({ start, end, with: word }) => {
      return { start: Math.max(start, from) - from, end: Math.min(end, to) - from, with: start >= from ? word : '' };
    });
}

function cutAgain(pieces: readonly Buffer[], edits: readonly Edit[]): Buffer[] {
  let offset = 0;
  return pieces.map((piece) => {
    const own = within(edits, offset, offset + piece.length);
    offset += piece.length;
    return own.length === 0 ? piece : Buffer.from(edited(piece.toString('latin1'), own), 'latin1');
  });
}

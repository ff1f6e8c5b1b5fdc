/** Where a request isn't the one that was recorded, in words that lead to the change that made it so. */
import type { Json, JsonObject } from '../../core/index.ts';
import { commonPrefix } from '../difference.ts';
import { isObject, parseObject, textOf } from '../reply.ts';

export interface Divergence {
  /** The first byte of the normalised body that differs, from 0. */
  at: number;
  /** What it belongs to. */
  of: string;
  /** Both sides from shortly before it, in JSON. */
  recorded: string;
  sent: string;
}

/** Bytes of an excerpt before and after the first difference. */
const excerptBefore = 40;
const excerptAfter = 100;

/** Compares two normalised bodies; undefined where they are the same. */
export function divergenceOf(recorded: string, sent: string): Divergence | undefined {
  if (recorded === sent) return undefined;
  const before = Buffer.from(recorded);
  const now = Buffer.from(sent);
  const at = commonPrefix(before, now);
  return { at, of: belongingOf(recorded, sent), recorded: excerpt(before, at), sent: excerpt(now, at) };
}

/** One sentence and both sides. */
export function divergenceText({ at, of, recorded, sent }: Divergence): string {
  return `from byte ${at} of its normalised body, in ${of}.\n  recorded: ${recorded}\n  sent now: ${sent}\n`;
}

function excerpt(body: Buffer, at: number): string {
  if (at >= body.length) return '(the body ends here)';
  const start = characterStart(body, Math.max(0, at - excerptBefore));
  const end = characterStart(body, Math.min(body.length, at + excerptAfter));
  const text = body.subarray(start, end).toString('utf8');
  return `${start > 0 ? '…' : ''}${text}${end < body.length ? '…' : ''}`;
}

/** The first byte of the character that a byte belongs to. */
function characterStart(body: Buffer, place: number): number {
  let start = place;
  while (start > 0 && ((body[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

type Path = (string | number)[];

function belongingOf(recorded: string, sent: string): string {
  const before = parseObject(recorded);
  const now = parseObject(sent);
  if (before === undefined || now === undefined) return 'the body';
  const path = firstDifference(before, now) ?? [];
  const [key, index] = path;
  if (typeof key !== 'string') return 'the body';
  if (key === 'tools' && typeof index === 'number') return toolAt(path, now, before);
  if (/^(?:system|instructions|system_?instruction)$/i.test(key)) return 'the system prompt';
  const isConversation = ['messages', 'input', 'contents'].includes(key);
  if (isConversation && typeof index === 'number') return messageAt(index, entryAt(now[key] ?? before[key], index));
  return key === 'tools' || isConversation ? `the ${key}` : `the setting ${key}`;
}

/** The path to the first value that differs, in the order in which JSON is written; undefined where nothing does. */
function firstDifference(before: Json | undefined, now: Json | undefined): Path | undefined {
  if (Array.isArray(before) && Array.isArray(now)) {
    return firstIn(
      Array.from({ length: Math.max(before.length, now.length) }, (_, index) => index),
      before,
      now,
    );
  }
  if (!isObject(before) || !isObject(now)) return before === now ? undefined : [];
  const keysBefore = Object.keys(before);
  const keysNow = Object.keys(now);
  const moved = keysNow.findIndex((key, place) => key !== keysBefore[place]);
  const same = moved < 0 ? keysNow : keysNow.slice(0, moved);
  const found = firstIn(same, before, now);
  if (found !== undefined) return found;
  const other = moved < 0 ? keysBefore[keysNow.length] : keysNow[moved];
  return other === undefined ? undefined : [other];
}

function firstIn(
  keys: readonly (string | number)[],
  before: JsonObject | Json[],
  now: JsonObject | Json[],
): Path | undefined {
  const at = (side: JsonObject | Json[], key: string | number): Json | undefined =>
    (side as { [key: string]: Json })[key];
  for (const key of keys) {
    const inner = firstDifference(at(before, key), at(now, key));
    if (inner !== undefined) return [key, ...inner];
  }
  return undefined;
}

/** The innermost named thing on the way to the difference: wires wrap their tools in many ways. */
function toolAt(path: Path, now: JsonObject, before: JsonObject): string {
  const name = namesOn(path, now).at(-1) ?? namesOn(path, before).at(-1);
  return name === undefined ? 'the tools' : `the tool ${name}`;
}

function namesOn(path: Path, body: JsonObject): string[] {
  const names: string[] = [];
  let value: Json | undefined = body;
  for (const key of path.slice(0, 4)) {
    value = (value as { [key: string]: Json } | undefined)?.[key];
    if (!isObject(value)) {
      if (value === undefined) break;
      continue;
    }
    const wrapped: Json | undefined = value['function'];
    const name = textOf(value['name']) || textOf(isObject(wrapped) ? wrapped['name'] : '');
    if (name !== '') names.push(name);
  }
  return names;
}

function entryAt(list: Json | undefined, index: number): JsonObject {
  const entry = Array.isArray(list) ? list[index] : undefined;
  return isObject(entry) ? entry : {};
}

function messageAt(index: number, { role, type }: JsonObject): string {
  if (role === 'system' || role === 'developer') return 'the system prompt';
  const what = textOf(role) || textOf(type);
  return `message ${index + 1}${what === '' ? '' : ` (${what})`}`;
}

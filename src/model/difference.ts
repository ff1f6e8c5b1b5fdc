/** A request as what it adds to the one before, and where it doesn't only add. */
import type { Json } from '../core/index.ts';
import type { Canonical, CanonicalBlock, Encoded } from './wire.ts';

/** Bytes that are compared at once; where two blocks differ they are searched byte by byte. */
const stride = 16_384;

/** Bytes that two bodies have in common from the start, not cutting through a character of UTF-8. */
export function commonPrefix(first: Uint8Array, second: Uint8Array): number {
  const a = asBuffer(first);
  const b = asBuffer(second);
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most) {
    const end = Math.min(most, same + stride);
    if (a.compare(b, same, end, same, end) !== 0) break;
    same = end;
  }
  while (same < most && a[same] === b[same]) same += 1;
  while (same > 0 && (isContinuation(a[same]) || isContinuation(b[same]))) same -= 1;
  return same;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** A byte inside a character, not at its start. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The first part of a canonical sequence that doesn't extend the earlier one. */
export interface Break {
  part: 'tools' | 'system' | 'messages';
  /** The first byte of the later body that differs. */
  at: number;
  /** What it belongs to, in words. */
  of: string;
  /** Bytes of the earlier sequence from there on. */
  lost: number;
}

/** Where a request breaks the sequence of the one before, of which `body` are the bytes; undefined where it extends it. */
export function breakOf(earlier: Canonical, body: Uint8Array, later: Encoded): Break | undefined {
  const { tools, system, blocks } = later.canonical;
  if (!isSame(earlier.tools, tools)) {
    const at = placeIn(later, 'tools', commonPrefix(earlier.tools, tools));
    return { part: 'tools', at, of: toolThatDiffers(earlier.tools, tools), lost: bytesFrom(earlier, 'tools', 0) };
  }
  if (!isSame(earlier.system, system)) {
    const same = commonPrefix(earlier.system, system);
    const at = placeIn(later, 'system', same);
    return { part: 'system', at, of: 'the system prompt', lost: bytesFrom(earlier, 'system', same) };
  }
  const index = earlier.blocks.findIndex((block, place) => !isSameBlock(block, blocks[place]));
  const block = earlier.blocks[index];
  if (block === undefined) return undefined;
  const of = `block ${index + 1} of the messages (${block.role})`;
  // Whatever the wire writes before its messages is as it was, so that the first difference of all is one of them.
  const at = Math.max(later.sections.messages.start, firstDifference(asBuffer(body), later.body));
  return { part: 'messages', at, of, lost: bytesFrom(earlier, 'messages', index) };
}

function isSameBlock(first: CanonicalBlock, second: CanonicalBlock | undefined): boolean {
  if (first === second) return true;
  return second !== undefined && first.role === second.role && isSame(first.bytes, second.bytes);
}

/** What didn't change is mostly the same object, so that most comparisons cost nothing. */
function isSame(first: Buffer, second: Buffer): boolean {
  return first === second || first.equals(second);
}

/** What a cache can't give any more: a change in the tools costs everything, one in the prompt what comes after it. */
function bytesFrom({ tools, system, blocks }: Canonical, part: Break['part'], from: number): number {
  const messages = blocks.slice(part === 'messages' ? from : 0).reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (part === 'messages') return messages;
  if (part === 'system') return messages + system.length - from;
  return messages + system.length + tools.length;
}

/** How a cache mark begins inside a block; it is no part of the canonical bytes. */
const mark = Buffer.from(',"cache_control":');

/** The place in the body of a byte of the canonical tools or system. */
function placeIn({ body, sections, canonical }: Encoded, part: 'tools' | 'system', same: number): number {
  const wanted = canonical[part];
  let place = body.indexOf(wanted.subarray(0, 8), sections[part].start);
  if (place < 0 || place >= sections[part].end) return sections[part].start;
  for (let seen = 0; seen < same && place < sections[part].end;) {
    if (body[place] === wanted[seen]) {
      place += 1;
      seen += 1;
      continue;
    }
    if (!body.subarray(place, place + mark.length).equals(mark)) break;
    place = body.indexOf('}', place) + 1;
  }
  return place;
}

/** The first byte of a body that isn't as in another, but for cache marks: these move along. */
function firstDifference(before: Buffer, now: Buffer): number {
  let [inBefore, inNow] = [0, 0];
  for (;;) {
    const same = commonPrefix(before.subarray(inBefore), now.subarray(inNow));
    const marks = [markAt(before, inBefore + same), markAt(now, inNow + same)] as const;
    inBefore += same + marks[0];
    inNow += same + marks[1];
    if (marks[0] + marks[1] === 0) return inNow;
  }
}

/** Bytes of the mark that begins at a place; 0 where none does. */
function markAt(body: Buffer, place: number): number {
  if (!body.subarray(place, place + mark.length).equals(mark)) return 0;
  return Math.max(0, body.indexOf('}', place) + 1 - place);
}

function toolThatDiffers(earlier: Buffer, later: Buffer): string {
  const before = toolsIn(earlier);
  const now = toolsIn(later);
  const index = before.findIndex(({ text }, place) => text !== now[place]?.text);
  const tool = index < 0 ? now[before.length] : (now[index] ?? before[index]);
  return tool === undefined ? 'the tools' : `the tool ${tool.name}`;
}

/** The named things in canonical tools, whatever the wire wraps them in. */
function toolsIn(tools: Buffer): { name: string; text: string }[] {
  try {
    return named(JSON.parse(`[${tools.toString().replace(/,\s*$/, '')}]`) as Json);
  } catch {
    return []; // a wire may write its tools in any way; then they are told as a whole
  }
}

function named(value: Json): { name: string; text: string }[] {
  if (Array.isArray(value)) return value.flatMap(named);
  if (typeof value !== 'object' || value === null) return [];
  if (typeof value['name'] === 'string') return [{ name: value['name'], text: JSON.stringify(value) }];
  return Object.values(value).flatMap(named);
}

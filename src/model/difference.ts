/** A request as what it adds to the one before. */
import type { Canonical, CanonicalBlock } from './wire.ts';

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

export type Broken = 'tools' | 'system' | 'messages';

/** The first part of a canonical sequence that doesn't extend the earlier one; undefined when it does extend it. */
export function brokenPart(earlier: Canonical, later: Canonical): Broken | undefined {
  if (!isSame(earlier.tools, later.tools)) return 'tools';
  if (!isSame(earlier.system, later.system)) return 'system';
  const extended = earlier.blocks.every((block, index) => isSameBlock(block, later.blocks[index]));
  return extended ? undefined : 'messages';
}

function isSameBlock(first: CanonicalBlock, second: CanonicalBlock | undefined): boolean {
  if (first === second) return true;
  return second !== undefined && first.role === second.role && isSame(first.bytes, second.bytes);
}

/** What didn't change is mostly the same object, so that most comparisons cost nothing. */
function isSame(first: Buffer, second: Buffer): boolean {
  return first === second || first.equals(second);
}

/** Bodies of requests, put together from pieces that are encoded already, so that a long history isn't encoded anew in every turn. */
import { ReinsError, type Json } from '../../core/index.ts';
import { json } from './json.ts';
import type { ByteRange } from '../wire.ts';

const comma = Buffer.from(',');

export class BodyWriter {
  private readonly pieces: Buffer[] = [];
  private length = 0;

  write(text: string): void {
    this.push(Buffer.from(text));
  }

  /** A further key with a list; nothing, and an empty range, for no blocks. */
  list(key: string, blocks: readonly Buffer[]): ByteRange {
    if (blocks.length === 0) return { start: this.length, end: this.length };
    this.write(`,"${key}":`);
    const start = this.length;
    this.write('[');
    for (const piece of separated(blocks)) this.push(piece);
    this.write(']');
    return { start, end: this.length };
  }

  /** A further key with a value that is JSON already; nothing, and an empty range, for no bytes. */
  value(key: string, value: Buffer): ByteRange {
    if (value.length === 0) return { start: this.length, end: this.length };
    this.write(`,"${key}":`);
    const start = this.length;
    this.push(value);
    return { start, end: this.length };
  }

  bytes(): Buffer {
    return Buffer.concat(this.pieces, this.length);
  }

  private push(piece: Buffer): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }
}

/** Blocks with a comma between each two. */
export function separated(blocks: readonly Buffer[]): Buffer[] {
  return blocks.flatMap((block, index) => (index === 0 ? [block] : [comma, block]));
}

/** Blocks as one sequence of bytes, of which a longer list of blocks is an extension. */
export function joined(blocks: readonly Buffer[]): Buffer {
  return Buffer.concat(blocks.flatMap((block) => [block, comma]));
}

/** What was made of the same thing before, or what is made of it now. */
export function once<K extends WeakKey, V>(known: WeakMap<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** Further keys, each with a comma before it; what is null or undefined isn't sent. Throws `config-invalid` for a reserved one. */
export function furtherKeys(keys: { [key: string]: Json | undefined }, reserved: readonly string[]): string {
  return Object.entries(keys)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => `,${json(unreserved(key, reserved))}:${json(value)}`)
    .join('');
}

function unreserved(key: string, reserved: readonly string[]): string {
  if (!reserved.includes(key)) return key;
  throw new ReinsError('config-invalid', `The model setting "${key}" is set by Reins itself.`);
}

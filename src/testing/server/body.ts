/** The body of a request: read whole, unpacked where it was sent packed, and taken for JSON only where it is an object. */
import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '../../core/index.ts';

/** Bytes that a packed body may become; what would be more stays as it came. */
const largest = 256 * 1024 * 1024;

/** Rejects when the connection breaks while it arrives. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  let bytes: Buffer = Buffer.concat(chunks);
  const encodings = (request.headers['content-encoding'] ?? '').toLowerCase().split(',');
  for (const encoding of encodings.toReversed()) bytes = unpacked(bytes, encoding.trim());
  return bytes;
}

/** What isn't what it is said to be stays as it came: whoever reads it will say so. */
function unpacked(bytes: Buffer, encoding: string): Buffer {
  const { gunzipSync, brotliDecompressSync, unzipSync, zstdDecompressSync } = process.getBuiltinModule('node:zlib');
  const options = { maxOutputLength: largest };
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(bytes, options);
    if (encoding === 'br') return brotliDecompressSync(bytes, options);
    if (encoding === 'deflate') return unzipSync(bytes, options);
    return encoding === 'zstd' ? zstdDecompressSync(bytes, options) : bytes;
  } catch {
    return bytes;
  }
}

/** The body as a JSON object; undefined when it isn't one, or no UTF-8. */
export function parseBody(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined; // what can't be read is refused by whoever asked
  }
}

/** The path that was asked for, without the query; some clients name the whole address. */
export function pathOf({ url = '' }: IncomingMessage): string {
  return (URL.parse(`http://localhost${url}`) ?? URL.parse(url))?.pathname ?? url;
}

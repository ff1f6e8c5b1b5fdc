/** Bodies that come compressed although nobody asked for it: some proxies do that. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** The body as it was before it was encoded; undefined for an encoding that isn't known. */
export function decoded(response: IncomingMessage, encoding: string | undefined): Readable | undefined {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return response;
  const zlib = process.getBuiltinModule('node:zlib');
  if (name === 'gzip' || name === 'x-gzip') return response.pipe(zlib.createGunzip());
  if (name === 'br') return response.pipe(zlib.createBrotliDecompress());
  if (name === 'deflate') return response.pipe(zlib.createUnzip());
  return undefined;
}

/** A body as it was before it was compressed, up to a limit: however little was sent, no more than that comes out. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { FetchFailure } from './failure.ts';

export interface Body {
  bytes: Buffer;
  /** There was more than the limit, which was left out. */
  cut: boolean;
}

export async function readBody(response: IncomingMessage, limit: number): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await decompressed(response)) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > limit) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), cut: size > limit };
}

async function decompressed(response: IncomingMessage): Promise<Readable> {
  const name = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return response;
  const zlib = await import('node:zlib');
  const decoders: { [name: string]: (() => ReturnType<typeof zlib.createUnzip>) | undefined } = {
    gzip: () => zlib.createUnzip(),
    'x-gzip': () => zlib.createUnzip(),
    deflate: () => zlib.createUnzip(),
    br: () => zlib.createBrotliDecompress(),
  };
  const decoder = Object.hasOwn(decoders, name) ? decoders[name]?.() : undefined;
  if (decoder === undefined) throw new FetchFailure('The page comes in an encoding that wasn’t asked for.');
  response.on('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

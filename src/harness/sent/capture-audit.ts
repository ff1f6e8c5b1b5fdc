/** The joint that reads a capture and says what is in each of its requests, whatever program sent them. */
import { layersOf, type PieceKind, type SentLayer } from '../../observe/index.ts';
import type { Extension, SentBody } from '../../testing/index.ts';
import { readCapture, type ReadRequest } from './capture-folder.ts';

/** Tokens are estimates: a quarter of the characters, and a fixed number for an image. */
export interface AuditedRequest {
  number: number;
  file: string;
  /** Milliseconds since the epoch. */
  at: number;
  path: string;
  wire: SentBody['wire'];
  model: string;
  /** Bytes of the whole body, and of what stands around the layers. */
  bytes: number;
  frame: number;
  layers: SentLayer[];
  tools: { count: number; tokens: number };
  system: number;
  messages: number;
  total: number;
  /** Against the requests before it. `stored`: it goes on from a reply that the provider keeps, so there is nothing to compare. */
  extension: Extension | { prefix: 'stored' };
}

export interface UnreadRequest {
  number: number;
  problem: string;
}

export interface CaptureAudit {
  folder: string;
  requests: (AuditedRequest | UnreadRequest)[];
}

/** Of tools and blocks of the system prompt each is told, of all else the largest. */
const mostOf = (kind: PieceKind): number => (kind === 'tools' || kind === 'system' ? Infinity : 10);

/** Rejects with `usage-arguments` where there is no capture. */
export async function auditCapture(folder: string): Promise<CaptureAudit> {
  const { readSentBody, SequenceWatch } = await import('../../testing/index.ts');
  const watch = new SequenceWatch();
  const requests: CaptureAudit['requests'] = [];
  for (const read of readCapture(folder)) {
    const sent = 'problem' in read ? undefined : readSentBody(read.stored.path, read.body);
    if (sent === undefined) requests.push(unread(read));
    else requests.push(audited(read as Stored, sent, watch.next(read.number, sent.parts)));
  }
  return { folder, requests };
}

type Stored = Extract<ReadRequest, { body: Buffer }>;

function unread(read: ReadRequest): UnreadRequest {
  if ('problem' in read) return { number: read.number, problem: read.problem };
  return { number: read.number, problem: `${read.stored.file} is no request that can be read (${read.stored.path})` };
}

function audited({ number, stored, body }: Stored, sent: SentBody, extension: Extension): AuditedRequest {
  const layers = layersOf(sent.pieces, mostOf);
  const known = layers.reduce((sum, { bytes }) => sum + bytes, 0);
  const tokensOf = (of: 'tools' | 'system' | 'messages'): number =>
    sent.parts.reduce((sum, part) => (part.of === of ? sum + part.tokens : sum), 0);
  const [system, messages, tools] = [tokensOf('system'), tokensOf('messages'), tokensOf('tools')];
  return {
    number,
    file: stored.file,
    at: stored.at,
    path: stored.path,
    wire: sent.wire,
    model: sent.model,
    bytes: body.length,
    frame: Math.max(0, body.length - known),
    layers,
    tools: { count: layers.find(({ kind }) => kind === 'tools')?.count ?? 0, tokens: tools },
    system,
    messages,
    total: tools + system + messages,
    extension: sent.isStored ? { prefix: 'stored' } : extension,
  };
}

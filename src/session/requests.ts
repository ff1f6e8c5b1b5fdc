/** Puts the exact bytes of requests together again from the differences that the log holds. */
import { hash } from 'node:crypto';
import { ReinsError, type EventId, type EventOf } from '../core/index.ts';
import { Blobs } from './blobs.ts';
import { pathOf, readEvent, scan, type Skeleton } from './skeleton.ts';

export interface RebuiltRequest {
  event: EventOf<'request'>;
  /** The bytes that were sent; their SHA-256 is the event's fingerprint. */
  body: Buffer;
}

/**
 * The bytes of a request, named by its event or by its number (from 1, in the order of the log). Throws `usage-arguments` for one
 * that isn't there, `log-damaged` where a line that it builds on is lost or the bytes aren't those that were sent, and
 * `blob-missing`. `bodies` are those of earlier requests, as far as they are at hand.
 */
export async function rebuildRequest(
  folder: string,
  which: EventId | number,
  skeleton: Skeleton = scan(folder),
  bodies: ReadonlyMap<EventId, Buffer> = new Map(),
): Promise<RebuiltRequest> {
  const id = typeof which === 'number' ? requestAt(skeleton, which) : which;
  const event = readRequest(folder, skeleton, id);
  const parts: Buffer[] = [];
  let wanted = event.data.bytes;
  for (let from = event; ;) {
    const { base, kept } = from.data;
    if (wanted > kept) {
      const tail = await tailOf(folder, from);
      parts.push(tail.subarray(0, wanted - kept));
      wanted = kept;
    }
    if (base === null || wanted === 0) break;
    const known = bodies.get(base);
    if (known !== undefined) {
      parts.push(known.subarray(0, wanted));
      break;
    }
    from = readBase(folder, skeleton, from, base);
  }
  const body = Buffer.concat(parts.reverse());
  if (body.length !== event.data.bytes || hash('sha256', body, 'hex') !== event.data.fingerprint) {
    throw new ReinsError(
      'log-damaged',
      `What the log holds of request ${id} makes ${body.length} bytes that aren’t the ${event.data.bytes} that were sent.`,
    );
  }
  return { event, body };
}

/**
 * The last request on the path to the head and its bytes: what a resumed driver builds its next request on. Undefined where there
 * is none, and where it can't be put together any more: the next one then stands for itself.
 */
export async function previousBody(
  folder: string,
  skeleton: Skeleton = scan(folder),
): Promise<{ id: EventId; body: Buffer } | undefined> {
  const path = pathOf(skeleton);
  const at = skeleton.kinds.findLastIndex((kind, at) => kind === 'request' && path.has(skeleton.ids[at] ?? ''));
  const id = skeleton.ids[at];
  if (id === undefined) return undefined;
  try {
    return { id, body: (await rebuildRequest(folder, id, skeleton)).body };
  } catch (error) {
    if (error instanceof ReinsError && (error.code === 'log-damaged' || error.code === 'blob-missing'))
      return undefined;
    throw error;
  }
}

function requestAt(skeleton: Skeleton, number: number): EventId {
  const requests = skeleton.ids.filter((_, at) => skeleton.kinds[at] === 'request');
  const id = requests[number - 1];
  if (id !== undefined) return id;
  throw new ReinsError('usage-arguments', `There is no request ${number}: the log holds ${requests.length}.`);
}

function readRequest(folder: string, skeleton: Skeleton, id: EventId): EventOf<'request'> {
  const event = readEvent(folder, skeleton, id);
  if (event.kind === 'request') return event;
  throw new ReinsError('usage-arguments', `Event ${id} is no request.`);
}

/** Bases come before what builds on them, so that a chain of them always ends. */
function readBase(folder: string, skeleton: Skeleton, from: EventOf<'request'>, base: EventId): EventOf<'request'> {
  const at = skeleton.index.get(base);
  if (at !== undefined && at < (skeleton.index.get(from.id) ?? 0) && skeleton.kinds[at] === 'request') {
    return readRequest(folder, skeleton, base);
  }
  const lost = skeleton.lost.get(base);
  const lines = lost === undefined ? skeleton.damage : [lost];
  const where = lines.map(({ line, damage }) => `line ${line} is ${damage}`).join(', ');
  throw new ReinsError(
    'log-damaged',
    `Request ${from.id} builds on request ${base}, which can’t be read${where === '' ? '' : `: ${where}`}.`,
  );
}

async function tailOf(folder: string, { data }: EventOf<'request'>): Promise<Buffer> {
  return data.tailBlob === undefined ? Buffer.from(data.tail) : new Blobs(folder).get(data.tailBlob);
}

/** "Model-visible means logged": whatever a model server received can be put together again from the log. */
import assert from 'node:assert/strict';
import { ReinsError, type Event, type EventId } from '../../src/core/index.ts';
import { Blobs, readLog, rebuildRequest, scan } from '../../src/session/index.ts';
import type { ModelServer } from '../../src/testing/index.ts';

export interface RebuiltOptions {
  /** Lines of the log are damaged on purpose: requests that build on a lost one can't be put together. */
  damaged?: boolean;
  /** Only requests after this event are looked at: those before it were sent to another server. */
  after?: EventId;
}

/**
 * Gives the bodies of the logged requests. Every request that the servers received (in this order) stands in the log of the session, byte for byte and in order, questions
 * beside the conversation among them. A request
 * that the log has and no server received was cut off before it was sent: no reply may answer it.
 */
export async function assertRebuilt(
  servers: Pick<ModelServer, 'requests'> | readonly Pick<ModelServer, 'requests'>[],
  { folder }: { folder: string },
  { damaged = false, after }: RebuiltOptions = {},
): Promise<ReadonlyMap<EventId, Buffer>> {
  const received = [servers].flat().flatMap(({ requests }) => requests);
  const events = [...readLog(folder)].filter((item): item is Event => !('damage' in item));
  const from = after === undefined ? 0 : events.findIndex(({ id }) => id === after) + 1;
  const logged = await bodiesOf(folder, events.slice(from), damaged);
  const answered = new Set(events.flatMap(answeredBy));
  const furthest = match(
    received.map(({ bytes, outcome }) => ({ bytes, unanswered: outcome !== 'replied' })),
    [...logged].map(([id, body]) => ({ body, answered: answered.has(id) })),
  );
  if (furthest === undefined) return logged;
  const { number, bytes } = received[furthest] ?? {};
  const what =
    number === undefined
      ? 'the log has answered requests that no server received'
      : `request ${number}, as it was received, isn't in its place in the log:\n${bytes?.toString()}`;
  return assert.fail(`${what}\nlogged: ${[...logged.keys()].join(', ')}; received: ${received.length}`);
}

interface Received {
  bytes: Buffer;
  /** It wasn't replied to: the connection was found dead, say, and the same request was sent on another one. */
  unanswered: boolean;
}

interface Logged {
  body: Buffer;
  answered: boolean;
}

/**
 * Finds for each received request its place among the logged ones, in order, skipping only unanswered ones. Undefined when there
 * is a way; else the first received request for which there is none (their number, when some are left in the log).
 */
function match(received: readonly Received[], logged: readonly Logged[]): number | undefined {
  // Attempts at the same turn have the same bytes: one that was never sent must not take the place of one that was.
  let states = new Set([0]);
  const skips = (from: number): number[] => {
    const places = [from];
    for (let at = from; at < logged.length && logged[at]?.answered === false; at += 1) places.push(at + 1);
    return places;
  };
  for (const [index, { bytes }] of received.entries()) {
    const next = new Set<number>();
    const again = received[index - 1]?.unanswered === true ? 1 : 0;
    for (const from of states) {
      for (const at of [from - again, ...skips(from)]) if (logged[at]?.body.equals(bytes) === true) next.add(at + 1);
    }
    if (next.size === 0) return index;
    states = next;
  }
  const ends = [...states].some((from) => skips(from).includes(logged.length));
  return ends ? undefined : received.length;
}

function answeredBy({ kind, data }: Event): EventId[] {
  if (kind === 'reply') return data.request === null ? [] : [data.request];
  return kind === 'aside-end' && data.text !== undefined ? [data.aside] : [];
}

async function bodiesOf(folder: string, events: readonly Event[], damaged: boolean): Promise<Map<EventId, Buffer>> {
  const skeleton = scan(folder);
  const blobs = new Blobs(folder);
  const bodies = new Map<EventId, Buffer>();
  for (const { id, kind, data } of events) {
    if (kind === 'aside') bodies.set(id, await blobs.get(data.blob));
    if (kind !== 'request') continue;
    try {
      bodies.set(id, (await rebuildRequest(folder, id, skeleton, bodies)).body);
    } catch (error) {
      if (!damaged || !(error instanceof ReinsError && error.code === 'log-damaged')) throw error;
    }
  }
  return bodies;
}

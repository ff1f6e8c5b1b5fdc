/** Puts an answer on the wire: piece by piece, with what is scripted to go wrong on the way. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamPlan } from '../dialects/index.ts';
import { stageOf, type ScriptedFailure, type ScriptedReply, type Stage } from '../scenario/index.ts';

export type Failure = Exclude<ScriptedFailure, { reply: unknown }>;

/** Everything about the way of one answer. */
export interface Course extends StreamPlan {
  headers: { [name: string]: string };
  /** Pace and size of the pieces. */
  reply: ScriptedReply;
  failure: Exclude<Failure, { status: unknown }> | undefined;
  /** The event for an error in the stream. */
  errorEvent: string;
  /** Aborted when the client goes away. */
  gone: AbortSignal;
  /** Waits at a stage as long as a test wants; absent when none does. */
  pass?: (stage: Stage) => Promise<void>;
}

/** @throws when the client goes away. */
export async function sendReply(response: ServerResponse, course: Course): Promise<'replied' | 'failed'> {
  const { reply, events, gone } = course;
  if (reply.wait) await sleep(reply.wait, undefined, { signal: gone });
  if (await halts(response, course, 'before-headers')) return 'failed';
  response.writeHead(200, course.headers);
  if (!course.failure && !course.pass && !reply.delay && !reply.split) {
    response.end(events.join(''));
    return 'replied';
  }
  response.flushHeaders();
  for (let sent = 0; sent <= events.length; sent += 1) {
    for (const [stage, place] of Object.entries(course.stages) as [Stage, number][]) {
      if (place === sent && (await halts(response, course, stage))) return 'failed';
    }
    const event = events[sent];
    if (event === undefined) break;
    for (const piece of pieces(event, reply.split)) await write(response, piece, gone);
    if (reply.delay) await sleep(reply.delay, undefined, { signal: gone });
  }
  response.end();
  return 'replied';
}

/** Passes a stage; true when the answer ends here. */
async function halts(response: ServerResponse, course: Course, stage: Stage): Promise<boolean> {
  const { failure, gone } = course;
  if (course.pass) await Promise.race([course.pass(stage), aborted(gone)]);
  gone.throwIfAborted();
  if (!failure) return false;
  if ('close' in failure) {
    response.destroy();
    return true;
  }
  if (stageOf(failure) !== stage) return false;
  if ('silence' in failure) await aborted(gone);
  else if ('streamError' in failure) {
    await write(response, course.errorEvent, gone);
    response.end();
  } else if (failure.how === 'end') response.end();
  else if (failure.how === 'reset') response.socket?.resetAndDestroy();
  else response.destroy();
  return true;
}

/** Resolves when the piece has left, so that pieces leave one by one. */
async function write(response: ServerResponse, piece: string | Uint8Array, gone: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => response.write(piece, () => resolve()));
  gone.throwIfAborted();
}

function pieces(event: string, size: number | undefined): (string | Uint8Array)[] {
  if (size === undefined) return [event];
  const bytes = Buffer.from(event);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Headers of a scripted status: what it says itself, and when to try again. */
export function statusHeaders(failure: Extract<Failure, { status: unknown }>): { [name: string]: string } {
  const { retryAfter, retryAfterAs, headers } = failure;
  const type = typeof failure.body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  return { 'content-type': type, ...retryHeader(retryAfter, retryAfterAs), ...headers };
}

function retryHeader(seconds: number | undefined, form: 'seconds' | 'milliseconds' | 'date' = 'seconds') {
  if (seconds === undefined) return {};
  if (form === 'milliseconds') return { 'retry-after-ms': String(Math.round(seconds * 1000)) };
  if (form === 'seconds') return { 'retry-after': String(seconds) };
  // A date has whole seconds only: rounded up, so that it never comes too early.
  const due = new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000);
  return { 'retry-after': due.toUTCString() };
}

/** Sessions for tests: real ones in temporary folders. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Damage, Draft, Event, EventData, EventId } from '../../src/core/index.ts';
import {
  createSession,
  openLogHandle,
  openSession,
  readLog,
  type OpenLogHandle,
  type Session,
} from '../../src/session/index.ts';

export const start = { workspace: '/work/space', reins: '0.1.0', at: Date.UTC(2026, 0, 2, 3, 4, 5) };

/** A folder for the state of Reins that goes with the test. */
export function temporaryState(t: TestContext): string {
  const state = mkdtempSync(join(tmpdir(), 'reins-session-'));
  t.after(() => rmSync(state, { recursive: true, force: true }));
  return state;
}

export async function newSession(t: TestContext, state = temporaryState(t), openHandle?: OpenLogHandle) {
  const session = await createSession(state, start, openHandle);
  t.after(() => session.close());
  return { state, session, file: join(session.folder, 'log.jsonl') };
}

export async function reopen(t: TestContext, state: string, id: string, openHandle?: OpenLogHandle) {
  const session = await openSession(state, id, openHandle);
  t.after(() => session.close());
  return session;
}

export const input = (text: string): Draft => ({ kind: 'input', data: { from: 'user', text } });

/** Appends drafts one behind the other and gives the events. */
export async function appendAll(session: Session, drafts: Draft[], from?: EventId | null): Promise<Event[]> {
  let parent = from === undefined ? session.skeleton.head : from;
  const events: Event[] = [];
  for (const draft of drafts) {
    const event = await session.append({ parent, at: start.at + events.length, ...draft });
    parent = event.id;
    events.push(event);
  }
  return events;
}

export function eventsOf(folder: string): Event[] {
  return [...readLog(folder)].filter((item): item is Event => !('damage' in item));
}

export function damageOf(folder: string): Damage[] {
  return [...readLog(folder)].filter((item): item is Damage => 'damage' in item);
}

/** The lines of a log as bytes, without their newlines. */
export function linesOf(file: string): Buffer[] {
  const lines: Buffer[] = [];
  let rest = readFileSync(file);
  for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
    lines.push(rest.subarray(0, end));
    rest = rest.subarray(end + 1);
  }
  if (rest.length > 0) lines.push(rest);
  return lines;
}

export function writeLines(file: string, lines: (Buffer | string)[]): void {
  writeFileSync(file, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
}

/** A disk that fails as told: it writes at most `limits.bytes` more bytes, at most `limits.piece` at once. */
export function failingDisk(): {
  openHandle: OpenLogHandle;
  limits: { bytes: number; piece: number; syncFails: boolean; syncs: number };
} {
  const limits = { bytes: Infinity, piece: Infinity, syncFails: false, syncs: 0 };
  const openHandle: OpenLogHandle = (file, make) => {
    const handle = openLogHandle(file, make);
    return {
      write(bytes, start) {
        if (limits.bytes <= 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
        const length = Math.min(bytes.length - start, limits.piece, limits.bytes);
        const written = handle.write(bytes.subarray(0, start + length), start);
        limits.bytes -= written;
        return written;
      },
      async datasync() {
        limits.syncs += 1;
        if (limits.syncFails) throw new Error('EIO: i/o error');
        await handle.datasync();
      },
      close: () => handle.close(),
    };
  };
  return { openHandle, limits };
}

/** A request as the log holds it: what differs from the base's body, byte for byte. */
export function requestDraft(data: {
  fingerprint: string;
  base: EventId | null;
  kept: number;
  tail: string;
  tailBlob?: string;
  bytes: number;
}): Draft {
  const request: EventData['request'] = {
    turn: 1,
    attempt: 1,
    source: { wire: 'test', model: 'test' },
    extends: true,
    reserved: { input: 1, output: 1 },
    ...data,
  };
  return { kind: 'request', data: request };
}

/** The joint that opens the record of a session for driving and folds what is in it. */
import { rmSync } from 'node:fs';
import {
  foldAll,
  openCalls,
  Recorder,
  ReinsError,
  type Damage,
  type Event,
  type EventData,
  type View,
} from '../core/index.ts';
import type { Files } from '../exec/index.ts';
import { createSession, find, latest, openSession, pathOf, readLog, type Session } from '../session/index.ts';
import { foldSeen, type SeenFile } from '../tools/index.ts';
import { systemClock } from './clock.ts';
import type { SessionOptions } from './types.ts';
import { version } from './version.ts';

export interface OpenRecord {
  session: Session;
  recorder: Recorder;
  view: View;
  /** What the session has seen of files, kept up to date. */
  seen: Map<string, SeenFile>;
  /** What was recorded by opening it: the first event of a new session. */
  fresh: Event[];
}

/** The id of the session to resume, if one is. Throws `session-missing`. */
export function resumedId(state: string, { resume }: SessionOptions, workspace: string): string | undefined {
  if (resume === undefined) return undefined;
  if (typeof resume === 'string') return find(state, resume);
  const id = latest(state, workspace);
  if (id === undefined) throw new ReinsError('session-missing', `There is no session of ${workspace} to continue.`);
  return id;
}

/** Opens or makes the session; nothing but its first event is recorded yet. Rejects with `session-busy`, `session-newer`, `state-unwritable`. */
export async function openRecord(state: string, id: string | undefined, workspace: string): Promise<OpenRecord> {
  const at = systemClock.now();
  const session =
    id === undefined ? await createSession(state, { workspace, reins: version, at }) : await openSession(state, id);
  try {
    if (session.isNewer) {
      throw new ReinsError('session-newer', `The log of session ${session.id} was written by a newer Reins.`);
    }
    refuseOtherWorkspace(session, workspace);
    const path = pathOf(session.skeleton);
    const seen = new Map<string, SeenFile>();
    const fresh: Event[] = [];
    const look = (event: Event): void => {
      if (path.has(event.id)) foldSeen(seen, event);
      if (id === undefined) fresh.push(event);
    };
    const view = foldAll(watched(readLog(session.folder), look), path);
    const recorder = new Recorder(view, session, systemClock);
    recorder.listen((event) => void foldSeen(seen, event));
    return { session, recorder, view, seen, fresh };
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** The items as they are read, each event shown to `look`: a long log is gone through once, and never held as a whole. */
function* watched(items: Iterable<Event | Damage>, look: (event: Event) => void): Generator<Event | Damage> {
  for (const item of items) {
    if (!('damage' in item)) look(item);
    yield item;
  }
}

/** Removes what calls left beside their files when the process that ran them was killed. */
export async function cleanAfterKill({ view }: OpenRecord, files: Files): Promise<void> {
  for (const { started, arguments: args } of openCalls(view.transcript)) {
    if (!started || typeof args['path'] !== 'string') continue;
    const real = await files.resolve(args['path'], 'write');
    if (typeof real === 'string') await files.clean(real);
  }
}

/** Closes a record that nothing came of; a session that was only just made is no session. */
export async function letGo({ session, fresh }: OpenRecord): Promise<void> {
  await session.close();
  if (fresh.length > 0) rmSync(session.folder, { recursive: true, force: true });
}

function refuseOtherWorkspace(session: Session, workspace: string): void {
  const own = session.skeleton.session?.workspace;
  if (own === undefined || own === workspace) return;
  throw new ReinsError(
    'usage-arguments',
    `Session ${session.id} belongs to ${own}, not to ${workspace}; give -C ${own}.`,
  );
}

/** What a person should know of the record before anything else. */
export function damageNotices({ session }: OpenRecord): EventData['notice'][] {
  const { damage } = session.skeleton;
  if (damage.length === 0) return [];
  const shown = damage.slice(0, 5).map(({ line, damage: what }) => `line ${line}: ${what}`);
  const more = damage.length > shown.length ? ` and ${damage.length - shown.length} more` : '';
  const text = `The log has damaged lines; only those are lost (${shown.join('; ')}${more}).`;
  return [{ code: 'log-damaged', level: 'warning', text, data: { lines: damage.map(({ line }) => line) } }];
}

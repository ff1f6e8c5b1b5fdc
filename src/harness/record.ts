/** The joint that opens the record of a session for driving and folds what is in it. */
import { rmSync } from 'node:fs';
import {
  fold,
  foldAll,
  openCalls,
  Recorder,
  ReinsError,
  type Admit,
  type Damage,
  type Event,
  type EventData,
  View,
} from '../core/index.ts';
import type { Files } from '../exec/index.ts';
import {
  createSession,
  find,
  isOnePath,
  latest,
  openLogHandle,
  openSession,
  pathOf,
  readLog,
  type Session,
} from '../session/index.ts';
import { foldKnown, nothingKnown, type Known } from '../tools/index.ts';
import { sumChildren } from './children.ts';
import { systemClock } from './clock.ts';
import type { SessionOptions } from './types.ts';
import { version } from './version.ts';

export interface OpenRecord {
  session: Session;
  recorder: Recorder;
  view: View;
  /** What the session knows from its results, kept up to date. */
  known: Known;
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
export async function openRecord(
  state: string,
  id: string | undefined,
  workspace: string,
  admit?: Admit,
): Promise<OpenRecord> {
  const at = systemClock.now();
  // Nearly every log is one path from its first line to its last: then it is folded while it is opened, and read only once.
  const folding = new Folding();
  const session =
    id === undefined
      ? await createSession(state, { workspace, reins: version, at })
      : await openSession(state, id, openLogHandle, (item) => folding.take(item));
  try {
    if (session.isNewer) {
      throw new ReinsError('session-newer', `The log of session ${session.id} was written by a newer Reins.`);
    }
    refuseOtherWorkspace(session, workspace);
    const fresh: Event[] = [];
    if (id === undefined) for (const item of readLog(session.folder)) if (!('damage' in item)) fresh.push(item);
    for (const event of fresh) folding.take(event);
    const { view, known } = isOnePath(session.skeleton) ? folding : foldPath(session);
    sumChildren(view.ledger, state, [session.id]);
    const recorder = new Recorder(view, session, systemClock, admit);
    recorder.listen((event) => void foldKnown(known, event));
    return { session, recorder, view, known, fresh };
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** A log as long as it is one path: each event extends the one before it. */
class Folding {
  readonly view = new View();
  readonly known = nothingKnown();

  take(item: Event | Damage): void {
    if ('damage' in item) return;
    fold(this.view, item);
    foldKnown(this.known, item);
  }
}

/** A log with branches or damage: what belongs to the path is known only at its end, so it is read once more. */
function foldPath({ skeleton, folder }: Session): { view: View; known: Known } {
  const path = pathOf(skeleton);
  const known = nothingKnown();
  const look = (event: Event): void => {
    if (path.has(event.id)) foldKnown(known, event);
  };
  return { view: foldAll(watched(readLog(folder), look), path), known };
}

/** The items as they are read, each event shown to `look`: a long log is never held as a whole. */
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

/** The joint for exports: the events of a session's path, in another format. */
import { placesOf } from '../../config/index.ts';
import type { Damage, Event, EventId } from '../../core/index.ts';
import { loadExports, type ExportFormat } from '../../observe/index.ts';
import { pathOf, readLog, scan, sessionFolder } from '../../session/index.ts';
import { describeSession } from '../reader.ts';

type Variables = { readonly [name: string]: string | undefined };

export interface ExportOptions {
  format: ExportFormat;
  /** Every branch instead of the path that goes on; only in the format `json`, whose steps name the one above them. */
  allBranches?: boolean;
}

export interface SessionExport {
  session: string;
  pieces: Iterable<string>;
  /** Lines of the log that can't be read: what was in them is missing. */
  damaged: number;
}

/** Takes no lock and changes nothing. Rejects with `session-missing` and `session-ambiguous`. */
export async function exportSession(
  env: Variables | undefined,
  which: string | { latest: string },
  { format, allBranches = false }: ExportOptions,
): Promise<SessionExport> {
  const { id: session, title } = describeSession(env, which);
  const folder = sessionFolder(placesOf(env).state, session);
  const skeleton = scan(folder);
  const path = allBranches ? undefined : pathOf(skeleton);
  const { exporters, trajectoryOf } = await loadExports();
  const trajectory = trajectoryOf({ session, title }, eventsOf(readLog(folder), path));
  return { session, pieces: exporters[format](trajectory), damaged: skeleton.damage.length };
}

function* eventsOf(items: Iterable<Event | Damage>, path: ReadonlySet<EventId> | undefined): Generator<Event> {
  for (const item of items) if (!('damage' in item) && path?.has(item.id) !== false) yield item;
}

/** The list of sessions, from the index: only logs that grew since the last time are read, and of them only what came. */
import { existsSync, statSync, type Stats } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { ReinsError } from '../core/index.ts';
import { holderFile, sessionFolder, sessionIds, sessionsFolder } from './folders.ts';
import { withIndex } from './index-file.ts';
import { listFromLogs, summarise } from './list.ts';
import { isLocked } from './lock.ts';
import { endOf, tell, type SessionSummary, type Told } from './summary.ts';
import { beginning, readTail, type Position } from './tail.ts';

/** Sessions that one transaction brings up to date: long ones would keep others waiting. */
const atOnce = 100;

/** All sessions, the oldest first; those whose log is damaged or can't be read are among them and say so. Without an index the logs are read. */
export function list(state: string): SessionSummary[] {
  const ids = sessionIds(state);
  if (ids.length === 0) return [];
  try {
    return withIndex(state, (index) => {
      bringUpToDate(index, state, ids);
      const told = toldIn(index);
      return ids.map((id) => summaryOf(state, id, told.get(id)));
    });
  } catch (error) {
    if (error instanceof ReinsError && error.code === 'state-unwritable') return listFromLogs(state);
    throw error;
  }
}

function summaryOf(state: string, id: string, told: Told | undefined): SessionSummary {
  const folder = sessionFolder(state, id);
  if (told === undefined) return summarise(id, folder);
  // Whoever holds a session leaves its number: without that there is no lock to be looked at.
  return { ...told, id, folder, running: existsSync(holderFile(folder)) && isLocked(folder) };
}

function toldIn(index: DatabaseSync): Map<string, Told> {
  const rows = index.prepare('SELECT id, coalesce(torn, summary) AS told FROM session').all();
  return new Map(rows.map(({ id, told }) => [String(id), endOf(JSON.parse(String(told)) as Told)]));
}

/** Brings what is told of each session up to date, and lets go of those that are no more. */
export function bringUpToDate(index: DatabaseSync, state: string, ids: readonly string[]): void {
  const known = new Map(
    index
      .prepare('SELECT id, inode, size, changed FROM session')
      .all()
      .map((row) => [String(row['id']), row as unknown as Seen]),
  );
  const sessions = sessionsFolder(state);
  const stale: string[] = [];
  for (const id of ids) {
    const found = lookAt(sessions, id);
    if (found !== undefined && !isSame(known.get(id), found)) stale.push(id);
    if (found !== undefined) known.delete(id);
  }
  const steps = [
    ...[...known.keys()].map((id) => () => forgetSession(index, id)),
    ...stale.map((id) => () => refresh(index, state, id)),
  ];
  for (let from = 0; from < steps.length; from += atOnce) {
    inTransaction(index, () => steps.slice(from, from + atOnce).forEach((step) => step()));
  }
}

/** What shows that a log has changed. */
type Seen = Pick<Row, 'inode' | 'size' | 'changed'>;
interface Row {
  key: number;
  inode: number;
  size: number;
  changed: number;
  line: number;
  offset: number;
  format: number;
  summary: string;
}

/** For every session, each time: the path is put together without further looks at it. */
function lookAt(sessions: string, id: string): Seen | undefined {
  const stats: Stats | undefined = statSync(`${sessions}/${id}/log.jsonl`, { throwIfNoEntry: false });
  return stats && { inode: stats.ino, size: stats.size, changed: stats.mtimeMs };
}

function isSame(one: Seen | undefined, other: Seen): boolean {
  return one?.inode === other.inode && one.size === other.size && one.changed === other.changed;
}

/** Inside of a transaction: another process may have done it meanwhile. */
function refresh(index: DatabaseSync, state: string, id: string): void {
  const found = lookAt(sessionsFolder(state), id);
  const row = index.prepare('SELECT * FROM session WHERE id = ?').get(id) as unknown as Row | undefined;
  if (found === undefined || isSame(row, found)) return;
  const folder = sessionFolder(state, id);
  // A file that only grew is read on; one that was replaced, shortened or changed in place is read anew.
  const isGrown = row !== undefined && row.inode === found.inode && found.size > row.size;
  const from = isGrown ? { told: JSON.parse(row.summary) as Told, position: positionIn(row) } : undefined;
  const read = readable(
    () => (from && readOn(folder, from)) ?? readOn(folder, { told: { damage: [] }, position: beginning }),
  );
  if (read === undefined) return forgetSession(index, id);
  if (row !== undefined && read.isAnew) forgetWords(index, row.key);
  const { told, position, torn } = read;
  const values = [found.inode, found.size, found.changed, position.line, position.offset, position.format];
  index
    .prepare(
      `INSERT INTO session (id, inode, size, changed, line, offset, format, workspace, summary, torn) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET inode = excluded.inode, size = excluded.size, changed = excluded.changed, line = excluded.line,
         offset = excluded.offset, format = excluded.format, workspace = excluded.workspace, summary = excluded.summary, torn = excluded.torn`,
    )
    .run(id, ...values, told.workspace ?? null, JSON.stringify(told), torn === undefined ? null : JSON.stringify(torn));
}

function positionIn({ line, offset, format }: Row): Position {
  return { line, offset, format };
}

interface Read {
  told: Told;
  position: Position;
  /** With a last line that isn't whole. */
  torn?: Told;
  isAnew: boolean;
}

/** Undefined where damage behind the beginning wants the whole log. */
function readOn(folder: string, from: { told: Told; position: Position }): Read | undefined {
  const told = structuredClone(from.told);
  const isAnew = from.position.offset === 0;
  let position = from.position;
  let torn: Told | undefined;
  for (const tail of readTail(folder, from.position)) {
    if (!isAnew && tail.entries.some(({ item }) => 'damage' in item)) return undefined;
    for (const { item } of tail.entries) tell(told, item);
    position = tail.position;
    if (tail.rest.length === 0) continue;
    torn = structuredClone(told);
    for (const { item } of tail.rest) tell(torn, item);
  }
  return { told, position, ...(torn !== undefined && { torn }), isAnew };
}

/** What can't be read is told by whoever lists it. */
function readable<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ReinsError) return undefined;
    throw error;
  }
}

function forgetSession(index: DatabaseSync, id: string): void {
  const row = index.prepare('SELECT key FROM session WHERE id = ?').get(id);
  if (row === undefined) return;
  forgetWords(index, Number(row['key']));
  index.prepare('DELETE FROM session WHERE id = ?').run(id);
}

function forgetWords(index: DatabaseSync, session: number): void {
  const own = 'SELECT key FROM entry WHERE session = ?';
  index.prepare(`DELETE FROM word WHERE rowid IN (${own})`).run(session);
  index.prepare(`DELETE FROM path WHERE entry IN (${own})`).run(session);
  index.prepare('DELETE FROM entry WHERE session = ?').run(session);
  index.prepare('UPDATE session SET indexedLine = 1, indexedOffset = 0, indexedFormat = 0 WHERE key = ?').run(session);
}

export function inTransaction(index: DatabaseSync, work: () => void): void {
  index.exec('BEGIN IMMEDIATE');
  try {
    work();
    index.exec('COMMIT');
  } catch (error) {
    index.exec('ROLLBACK');
    throw error;
  }
}

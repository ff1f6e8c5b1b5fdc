/** Searches all sessions: brings the index up to date, asks it, and reads what it found from the logs. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { ReinsError, type EventId } from '../../core/index.ts';
import { bringUpToDate } from '../catalogue.ts';
import { sessionFolder, sessionIds } from '../folders.ts';
import { withIndex } from '../index-file.ts';
import { titleOf, type Told } from '../summary.ts';
import { excerptAt } from './excerpt.ts';
import { fillWords } from './fill.ts';
import { searchedKinds } from './texts.ts';
import { matchOf, termsIn, type Term } from './words.ts';

/** What is looked for. Of several values of one filter any will do; all filters must fit. */
export interface SearchQuery {
  /** Words, "phrases", beginn* of words: all in one event. Left out, the filters alone decide. */
  words?: string;
  /** The real path of a workspace. */
  workspace?: string;
  /** Milliseconds since the epoch. */
  since?: number;
  until?: number;
  kinds?: readonly string[];
  tools?: readonly string[];
  outcomes?: readonly string[];
  /** Files, or folders with all that is in them: relative to the workspace, or absolute for others. */
  paths?: readonly string[];
  /** Sessions, and events of each of them. */
  sessions?: number;
  events?: number;
}

export interface SearchHit {
  session: string;
  title: string;
  workspace: string;
  event: EventId;
  kind: string;
  at: number;
  tool?: string;
  outcome?: string;
  /** The text around what was found. */
  excerpt: string;
}

export interface SearchOptions {
  /** Bytes of logs that are in the index by now, and those that are to be taken in. */
  onProgress?: (done: number, all: number) => void;
}

interface Row {
  id: string;
  told: string;
  event: string;
  kind: string;
  at: number;
  tool: string | null;
  outcome: string | null;
  offset: number;
  bytes: number;
  format: number;
}

/** The newest sessions first. Rejects with `usage-arguments` for what can't be searched, and with `state-unwritable` where no index can be made. */
export function search(
  state: string,
  query: SearchQuery,
  { onProgress = () => undefined }: SearchOptions = {},
): SearchHit[] {
  const terms = termsIn(query.words ?? '');
  refuseNothing(query, terms);
  const ids = sessionIds(state);
  if (ids.length === 0) return [];
  return withIndex(state, (index) => {
    bringUpToDate(index, state, ids);
    fillWords(index, state, onProgress);
    return find(index, query, terms).map((row) => hitOf(state, row, terms));
  });
}

function refuseNothing({ words = '', kinds = [], ...filters }: SearchQuery, terms: readonly Term[]): void {
  const unknown = kinds.find((kind) => !searchedKinds.includes(kind));
  if (unknown !== undefined) {
    const known = searchedKinds.toSorted().join(', ');
    throw new ReinsError('usage-arguments', `Events of the kind ${unknown} aren’t searched; those are ${known}.`);
  }
  const { tools = [], outcomes = [], paths = [] } = filters;
  const isNothing = terms.length === 0 && [...kinds, ...tools, ...outcomes, ...paths].length === 0;
  if (isNothing || (words.trim() !== '' && terms.length === 0)) {
    throw new ReinsError('usage-arguments', 'There is nothing to search for: give a word with letters or digits.');
  }
}

interface Condition {
  sql: string;
  values: SQLInputValue[];
}

const usualSessions = 20;
const usualEvents = 3;

function find(index: DatabaseSync, query: SearchQuery, terms: readonly Term[]): Row[] {
  const { sessions: mostSessions = usualSessions, events: mostEvents = usualEvents } = query;
  const conditions = conditionsOf(query, terms);
  // Words are asked first, whatever the planner thinks: they narrow down most. What was taken in last comes first.
  const from = terms.length > 0 ? 'word CROSS JOIN entry ON entry.key = word.rowid' : 'entry';
  const statement = index.prepare(
    `SELECT session.id, coalesce(session.torn, session.summary) AS told, entry.* FROM ${from}
     CROSS JOIN session ON session.key = entry.session WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}
     ORDER BY ${terms.length > 0 ? 'word.rowid' : 'entry.key'} DESC`,
  );
  const found = new Map<string, Row[]>();
  for (const each of statement.iterate(...conditions.flatMap(({ values }) => values))) {
    const row = each as unknown as Row;
    const rows = found.get(row.id);
    if (rows === undefined && found.size >= mostSessions) break;
    if (rows === undefined) found.set(row.id, [row]);
    else if (rows.length < mostEvents) rows.push(row);
  }
  return [...found.values()].flat();
}

function conditionsOf(query: SearchQuery, terms: readonly Term[]): Condition[] {
  const { workspace, since, until, kinds, tools, outcomes, paths } = query;
  return [
    ...(terms.length === 0 ? [] : [{ sql: 'word MATCH ?', values: [matchOf(terms)] }]),
    ...(workspace === undefined ? [] : [{ sql: 'session.workspace = ?', values: [workspace] }]),
    ...(since === undefined ? [] : [{ sql: 'entry.at >= ?', values: [since] }]),
    ...(until === undefined ? [] : [{ sql: 'entry.at < ?', values: [until] }]),
    ...anyOf('entry.kind', kinds),
    ...anyOf('entry.tool', tools),
    ...anyOf('entry.outcome', outcomes),
    ...pathCondition(paths),
  ];
}

function anyOf(column: string, values: readonly string[] = []): Condition[] {
  if (values.length === 0) return [];
  return [{ sql: `${column} IN (${values.map(() => '?').join(', ')})`, values: [...values] }];
}

/** A path itself, or what lies below it: in the order of texts that is everything from `path/` up to `path0`, the character after the slash. */
function pathCondition(paths: readonly string[] = []): Condition[] {
  if (paths.length === 0) return [];
  const plain = paths.map((path) => path.replace(/^(\.\/)+/, '').replace(/\/+$/, ''));
  const each = plain.map(() => '(path = ? OR (path > ? AND path < ?))').join(' OR ');
  const values = plain.flatMap((path) => [path, `${path}/`, `${path}0`]);
  return [{ sql: `entry.key IN (SELECT entry FROM path WHERE ${each})`, values }];
}

function hitOf(state: string, row: Row, terms: readonly Term[]): SearchHit {
  const told = JSON.parse(row.told) as Told;
  const { id: session, event, kind, at, tool, outcome } = row;
  const how = { ...(tool !== null && { tool }), ...(outcome !== null && { outcome }) };
  const excerpt = excerptAt(sessionFolder(state, session), row, terms);
  return { session, title: titleOf(told), workspace: told.workspace ?? '', event, kind, at, ...how, excerpt };
}

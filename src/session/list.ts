/** The sessions there are. */
import { existsSync, statSync } from 'node:fs';
import { ReinsError, titleFrom, type Event, type EventData } from '../core/index.ts';
import { logFile, sessionFolder, sessionIds } from './folders.ts';
import { isLocked } from './lock.ts';
import { readLog } from './read.ts';

export interface SessionSummary {
  id: string;
  folder: string;
  /** Absent where the line that names it can't be read. */
  workspace?: string;
  parent?: EventData['session']['parent'];
  /** The beginning of the first thing that a person (or a parent agent) asked for. */
  input?: string;
  /** What a person calls it. */
  name?: string;
  /** Times of the first and the last event, in milliseconds since the epoch. */
  start?: number;
  last?: number;
  /** How the last run ended; absent while one is under way or was cut off. */
  stop?: EventData['stop'];
  /** Somebody holds the session now. */
  running: boolean;
  /** What can't be read, in words; empty for a whole log. */
  damage: string[];
}

const longestInput = 200;
const mostDamage = 20;

/** All sessions, the oldest first; those whose log is damaged or can't be read are among them and say so. */
export function list(state: string): SessionSummary[] {
  return sessionIds(state).map((id) => summarise(id, sessionFolder(state, id)));
}

/** The ids of the sessions that somebody holds now. */
export function held(state: string): string[] {
  return sessionIds(state).filter((id) => isLocked(sessionFolder(state, id)));
}

/** What to call a session: its name, else the first line of its task. */
export function titleOf({ name, input = '' }: SessionSummary): string {
  return name ?? titleFrom(input);
}

/** What the log of one session tells of it. */
export function summarise(id: string, folder: string): SessionSummary {
  const summary: SessionSummary = { id, folder, running: isLocked(folder), damage: [] };
  try {
    for (const item of readLog(folder)) {
      if (!('damage' in item)) addEvent(summary, item);
      else if (summary.damage.length < mostDamage) summary.damage.push(`line ${item.line}: ${item.damage}`);
    }
  } catch (error) {
    if (!(error instanceof ReinsError)) throw error;
    summary.damage.push(error.detail);
  }
  if (summary.workspace === undefined && summary.damage.length === 0) summary.damage.push('the log is empty');
  return summary;
}

function addEvent(summary: SessionSummary, event: Event): void {
  summary.start ??= event.at;
  summary.last = event.at;
  switch (event.kind) {
    case 'session':
      summary.workspace ??= event.data.workspace;
      if (event.data.parent !== undefined) summary.parent ??= event.data.parent;
      return;
    case 'setup':
      delete summary.stop;
      return;
    case 'input':
      if (event.data.from === 'harness') return;
      summary.input ??= event.data.text.slice(0, longestInput);
      delete summary.stop;
      return;
    case 'title':
      if (event.data.text === '') delete summary.name;
      else summary.name = event.data.text;
      return;
    case 'stop':
      summary.stop = event.data;
      return;
    default:
      return;
  }
}

/** The id of the session of this workspace that something was recorded in last; undefined where there is none. */
export function latest(state: string, workspace: string): string | undefined {
  return sessionIds(state)
    .map((id) => ({ id, changed: changedAt(sessionFolder(state, id)) }))
    .toSorted((a, b) => b.changed - a.changed || (a.id < b.id ? 1 : -1))
    .find(({ id, changed }) => changed > 0 && workspaceOf(sessionFolder(state, id)) === workspace)?.id;
}

/** When the log last grew, in milliseconds since the epoch; zero where there is none. */
function changedAt(folder: string): number {
  const file = logFile(folder);
  return existsSync(file) ? statSync(file).mtimeMs : 0;
}

function workspaceOf(folder: string): string | undefined {
  try {
    // It stands in the first line, if that can be read: a whole log isn't gone through for it.
    for (const item of readLog(folder)) {
      return 'damage' in item || item.kind !== 'session' ? undefined : item.data.workspace;
    }
    return undefined;
  } catch (error) {
    if (error instanceof ReinsError) return undefined; // It can't be continued; the list names what is wrong with it.
    throw error;
  }
}

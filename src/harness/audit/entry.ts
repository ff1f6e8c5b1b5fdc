/** What an audit says: one entry for each thing that was done, or would have been. Times are milliseconds since the epoch. */
import type { CallKey, Change, Effect, EventData, EventId, JsonObject, Mode, Outcome } from '../../core/index.ts';

/** The rules of the following entries: a run began, or went on with another model. */
export interface RunEntry {
  type: 'run';
  id: EventId;
  at: number;
  mode: Mode;
  /** `provider/model`; older logs name no provider. */
  model: string;
}

export interface CallEntry {
  type: 'call';
  id: CallKey;
  at: number;
  /** From 1; absent where the log no longer says it. */
  turn?: number;
  tool: string;
  /** Command, path or whatever says most of what the call is about. */
  what: string;
  /** Those that counted, long texts shortened. */
  arguments: JsonObject;
  /** Who changed the arguments after the model gave them. */
  changedBy?: string[];
  effects?: Effect[];
  hosts?: string[];
  /** Real paths that it declared to read or write. */
  paths?: { access: 'read' | 'write'; path: string }[];
  /** Every verdict in its order: a later one replaces the one before. None where the call was refused before any rule saw it. */
  verdicts: Verdict[];
  questions: Asked[];
  /** What an "always" gave for later calls. */
  grants: { shape: string; by: string; at: number }[];
  startedAt?: number;
  endedAt?: number;
  /** Absent where the log has no result of it. */
  outcome?: Outcome;
  exit?: number | null;
  /** What it did to files, SHA-256 before and after. */
  changes: AuditedChange[];
  /** Files may have changed that nobody can name; `changesUnknown` says why. */
  changesUnknown?: string;
  connections: AuditedConnection[];
  jobs: AuditedJob[];
  notices: { code: string; text: string }[];
  /** The undo that took it back last, while nothing brought it back. */
  undoneBy?: EventId;
}

export interface Verdict {
  at: number;
  decision: 'allow' | 'ask' | 'deny';
  by: string;
  reason: string;
  /** The part of a command line that decided. */
  part?: string;
}

export interface Asked {
  id: EventId;
  at: number;
  question: string;
  because?: string;
  answer?: {
    at: number;
    by: string;
    decision: 'yes' | 'no';
    scope: string;
    reason?: string;
    arguments?: JsonObject;
    mode?: Mode;
  };
}

/** `compared`: no tool said it, it is what differs between the snapshots right before and right after. */
export interface AuditedChange extends Change {
  how: 'reported' | 'compared';
}

export type AuditedConnection = Omit<EventData['connection'], 'call'> & { at: number };

export interface AuditedJob {
  id: string;
  at: number;
  command: string;
  kept: boolean;
  until?: number;
  end?: Omit<EventData['job-end'], 'id'> & { at: number };
}

/** A connection of which nobody knows which call made it. */
export type ConnectionEntry = AuditedConnection & { type: 'connection'; id: EventId };

/** A check that Reins ran by itself, as the settings or the command line name it. */
export interface CheckEntry {
  type: 'check';
  id: EventId;
  at: number;
  command: string;
  outcome: EventData['evidence']['outcome'];
  exit: number | null;
}

export interface UndoEntry {
  type: 'undo';
  id: EventId;
  at: number;
  /** The calls whose effects it took back; with `undone` brought back, with the undo of that id. */
  calls: CallKey[];
  undone?: EventId;
  changes: AuditedChange[];
  kept: { path: string; why: string }[];
}

export interface CancelEntry {
  type: 'cancel';
  id: EventId;
  at: number;
  by: string;
  signal?: string;
}

export type AuditEntry = RunEntry | CallEntry | ConnectionEntry | CheckEntry | UndoEntry | CancelEntry;

/** Whether rules, hooks or people refused it, or a connection of it. */
export function isDenied(entry: AuditEntry): boolean {
  if (entry.type === 'connection') return !entry.allowed;
  if (entry.type !== 'call') return false;
  const refused = entry.questions.some(({ answer }) => answer?.decision === 'no');
  const denied = entry.verdicts.at(-1)?.decision === 'deny';
  return entry.outcome === 'denied' || refused || denied || entry.connections.some(({ allowed }) => !allowed);
}

/** Whether files changed by it, or may have. */
export function hasChanges(entry: AuditEntry): boolean {
  if (entry.type === 'undo') return entry.changes.length > 0;
  return entry.type === 'call' && (entry.changes.length > 0 || entry.changesUnknown !== undefined);
}

/** Every path that the record names for it. */
export function pathsOf(entry: AuditEntry): string[] {
  if (entry.type === 'undo') return [...entry.changes, ...entry.kept].map(({ path }) => path);
  if (entry.type !== 'call') return [];
  return [...entry.changes, ...(entry.paths ?? [])].map(({ path }) => path);
}

/** What a run doesn't need is loaded when somebody asks for it. */
import { placesOf } from '../config/index.ts';
import type { Damage, Event } from '../core/index.ts';
import { loadSearch, type SearchHit, type SearchOptions, type SearchQuery } from '../session/index.ts';
import type { AuditOptions, SessionAudit } from './audit/index.ts';
import type { CompactOptions, CompactReport } from './compaction/index.ts';
import type { ExportOptions, ImportOptions, SessionExport, SessionImport } from './exchange/index.ts';
import type { Handoff } from './handoff/index.ts';
import { loadMapReport, type MapOptions, type MapReport } from './map/index.ts';
import { loadDesk } from './memory/index.ts';
import type { PolicyDesk, PolicyOptions } from './policy.ts';
import type { PruneOptions, PruneReport } from './prune/index.ts';
import type { Rehearsal, RehearseOptions } from './rehearsal/index.ts';
import type { CacheReport, Capture, CaptureAudit, CaptureOptions, ContextReport } from './sent/index.ts';
import type { SessionTree } from './tree.ts';
import type { SessionOptions } from './types.ts';
import type { RedoOptions, RewindOptions, SessionDiff, UndoableTurn, UndoOptions, UndoReport } from './undo/index.ts';

type Which = string | { latest: string };

const sent = () => import('./sent/index.ts');

/** Notes that outlive sessions, for people. */
export async function memoryDesk(): ReturnType<typeof loadDesk> {
  return loadDesk();
}

/** The symbols of a workspace that matter most, ranked. Rejects as a run does for settings that can't be used. */
export async function repositoryMap(options: MapOptions): Promise<MapReport> {
  return (await loadMapReport()).repositoryMap(options);
}

/** Runs a past session again in a fresh copy of its workspace. Rejects with `session-missing` and `rehearsal-impossible`. */
export async function rehearseSession(options: RehearseOptions): Promise<Rehearsal> {
  const rehearsal = await import('./rehearsal/index.ts');
  return rehearsal.rehearseSession(options);
}

/** What the next request of a session would be. Rejects with `session-missing`, and `usage-arguments` before its first run. */
export async function sessionContext(
  env: SessionOptions['env'],
  which: string | { latest: string },
): Promise<ContextReport> {
  return (await sent()).sessionContext(env, which);
}

/** What the first request of a run in this folder would be. Rejects as a run does for settings that can't be used. */
export async function freshContext(
  options: Pick<SessionOptions, 'workspace' | 'env' | 'settings'>,
): Promise<ContextReport> {
  return (await sent()).freshContext(options);
}

/** What a session's requests kept of the caches, one by one and all together. */
export async function cacheReport(items: Iterable<Event | Damage>): Promise<CacheReport> {
  return (await sent()).cacheReport(items);
}

/** Runs a program and records what it sends to models. */
export async function startCapture(options: CaptureOptions): Promise<Capture> {
  return (await sent()).startCapture(options);
}

/** The requests of an earlier capture, in layers. */
export async function auditCapture(folder: string): Promise<CaptureAudit> {
  return (await sent()).auditCapture(folder);
}

const undo = () => import('./undo/index.ts');

/** Takes effects of a session back. Rejects with `undo-impossible`, `session-busy`, `session-missing`. */
export async function undoSession(
  env: SessionOptions['env'],
  which: Which,
  options?: UndoOptions,
): Promise<UndoReport> {
  return (await undo()).undoSession(env, which, options);
}

/** Brings back what the last undo took back. Rejects like `undoSession`. */
export async function redoSession(
  env: SessionOptions['env'],
  which: Which,
  options?: RedoOptions,
): Promise<UndoReport> {
  return (await undo()).redoSession(env, which, options);
}

/** The turns of a session that had effects. */
export async function undoableTurns(env: SessionOptions['env'], which: Which): Promise<UndoableTurn[]> {
  return (await undo()).undoableTurns(env, which);
}

/** Back to before a turn, or to an event: conversation, files or both. Rejects like `undoSession`. */
export async function rewindTo(
  env: SessionOptions['env'],
  which: Which,
  options: RewindOptions,
): Promise<UndoReport | undefined> {
  return (await undo()).rewindTo(env, which, options);
}

/** What a session changed in its workspace, as a patch. */
export async function sessionDiff(env: SessionOptions['env'], which: Which): Promise<SessionDiff> {
  return (await undo()).sessionDiff(env, which);
}

/** Has older turns of a session that nobody drives give way to a summary. Rejects with `session-missing`, `session-busy` and `usage-arguments`, and as a run does for models. */
export async function compactSession(options: CompactOptions): Promise<CompactReport> {
  return (await import('./compaction/index.ts')).compactSession(options);
}

/** What was said, done and found in all sessions, the newest first. Rejects with `usage-arguments` for what can't be searched. */
export async function searchSessions(
  env: SessionOptions['env'],
  query: SearchQuery,
  options?: SearchOptions,
): Promise<SearchHit[]> {
  return (await loadSearch()).search(placesOf(env).state, query, options);
}

/** Removes sessions that nobody needs any more. Rejects with `usage-arguments` where nothing says which. */
export async function pruneSessions(env: SessionOptions['env'], options: PruneOptions): Promise<PruneReport> {
  return (await import('./prune/index.ts')).pruneSessions(env, options);
}

/** The turns of a session and what was said between them, as a tree. Rejects with `session-missing`. */
export async function sessionTree(env: SessionOptions['env'], which: Which): Promise<SessionTree> {
  return (await import('./tree.ts')).sessionTree(env, which);
}

/** What would be decided about commands, without running any. Rejects as a run does for settings that can't be used. */
export async function openPolicy(options: PolicyOptions): Promise<PolicyDesk> {
  return (await import('./policy.ts')).openPolicy(options);
}

/** Who allowed what in a session, by which rule, and what came of it; the chain of its log is checked first. Rejects with `session-missing`. */
export async function auditSession(
  env: SessionOptions['env'],
  which: Which,
  options?: AuditOptions,
): Promise<SessionAudit> {
  return (await import('./audit/index.ts')).auditSession(env, which, options);
}

/** A session in another format, in pieces. Rejects with `session-missing`. */
export async function exportSession(
  env: SessionOptions['env'],
  which: Which,
  options: ExportOptions,
): Promise<SessionExport> {
  return (await import('./exchange/index.ts')).exportSession(env, which, options);
}

/** Makes a session of another harness’s session file. Rejects with `import-invalid`, `workspace-missing` and `state-unwritable`. */
export async function importSession(env: SessionOptions['env'], options: ImportOptions): Promise<SessionImport> {
  return (await import('./exchange/index.ts')).importSession(env, options);
}

/** What the next session or person needs to know of a session, from its log. Rejects with `session-missing`. */
export async function sessionHandoff(env: SessionOptions['env'], which: Which): Promise<Handoff> {
  return (await import('./handoff/index.ts')).sessionHandoff(env, which);
}

/** A task that has the handoff of an earlier session with it, as data. */
export async function taskWithHandoff(handoff: string, task?: string): Promise<string> {
  return (await import('./handoff/index.ts')).taskWithHandoff(handoff, task);
}

/** The repository's record of agent failures, with what reads and fills it (docs/ledger.md). */
export const loadLedger = () => import('./failure-ledger/index.ts');

/** The door of the harness: make or resume sessions, drive them, read their record. */
export { forkSession, listBranches, rewindSession, switchBranch, type BranchRow } from './branches.ts';
export type { Point } from './points.ts';
export type {
  AuditedRequest,
  CacheReport,
  CacheRow,
  CacheTotals,
  Capture,
  CaptureAudit,
  CaptureEnd,
  CaptureOptions,
  ContextReport,
} from './sent/index.ts';
export { modelsReport, type ModelRow, type ModelsReport, type ProviderRow, type RouteRow } from './models/index.ts';
export { createSession } from './open.ts';
export { exitCodeOf, usageExitCode } from './outcome.ts';
export { listGrants, revokeGrants, type GrantRow, type GrantsReport } from './grants.ts';
export { endJob, listJobs, type JobRow } from './jobs.ts';
export { answerQuestion, cancelSession, openQuestions, sayTo, titleSession, type OutsideAnswer } from './outside.ts';
export { describeSession, listSessions, openReader } from './reader.ts';
export {
  auditCapture,
  auditSession,
  cacheReport,
  compactSession,
  exportSession,
  importSession,
  freshContext,
  loadLedger,
  memoryDesk,
  openPolicy,
  redoSession,
  rehearseSession,
  repositoryMap,
  pruneSessions,
  rewindTo,
  searchSessions,
  sessionContext,
  sessionDiff,
  sessionHandoff,
  sessionTree,
  startCapture,
  taskWithHandoff,
  undoableTurns,
  undoSession,
} from './on-demand.ts';
export type { AuditEntry, AuditOptions, CallEntry, SessionAudit } from './audit/index.ts';
export type { ExportOptions, ImportOptions, SessionExport, SessionImport } from './exchange/index.ts';
export type { Failure, LedgerPlace, LedgerReport, Proposal, Rung, RungRow } from './failure-ledger/index.ts';
export type { Attempt, Handoff, OpenCheck, Risk, RiskKind } from './handoff/index.ts';
export type { CompactOptions, CompactReport } from './compaction/index.ts';
export type { MapReport } from './map/index.ts';
export type { MemoryOutcome, MemoryReport, MemoryRow } from './memory/index.ts';
export type { PruneOptions, PruneReport } from './prune/index.ts';
export type { SearchHit, SearchQuery } from '../session/index.ts';
export type { SessionTree, TreeNode } from './tree.ts';
export type { RedoOptions, RewindOptions, SessionDiff, UndoableTurn, UndoOptions, UndoReport } from './undo/index.ts';
export type {
  Rehearsal,
  RehearsalComparison,
  RehearsedCall,
  RehearsedStop,
  RehearseOptions,
} from './rehearsal/index.ts';
export { profilesReport, type ProfilesReport } from './profiles.ts';
export type { ChangedFile, DeniedCall, SkippedCall, SpendingRow } from './report-types.ts';
export type { PolicyAnswer, PolicyDesk, PolicyTrial } from './policy.ts';
export { doctor, settingsReport, type DoctorRow } from './report.ts';
export type {
  LocalModel,
  LocalServer,
  OpenQuestion,
  RunOutcome,
  RunReport,
  Contract,
  RunSettings,
  Session,
  SessionOptions,
  SessionReader,
  SessionSummary,
  TrustQuestion,
  Verification,
} from './types.ts';
export { proposeInit, writeInit, type InitFile, type InitProposal } from './init.ts';
export { distrustWorkspace, trustedWorkspaces, trustState, trustWorkspace, type TrustState } from './trust.ts';
export { version } from './version.ts';
export { importFormats, type ImportFormat } from '../session/index.ts';
export { exportFormats, labelOf, type ExportFormat, type Label } from '../observe/index.ts';
export { defaultRules, grouped, plural, ReinsError, routed, systemReason } from '../core/index.ts';
export type * from '../core/index.ts';

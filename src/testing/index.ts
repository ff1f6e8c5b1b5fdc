/** The door of the testing kit: rehearse a whole run with a scripted model, or the loop alone. docs/testing.md explains both. */
export * from './scenario/index.ts';
export * from './server/index.ts';
export { lastSaid, type AskedMessage, type AskedResult, type Question } from './script/index.ts';
export { manualClock, type ManualClock, type ManualClockOptions } from './manual-clock.ts';
export { failingLog, memoryLog, type LogFailure, type MemoryLog } from './memory-log.ts';
export {
  recordingApprover,
  type RecordingApprover,
  type ScriptedAnswer,
  type ScriptedChoice,
} from './recording-approver.ts';
export {
  scriptedCalls,
  type CallContext,
  type ScriptedCalls,
  type ScriptedTool,
  type ToolFunction,
} from './scripted-calls.ts';
export { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from './scripted-model.ts';
export { scriptedSummariser, type ScriptedSummariser, type ScriptedSummary } from './scripted-summariser.ts';
export {
  scriptedVerifier,
  type ScriptedCheck,
  type ScriptedVerifier,
  type ScriptedVerifierOptions,
} from './scripted-verifier.ts';
export { readSentBody, SequenceWatch, type Extension, type SentBody, type SequenceBreak } from './sent-body.ts';
export {
  temporaryWorkspace,
  type TemporaryWorkspace,
  type TemporaryWorkspaceOptions,
  type WorkspaceFile,
} from './temporary-workspace.ts';

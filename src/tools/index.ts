/** The door of the tools: registry, the way of a call, the built-in tools; users' own tools take the same road. */
export { builtinTools, shellEffects } from './builtin/index.ts';
export type { Effect } from '../core/index.ts';
export type {
  Blobs,
  Checkpoints,
  CommandOutcome,
  CommandRequest,
  Diagnostics,
  Effects,
  Fetcher,
  FileState,
  Files,
  FindRequest,
  Found,
  JobKind,
  JobLook,
  JobReport,
  Jobs,
  JobState,
  Judgement,
  Mapper,
  NoteChange,
  Notes,
  Page,
  Policy,
  Refusal,
  Searcher,
  SearchRequest,
  Shell,
} from './needs.ts';
export {
  createCalls,
  shownAsData,
  type CallHook,
  type CallsOptions,
  type HookedCall,
  type ReadyCalls,
} from './pipeline/index.ts';
export { createRegistry, type Registry, type RegistryOptions } from './registry.ts';
export { toolSet, type ToolSet, type ToolSetOptions } from './tool-set.ts';
export { ageOf, foldKnown, nothingKnown, type Known, type SeenFile } from './known.ts';
export {
  defineTool,
  type AnalysisContext,
  type PlannedChange,
  type Preview,
  type Tool,
  type ToolContext,
  type ToolDefinition,
} from './tool.ts';

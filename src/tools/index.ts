/** The door of the tools: registry, the way of a call, the built-in tools; users' own tools take the same road. */
export { builtinTools } from './builtin/index.ts';
export type {
  Blobs,
  CommandOutcome,
  CommandRequest,
  Effect,
  Effects,
  FileState,
  Files,
  Judgement,
  Policy,
  Refusal,
  Shell,
} from './needs.ts';
export { createCalls, type CallHook, type CallsOptions, type HookedCall, type ReadyCalls } from './pipeline/index.ts';
export { createRegistry, type Registry } from './registry.ts';
export { foldSeen, type SeenFile } from './seen.ts';
export { defineTool, type AnalysisContext, type Tool, type ToolContext, type ToolDefinition } from './tool.ts';

/** A tool: what the model is told of it, what a call would do, and the doing. Built-in and users' tools are the same thing. */
import type { Static, TSchema } from 'typebox';
import type { CallKey, CallOutcome, JsonObject } from '../core/index.ts';
import type { Effects, Files } from './needs.ts';
import type { SeenFile } from './seen.ts';

/** Milliseconds that a tool may take unless it says otherwise. */
const defaultToolTimeout = 60_000;
/** Characters of a result that the model is shown unless the tool says otherwise. */
export const defaultResultLimit = 25_000;

/** What a tool may look at before it runs. */
export interface AnalysisContext {
  files: Files;
  /** What the session has seen of a file, by real path. */
  seen: (realPath: string) => SeenFile | undefined;
}

/** What a tool has while it runs. */
export interface ToolContext extends AnalysisContext {
  call: CallKey;
  /** Aborted on cancel and at the time limit. A tool that goes on regardless is left behind. */
  signal: AbortSignal;
  /** Shows output to whoever watches, while it comes; the model sees only what `execute` returns. */
  output: (delta: string) => void;
}

/** A tool as the pipeline uses it. Made by `defineTool`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object. */
  readonly input: JsonObject;
  /** Characters of a result that the model is shown. */
  readonly resultLimit: number;
  /** Milliseconds that this call may take. */
  timeout(args: JsonObject): number;
  effects(args: JsonObject, context: AnalysisContext): Promise<Effects>;
  execute(args: JsonObject, context: ToolContext): Promise<CallOutcome | string>;
  /** What a person is shown who is asked about the call: a line that names it, then what it would do. */
  summary(args: JsonObject): string;
}

export interface ToolDefinition<Schema extends TSchema> {
  /** 1 to 64 of `a-z A-Z 0-9 _ -`, unique in a registry. */
  name: string;
  description: string;
  /** TypeBox or plain JSON Schema, of type object. It is checked as it stands: nothing is coerced, no default filled in. */
  input: Schema;
  /**
   * What a call would do, and to which real paths (`context.files.resolve`). Left out: cannot-tell, so the call asks and runs
   * alone. What is declared decides the verdict and what runs at once, so it must be true.
   */
  effects?: Effects | ((args: Static<Schema>, context: AnalysisContext) => Effects | Promise<Effects>);
  /** Gives the text for the model, or an outcome. What it throws becomes an error result. */
  execute(args: Static<Schema>, context: ToolContext): CallOutcome | string | Promise<CallOutcome | string>;
  /** Milliseconds; 60,000 when left out. */
  timeout?: number | ((args: Static<Schema>) => number);
  /** Characters; 25,000 when left out. */
  resultLimit?: number;
  /** What a person is shown who is asked about the call: a line that names it, then what it would do. */
  summary?(args: Static<Schema>): string;
}

const undeclared: Effects = { effects: ['cannot-tell'], resources: 'unknown' };

export function defineTool<const Schema extends TSchema>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, effects = undeclared, timeout = defaultToolTimeout } = definition;
  // The pipeline hands over only what the schema has accepted.
  const typed = (args: JsonObject) => args as Static<Schema>;
  return {
    name,
    description,
    // A plain copy: what a schema builder hangs on its objects is no part of what the model is told.
    input: JSON.parse(JSON.stringify(definition.input)) as JsonObject,
    resultLimit: definition.resultLimit ?? defaultResultLimit,
    timeout: (args) => (typeof timeout === 'number' ? timeout : timeout(typed(args))),
    effects: async (args, context) => (typeof effects === 'function' ? effects(typed(args), context) : effects),
    execute: async (args, context) => definition.execute(typed(args), context),
    summary: (args) => definition.summary?.(typed(args)) ?? `${name} ${JSON.stringify(args)}`,
  };
}

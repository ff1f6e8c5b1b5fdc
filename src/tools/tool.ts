/** A tool: what the model is told of it, what a call would do, and the doing. Built-in and users' tools are the same thing. */
import type { Static, TSchema } from 'typebox';
import type { CallKey, CallOutcome, Choice, JsonObject, Question, ToolSpec } from '../core/index.ts';
import type { SeenFile } from './known.ts';
import type { Effects, Files } from './needs.ts';

/** Milliseconds that a tool may take unless it says otherwise. */
const defaultToolTimeout = 60_000;
/** Characters of a result that the model is shown unless the tool says otherwise. */
export const defaultResultLimit = 25_000;

/** What a tool may look at before it runs. */
export interface AnalysisContext {
  files: Files;
  /** What the session has seen of a file, by real path. */
  seen: (realPath: string) => SeenFile | undefined;
  /** Real path of the folder in which the last command left the shell. */
  folder: () => string;
}

/** A file as a call would leave it. */
export interface PlannedChange {
  /** As people write it. */
  path: string;
  /** Its present bytes and the new ones; null: no such file. */
  before: Buffer | null;
  after: Buffer | null;
}

/** The files that a call would change, or what the model is told where it would fail. */
export type Preview = PlannedChange[] | { fails: string };

/** What a tool has while it runs. */
export interface ToolContext extends AnalysisContext {
  call: CallKey;
  /** Aborted on cancel and at the time limit. A tool that goes on regardless is left behind. */
  signal: AbortSignal;
  /** Shows output to whoever watches, while it comes; the model sees only what `execute` returns. */
  output: (delta: string) => void;
  /** Keeps bytes with the session; gives their SHA-256. */
  keep: (bytes: Uint8Array) => Promise<string>;
  /** The text without secrets: for what is cut before it is returned, since a part of a secret isn’t seen to be one. */
  withoutSecrets: (text: string) => string;
  /** Puts a question to the person, if one is there; undefined: nobody is. */
  choose: (question: Omit<Question, 'call'>) => Promise<Choice | undefined>;
}

/**
 * `auto`: told of only after a search once there are many tools. `never`: always told. `always`: only after a search. `untold`: the model
 * isn't told of it, and is understood when it calls it all the same.
 */
export type Deferral = 'never' | 'auto' | 'always' | 'untold';

/** A tool as the pipeline uses it. Made by `defineTool`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object. */
  readonly input: JsonObject;
  readonly text?: NonNullable<ToolSpec['text']>;
  /** Characters of a result that the model is shown. */
  readonly resultLimit: number;
  readonly deferral: Deferral;
  readonly keywords: readonly string[];
  readonly idempotent: boolean;
  /** It gets the secrets of a file for their placeholders: it writes them only where they are. */
  readonly keepsSecrets: boolean;
  /** Calls of it that may be at work at once. */
  readonly atOnce: number;
  /** Milliseconds that this call may take. */
  timeout(args: JsonObject): number;
  effects(args: JsonObject, context: AnalysisContext): Promise<Effects>;
  execute(args: JsonObject, context: ToolContext): Promise<CallOutcome | string>;
  /** What the call would do, from what is there now; nothing is written. Absent: the tool can't say. */
  preview?(args: JsonObject, context: AnalysisContext): Promise<Preview>;
  /** What a person is shown who is asked about the call: a line that names it, then what it would do. */
  summary(args: JsonObject): string;
}

export interface ToolDefinition<Schema extends TSchema> {
  /** 1 to 64 of `a-z A-Z 0-9 _ -`, unique in a registry. */
  name: string;
  description: string;
  /** TypeBox or plain JSON Schema, of type object. It is checked as it stands: nothing is coerced, no default filled in. */
  input: Schema;
  /** Where a provider has tools that take plain text, this one is offered so; the text becomes the argument of this name. */
  text?: ToolSpec['text'];
  /**
   * What a call would do, and to which real paths (`context.files.resolve`). Left out: cannot-tell, so the call asks and runs
   * alone. What is declared decides the verdict and what runs at once, so it must be true.
   */
  effects?: Effects | ((args: Static<Schema>, context: AnalysisContext) => Effects | Promise<Effects>);
  /** Gives the text for the model, or an outcome. What it throws becomes an error result. */
  execute(args: Static<Schema>, context: ToolContext): CallOutcome | string | Promise<CallOutcome | string>;
  /** The files that the call would change, for whoever is asked about it, or why it would fail: then nobody is asked. It must write nothing. */
  preview?(args: Static<Schema>, context: AnalysisContext): Preview | Promise<Preview>;
  /** Milliseconds; 60,000 when left out. */
  timeout?: number | ((args: Static<Schema>) => number);
  /** Characters; 25,000 when left out. */
  resultLimit?: number;
  /** Doing it twice is the same as doing it once: then a fault that may pass is tried again. */
  idempotent?: boolean;
  /**
   * Placeholders of secrets in its arguments stand for what the file at its `path` (or each file of its patch) holds, so it must write to
   * no other; left out, a call with one that does more than read is refused.
   */
  keepsSecrets?: boolean;
  /** Calls of it that may be at work at once; 10 when left out. */
  atOnce?: number;
  /** Whether the model is told of it at once, or only once it searches for it among many; `auto` when left out. */
  deferral?: Deferral;
  /** More words by which a search finds it. */
  keywords?: readonly string[];
  /** What a person is shown who is asked about the call: a line that names it, then what it would do. */
  summary?(args: Static<Schema>): string;
}

const undeclared: Effects = { effects: ['cannot-tell'], resources: 'unknown' };

export function defineTool<const Schema extends TSchema>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, text, effects = undeclared, timeout = defaultToolTimeout } = definition;
  // The pipeline hands over only what the schema has accepted.
  const typed = (args: JsonObject) => args as Static<Schema>;
  const preview = definition.preview?.bind(definition);
  return {
    name,
    description,
    // A plain copy: what a schema builder hangs on its objects is no part of what the model is told.
    input: JSON.parse(JSON.stringify(definition.input)) as JsonObject,
    ...(text !== undefined && { text }),
    resultLimit: definition.resultLimit ?? defaultResultLimit,
    deferral: definition.deferral ?? 'auto',
    keywords: definition.keywords ?? [],
    idempotent: definition.idempotent ?? false,
    keepsSecrets: definition.keepsSecrets ?? false,
    atOnce: definition.atOnce ?? 10,
    timeout: (args) => (typeof timeout === 'number' ? timeout : timeout(typed(args))),
    effects: async (args, context) => (typeof effects === 'function' ? effects(typed(args), context) : effects),
    execute: async (args, context) => definition.execute(typed(args), context),
    ...(preview !== undefined && {
      preview: async (args: JsonObject, context: AnalysisContext) => preview(typed(args), context),
    }),
    summary: (args) => definition.summary?.(typed(args)) ?? `${name} ${JSON.stringify(args)}`,
  };
}

/** What the steps of an analysis share. */
import type { CommandPart } from '../../core/index.ts';
import type { Statement } from '../grammar/index.ts';
import type { Invocation, Place, Word } from '../programs/index.ts';
import type { Scope } from './scope.ts';

export interface AnalyserOptions {
  place: Pick<Place, 'workspace' | 'home' | 'git' | 'scripts'>;
  /** Resolves the links of an absolute path, which may hold `..`, as the system would, as far as it exists. Never rejects. */
  realPath(path: string): Promise<string>;
  /** Whether there is a folder at an absolute path. Never rejects. */
  isFolder(path: string): Promise<boolean>;
  /** Why the name of a program doesn't tell which one it is (a search path that leads into the workspace); undefined where it does. */
  pathDoubt?: string;
}

/** Where in the line a statement stands. */
export interface Context {
  /** From the outside in. */
  inside: string[];
  input: Invocation['input'];
  pipedFrom?: string;
  /** The program that what comes through the pipe was got from the network by. */
  download?: string;
  /** The programs whose output a `>(...)` of the command gets. */
  feeds?: readonly string[];
  /** The command that is being looked at, as it is written. */
  text?: string;
  /** How many scripts, functions and programs that run others lie around it. */
  depth: number;
}

export interface Work {
  options: AnalyserOptions;
  parts: CommandPart[];
  /** Functions that are being called. */
  calling: Statement[];
  /** Function bodies that were looked at because something called them. */
  called: Set<Statement>;
  /** Functions that the line defines, in the scope of their definition. */
  defined: { name: string; body: Statement; context: Context }[];
  /** Throws `TooMuch` beyond the limits of an analysis. */
  step(): void;
  statements(statements: readonly Statement[], scope: Scope, context: Context): Promise<void>;
  statement(statement: Statement, scope: Scope, context: Context): Promise<void>;
  /** A text that a shell would run: in the scope, which may be a new shell's. */
  script(text: string, scope: Scope, context: Context): Promise<void>;
}

/** The line can't be told apart to its end, and why. */
export class TooMuch extends Error {}

/** Scripts, functions and programs in one another. */
const deepest = 12;

/** The context of what stands in this one. */
export function within(context: Context, as: string): Context {
  if (context.depth >= deepest) throw new TooMuch(`more than ${deepest} commands lie in one another`);
  return { inside: [...context.inside, as], input: { from: 'elsewhere' }, depth: context.depth + 1 };
}

/** The same for what gets the same input. */
export function withInput(context: Context, as: string, input: Context['input']): Context {
  const { pipedFrom, download } = context;
  const piped = { ...(pipedFrom !== undefined && { pipedFrom }), ...(download !== undefined && { download }) };
  return { ...within(context, as), input, ...piped };
}

/** The program that the parts from a place on have got from the network, if one has; what is only passed on counts as well. */
export function downloader({ parts }: Work, from: number): string | undefined {
  const part = parts
    .slice(from)
    .findLast(({ effects, words }) => effects.includes('network') && typeof words[0] === 'string');
  return part?.words[0] ?? undefined;
}

export function literal(text: string): Word {
  return { source: text, text };
}

/** A command: what it takes, and what it does. */
import type { Arguments, CommandSpec } from './arguments.ts';
import type { JsonLines } from './json-lines.ts';
import type { Output } from './output.ts';

export interface Context {
  output: Output;
  /** Takes the events and the outcome of a run with `--json`. */
  json?: JsonLines;
}

export interface Command extends CommandSpec {
  /** Gives the exit code. What is thrown is reported by whoever called. */
  run(parsed: Arguments, context: Context): Promise<number>;
}

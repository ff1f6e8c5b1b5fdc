import { fileURLToPath } from 'node:url';

/** Where compiled code is kept for the length of a run of the tests: each command line has a home of its own, and would compile all anew. */
export function compiledCode(): { NODE_COMPILE_CACHE?: string } {
  const folder = process.env['NODE_COMPILE_CACHE'];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

/**
 * The main module of the command line: the bundle where the whole suite has built one, which starts three times as fast; else
 * the source.
 */
export const commandLine: string =
  process.env['REINS_TESTED_PROGRAM'] ?? fileURLToPath(new URL('../../src/surfaces/cli/main.ts', import.meta.url));

#!/usr/bin/env node
/** The command line. This file only prepares the ground: everything else is imported when the cache for compiled code is on. */
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { platformRefusal } from './platform.ts';

/**
 * Compiled code is kept in the user's own folder. Node's default lies in the common folder for temporary files, where another
 * user could put code for us to run.
 */
function keepCompiledCode(): void {
  try {
    module.enableCompileCache?.(join(homedir(), '.cache', 'reins', 'compiled'));
  } catch {
    // A user without a home folder pays with a slower start, and with nothing else.
  }
}

const refusal = platformRefusal(process.platform, process.versions.node);
if (refusal === undefined) {
  keepCompiledCode();
  const { dispatch } = await import('./dispatch.ts');
  await dispatch(process.argv.slice(2));
} else {
  process.stderr.write(`reins: ${refusal}\n`);
  process.exitCode = 2;
}

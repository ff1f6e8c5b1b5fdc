/** The joint between settings and what is looked at after an edit. */
import { basename } from 'node:path';
import type { LoadedSettings } from '../config/index.ts';
import { startProgram, type Shell } from '../exec/index.ts';
import { matchesGlob } from '../core/index.ts';
import { createDiagnostics, type Diagnostics } from '../verify/index.ts';
import type { Hands } from './hands.ts';

/** Linters and servers are programs of the project: both run where commands are held; where nothing is to be held, linters only, since a server could outlive the session. */
export function diagnosticsFor(
  { settings: { diagnostics, mode } }: LoadedSettings,
  { files, report, sandbox }: Hands,
  shell: Shell,
  workspace: string,
): Diagnostics {
  const mayRun = report.works || mode === 'unsafe';
  return createDiagnostics({
    workspace,
    syntax: diagnostics.syntax,
    linters: mayRun ? diagnostics.linters : [],
    servers: mayRun ? diagnostics.servers : [],
    timeout: diagnostics.timeout,
    read: async (path) => {
      const state = await files.read(path);
      return state === null || 'refused' in state ? null : state.bytes;
    },
    display: (path) => files.display(path),
    // Without a folder a glob is for names, wherever they are.
    matches: (glob, name) => matchesGlob(glob.includes('/') ? name : basename(name), glob),
    run: (request, signal) => shell.run(request, signal),
    start: (command) => startProgram(sandbox, workspace, command),
  });
}

/** Which ripgrep is run. */
import { execFile } from 'node:child_process';
import { realPath, isWithin } from '../../paths.ts';
import { findProgram, isExecutable } from '../../programs.ts';

/** The oldest one whose ignore rules and messages are those that the searcher knows. */
const oldest = 15;
/** Milliseconds for it to tell its version. */
const patience = 5_000;

/**
 * The one that comes as a package, else a recent enough one in PATH; undefined without any. Never one inside the workspace, which a
 * command of the model could have put there.
 */
export async function findRipgrep(workspace: string, path: string | undefined): Promise<string | undefined> {
  const packaged = await packagedRipgrep();
  const real = packaged === undefined ? undefined : realPath(packaged);
  if (real !== undefined && isExecutable(real) && !isWithin(real, workspace)) return real;
  const found = findProgram('rg', path, [workspace]);
  return found !== undefined && (await majorVersion(found)) >= oldest ? found : undefined;
}

async function packagedRipgrep(): Promise<string | undefined> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return undefined; // there is none for this platform, or optional packages weren't installed
  }
}

function majorVersion(program: string): Promise<number> {
  return new Promise((resolve) => {
    execFile(program, ['--no-config', '--version'], { env: {}, timeout: patience }, (error, output) => {
      resolve(error === null ? Number(/^ripgrep (\d+)\./.exec(output)?.[1] ?? 0) : 0);
    });
  });
}

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { ReinsError, systemReason } from '../core/index.ts';

/** The real path of a workspace. Throws `workspace-missing` where it isn't a folder that can be read. */
export function realWorkspace(workspace: string): string {
  try {
    const real = realpathSync(workspace);
    if (!statSync(real).isDirectory()) throw new ReinsError('workspace-missing', `${workspace} is not a folder.`);
    accessSync(real, constants.R_OK | constants.X_OK);
    return real;
  } catch (error) {
    if (error instanceof ReinsError) throw error;
    throw new ReinsError('workspace-missing', `${workspace} can’t be used: ${systemReason(error)}.`, { cause: error });
  }
}

/** Whether a folder, as far as it exists, lies inside the workspace: what is kept there could have come with the repository. */
export function isInside(folder: string, realWorkspacePath: string): boolean {
  const real = realOf(folder);
  return real === realWorkspacePath || real.startsWith(realWorkspacePath === sep ? sep : realWorkspacePath + sep);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // What doesn't exist yet can't have come with the repository, and gets its place by its name.
    return path;
  }
}

/** Where the real paths of a call lie. */
import type { Resource } from '../core/index.ts';

/** A path below the workspace, relative to it; undefined for what lies outside. The workspace itself is the empty path. */
export function inWorkspace(path: string, workspace: string): string | undefined {
  if (path === workspace) return '';
  const prefix = workspace.endsWith('/') ? workspace : `${workspace}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/** Whether a resource is a path, and not a named thing such as `process:1`. */
export function isPath({ path }: Resource): boolean {
  return path.startsWith('/');
}

/** Folders that belong to Git or to Reins, at any depth and in any letter case (some file systems make no difference). */
export function isProtected(relative: string): boolean {
  return relative.split('/').some((name) => /^\.(?:git|reins)$/i.test(name));
}

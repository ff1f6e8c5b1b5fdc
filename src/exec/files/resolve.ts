/** From the path that a call names to the one real file that it means, link by link, as the kernel would go. */
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { isWithin } from '../paths.ts';

export type Refusal = { refused: string };

/** Links that are followed on one way; the kernel's own limit. */
const mostLinks = 40;

/** Folders that no file tool writes in, at any depth and in any letter case (some file systems make no difference). */
const protectedName = /^\.(git|reins)$/i;

/** The real path, or why it may not be used. Where nothing exists yet, the rest of the path is taken as it is. */
export function resolveInside(workspace: string, path: string, access: 'read' | 'write'): string | Refusal {
  if (path === '' || path.includes('\0')) return { refused: 'that is no path' };
  const real = follow(path, workspace);
  if (typeof real !== 'string') return real;
  return whyNot(workspace, real, access) ?? real;
}

/** Why a real path may not be used; undefined when it may. */
export function whyNot(workspace: string, real: string, access: 'read' | 'write'): Refusal | undefined {
  if (!isWithin(real, workspace)) return { refused: `it leads to ${real}, outside the workspace ${workspace}` };
  if (access === 'read') return undefined;
  const name = relative(workspace, real)
    .split('/')
    .find((part) => protectedName.test(part));
  if (name === undefined) return undefined;
  const owner =
    name.toLowerCase() === '.git'
      ? 'Git’s own data, use git commands'
      : 'the settings of Reins, which only the user changes';
  return { refused: `${name} holds ${owner}` };
}

/** Walks a path step by step, from the root or, where it is relative, from the workspace, which is real already. */
function follow(asked: string, workspace: string): string | Refusal {
  let at = isAbsolute(asked) ? '/' : workspace;
  const steps = asked.split('/').toReversed();
  let links = 0;
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (step === '' || step === '.') continue;
    if (step === '..') {
      at = dirname(at);
      continue;
    }
    const path = join(at, step);
    const found = look(path);
    if (found === 'missing') return afterMissing(path, steps);
    if (typeof found !== 'string') return found;
    if (found === 'link') {
      links += 1;
      if (links > mostLinks) return { refused: 'its links lead in a circle' };
      const target = readlinkSync(path);
      if (isAbsolute(target)) at = '/';
      steps.push(...target.split('/').toReversed());
      continue;
    }
    if (found === 'file' && steps.some((rest) => rest !== '')) return { refused: `${path} is a file, not a folder` };
    at = path;
  }
  return at;
}

type Found = 'missing' | 'link' | 'folder' | 'file';

function look(path: string): Found | Refusal {
  try {
    const status = lstatSync(path);
    if (status.isSymbolicLink()) return 'link';
    return status.isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    if (code === 'ENOENT') return 'missing';
    if (code === 'ENAMETOOLONG') return { refused: 'a name in it is too long' };
    if (code === 'EACCES') return { refused: `its way is closed: ${dirname(path)} may not be entered` };
    return { refused: `it can’t be looked up (${code})` };
  }
}

/** Nothing exists from here on: what remains must be plain names, since a step back from nowhere has no meaning. */
function afterMissing(path: string, steps: string[]): string | Refusal {
  const rest = steps.toReversed().filter((step) => step !== '' && step !== '.');
  if (rest.includes('..')) return { refused: `there is no folder ${path} to go back from` };
  return join(path, ...rest);
}

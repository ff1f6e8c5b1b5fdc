/** Questions about absolute, normalised paths; what they say about real files holds for real paths only. */
import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** Whether a path is a folder or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The file's own status (a link isn't followed); undefined when there is none or it can't be told. */
export function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // hidden from us comes to the same as missing: nothing to be found here
  }
}

/** The real path; undefined where there is none. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // a dangling link, a loop or a missing file leads nowhere
  }
}

/** Links that are followed on one way; the kernel's own limit. */
const mostLinks = 40;

/** The real path of an absolute one, as far as it exists; what doesn't exist is taken as it is written. */
export function realPathAsFar(path: string): string {
  const whole = realPath(path);
  if (whole !== undefined) return whole;
  let at = '/';
  let links = 0;
  const steps = path.split('/').toReversed();
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (step === '' || step === '.') continue;
    const next = step === '..' ? dirname(at) : join(at, step);
    if (step !== '..' && statusOf(next)?.isSymbolicLink() === true && links < mostLinks) {
      links += 1;
      const target = linkTarget(next);
      if (target.startsWith('/')) at = '/';
      steps.push(...target.split('/').toReversed());
    } else at = next;
  }
  return at;
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // it has gone in this moment: what is left is the folder that it was in
  }
}

/** What a file was when the task was given. */
import { constants, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EventData } from '../../core/index.ts';
import { FileHashes } from '../file-hash.ts';
import type { Git } from '../needs.ts';
import { argumentOf } from '../path-key.ts';

export type FileAtStart =
  | { was: 'absent' }
  /** Its text is the commit's, or is known to be what it is now. */
  | { was: 'text'; text: string }
  /** It was there, and is another now: what it said isn't kept. */
  | { was: 'other' };

/** Bytes; a larger file is none that a person would read as a test. */
const largest = 4 * 1024 * 1024;

export async function fileAtStart(
  path: string,
  baseline: EventData['checkpoint'] | undefined,
  { workspace, git }: { workspace: string; git: Git },
): Promise<FileAtStart> {
  if (baseline === undefined || baseline.incomplete !== undefined) return { was: 'other' };
  if (Object.hasOwn(baseline.files, path)) {
    const hash = baseline.files[path];
    if (hash === null) return { was: 'absent' };
    const isSame = new FileHashes().hash(Buffer.from(join(workspace, path))) === hash;
    const text = isSame ? textNow(path, workspace) : null;
    return text === null ? { was: 'other' } : { was: 'text', text };
  }
  if (baseline.commit === null || argumentOf(path) === undefined) return { was: 'absent' };
  return fromCommit(`${baseline.commit}:./${path}`, git);
}

async function fromCommit(name: string, git: Git): Promise<FileAtStart> {
  try {
    const { exit, stdout } = await git.run(['cat-file', 'blob', name]);
    if (exit !== 0) return { was: 'absent' };
    return stdout.length > largest ? { was: 'other' } : { was: 'text', text: stdout.toString('utf8') };
  } catch {
    return { was: 'other' }; // Git can't be asked any more: it may have been there.
  }
}

/** Null where there is none that can be read. */
export function textNow(path: string, workspace: string): string | null {
  try {
    const file = join(workspace, path);
    const status = statSync(file);
    if (!status.isFile()) return null;
    if (status.size > largest) return '';
    return readFileSync(file, { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NONBLOCK });
  } catch {
    return null;
  }
}

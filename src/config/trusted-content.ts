/** The bytes of settings that were trusted, by their SHA-256: what a later change is compared with. */
import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ReinsError } from '../core/index.ts';

const folderOf = (state: string): string => join(state, 'trust-content');
const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** In one step, so that processes side by side only ever see all of it. Throws `state-unwritable`. */
export function keepContent(state: string, hash: string, content: Uint8Array): void {
  if (hashOf(content) !== hash) throw new TypeError('what is kept is not what was trusted');
  const folder = folderOf(state);
  const temporary = join(folder, `.${hash}.${randomUUID()}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      for (let done = 0; done < content.length;) done += writeSync(file, content, done);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, join(folder, hash));
  } catch (error) {
    discard(temporary);
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ReinsError('state-unwritable', `${folder} can’t be written (${why}).`, { cause: error });
  }
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where it can't be taken away it was never made, or stays without a meaning.
  }
}

/** Undefined where it isn't kept any more, or is something else by now: then there is only no difference to show. */
export function keptContent(state: string, hash: string): Buffer | undefined {
  if (!isHash(hash)) return undefined;
  try {
    const content = readFileSync(join(folderOf(state), hash));
    return hashOf(content) === hash ? content : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

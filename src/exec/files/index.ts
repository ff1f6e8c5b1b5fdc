/** The inner door to files. */
import { readdir } from 'node:fs/promises';
import { removeWhole } from './remove.ts';
import { dirname, relative } from 'node:path';
import { isWithin, realPath } from '../paths.ts';
import { removeLeftovers } from './leftovers.ts';
import { readState, type FileState } from './read.ts';
import { reasonOf } from './reasons.ts';
import { resolveInside, whyNot, type Refusal } from './resolve.ts';
import { writeWhole } from './write.ts';

export type { FileState, Refusal };

/** Files of a workspace, by real path. Values, not exceptions, for what the model may learn from. */
export interface Files {
  /** The real, absolute path of a workspace-relative or absolute path, links resolved; refused when it leads outside, loops, or (to write) is protected. */
  resolve(path: string, access: 'read' | 'write'): Promise<string | Refusal>;
  /** The file's present bytes; null when there is none; refused when it isn't a readable regular file of at most 256 MB. */
  read(realPath: string): Promise<FileState | null | Refusal>;
  /**
   * Replaces the whole file in one step (temporary file, sync, rename), keeping mode and owner and making parent folders; refused when
   * its bytes aren't `expected` (null: must not exist) any more. A file with several names in the workspace is filled in place, so that
   * they stay one file; where a name may lie outside, the others keep what they had. A file of an owner that it can't be given to is
   * filled in place too, unless it has several names: what breaks that off halfway is undone, but for the end of the machine. Access
   * lists and extended attributes of a file that is replaced are lost: Node can't read them. Gives the new SHA-256.
   */
  write(realPath: string, bytes: Buffer, expected: string | null, like?: string): Promise<string | Refusal>;
  /** Removes a file whose bytes are still `expected`; refused, with nothing changed, when they aren't. */
  remove(realPath: string, expected: string): Promise<null | Refusal>;
  /** The path as people write it: relative to the workspace where it is inside. */
  display(realPath: string): string;
  /** Removes what a writer of a file left beside it when it was killed. */
  clean(realPath: string): Promise<void>;
  /** Names in a folder, each folder's with a slash at its end; rejects where there is none to list. */
  list(realPath: string): Promise<string[]>;
}

/** The files of a workspace, given by its real path. `hidden`: folders that nobody sees, even where they lie in it; they may be made later. */
export function createFiles({ workspace, hidden = [] }: { workspace: string; hidden?: readonly string[] }): Files {
  const whyHidden = (real: string): Refusal | undefined => {
    const isHidden = hidden.some((path) => isWithin(real, realPath(path) ?? path));
    return isHidden ? { refused: 'it belongs to the state of Reins' } : undefined;
  };
  return {
    async resolve(path, access) {
      try {
        const real = resolveInside(workspace, path, access);
        return typeof real === 'string' ? (whyHidden(real) ?? real) : real;
      } catch (error) {
        return { refused: reasonOf(error) };
      }
    },
    read: async (real) => whyHidden(real) ?? readState(workspace, real),
    write: async (real, bytes, expected, like) =>
      whyHidden(real) ?? writeWhole(workspace, real, bytes, { expected, like }),
    remove: async (real, expected) => whyHidden(real) ?? removeWhole(workspace, real, expected),
    display: (real) => (isWithin(real, workspace) ? relative(workspace, real) || '.' : real),
    async clean(real) {
      if (whyNot(workspace, real, 'write') === undefined) await removeLeftovers(dirname(real));
    },
    async list(real) {
      const refused = whyNot(workspace, real, 'read') ?? whyHidden(real);
      if (refused !== undefined) throw new Error(refused.refused);
      const entries = await readdir(real, { withFileTypes: true });
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    },
  };
}

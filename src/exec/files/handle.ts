/** Opens files so that what was resolved is what is opened, whatever is swapped meanwhile. */
import { constants, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Refusal } from './resolve.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const hasDescriptorPaths = process.platform === 'linux';

/** A folder that is held open: names in it can't be led elsewhere by renaming what lies above. */
export interface HeldFolder {
  /** A path for a name in this very folder. */
  pathOf(name: string): string;
  /** Has the folder's entries survive the end of the machine. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the folder at a real path; refused when something else is there by now. */
export async function holdFolder(real: string): Promise<HeldFolder | Refusal> {
  const handle = await open(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!isStill(handle.fd, real)) {
    await handle.close();
    return { refused: 'its folder was moved meanwhile' };
  }
  const base = hasDescriptorPaths ? `/proc/self/fd/${handle.fd}` : real;
  return { pathOf: (name) => `${base}/${name}`, sync: () => handle.sync(), close: () => handle.close() };
}

/** Opens what is at a real path without following a link and without waiting (a pipe would wait for its other end). */
export async function openFile(path: string, flags: number): Promise<FileHandle> {
  return open(path, flags | O_NOFOLLOW | O_NONBLOCK);
}

/** Whether an open file is the one at this real path. */
export function isStill(descriptor: number, real: string): boolean {
  return hasDescriptorPaths ? readlinkSync(`/proc/self/fd/${descriptor}`) === real : realpathSync(real) === real;
}

/** Why something that is no regular file is refused; undefined for one. */
export function whyNoFile(status: Stats): Refusal | undefined {
  if (status.isFile()) return undefined;
  if (status.isDirectory()) return { refused: 'it is a folder' };
  if (status.isFIFO()) return { refused: 'it is a pipe, not a file' };
  return { refused: status.isSocket() ? 'it is a socket, not a file' : 'it is a device, not a file' };
}

/** Puts one name in a held folder back to what it was: in one step, and only where it is what it is believed to be. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  type BigIntStats,
} from 'node:fs';
import { copyObject, writeAll } from './copy-object.ts';
import type { HeldFolder } from './held-folder.ts';
import { systemPath, type ByteText } from './names.ts';
import type { Objects } from './objects.ts';
import type { Pace } from './pace.ts';
import { expectAt } from './present.ts';
import type { Entry } from './snapshot.ts';
import { look, reasonFor } from './status.ts';

export interface Wanted {
  /** Null: nothing is to be there. */
  entry: Entry | null;
  expected: Entry | null;
  /** What a file is to hold instead of what the entry names. */
  content?: Buffer | undefined;
}

export interface Putting {
  objects: Objects;
  pace: Pace;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Gives why it wasn't done; undefined when it was, or when all was so already. The mode of a folder is the caller's to set in the end, and so is to have the folder around it survive the end of the machine. */
export async function put(
  putting: Putting,
  folder: HeldFolder,
  name: ByteText,
  wanted: Wanted,
): Promise<string | undefined> {
  const path = folder.pathOf(name);
  const { entry, expected, content } = wanted;
  try {
    if (content === undefined && (await isAlready(path, entry, putting.pace))) return undefined;
    const found = await expectAt(path, expected, putting.pace);
    if ('why' in found) return found.why;
    return await replace(putting, folder, name, {
      entry,
      content,
      status: found.status,
      isSameContent: isSame(wanted),
    });
  } catch (error) {
    return reasonOf(error);
  }
}

/** The reason in words; an error that isn't one of the system's is a defect and goes on. */
export function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) throw error;
  return reasonFor(code);
}

async function isAlready(path: ByteText, entry: Entry | null, pace: Pace): Promise<boolean> {
  // Of what isn't kept nobody can tell.
  if (entry?.kept === false) return false;
  const isFolder = entry?.kind === 'folder' || entry?.kind === 'repository';
  const status = isFolder ? look(path) : undefined;
  if (isFolder) return typeof status === 'object' && status.isDirectory();
  return !('why' in (await expectAt(path, entry, pace)));
}

function isSame({ entry, expected, content }: Wanted): boolean {
  return content === undefined && entry?.kind === 'file' && expected?.kind === 'file' && entry.hash === expected.hash;
}

interface Replacement {
  entry: Entry | null;
  content: Buffer | undefined;
  /** Of what is there. */
  status: BigIntStats | undefined;
  isSameContent: boolean;
}

async function replace(
  putting: Putting,
  folder: HeldFolder,
  name: ByteText,
  change: Replacement,
): Promise<string | undefined> {
  const { entry, content, status } = change;
  const path = systemPath(folder.pathOf(name));
  const isFolderNow = status?.isDirectory() === true;
  if (entry === null) {
    if (isFolderNow) rmdirSync(path);
    else unlinkSync(path);
    return undefined;
  }
  if (!entry.kept && content === undefined) return 'its content was not kept';
  // Nothing that others put into it is ever removed: a folder has to be empty.
  if (isFolderNow && entry.kind !== 'folder' && entry.kind !== 'repository') rmdirSync(path);
  const now = isFolderNow ? undefined : status;
  if (entry.kind === 'file') {
    if (change.isSameContent) chmodSync(path, entry.mode);
    else return writeFile(putting, folder, name, { entry, content, status: now });
  } else if (entry.kind === 'link') return makeLink(putting, folder, name, entry, now);
  else {
    if (now !== undefined) unlinkSync(path);
    mkdirSync(path, { mode: 0o700 });
  }
  return undefined;
}

async function writeFile(
  putting: Putting,
  folder: HeldFolder,
  name: ByteText,
  { entry, content, status }: { entry: Entry; content: Buffer | undefined; status: BigIntStats | undefined },
): Promise<string | undefined> {
  const temporary = folder.pathOf(temporaryName());
  const file = openSync(systemPath(temporary), O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
  let isOpen = true;
  try {
    if (content !== undefined) writeAll(file, content);
    else if (!(await copyObject(putting.objects, entry.hash ?? '', file, putting.pace)))
      return 'its content is damaged in the store';
    takeOwner(file, status ?? folder.status());
    fchmodSync(file, entry.mode);
    fsyncSync(file);
    closeSync(file);
    isOpen = false;
    return moveInto(folder, name, temporary, status);
  } finally {
    if (isOpen) closeSync(file);
    rmSync(systemPath(temporary), { force: true });
  }
}

function makeLink(
  putting: Putting,
  folder: HeldFolder,
  name: ByteText,
  entry: Entry,
  status: BigIntStats | undefined,
): string | undefined {
  const target = putting.objects.read(entry.hash ?? '')?.bytes;
  if (target === undefined) return 'its content is damaged in the store';
  const temporary = folder.pathOf(temporaryName());
  try {
    symlinkSync(target, systemPath(temporary));
    return moveInto(folder, name, temporary, status);
  } finally {
    rmSync(systemPath(temporary), { force: true });
  }
}

/** Gives a whole temporary file its name, if what was looked at is still there. */
function moveInto(
  folder: HeldFolder,
  name: ByteText,
  temporary: ByteText,
  status: BigIntStats | undefined,
): string | undefined {
  const path = folder.pathOf(name);
  const now = look(path);
  if (typeof now === 'string') return reasonFor(now);
  if (status !== undefined) {
    const isStill = now?.ino === status.ino && now.ctimeNs === status.ctimeNs && now.dev === status.dev;
    if (!isStill) return 'it has changed meanwhile';
    renameSync(systemPath(temporary), systemPath(path));
    return undefined;
  }
  if (now !== undefined) return 'it exists by now';
  try {
    // A link, unlike a rename, fails if something has appeared.
    linkSync(systemPath(temporary), systemPath(path));
  } catch (error) {
    if (!noLinks.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    renameSync(systemPath(temporary), systemPath(path));
  }
  return undefined;
}

/** Who may give files away leaves them to their owner. */
function takeOwner(file: number, { uid, gid }: BigIntStats): void {
  if (process.geteuid?.() === 0) fchownSync(file, Number(uid), Number(gid));
}

export function temporaryName(): string {
  return `.reins-${process.pid}-${randomBytes(8).toString('hex')}.tmp`;
}

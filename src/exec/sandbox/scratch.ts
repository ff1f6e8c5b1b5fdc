/** The private folder of a session: temporary files and caches of its commands. */
import { chmodSync, mkdirSync, mkdtempSync, readlinkSync, writeFileSync } from 'node:fs';
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isWithin, realPath } from '../paths.ts';
import { startOf } from '../process/index.ts';

/** `reins-<namespace>-<process>-<its start>-<letters>`: enough to tell for certain that its maker is gone. */
const scratchName = /^reins-(\d+)-(\d+)-(\d+)-[A-Za-z0-9]+$/;

/** The longest path of a folder in which sockets can have names: the kernel takes 107 bytes for both. */
const longestFolder = 90;

/** An empty folder of this process alone, never in the workspace, where commands could replace it. */
export function makePrivateFolder(workspace: string): string {
  const usual = realPath(tmpdir()) ?? '/tmp';
  const maker = `reins-${namespaceOfProcesses()}-${process.pid}-${startOf(process.pid)}-`;
  const isUnfit = isWithin(usual, workspace) || Buffer.byteLength(join(usual, maker)) > longestFolder;
  return mkdtempSync(join(isUnfit ? '/tmp' : usual, maker));
}

/** Makes one. */
export function makeScratch(workspace: string): string {
  const scratch = makePrivateFolder(workspace);
  for (const name of ['tmp', 'cache', 'npm']) mkdirSync(join(scratch, name));
  chmodSync(join(scratch, 'tmp'), 0o1777);
  writeFileSync(join(scratch, 'gitconfig'), '');
  return scratch;
}

/** Removes one, and those beside it whose makers were killed before they could. */
export async function removeScratch(scratch: string): Promise<void> {
  await removeFolder(scratch);
  const folder = dirname(scratch);
  for (const name of await readdir(folder)) {
    if (isAbandoned(name) && (await isOurs(join(folder, name)))) await removeFolder(join(folder, name));
  }
}

function isAbandoned(name: string): boolean {
  const [, namespace, pid, start] = scratchName.exec(name) ?? [];
  return namespace !== undefined && namespace === namespaceOfProcesses() && startOf(Number(pid)) !== start;
}

async function isOurs(path: string): Promise<boolean> {
  const status = await lstat(path).catch(() => undefined);
  return status?.isDirectory() === true && status.uid === process.getuid?.();
}

/** Process numbers mean something within their namespace only: another container may share the folder. */
function namespaceOfProcesses(): string {
  return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
}

/** Removes a folder, also where commands closed folders in it (caches often do). */
async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await openFolders(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(folder, entry.name));
}

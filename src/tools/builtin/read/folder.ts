/** Folders: a listing of what is in them. */
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallOutcome } from '../../../core/index.ts';
import { count, visible } from '../../text/index.ts';

const entriesShown = 200;

/** Lists a folder, given the names in it, each folder's with a slash at its end. Real path and name as people write it. */
export async function listFolder(real: string, name: string, names: readonly string[]): Promise<CallOutcome> {
  if (names.length === 0) return { outcome: 'ok', text: `${name} is a folder, and nothing is in it.` };
  const first = names.toSorted().slice(0, entriesShown);
  const lines = await Promise.all(first.map((entry) => describe(real, entry)));
  const left = names.length - first.length;
  const more = left === 0 ? [] : [`[${count(left, 'more name')}. List them with a command, or read a folder in it.]`];
  const head = `${name} is a folder; in it:`;
  return { outcome: 'ok', text: [head, ...lines, ...more].join('\n') };
}

/** A line for an entry. What can't be looked at (gone meanwhile, a name that is no text) is named and no more. */
async function describe(folder: string, entry: string): Promise<string> {
  const name = inLine(entry);
  if (entry.endsWith('/')) return name;
  const path = join(folder, entry);
  const status = await lstat(path).catch(() => undefined);
  if (status === undefined) return name;
  if (status.isFile()) return `${name}  ${count(status.size, 'byte')}`;
  if (status.isSymbolicLink()) {
    const target = await readlink(path).catch(() => undefined);
    return target === undefined ? name : `${name} -> ${inLine(target)}`;
  }
  if (status.isFIFO()) return `${name}  (pipe)`;
  if (status.isSocket()) return `${name}  (socket)`;
  return status.isDirectory() ? `${name}/` : `${name}  (device)`;
}

/** A name on one line, whatever is in it. */
function inLine(name: string): string {
  return visible(name).replaceAll('\n', '\u240a').replaceAll('\t', '\u2409');
}

/** What a sandbox shows, as rules of Landlock: these only add up, so what is hidden is left out, and what lies around it is named. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin } from '../paths.ts';
import type { Mount } from './mounts.ts';

export interface Rules {
  /** Real paths that may be read and run, and those that may be written too, each with all below it. */
  read: string[];
  write: string[];
}

/** The harmless ones. Other terminals of the user are not among them, so no command gets a new one either. */
const devices = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom', '/dev/tty'];

/** `mounts`: from top to bottom, as they would be applied; `never`: real paths that no rule may lead to. */
export function rulesFrom(mounts: readonly Mount[], never: readonly string[]): Rules {
  const hidden = mounts.filter(isCover).map(({ place }) => place);
  const own = mounts.filter(isShown).filter(({ place }) => place !== '/');
  const leads = (path: string) => never.some((place) => isWithin(place, path));
  const named = own.filter(({ kind, place }) => kind === 'read' && !leads(place)).map(({ place }) => place);
  const write = own.filter(({ kind }) => kind === 'write').map(({ place }) => place);
  const read = [...around('/', [...hidden, ...never]), '/proc', ...named];
  return { read: [...new Set(read)].filter((path) => !write.some((place) => isWithin(path, place))), write };
}

/** As arguments of the helper. */
export function ruleArguments({ read, write }: Rules): string[] {
  const each = (option: string, paths: string[]) => paths.flatMap((path) => [option, path]);
  return [...each('-r', read), ...each('-w', write), ...each('-d', devices)];
}

function isCover(mount: Mount): boolean {
  if (mount.kind === 'read') return mount.source !== mount.place;
  return mount.kind === 'empty' || mount.kind === 'devices' || mount.kind === 'processes';
}

function isShown(mount: Mount): boolean {
  return (mount.kind === 'read' || mount.kind === 'write') && mount.source === mount.place;
}

/** A folder without what is hidden in it: itself, or else those of its entries that hold nothing hidden. */
function around(folder: string, hidden: readonly string[]): string[] {
  if (hidden.includes(folder)) return [];
  const inside = hidden.filter((path) => isWithin(path, folder));
  if (inside.length === 0) return [folder];
  // A link is no way around: what it leads to has a rule of its own, or none.
  return entriesOf(folder).flatMap((entry) => (entry.isSymbolicLink() ? [] : around(join(folder, entry.name), inside)));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // what we can't list is left out as a whole
  }
}

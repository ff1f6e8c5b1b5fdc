/** What a part of a command line would ruin: trees that nobody means to lose, and devices. By real paths. */
import type { GuessedPath, TouchedPath } from '../core/index.ts';
import { disasterOf } from './disasters.ts';
import { mayBeIn } from './glob.ts';
import type { JudgedPart } from './part.ts';
import { programName } from './part.ts';
import { inWorkspace } from './paths.ts';
import type { PolicyPlaces } from './places.ts';

/** Folders of the system, and those whose every folder is one. */
const systemFolders =
  '/bin /boot /dev /etc /home /lib /lib32 /lib64 /media /mnt /nix /opt /private /private/var /proc /root /run /sbin /snap /srv /sys /usr /var /Users /System /Library /Applications'.split(
    ' ',
  );
const systemParents = ['/boot', '/etc', '/lib', '/lib64', '/sys', '/usr', '/System', '/Library'];
const systemParts = ['/var/lib', '/var/log', '/var/spool', '/var/cache', '/usr/local/bin', '/usr/local/lib'];
const device =
  /^\/proc\/sysrq-trigger$|^\/dev\/(?!shm\/|pts\/)(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|dm-|md|loop|mapper\/|sr|mem|kmem|port|nvram|mtd|ram|sg)/;
/** Programs by which a change of rights or owners reaches all that is below. */
const rights = new Set(['chmod', 'chown', 'chgrp', 'chattr', 'setfacl']);
/** Options of `find` that choose among what is there. */
const choosing =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|size|empty|[acm]min|[acm]time|newer.*|anewer|cnewer|user|group|perm|inum|links|executable)$/;

/** What would be ruined, in words; `maybe` where that can only be feared. */
export interface Ruin {
  what: string;
  maybe: boolean;
}

/** What would be destroyed, or nothing. What is certain comes first. */
export function ruinOf(part: JudgedPart, places: PolicyPlaces): Ruin | undefined {
  const [first] = part.words;
  const program = typeof first === 'string' ? programName(first) : '';
  const found = [...part.paths, ...(part.guesses ?? [])].flatMap((touched) => {
    const what = ruinAt(touched, part, program, places);
    return what === undefined ? [] : [{ what, maybe: isFeared(touched, places) }];
  });
  const ruin = found.find(({ maybe }) => !maybe) ?? found[0];
  if (ruin !== undefined) return ruin;
  // Where words or effects can’t be told, what is written there must do.
  const isKnown = part.unclear === undefined && !part.words.includes(null);
  const what = isKnown || part.text === undefined ? undefined : disasterOf(part.text);
  return what === undefined ? undefined : { what, maybe: false };
}

/** A variable may well not be empty, and of what is in the workspace a condition may choose some. */
function isFeared(touched: TouchedPath | GuessedPath, places: PolicyPlaces): boolean {
  if (!('because' in touched)) return false;
  return touched.because === 'empty' || guardedTree(touched.path, places) === 'the workspace';
}

function ruinAt(touched: TouchedPath, part: JudgedPart, program: string, places: PolicyPlaces): string | undefined {
  const { access, path } = touched;
  if (access === 'read') return undefined;
  if (device.test(path)) return `writing to ${path}`;
  const removes = isRemoved(touched, part, program);
  const changesRights = access === 'write' && touched.recursive === true && rights.has(program);
  if (!removes && !changesRights) return undefined;
  const tree = guardedTree(path, places);
  if (tree === undefined || (tree === 'the workspace' && isChoosing(part, program))) return undefined;
  return removes ? `the removal of ${tree} (${path})` : `new rights for all of ${tree} (${path})`;
}

/** With all that is below it, by whatever name: deleted, moved away, or made like another place. */
function isRemoved(touched: TouchedPath, { paths, effects, words }: JudgedPart, program: string): boolean {
  const { access, recursive } = touched;
  // Named by an option, the place that it goes to is the first path, else the last.
  const isNamed = words.some((word) => word !== null && /^(?:-[a-zA-Z]*t|--t)/.test(word));
  if (program === 'mv') return paths.includes(touched) && touched !== paths.at(isNamed ? 0 : -1);
  if (recursive !== true) return false;
  return access === 'destroy' || (program === 'rsync' && effects.includes('destroy'));
}

/** What is lost with a folder and all that is below it, if that is nothing to lose. */
function guardedTree(path: string, { workspace, home }: PolicyPlaces): string | undefined {
  const folder =
    path.replace(/(?:\/+\.?\*+|\/+\.\[!?\^?\.?\]\*|\/+\.\?\?\*|\/+\{.*\})+$/, '').replace(/\/+$/, '') || '/';
  if (folder === '/') return 'the whole disk';
  if (isOfSystem(folder) && inWorkspace(folder, workspace) === undefined) return 'a folder of the system';
  if (home !== undefined && holds(folder, home)) return 'the user’s home';
  if (/^\/(?:home|Users)\/[^/]+$/.test(folder)) return 'somebody’s home';
  if (folder === workspace) return 'the workspace';
  if (holds(folder, workspace)) return 'a folder above the workspace';
  const relative = inWorkspace(folder, workspace)?.toLowerCase();
  return relative !== undefined && isGitTree(relative.split('/')) ? 'Git’s data' : undefined;
}

function isOfSystem(folder: string): boolean {
  if ([...systemFolders, ...systemParts].some((each) => mayBeIn(folder, each))) return true;
  const parent = folder.slice(0, folder.lastIndexOf('/'));
  return systemParents.includes(parent);
}

/** `.git` or one of its trees; a pattern may stand for it only where it begins as a hidden name does. */
function isGitTree(segments: readonly string[]): boolean {
  const at = segments.findIndex((segment) => /^[.[]/.test(segment) && mayBeIn(segment, '.git'));
  if (at === -1) return false;
  const inner = segments[at + 1];
  return (
    inner === undefined ||
    inner === '' ||
    /^(?:objects|refs|logs|modules|worktrees)$/.test(inner) ||
    /[*?[]/.test(inner)
  );
}

/** Whether a folder is this place or lies above it; the folder may be a pattern of the shell. */
function holds(folder: string, place: string): boolean {
  if (inWorkspace(place, folder) !== undefined) return true;
  if (!/[*?[]/.test(folder)) return false;
  const depth = folder.split('/').length;
  return mayBeIn(folder, place.split('/').slice(0, depth).join('/'));
}

/** Git keeps what it tracks, and a search with a condition is meant for what fits it, unless all does, or Git’s data. */
function isChoosing({ words }: JudgedPart, program: string): boolean {
  if (program === 'git') return true;
  if (program !== 'find') return false;
  const conditions = words.flatMap((word, at) => (word !== null && choosing.test(word) ? [words[at + 1] ?? ''] : []));
  return (
    conditions.some((value) => !/^[*./]*$/.test(value)) &&
    !conditions.some((value) => /(?:^|\/)\.git(?:\/|$)/.test(value))
  );
}

/** What the sandbox shows of this machine to commands of one workspace, as arguments of bubblewrap. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findGitPlace, type GitPlace } from '../git/index.ts';
import { isWithin, realPath, statusOf } from '../paths.ts';
import { empty, folder, readOnly, writable, type Mount } from './mounts.ts';
import { protectGit, protectSettings, removeLeftCommonDir } from './protect.ts';

/** What stays the same for a workspace as long as Reins runs. */
export interface Ground {
  workspace: string;
  /** Home as commands see it. */
  home: string;
  hidden: string[];
  covered: string[];
  toolchains: string[];
  /** Real paths that the user has granted. */
  grants: { read: string[]; write: string[] };
  /** Folders of Reins's own state; they may be made later. */
  state: string[];
  /** The private folder of this session: what is in it is shown at its places. */
  scratch: string;
}

export interface Profile {
  ground: Ground;
  arguments: string[];
  /** The same as a list, from top to bottom. */
  mounts: Mount[];
  /** Names what is shown, by file numbers too: a covered file that was replaced outside is no longer covered in an older sandbox. */
  fingerprint: string;
  /** Paths that can't be written inside although the workspace can. */
  protectedPaths: string[];
  notes: string[];
  git: GitPlace | undefined;
  madeSettings: boolean;
}

/** Why a workspace can't be sandboxed at all; undefined when it can. */
export function unfitWorkspace(workspace: string, hidden: string[]): string | undefined {
  const inner = ['/', ...hidden].find((place) => isWithin(place, workspace));
  if (inner === undefined) return undefined;
  return `the workspace ${workspace} holds ${inner}, which commands must not see; work in a folder of its own`;
}

export function buildProfile(ground: Ground): Profile | { refused: string } {
  const { workspace } = ground;
  if (statusOf(workspace) === undefined) return { refused: 'the workspace folder is gone' };
  const settings = protectSettings(workspace);
  if ('refused' in settings) return settings;
  const removed = removeLeftCommonDir(workspace);
  const git = findGitPlace(workspace);
  const isTop = git?.topLevel === workspace;
  const protection = git !== undefined && isTop ? protectGit(git, ground.home) : { mounts: [], covered: [], notes: [] };
  const state = stateToHide(ground);
  const shown = [
    ...(git !== undefined && !isTop ? surroundingRepository(git, ground) : []),
    ...ground.covered.filter((path) => statusOf(path) !== undefined).map(cover),
    ...ground.toolchains.filter((path) => existsSync(path)).map((path) => readOnly(path)),
    ...ground.grants.read.filter((path) => existsSync(path)).map((path) => readOnly(path)),
    ...ground.grants.write.filter((path) => existsSync(path)).map((path) => writable(path)),
    // After what it could lie in.
    ...state.filter((path) => !isWithin(path, workspace)).map(empty),
    writable(workspace),
    ...protection.mounts,
    ...settings.mounts,
    ...state.filter((path) => isWithin(path, workspace)).map(empty),
  ];
  const mounts: Mount[] = [
    readOnly('/'),
    { kind: 'devices', place: '/dev' },
    empty('/dev/shm'),
    { kind: 'closed', place: '/dev' },
    { kind: 'processes', place: '/proc' },
    ...closedKernelFiles().map((path) => readOnly(path)),
    ...ground.hidden.map(empty),
    folder(ground.home),
    ...lastingPlaces(ground, [ground.home, ...shown.map(({ place }) => place)]),
    readOnly(join(ground.scratch, 'gitconfig'), join(ground.home, '.gitconfig')),
    ...shown,
  ];
  return {
    ground,
    arguments: mounts.flatMap(asArguments),
    mounts,
    fingerprint: fingerprintOf(mounts, [...protection.mounts, ...settings.mounts]),
    protectedPaths: [...protection.covered, ...settings.mounts.map(({ place }) => place)],
    notes: [...(removed === undefined ? [] : [removed]), ...protection.notes],
    git: isTop ? git : undefined,
    madeSettings: settings.made,
  };
}

/**
 * Switches of the kernel that lie beside its processes. They belong to root, who may write them without any capability; for others
 * the kernel refuses that.
 */
function closedKernelFiles(): string[] {
  if (process.getuid?.() !== 0) return [];
  // By name, and each looked at by itself: a process that ends in between would make the whole look fail.
  const found = readdirSync('/proc').filter((name) => !/^(\d+|pressure|sysvipc|tty)$/.test(name));
  return found.flatMap((name) => {
    const path = join('/proc', name);
    const status = statusOf(path);
    if (status?.isDirectory()) return [path];
    return status?.isFile() && (status.mode & 0o222) !== 0 ? [path] : [];
  });
}

function cover(path: string): Mount {
  return statusOf(path)?.isDirectory() ? empty(path) : readOnly('/dev/null', path);
}

/** Looked up each time, because Reins makes the folder only when it first keeps something there. */
function stateToHide({ state, hidden, workspace, toolchains, grants }: Ground): string[] {
  const shown = [...toolchains, ...grants.read, ...grants.write];
  const real = state.flatMap((path) => realPath(path) ?? []);
  return real.filter(
    (path) =>
      [workspace, ...shown].some((place) => isWithin(path, place)) || !hidden.some((place) => isWithin(path, place)),
  );
}

/**
 * Temporary files and caches outlive a command and stay private to the session; all other hidden places are new for each command.
 * Where something else is to be shown below such a place, it is new as well: a link that a command left on the way would be
 * followed while the next sandbox is set up.
 */
function lastingPlaces({ scratch, home }: Ground, others: string[]): Mount[] {
  const lasting = [
    writable(join(scratch, 'tmp'), '/tmp'),
    writable(join(scratch, 'cache'), join(home, '.cache')),
    writable(join(scratch, 'npm'), join(home, '.npm')),
  ];
  return lasting.filter(({ place }) => !others.some((other) => isWithin(other, place)));
}

/** A workspace inside a larger working tree of a hidden place: the rest is shown for reading, unless that would show a home. */
function surroundingRepository(git: GitPlace, { hidden, home }: Ground): Mount[] {
  const isHidden = (path: string) => hidden.some((place) => isWithin(path, place));
  const isTooWide = (path: string) =>
    [home, ...hidden].some((place) => isWithin(place, path)) || dirname(path) === '/home';
  const folders = [git.topLevel, ...(git.belongs ? [git.gitDir, git.commonDir] : [])];
  return [...new Set(folders)].filter((path) => isHidden(path) && !isTooWide(path)).map((path) => readOnly(path));
}

const optionFor = {
  read: '--ro-bind',
  write: '--bind',
  empty: '--tmpfs',
  folder: '--dir',
  devices: '--dev',
  processes: '--proc',
  closed: '--remount-ro',
} as const;

function asArguments(mount: Mount): string[] {
  const source = 'source' in mount ? [mount.source] : [];
  return [optionFor[mount.kind], ...source, mount.place];
}

function fingerprintOf(mounts: Mount[], shielded: Mount[]): string {
  const hash = createHash('sha256').update(JSON.stringify(mounts));
  for (const { place } of shielded) {
    const status = statusOf(place);
    hash.update(`${status?.dev}:${status?.ino};`);
  }
  return hash.digest('hex');
}

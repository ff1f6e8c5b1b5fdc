/** Where things lie that a call may not touch, or may always look at. */
import { inWorkspace } from './paths.ts';

/** Real, absolute paths. */
export interface PolicyPlaces {
  workspace: string;
  /** The user’s home. */
  home?: string;
  /** Folders of the harness: its sessions, trust and grants, and its settings. */
  own?: readonly string[];
  /** In mode plan, the one file that may be written, by tools alone. */
  planFile?: string;
}

const systemFolders = ['bin', 'etc', 'lib', 'lib32', 'lib64', 'libx32', 'opt', 'sbin', 'sys', 'usr', 'nix', 'snap'];
/** Of the processes only what is about the machine. */
const machine =
  /^\/proc\/(?:cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|partitions|swaps|vmstat|devices|modules|cmdline|sys(?:\/.*)?)$/;
const listing = /^\/(?:proc|dev|home|var|mnt|media|run|srv|tmp|boot|Users|Applications)?\/?$/;
const streams = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** Whether everybody may read there, because every machine has the same. */
export function isSystemPlace(path: string, recursive: boolean): boolean {
  if (streams.test(path) || machine.test(path)) return true;
  const [, first = ''] = path.split('/');
  if (systemFolders.includes(first)) return true;
  return !recursive && listing.test(path);
}

/** What a write there changes is nothing that stays. */
export function isSink(path: string): boolean {
  return streams.test(path);
}

/** A path of the harness itself or of what makes Git run programs; what it is, in words. */
export function ownPlace(path: string, { workspace, own = [] }: PolicyPlaces): string | undefined {
  if (own.some((folder) => inWorkspace(path, folder) !== undefined)) return 'the harness’s own files';
  const relative = inWorkspace(path, workspace)?.toLowerCase();
  if (relative === undefined) return undefined;
  if (/(?:^|\/)\.reins(?:\/|$)/.test(relative)) return 'the project’s settings of Reins';
  if (/(?:^|\/)\.git\/(?:.+\/)?(?:hooks(?:\/.*)?|config(?:\.worktree|\.lock)?|info\/attributes)$/.test(relative)) {
    return 'what Git runs by itself';
  }
  return undefined;
}

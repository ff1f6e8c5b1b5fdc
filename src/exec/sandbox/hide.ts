/** Which places of the machine a sandbox hides: homes, run-time sockets, other people's temporary files, and a few that only root could read. */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { isWithin, realPath, statusOf } from '../paths.ts';

/** Always hidden as folders. `/run` holds the sockets of agents, containers and the message bus. */
const alwaysHidden = ['/home', '/root', '/run', '/tmp', '/var/tmp'];

/** Where a home would be part of the system: hiding it would hide the system's programs. */
const systemFolders = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib64',
  '/opt',
  '/proc',
  '/sbin',
  '/sys',
  '/usr',
  '/var',
];

/** Readable for root even without its capabilities, because root owns them. */
const rootsSecrets = [
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/ssl/private',
  '/var/lib/docker',
  '/var/lib/containerd',
  '/var/lib/kubelet',
  '/var/spool',
];

/** The home folder's real path; undefined when there is none that could be hidden. */
export function hideableHome(home: string | undefined): string | undefined {
  const real = home !== undefined && isAbsolute(home) ? realPath(home) : undefined;
  return real !== undefined && isHideable(real) ? real : undefined;
}

function isHideable(path: string): boolean {
  const isSystem = path === '/' || systemFolders.includes(path);
  return !isSystem && !/^\/(usr|bin|sbin|lib|lib64|etc|dev|proc|sys)\//.test(path);
}

/** Real paths of the folders that are replaced by empty ones, none within another. */
export function hiddenFolders(home: string | undefined, workspace: string): string[] {
  const temporary = realPath(tmpdir());
  const hidesTemporary = temporary !== undefined && isHideable(temporary) && !isWithin(temporary, workspace);
  const asked = [...alwaysHidden, ...(home === undefined ? [] : [home]), ...(hidesTemporary ? [temporary] : [])];
  const real = asked.flatMap((path) => {
    const found = realPath(path);
    return found !== undefined && statusOf(found)?.isDirectory() ? [found] : [];
  });
  const distinct = [...new Set(real)];
  return distinct.filter((path) => !distinct.some((outer) => outer !== path && isWithin(path, outer)));
}

/** What is covered besides: secrets of root, and sockets on which programs outside listen for anyone who may open the file. */
export function coveredPaths(userId: number, hidden: string[], workspace: string): string[] {
  const isSeen = (path: string) =>
    ![...hidden, workspace, '/proc', '/dev', '/sys'].some((place) => isWithin(path, place));
  const secrets = userId === 0 ? rootsSecrets.filter((path) => statusOf(path) !== undefined) : [];
  return [...new Set([...secrets, ...listeningSockets().filter(isSeen)])];
}

/** Files of sockets that something on this machine listens on. */
function listeningSockets(): string[] {
  let table: string;
  try {
    table = readFileSync('/proc/net/unix', 'utf8');
  } catch {
    return []; // the kernel doesn't say: then only the known places are hidden
  }
  return table.split('\n').flatMap((line) => {
    // Num RefCount Protocol Flags Type St Inode Path; 00010000 is the flag of a listening socket.
    const [, path] = /^\S+ \S+ \S+ 00010000 \S+ \S+ +\d+ (\/.+)$/.exec(line) ?? [];
    return path !== undefined && statusOf(path)?.isSocket() ? [path] : [];
  });
}

/** What a sandbox shows, in the language of Seatbelt’s profiles, where of several rules that fit the last one counts. */
import { join } from 'node:path';
import { isWithin } from '../paths.ts';
import type { Mount } from './mounts.ts';

/** Services without which hardly any program starts: users and groups, notices of the system, its log, and trust in certificates. */
const services = [
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.opendirectoryd.membership',
  'com.apple.system.notification_center',
  'com.apple.system.logger',
  'com.apple.logd',
  'com.apple.trustd',
  'com.apple.trustd.agent',
];

const devices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/tty', '/dev/dtracehelper'];

/** The profile’s text. `mounts`: from top to bottom, as they would be applied; `scratch`: the session’s private folder. */
export function seatbeltProfile(mounts: readonly Mount[], scratch: string): string {
  const own = ['tmp', 'home', 'cache', 'npm'].map((name) => join(scratch, name));
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow process-info* signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-ioctl file-read* file-write-data (literal "/dev/tty"))',
    `(allow mach-lookup ${services.map((name) => `(global-name ${quoted(name)})`).join(' ')})`,
    '(allow ipc-posix-sem)',
    ...mounts.flatMap(asRules),
    // A path is looked up folder by folder, each with the right to ask what it is.
    '(allow file-read-metadata)',
    rule('allow', 'file-read*', join(scratch, 'gitconfig')),
    ...own.map((path) => rule('allow', 'file-read* file-write*', path)),
    ...devices.map((path) => `(allow file-read* file-write-data (literal ${quoted(path)}))`),
    // Last, so that nothing above can open them again.
    ...mounts.filter(isProtected(mounts)).map(({ place }) => rule('deny', 'file-write*', place)),
    '(deny network*)',
  ].join('\n');
}

function asRules(mount: Mount): string[] {
  if (mount.kind === 'empty') return [rule('deny', 'file-read* file-write*', mount.place)];
  if (mount.kind === 'read' && mount.source === mount.place) {
    return [rule('allow', 'file-read*', mount.place), rule('deny', 'file-write*', mount.place)];
  }
  // A file is covered: what would be shown in its place can’t be.
  if (mount.kind === 'read' && mount.source === '/dev/null')
    return [rule('deny', 'file-read* file-write*', mount.place)];
  if (mount.kind === 'write' && mount.source === mount.place) {
    return [rule('allow', 'file-read* file-write*', mount.place), holdInPlace(mount.place)];
  }
  return []; // other places for something are the private folder’s, which has rules of its own
}

/** As a mount point would be: neither removed nor renamed, though what is in it may be. */
function holdInPlace(path: string): string {
  return `(deny file-write-unlink (literal ${quoted(path)}))`;
}

/** Read-only although it lies in a place that can be written. */
function isProtected(mounts: readonly Mount[]): (mount: Mount) => boolean {
  const writable = mounts.filter(({ kind }) => kind === 'write').map(({ place }) => place);
  return ({ kind, place }) => kind === 'read' && writable.some((path) => isWithin(place, path));
}

function rule(verdict: 'allow' | 'deny', operations: string, path: string): string {
  return `(${verdict} ${operations} (subpath ${quoted(path)}))`;
}

/** A string of the profile’s language: a quote or backslash in a path must not end it. */
function quoted(text: string): string {
  if (/[\0-\x1f\x7f]/.test(text)) throw new Error('a path with control characters can’t be named in a profile');
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

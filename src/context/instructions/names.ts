/** Which files of a folder are instructions, as data. */

interface Slot {
  names: readonly string[];
  /** `first`: of several only the first that is there. `all`: each that is there. `fallback`: the first, in a folder that has none of the slots before. */
  take: 'first' | 'all' | 'fallback';
}

/** A folder's files in the order in which they are told, nearest last. */
export function slotsFor(further: readonly string[]): Slot[] {
  return [
    { names: ['AGENTS.override.md', 'AGENTS.md'], take: 'first' },
    { names: ['CLAUDE.md', '.claude/CLAUDE.md'], take: 'all' },
    { names: further, take: 'fallback' },
    { names: ['AGENTS.local.md', 'CLAUDE.local.md'], take: 'all' },
  ];
}

/** A folder of files that all count, after the shared ones and before the local ones of its parent. */
export const rulesFolder = '.claude/rules';

/** Folders that hold what others wrote: what lies in them says nothing about this project. */
const foreign = new Set([
  '.git',
  'node_modules',
  'bower_components',
  'vendor',
  'third_party',
  'site-packages',
  '.venv',
]);

export function isForeign(path: string): boolean {
  return path.split('/').some((part) => foreign.has(part));
}

/** What is never told, by whatever name or link it comes: secrets, Git's own data, the settings of Reins. */
export function isSecret(path: string): boolean {
  const name = path.split('/').at(-1) ?? '';
  const isKey = /^\.env(?:rc$|\.|$)|^id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:pem|key|p12|pfx)$/i.test(name);
  return isKey || /(?:^|\/)\.(?:git|reins|ssh|aws|gnupg)\//i.test(path);
}

/** What no instruction file may bring in besides. */
export function isHidden(path: string): boolean {
  return (path.split('/').at(-1) ?? '').startsWith('.');
}

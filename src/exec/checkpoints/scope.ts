/** What holds for the files of a folder: whose Git data they are, or by which rules they are ignored. */
import type { Rules } from './ignore.ts';
import type { RepositoryScope } from './repository-scope.ts';
import type { ByteText } from './names.ts';

/**
 * `work`: the workspace's own files. `git`: Git's data. `objects`, `loose`, `packs`: its folder of objects, and those in it, whose
 * files never change once they are there.
 */
export type Zone = 'work' | 'git' | 'objects' | 'loose' | 'packs';

export interface Scope {
  zone: Zone;
  repository: RepositoryScope | undefined;
  rules: Rules | undefined;
  /** Everything here is ignored unless it is tracked. */
  isIgnored: boolean;
}

const loosePrefix = /^[0-9a-f]{2}$/;
const looseName = /^[0-9a-f]{38,62}$/;
const packName = /^pack-[0-9a-f]{40,64}\.(pack|idx|keep|promisor)$/;
/** What a Git that is at work holds, and what one that was killed has left. */
const passing = /\.lock$|^tmp_|^gc\.pid$|^fsmonitor--daemon/;

const gitScope: Scope = { zone: 'git', repository: undefined, rules: undefined, isIgnored: false };

/** What holds for a folder before it is looked at itself; undefined when nothing in it is worth keeping. `isGitFolder`: the folder around it is one. */
export function innerScope(around: Scope, name: ByteText, isGitFolder: boolean): Scope | undefined {
  if (around.zone === 'work') return name === '.git' ? gitScope : around;
  const zone = zoneInside(around.zone, name, isGitFolder);
  return zone && { ...gitScope, zone };
}

/** What holds in a workspace as long as nothing is known of a repository. */
export function scopeOfWorkspace(repository?: RepositoryScope): Scope {
  return { zone: 'work', repository, rules: repository?.rules, isIgnored: false };
}

/** What holds in a folder with Git's data. */
export function scopeOfGitFolder(): Scope {
  return gitScope;
}

function zoneInside(zone: Zone, name: ByteText, isGitFolder: boolean): Zone | undefined {
  if (passing.test(name)) return undefined;
  if (zone === 'git') return name === 'objects' && isGitFolder ? 'objects' : 'git';
  if (zone !== 'objects') return undefined;
  if (name === 'pack') return 'packs';
  if (name === 'info') return 'objects';
  return loosePrefix.test(name) ? 'loose' : undefined;
}

/** Whether a file in Git's data is kept. What only speeds Git up could be wrong for what is there after a restore. */
export function isKeptInside(zone: Zone, name: ByteText): boolean {
  if (zone === 'loose') return looseName.test(name);
  if (zone === 'packs') return packName.test(name);
  return zone === 'objects' ? name === 'alternates' : !passing.test(name);
}

/** Whether a file that was seen there once is there for good, as long as its name is. */
export function isImmutable(zone: Zone): boolean {
  return zone === 'loose' || zone === 'packs';
}

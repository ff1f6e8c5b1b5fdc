/** What a repository would have Git run at a mere look, by its own settings and hooks. */
import { join } from 'node:path';
import { statusOf } from '../paths.ts';
import { stampOf, type Setting } from './configuration.ts';

export interface Repository {
  gitDir: string;
  commonDir: string;
  topLevel: string;
}

/** Settings of a repository by which a command that reads runs a program, or writes somewhere. */
export const running =
  /^(?:core\.(?:fsmonitor|pager|sshcommand|gitproxy|askpass|alternaterefscommand|attributesfile)|diff\.external|diff\..*\.(?:textconv|command)|filter\..*\.(?:clean|smudge|process)|pager\..*|gpg\.(?:.*\.)?program|log\.showsignature|credential\.(?:.*\.)?helper|remote\..*\.(?:uploadpack|vcs|promisor|partialclonefilter)|extensions\.partialclone|tar\..*\.command|trace2\..*)$/s;
export function ownFiles({ gitDir, commonDir }: Repository): string[] {
  return [join(commonDir, 'config'), join(gitDir, 'config.worktree')];
}

/** The first setting that runs something. */
export function armed(files: (Setting[] | undefined)[], names: RegExp): string | undefined {
  const last = new Map(files.flatMap((each) => each ?? []).map(({ name, value }) => [name, value]));
  for (const [name, value] of last) {
    if (!names.test(name) || isOff(name, value)) continue;
    return value === undefined ? name : `${name}=${value.slice(0, 80)}`;
  }
  return undefined;
}

/** Lists of helpers are added to; an empty one only clears those before. */
function isOff(name: string, value: string | undefined): boolean {
  if (value === '' || value === 'false' || value === 'no' || value === 'off' || value === '0') return true;
  const isSwitch = value === undefined || value === 'true';
  return (isSwitch && name.startsWith('pager.')) || (name === 'core.pager' && value === 'cat');
}

/** The only hook that a command runs which just looks: it may refresh the index on the way. */
export function hookOf({ commonDir, topLevel }: Repository, settings: Setting[]): string | undefined {
  const configured = settings.findLast(({ name }) => name === 'core.hookspath')?.value;
  const folder = configured === undefined || configured === '' ? join(commonDir, 'hooks') : configured;
  if (folder.startsWith('~')) return 'hooks in the home folder';
  const path = join(folder.startsWith('/') ? folder : join(topLevel, folder), 'post-index-change');
  const isThere = statusOf(path) !== undefined && stampOf(path) !== undefined;
  return isThere ? 'the hook post-index-change' : undefined;
}

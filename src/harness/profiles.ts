/** The joint for profiles: which there are, and what the log says of the one that a run has. */
import { realpathSync } from 'node:fs';
import { listProfiles, loadSettings, type LoadedSettings, type ProfileRow } from '../config/index.ts';
import { defaultRules, optionalRules, type Rule, type SetupData } from '../core/index.ts';
import type { SessionOptions } from './types.ts';

export interface ProfilesReport {
  profiles: (ProfileRow & { chosen: boolean })[];
}

/** Every profile that can be named in this folder, and the one that a run has without being told. Rejects as loading settings does. */
export async function profilesReport({
  workspace,
  env,
}: Pick<SessionOptions, 'workspace' | 'env'>): Promise<ProfilesReport> {
  const { places, profile } = await loadSettings({ workspace, ...(env !== undefined && { env }) });
  const rows = listProfiles({ workspace: realpathSync(workspace), places });
  return { profiles: rows.map((row) => ({ ...row, chosen: row.name === profile.name })) };
}

/** The rules of the loop, without those that the settings leave out. */
export function loopRules({ settings }: LoadedSettings): readonly Rule[] {
  const leftOut: readonly Rule[] = settings.loop.leaveOut.map((name) => optionalRules[name]);
  return leftOut.length === 0 ? defaultRules : defaultRules.filter((rule) => !leftOut.includes(rule));
}

/** What a setup says of the profile. */
export function recordedProfile({ profile }: LoadedSettings): NonNullable<SetupData['runProfile']> {
  const { name, source, file, hash } = profile;
  return { name, source, ...(file !== undefined && { file }), ...(hash !== undefined && { hash }) };
}

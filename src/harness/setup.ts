/** The joint that puts together what is standing in a run: the setup event. */
import type { LoadedSettings } from '../config/index.ts';
import type { Check, PathScope, SetupData, ToolSpec } from '../core/index.ts';
import { definersOf, watchesOf } from '../verify/index.ts';
import type { Provider } from './models/index.ts';
import { recordedProfile } from './profiles.ts';
import { budgetsOf } from './rules.ts';
import type { RunSettings } from './types.ts';
import { version } from './version.ts';

export interface SetupParts {
  loaded: LoadedSettings;
  provider: Provider;
  tools: ToolSpec[];
  standing: Pick<SetupData, 'system' | 'layers' | 'instructions'>;
  planFile?: string | undefined;
  /** The real path of the workspace. */
  workspace: string;
  /** What was asked for with the run. */
  asked?: Pick<RunSettings, 'allowTestChanges' | 'goal' | 'contract'> | undefined;
}

export function setupOf(parts: SetupParts): SetupData {
  const { loaded, provider, tools, standing, planFile, workspace, asked = {} } = parts;
  const { settings } = loaded;
  const scope = scopeOf(asked);
  const { target, routes } = provider;
  return {
    reins: version,
    runProfile: recordedProfile(loaded),
    ...target,
    ...standing,
    tools,
    mode: settings.mode,
    ...(planFile !== undefined && { planFile }),
    limits: { ...settings.limits, ...tokensOf(loaded) },
    retries: settings.retries,
    checks: checksOf(settings.checks, workspace),
    ...(asked.allowTestChanges === true && { allowTestChanges: true }),
    ...(asked.goal !== undefined && { goal: asked.goal }),
    ...(scope !== undefined && { scope }),
    ...(routes.length > 0 && { routes }),
  };
}

function tokensOf(loaded: LoadedSettings): { tokens?: number } {
  const { tokens } = budgetsOf(loaded);
  return tokens === undefined ? {} : { tokens };
}

/** What defines a check is fixed here, so that a run can't redefine its own proof. */
function checksOf(checks: LoadedSettings['settings']['checks'], workspace: string): Check[] | 'waived' {
  if (checks === 'waived') return 'waived';
  return checks.map((check) => ({
    ...check,
    ...definitionOf(check, workspace),
  }));
}

/** What defines a check in a workspace as it is now. */
export function definitionOf(
  { command, from }: Pick<Check, 'command' | 'from'>,
  workspace: string,
): Pick<Check, 'definers' | 'watches'> {
  return { definers: definersOf(command, workspace, from), watches: watchesOf(command, workspace) };
}

/** The paths of a contract that names any. */
export function scopeOf({ contract = {} }: Pick<RunSettings, 'contract'> = {}): PathScope | undefined {
  const { allowed, forbidden } = contract;
  if (allowed === undefined && forbidden === undefined) return undefined;
  return { ...(allowed !== undefined && { allowed }), ...(forbidden !== undefined && { forbidden }) };
}

/** The joint that puts together what is standing in a run: the setup event. */
import type { LoadedSettings } from '../config/index.ts';
import type { Check, SetupData, ToolSpec } from '../core/index.ts';
import { definersOf } from '../verify/index.ts';
import type { Provider } from './models/index.ts';
import { recordedProfile } from './profiles.ts';
import { budgetsOf } from './rules.ts';
import { version } from './version.ts';

export interface SetupParts {
  loaded: LoadedSettings;
  provider: Provider;
  tools: ToolSpec[];
  standing: Pick<SetupData, 'system' | 'layers' | 'instructions'>;
  planFile?: string | undefined;
  /** The real path of the workspace. */
  workspace: string;
}

export function setupOf({ loaded, provider, tools, standing, planFile, workspace }: SetupParts): SetupData {
  const { settings } = loaded;
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
  return checks.map((check) => ({ ...check, definers: definersOf(check.command, workspace, check.from) }));
}

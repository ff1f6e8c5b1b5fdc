/** The joint between what a caller asks for and the layered settings. */
import { loadSettings, type LoadedSettings, type Overrides } from '../config/index.ts';
import type { RunSettings, SessionOptions } from './types.ts';

/** What a run asks for, as the strongest layer of the settings. */
function overridesOf(settings: RunSettings = {}): Overrides {
  const { model, mode, checks, allow, deny, limits, endpoint } = settings;
  const address = { baseUrl: endpoint?.baseUrl, headers: endpoint?.headers };
  return {
    ...defined({ model, mode, allow, deny, limits }),
    ...(checks !== undefined && { checks: checks === 'waived' ? 'none' : checks }),
    ...(endpoint !== undefined && { endpoint: defined(address) }),
  };
}

export function settingsFor(
  options: Pick<SessionOptions, 'workspace' | 'env' | 'settings' | 'trust'>,
): Promise<LoadedSettings> {
  const { workspace, env, settings, trust } = options;
  return loadSettings({
    workspace,
    overrides: overridesOf(settings),
    ...defined({ env, trust }),
  });
}

/** Only what is there: an absent value is not a value. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

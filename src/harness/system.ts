/** The joint that puts together what a run is told at its start. */
import type { LoadedSettings } from '../config/index.ts';
import { systemFor } from '../context/index.ts';
import type { SetupData } from '../core/index.ts';
import { systemClock } from './clock.ts';
import { canReach, reachableHosts } from './egress.ts';
import type { Hands } from './hands.ts';

export interface SystemParts {
  loaded: LoadedSettings;
  /** The real path of the workspace. */
  workspace: string;
  hands: Hands;
  /** The layer of instruction files. */
  instructions: string | undefined;
}

/** The layers of the system prompt, most stable first. */
export function systemOf({ loaded, workspace, hands, instructions }: SystemParts): SetupData['system'] {
  const { mode, checks } = loaded.settings;
  const commands = checks === 'waived' ? checks : checks.map(({ command }) => command);
  const date = new Date(systemClock.now()).toISOString().slice(0, 10);
  const sandbox = hands.report.works;
  const hosts = canReach(hands.report) ? reachableHosts(loaded.settings) : [];
  return systemFor({
    workspace,
    platform: process.platform,
    date,
    mode,
    sandbox,
    hosts,
    checks: commands,
    instructions,
  });
}

/** The joint that puts together what a run is told at its start: the layers of the prompt, most stable first. */
import type { LoadedSettings } from '../config/index.ts';
import { systemFor } from '../context/index.ts';
import type { EventData, Loop, SetupData, Target, View } from '../core/index.ts';
import type { Redactor } from '../safety/index.ts';
import { appendedLayer } from './appended.ts';
import { systemClock } from './clock.ts';
import { canReach, reachableHosts } from './egress.ts';
import type { Hands } from './hands.ts';
import { sessionInstructions } from './instructions.ts';
import { loadMapLayerOfRun, type MapLayer } from './map/index.ts';
import { memoryLayerFor } from './memory/index.ts';
import { styleLayer } from './style.ts';
import type { SessionOptions } from './types.ts';

export interface StandingParts {
  loaded: LoadedSettings;
  /** The real path of the workspace. */
  workspace: string;
  hands: Hands;
  target: Pick<Target, 'model' | 'window'>;
  secrets: Pick<Redactor, 'redact'>;
  env: SessionOptions['env'];
  /** Given for this run, in the words of whoever starts it. */
  appended?: string | undefined;
  /** In mode plan, what the file of the plan is known by. */
  planFile?: string | undefined;
  /** What will be said first, where it is known. */
  task?: string | undefined;
  /** What the session has so far. */
  view: Pick<View, 'transcript' | 'setup'>;
}

export interface Standing extends Pick<SetupData, 'system' | 'layers' | 'instructions'> {
  notices: EventData['notice'][];
  news?: Loop['news'];
}

export async function standingOf(parts: StandingParts): Promise<Standing> {
  const { loaded, workspace, hands, target, secrets, appended, view } = parts;
  const style = styleLayer(loaded);
  const from = { loaded, workspace, git: hands.git, window: target.window, secrets };
  const [instructions, repository, memory, map] = await Promise.all([
    sessionInstructions(from, view),
    repositoryOf(parts),
    memoryLayerFor(parts),
    mapOf(parts),
  ]);
  const added = appendedLayer(loaded, appended);
  const more = {
    style,
    instructions: instructions.layer,
    memory: memory.layer,
    appended: added,
    repository: repository.layer,
    map: map.layer,
  };
  const layers = systemFor({ ...placeOf(parts), model: target.model, more });
  return {
    system: layers.map(({ text }) => text),
    layers: layers.map(({ name }) => name),
    ...(instructions.setup !== undefined && { instructions: instructions.setup }),
    notices: [...instructions.notices, ...memory.notices, ...repository.notices, ...map.notices],
    news: instructions.news,
  };
}

function placeOf({ loaded: { settings }, workspace, hands, planFile }: StandingParts) {
  const { mode, checks } = settings;
  return {
    workspace,
    platform: process.platform,
    date: new Date(systemClock.now()).toISOString().slice(0, 10),
    mode,
    planFile,
    sandbox: hands.report.works,
    hosts: canReach(hands.report) ? reachableHosts(settings) : [],
    checks: checks === 'waived' ? checks : checks.map(({ command }) => command),
  };
}

/** Frozen with the session: what goes on keeps the one that it began with. */
async function repositoryOf({ loaded, workspace, hands, view: { setup } }: StandingParts): Promise<{
  layer?: string | undefined;
  notices: EventData['notice'][];
}> {
  if (!loaded.settings.preamble) return { notices: [] };
  const earlier = setup?.system[setup.layers?.indexOf('repository') ?? -1];
  if (earlier !== undefined) return { layer: earlier, notices: [] };
  const { repositoryLayer } = await import('./preamble.ts');
  return repositoryLayer({ workspace, files: hands.files, git: hands.git });
}

async function mapOf(parts: StandingParts): Promise<MapLayer> {
  if (!parts.loaded.settings.map.prompt) return { notices: [] };
  const { mapLayerFor } = await loadMapLayerOfRun();
  return mapLayerFor({ ...parts, environment: parts.hands.environment }).catch((error: unknown) => {
    // Work goes on without it.
    const text = `There is no map in the prompt: ${error instanceof Error ? error.message : String(error)}`;
    return { notices: [{ code: 'map-failed', level: 'warning', text }] };
  });
}

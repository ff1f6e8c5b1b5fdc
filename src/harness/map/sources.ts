/** The joint between the map and what it is made from: the files that a search finds, the policy of reading, the user’s folder. */
import { join } from 'node:path';
import { placesOf, type LoadedSettings } from '../../config/index.ts';
import { createSearcher, isWithin, realPathAsFar, type Environment } from '../../exec/index.ts';
import { loadMap, type MapSources } from '../../map/index.ts';
import { createPolicy, type Redactor } from '../../safety/index.ts';
import { ownPlaces, rulesOf } from '../rules.ts';
import type { SessionOptions } from '../types.ts';

export interface MapPlace {
  loaded: LoadedSettings;
  /** The real path of the workspace. */
  workspace: string;
  env: SessionOptions['env'];
  environment: Environment;
  secrets: Pick<Redactor, 'redact'>;
  /** Milliseconds for all of it, where it may not take as long as usual. */
  timeLimit?: number;
}

/** Files that a map is made of, at most, and milliseconds for all of it. */
const mostFiles = 10_000;
const usualTimeLimit = 20_000;

export async function sourcesFor({
  loaded,
  workspace,
  env,
  environment,
  timeLimit = usualTimeLimit,
}: MapPlace): Promise<MapSources> {
  const { sourceGlob } = await loadMap();
  // Half of the time is for the files that are found.
  const searcher = createSearcher({ workspace, environment, timeLimit: timeLimit / 2 });
  return {
    workspace,
    folder: join(placesOf(env).state, 'maps'),
    timeLimit,
    mayRead: readingPolicy(loaded, workspace, env),
    async list(signal) {
      const found = await searcher.find({ glob: sourceGlob, path: workspace, limit: mostFiles }, signal);
      if ('refused' in found) return { paths: [], total: 0, incomplete: found.refused };
      const { lines: paths, total, incomplete } = found;
      return { paths, total, ...(incomplete !== undefined && { incomplete }) };
    },
  };
}

/** What would be asked about is left out like what is denied: nobody is asked for a map. */
function readingPolicy(loaded: LoadedSettings, workspace: string, env: SessionOptions['env']): MapSources['mayRead'] {
  const { mode, files, pack } = loaded.settings;
  const policy = createPolicy({
    mode,
    rules: rulesOf(loaded),
    sandboxed: true,
    workspace,
    ...ownPlaces(env),
    environmentFiles: files.env === 'allow',
    pack,
  });
  const state = realPathAsFar(placesOf(env).state);
  return (name) => {
    const path = join(workspace, name);
    if (isWithin(path, state)) return false;
    const effects = { effects: ['read' as const], resources: [{ access: 'read' as const, path }] };
    return policy.judge({ tool: 'map', arguments: { path: name }, effects }).decision === 'allow';
  };
}

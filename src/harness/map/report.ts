/** The map of a workspace for people and programs, outside of any session. */
import { realpathSync } from 'node:fs';
import { commandEnvironment } from '../../config/index.ts';
import { shownAsData } from '../../tools/index.ts';
import { secretsFor } from '../secrets.ts';
import { settingsFor } from '../settings.ts';
import type { SessionOptions } from '../types.ts';
import { makeMap, type MadeMap } from './make-map.ts';

export interface MapOptions extends Pick<SessionOptions, 'workspace' | 'env'> {
  words?: readonly string[];
  /** Files and folders that are meant, relative to the workspace. */
  paths?: readonly string[];
  /** Those of the settings when left out. */
  tokens?: number;
  signal?: AbortSignal;
}

export interface MapReport extends MadeMap {
  workspace: string;
  /** Tokens that it may have. */
  budget: number;
  /** Milliseconds that it took. */
  elapsed: number;
}

/** Rejects as a run does for settings that can’t be used. */
export async function repositoryMap({ words, paths, tokens, signal, ...options }: MapOptions): Promise<MapReport> {
  const { env } = options;
  const begun = performance.now();
  const loaded = await settingsFor(options);
  const workspace = realpathSync(options.workspace);
  const budget = tokens ?? loaded.settings.map.tokens;
  const place = {
    loaded,
    workspace,
    env,
    environment: commandEnvironment(env),
    secrets: secretsFor(options, loaded, workspace),
  };
  const question = { ...(words !== undefined && { words }), ...(paths !== undefined && { paths }) };
  const map = await makeMap(place, { ...question, tokens: budget }, signal ?? new AbortController().signal);
  const text = map.text === '' ? '' : shownAsData(map.text);
  return { workspace, budget, elapsed: Math.round(performance.now() - begun), ...map, text };
}

/** The joint for `reins models`: which providers and models can be used here, and why not. */
import type { LoadedSettings } from '../../config/index.ts';
import {
  ReinsError,
  targetName,
  type EventData,
  type ModelSettings,
  type Rates,
  type Route,
} from '../../core/index.ts';
import { modelsOf, providerNames, vendorNamed, type ModelEntry } from '../../model/index.ts';
import { accessOf, keyNeed, userCatalogue } from './access.ts';
import { chooseByKeys, nothingChosen, placeText } from './choice.ts';
import { findLocalServers, localProviders } from './discovery.ts';
import { Keys } from './keys.ts';
import { usableRoutes } from './provider.ts';
import { settingsFor } from '../settings.ts';
import { configuredModel, entryOf, routesOf, targetOf } from './targets.ts';
import type { LocalServer, SessionOptions } from '../types.ts';

export interface ModelRow {
  /** `provider/model`. */
  name: string;
  /** Tokens. */
  window: number;
  maxOutput: number;
  rates?: Rates;
  /** Why there is no rate, in words. */
  unpriced?: string;
  /** What is assumed of it, in words. */
  assumed: string[];
}

export interface ProviderRow {
  name: string;
  /** Without name and password. */
  baseUrl?: string;
  usable: boolean;
  /** Where its key is, or what is missing. */
  detail: string;
  models: ModelRow[];
}

export interface RouteRow {
  /** `provider/model`. */
  name: string;
  when: Route['when'];
  settings: ModelSettings;
}

export interface ModelsReport {
  /** The model of a run as things are. */
  model?: { name: string; settings: ModelSettings; because: string };
  /** Why a run couldn't begin. */
  problem?: string;
  routes: RouteRow[];
  providers: ProviderRow[];
  notices: EventData['notice'][];
}

type Asked = Pick<SessionOptions, 'workspace' | 'env' | 'settings' | 'trust'>;

/** Looks for keys and asks local servers; no key command is run and nothing leaves this machine. Rejects as loading the settings does. */
export async function modelsReport(asked: Asked): Promise<ModelsReport> {
  const loaded = await settingsFor(asked);
  const keys = new Keys(asked.env);
  const servers = await findLocalServers(loaded);
  const found = inForce(loaded, keys, servers);
  const parts: Parts = { loaded, keys, servers, primary: found.model?.name.split('/')[0] };
  const providers = providerNames(userCatalogue(loaded.settings)).map((name) => providerRow(parts, name));
  return { ...found, providers, notices: [...loaded.notices, ...found.notices] };
}

interface Parts {
  loaded: LoadedSettings;
  keys: Keys;
  servers: LocalServer[];
  /** The provider of the run's own model. */
  primary: string | undefined;
}

/** The model and the routes of a run, or what is in its way. */
function inForce(loaded: LoadedSettings, keys: Keys, servers: LocalServer[]): Omit<ModelsReport, 'providers'> {
  try {
    const configured = configuredModel(loaded);
    const choice = configured === undefined ? chooseByKeys(loaded, keys) : undefined;
    const name = configured ?? choice?.name;
    if (name === undefined) return { problem: nothingChosen(servers).detail, routes: [], notices: [] };
    const because = choice?.notice.text ?? originOf(loaded);
    if (/^(script|replay):/.test(name)) return { model: { name, settings: {}, because }, routes: [], notices: [] };
    const entry = entryOf(loaded, name);
    const need = keyNeed(loaded.settings, entry.provider, true);
    const isMissing = need.needed && keys.placeOf(need) === undefined;
    const { usable, unusable } = usableRoutes(loaded, routesOf(loaded, entry), entry, keys);
    return {
      model: { name: targetName(entry), settings: targetOf(loaded, entry).settings, because },
      ...(isMissing && { problem: keys.missing(need).detail }),
      routes: usable.map((route) => ({ name: targetName(route), when: route.when, settings: route.settings })),
      notices: unusable,
    };
  } catch (error) {
    return { problem: saidBy(error), routes: [], notices: [] };
  }
}

/** Where the model is set. */
function originOf({ settings, origins }: LoadedSettings): string {
  const isForWork = settings.model !== configuredModel({ settings, origins });
  const origin = origins[isForWork ? 'phases.working.model' : 'model'];
  if (origin?.file !== undefined) return `set in ${origin.file}:${origin.line ?? 1}`;
  return origin?.variable === undefined ? 'asked for' : `set by ${origin.variable}`;
}

function saidBy(error: unknown): string {
  if (error instanceof ReinsError) return error.detail;
  throw error;
}

function providerRow({ loaded, keys, servers, primary }: Parts, name: string): ProviderRow {
  const server = servers.find(({ provider }) => provider === name);
  const entries = modelsOf(name, userCatalogue(loaded.settings)).map((model) => entryOf(loaded, `${name}/${model}`));
  const models = [...entries.map(rowOf), ...servedRows(loaded, server, entries)];
  try {
    const { baseUrl, key } = accessOf(loaded, name, name === primary);
    const facts = { name, baseUrl: withoutCredentials(baseUrl), models };
    if (localProviders(loaded).some(({ provider }) => provider === name)) {
      return { ...facts, ...localState(name, facts.baseUrl, server) };
    }
    const place = keys.placeOf(key);
    if (place !== undefined) return { ...facts, usable: true, detail: `has ${placeText(place, name, keys)}` };
    if (!key.needed) return { ...facts, usable: true, detail: 'needs no key' };
    return { ...facts, usable: false, detail: keys.missing(key).detail };
  } catch (error) {
    return { name, usable: false, detail: saidBy(error), models };
  }
}

/** A server that the user has named may be asked although it lists nothing: not all of them have a list. */
function localState(
  name: string,
  baseUrl: string,
  server: LocalServer | undefined,
): { usable: boolean; detail: string } {
  if (server !== undefined) return { usable: true, detail: `answers at ${baseUrl}` };
  if (vendorNamed(name) !== undefined) return { usable: false, detail: `nothing answers at ${baseUrl}` };
  return { usable: true, detail: `lists no models at ${baseUrl}; it may be asked by name (--model ${name}/NAME)` };
}

function rowOf(entry: ModelEntry): ModelRow {
  const { window, maxOutput, rates, unpriced, assumed } = entry;
  const price = { ...(rates !== undefined && { rates }), ...(unpriced !== undefined && { unpriced }) };
  return { name: targetName(entry), window, maxOutput, ...price, assumed };
}

/** What a server serves besides the models that the settings name. */
function servedRows(loaded: LoadedSettings, server: LocalServer | undefined, known: ModelEntry[]): ModelRow[] {
  if (server === undefined) return [];
  const others = server.models.filter(({ name }) => !known.some(({ model }) => model === name));
  return others.map(({ name, window }) => {
    const row = rowOf(entryOf(loaded, `${server.provider}/${name}`));
    if (window === undefined) return row;
    return { ...row, window, assumed: row.assumed.filter((each) => !each.includes('window')) };
  });
}

/** Name and password in an address are as secret as a key. */
function withoutCredentials(address: string): string {
  return address.replace(/^(https?:\/\/)[^/?#]*@/, '$1...@');
}

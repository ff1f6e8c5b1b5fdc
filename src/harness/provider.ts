/** The joint between settings and the model: which model, where it is reached, with what key; or a rehearsal. */
import { resolve } from 'node:path';
import { readEnvironment, readKey, type LoadedSettings } from '../config/index.ts';
import { ReinsError, type Clock, type JsonObject, type Model, type Rates } from '../core/index.ts';
import {
  createModel,
  createTransport,
  defaultModel,
  findModel,
  loadWire,
  type ModelEntry,
  type ProxySettings,
  type RequestBodies,
  type Wire,
} from '../model/index.ts';
import type { SessionOptions } from './types.ts';

/** Where Anthropic's own API is. */
const anthropicBaseUrl = 'https://api.anthropic.com';
const scriptPrefix = 'script:';

/** The model of a run, before a session is opened. */
export interface Provider {
  entry: ModelEntry;
  rates?: Rates;
  /** Effort, thinking and sampling. */
  settings: JsonObject;
  /** The model port over a session's log. Opens the connection before the first request needs it. */
  connect(parts: RequestBodies & { clock: Clock }): Model;
  close(): Promise<void>;
}

interface Address {
  baseUrl: string;
  headers: { [name: string]: string };
  close(): Promise<void>;
}

/** Finds the model of the settings. Rejects with `model-unknown`, `key-missing`, `rate-missing` and `scenario-invalid`. */
export async function findProvider(options: SessionOptions, loaded: LoadedSettings): Promise<Provider> {
  const { settings } = loaded;
  const name = settings.model ?? chosenModel(options, loaded);
  const script = name.startsWith(scriptPrefix) ? name.slice(scriptPrefix.length) : undefined;
  const entry = script === undefined ? findModel(name) : { ...findModel('rehearsed'), provider: 'script', assumed: [] };
  const rates = settings.rates[name] ?? settings.rates[entry.model] ?? entry.rates;
  if (script === undefined) refuseUnpriced(loaded, rates, name);
  const wire = await loadWire(entry.wire);
  const address = script === undefined ? keyedAddress(options, loaded, wire) : await rehearse(script, options);
  const transport = createTransport({ timeouts: settings.timeouts, proxy: proxyOf(options, loaded) });
  const url = URL.parse(address.baseUrl);
  if (url !== null) void transport.prepareConnection(url); // Never rejects; what fails now is said by the first request.
  return {
    entry,
    ...(rates !== undefined && { rates }),
    settings: modelSettings(loaded),
    connect: (parts) => {
      const source = { wire: entry.wire, model: entry.model };
      const endpoint = { baseUrl: address.baseUrl, headers: () => address.headers };
      return createModel({ wire, transport, endpoint, source, random: Math.random, ...parts });
    },
    close: async () => {
      transport.close();
      await address.close();
    },
  };
}

/** With a key and no model named, a default stands in; without either there is nothing to ask. */
function chosenModel(options: SessionOptions, { settings }: LoadedSettings): string {
  if (keyOf(options, settings.endpoint.keyVariable) !== undefined) return defaultModel;
  throw new ReinsError('model-unknown', `No model is configured, and ${settings.endpoint.keyVariable} is not set.`);
}

function keyOf(options: SessionOptions, keyVariable: string): string | undefined {
  return options.settings?.endpoint?.apiKey ?? readKey(keyVariable, options.env);
}

/** A money limit that somebody asked for must be one that can be kept. */
function refuseUnpriced({ settings, origins }: LoadedSettings, rates: Rates | undefined, model: string): void {
  const asked = origins['limits.cost']?.layer ?? 'default';
  if (rates !== undefined || settings.limits.cost === null || asked === 'default') return;
  throw new ReinsError(
    'rate-missing',
    `There is no rate for "${model}", so a limit of ${settings.limits.cost} dollars can’t be kept.`,
  );
}

function keyedAddress(options: SessionOptions, { settings }: LoadedSettings, wire: Wire): Address {
  const { baseUrl = anthropicBaseUrl, keyVariable, headers } = settings.endpoint;
  const key = keyOf(options, keyVariable);
  if (key === undefined)
    throw new ReinsError('key-missing', `The provider’s key is expected in ${keyVariable}, which is not set.`);
  return { baseUrl, headers: { ...wire.keyHeaders(key), ...headers }, close: () => Promise.resolve() };
}

/** A rehearsal: the scripted model server on loopback, reached over the same wire as any provider. */
async function rehearse(file: string, options: SessionOptions): Promise<Address> {
  const { loadScenario, startModelServer } = await import('../testing/index.ts');
  const scenario = await loadScenario(resolve(file));
  const server = await startModelServer(scenario, { values: { workspace: resolve(options.workspace) }, record: false });
  return { baseUrl: server.url, headers: {}, close: () => server.close() };
}

function proxyOf(options: SessionOptions, { settings }: LoadedSettings): ProxySettings {
  const { proxies } = readEnvironment(options.env);
  return settings.proxy === undefined ? proxies : { ...proxies, http: settings.proxy, https: settings.proxy };
}

/** The settings of the model as the Messages wire names them. */
function modelSettings({ settings }: LoadedSettings): JsonObject {
  const { effort, thinking, temperature } = settings;
  const type = thinking === 'off' ? 'disabled' : 'adaptive';
  const budget = typeof thinking === 'number' ? { type: 'enabled', budget_tokens: thinking } : { type };
  return {
    ...(effort !== undefined && { effort }),
    ...(thinking !== undefined && { thinking: budget }),
    ...(temperature !== undefined && { temperature }),
  };
}

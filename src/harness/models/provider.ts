/** The joint between settings and models: which one a run asks, which others it may ask, where they are and with what key; or a rehearsal. */
import { resolve } from 'node:path';
import { readEnvironment, type LoadedSettings, type Phase } from '../../config/index.ts';
import { ReinsError, targetName, type EventData, type Model, type Route, type Target } from '../../core/index.ts';
import {
  createModel,
  createTransport,
  findModel,
  loadWire,
  loginOf,
  type Link,
  type ModelEntry,
  type ProxySettings,
  type Transport,
  type Wire,
} from '../../model/index.ts';
import { accessOf, providersOf, type Access } from './access.ts';
import { chooseModel, defaultProvider } from './choice.ts';
import { Keys } from './keys.ts';
import { replay, replayPrefix, tapeFor, type Lines, type ModelParts, type Tape } from './recording.ts';
import { configuredModel, entryOf, noOther, ratesNamed, refuseUnpriced, routesOf, targetOf } from './targets.ts';
import type { SessionOptions } from '../types.ts';
import { untoldNotices } from './untold.ts';

const scriptPrefix = 'script:';

/** A model beside the run's own. */
export interface Beside {
  target: Target;
  connect(parts: ModelParts): Model;
}

/** The models of a run, before a session is opened. */
export interface Provider {
  /** The run's own model. */
  target: Target;
  /** Others, in the order in which they are considered. */
  routes: Route[];
  /** What a person should know of them. */
  notices: EventData['notice'][];
  /** A model that the session may go on with. Rejects with `model-unknown`, `key-missing` and `rate-missing`; in a rehearsal there is no other. */
  find(name: string): Promise<Target>;
  /** A model for questions of the harness's own. Rejects as `find` does. Absent in a rehearsal: nothing leaves the machine. */
  beside?(name: string): Promise<Beside>;
  /** Leads to the models of the setup, for questions beside the conversation that belong to its course. */
  aside: Beside['connect'];
  /** The model port over a session's log. */
  connect(parts: ModelParts): Model;
  close(): Promise<void>;
}

export interface FindOptions extends SessionOptions {
  /** Told of each key that is found: it may come from a command, late. */
  onKey?: (key: string) => void;
}

/** Finds the models of the settings. Rejects with `model-unknown`, `key-missing`, `rate-missing`, `config-invalid`, `config-untrusted` and `scenario-invalid`. */
export async function findProvider(options: FindOptions, loaded: LoadedSettings): Promise<Provider> {
  const name = configuredModel(loaded);
  if (name?.startsWith(replayPrefix)) return replay(name, options, loaded);
  if (name?.startsWith(scriptPrefix)) return rehearse(name.slice(scriptPrefix.length), name, options, loaded);
  const { entry, keys, notices } = name === undefined ? await chosen(options, loaded) : named(options, loaded, name);
  const access = accessOf(loaded, entry.provider, true);
  refuseUninvited(loaded, entry, access);
  // What can be known of the key without running a command is known before the session begins.
  if (keys.placeOf(access.key)?.in !== 'command') await keys.find(access.key, new AbortController().signal);
  const { usable, unusable } = usableRoutes(loaded, routesOf(loaded, entry), entry, keys);
  refuseUnpriced(loaded, entry, usable);
  const links = new Links(loaded, keys, entry.provider);
  const tape = await tapeFor(options);
  // The wire is loaded and the connection opened while the rest is made ready.
  const target = targetOf(loaded, entry);
  refuseReserved(await loadWire(entry.wire), target);
  const transport = transportOf(options, loaded);
  const lines: Lines = { transport, link: (each) => links.to(each) };
  void transport.prepareConnection(new URL(access.baseUrl)); // Never rejects; what fails now is said by the first request.
  return {
    target,
    routes: usable,
    notices: [...notices, ...unusable, ...assumptionNotices(entry), ...untoldNotices(loaded, target)],
    find: (other) => findOther(loaded, keys, entry.provider, other),
    beside: async (other) => ({
      target: await findOther(loaded, keys, entry.provider, other, 'reviewing'),
      // Not taped: a recording is of the run's own course.
      connect: (parts) => modelOver(lines, (untaped) => untaped, parts),
    }),
    aside: (parts) => modelOver(lines, tape, parts),
    connect: (parts) => modelOver(lines, tape, parts),
    close: () => Promise.resolve(transport.close()),
  };
}

/** Keys of the body that the wire itself says are refused before there is a session. */
function refuseReserved(wire: Wire, target: Target): void {
  if (target.settings.body === undefined) return;
  const setup = { system: [], tools: [] };
  wire.encode({ setup, target, messages: [], maxOutput: 1, image: () => undefined, cacheKey: '' });
}

async function findOther(
  loaded: LoadedSettings,
  keys: Keys,
  primary: string,
  name: string,
  phase?: Phase,
): Promise<Target> {
  const entry = entryOf(loaded, name);
  const { key } = accessOf(loaded, entry.provider, entry.provider === primary);
  if (key.needed && keys.placeOf(key) === undefined) throw keys.missing(key);
  refuseUnpriced(loaded, entry, []);
  return targetOf(loaded, entry, phase);
}

function modelOver(lines: Lines, tape: Tape, { notice: _, session, ...parts }: ModelParts): Model {
  return createModel({ ...tape(lines, session ?? parts.cacheKey), random: Math.random, ...parts });
}

interface Primary {
  entry: ModelEntry;
  keys: Keys;
  notices: EventData['notice'][];
}

function named(options: FindOptions, loaded: LoadedSettings, name: string): Primary {
  const entry = entryOf(loaded, name);
  return { entry, keys: keysFor(options, entry.provider), notices: [] };
}

async function chosen(options: FindOptions, loaded: LoadedSettings): Promise<Primary> {
  const keys = keysFor(options, defaultProvider);
  const { name, window, notice } = await chooseModel(options, loaded, keys);
  const entry = entryOf(loaded, name);
  return { entry: window === undefined ? entry : { ...entry, window }, keys, notices: [notice] };
}

/** A key that was given is meant for the provider of the run's own model. */
function keysFor({ env, settings, onKey }: FindOptions, provider: string): Keys {
  const key = settings?.endpoint?.apiKey;
  return new Keys(env, key === undefined ? undefined : { provider, key }, onKey);
}

/** A project may choose among what its user has set up. A server on this machine that needs no key is set up by being named. */
function refuseUninvited({ settings, origins }: LoadedSettings, { provider }: ModelEntry, { key }: Access): void {
  const { layer, file, line } = origins['model'] ?? {};
  if (layer !== 'project' || key.needed || Object.hasOwn(providersOf(settings), provider)) return;
  throw new ReinsError(
    'config-untrusted',
    `${file}:${line ?? 1}: model: The project chooses the provider ${provider}, which the user’s settings don’t name.`,
  );
}

/** Routes whose key is there, and why the others are left out. Throws `config-invalid` for one to a provider without an address. */
export function usableRoutes(loaded: LoadedSettings, routes: Route[], primary: ModelEntry, keys: Keys) {
  const usable: Route[] = [];
  const unusable: EventData['notice'][] = [];
  for (const route of routes) {
    const { key } = accessOf(loaded, route.provider, route.provider === primary.provider);
    if (!key.needed || keys.placeOf(key) !== undefined) {
      usable.push(route);
      continue;
    }
    const text = `The route to ${targetName(route)} is left out: ${keys.missing(key).detail}`;
    unusable.push({ code: 'route-unusable', level: 'warning', text });
  }
  return { usable, unusable };
}

function assumptionNotices({ model, assumed }: ModelEntry): EventData['notice'][] {
  if (assumed.length === 0) return [];
  const text = `The model ${model} is not in the catalogue; assumed: ${assumed.join(', ')}.`;
  return [{ code: 'model-assumed', level: 'info', text }];
}

/** What leads to each provider, found when its first request is made: most routes are never taken. */
class Links {
  readonly #loaded: LoadedSettings;
  readonly #keys: Keys;
  readonly #primary: string;
  readonly #links = new Map<string, Promise<Link>>();

  constructor(loaded: LoadedSettings, keys: Keys, primary: string) {
    this.#loaded = loaded;
    this.#keys = keys;
    this.#primary = primary;
  }

  to({ provider, wire }: Target): Promise<Link> {
    const known = this.#links.get(provider);
    if (known !== undefined) return known;
    const link = this.#open(provider, wire);
    this.#links.set(provider, link);
    link.catch(() => this.#links.delete(provider)); // Whoever asked has the rejection; the next request tries again.
    return link;
  }

  /** The key is found for each request anew: without one, that request fails and a route may take over. */
  async #open(provider: string, wireName: string): Promise<Link> {
    const access = accessOf(this.#loaded, provider, provider === this.#primary);
    const wire = await loadWire(wireName);
    const login = loginOf(new URL(access.baseUrl));
    const headers = async (signal: AbortSignal): Promise<{ [name: string]: string }> => {
      const key = await this.#keys.find(access.key, signal);
      return {
        // A key or a header that goes into the same place goes before the name and password of the address.
        ...(login !== undefined && { authorization: login }),
        ...keyHeaders(wire, access, key),
        ...access.headers,
      };
    };
    return { wire, baseUrl: access.baseUrl, headers };
  }
}

function keyHeaders(wire: Wire, { auth }: Access, key: string | undefined): { [name: string]: string } {
  if (key === undefined || auth === 'none') return {};
  if (auth === undefined) return wire.keyHeaders(key);
  return auth === 'bearer' ? { authorization: `Bearer ${key}` } : { [auth]: key };
}

/** A rehearsal: the scripted model server on loopback, reached over the same wire as any provider. It has no routes: nothing leaves the machine. */
async function rehearse(
  file: string,
  name: string,
  options: SessionOptions,
  loaded: LoadedSettings,
): Promise<Provider> {
  const known = findModel('rehearsed');
  const rates = ratesNamed(loaded, [name, known.model]);
  const entry = { ...known, provider: 'script', ...(rates !== undefined && { rates }) };
  const { loadScenario, startModelServer } = await import('../../testing/index.ts');
  const [scenario, tape] = await Promise.all([loadScenario(resolve(file)), tapeFor(options)]);
  const server = await startModelServer(scenario, { values: { workspace: resolve(options.workspace) }, record: false });
  const wire = await loadWire(entry.wire);
  const transport = transportOf(options, loaded);
  void transport.prepareConnection(new URL(server.url));
  const link: Link = { wire, baseUrl: server.url, headers: () => ({}) };
  const lines: Lines = { transport, link: () => Promise.resolve(link) };
  return {
    target: targetOf(loaded, entry),
    routes: [],
    notices: [],
    find: noOther,
    aside: (parts) => modelOver(lines, tape, parts),
    connect: (parts) => modelOver(lines, tape, parts),
    close: async () => {
      transport.close();
      await server.close();
    },
  };
}

function transportOf(options: SessionOptions, { settings }: LoadedSettings): Transport {
  return createTransport({ timeouts: settings.timeouts, proxy: proxyOf(options, settings) });
}

/** The user's proxies. */
export function proxyOf({ env }: Pick<SessionOptions, 'env'>, { proxy }: LoadedSettings['settings']): ProxySettings {
  const { proxies } = readEnvironment(env);
  return proxy === undefined ? proxies : { ...proxies, http: proxy, https: proxy };
}

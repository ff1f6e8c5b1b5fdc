/** The joint that chooses a model when none is configured: by the keys that are there, else by asking for a local server. */
import type { LoadedSettings } from '../../config/index.ts';
import { ReinsError, type EventData } from '../../core/index.ts';
import { modelsOf, providerNames, vendorNamed, vendors } from '../../model/index.ts';
import { keyNeed, userCatalogue } from './access.ts';
import type { KeyPlace, Keys } from './keys.ts';
import type { LocalServer, SessionOptions } from '../types.ts';

/** The provider that an endpoint without a model belongs to. */
export const defaultProvider = 'anthropic';

export interface Choice {
  /** `provider/model`. */
  name: string;
  /** The context window that a local server named. */
  window?: number;
  notice: EventData['notice'];
}

interface Offer {
  provider: string;
  model: string;
  place: KeyPlace;
}

/**
 * A model for a run without one: the default of the first provider whose key is there; a local server only if whoever is at the
 * terminal says so. Rejects with `model-unknown`, which says what was looked for.
 */
export async function chooseModel(options: SessionOptions, loaded: LoadedSettings, keys: Keys): Promise<Choice> {
  return chooseByKeys(loaded, keys) ?? chooseLocal(options, loaded);
}

export function chooseByKeys(loaded: LoadedSettings, keys: Keys): Choice | undefined {
  const [first, ...others] = offersOf(loaded, keys);
  if (first === undefined) return undefined;
  const name = `${first.provider}/${first.model}`;
  const also = others.map(({ provider, place }) => `${placeText(place, provider, keys)} (${provider})`);
  const text =
    `No model is configured; ${name} was chosen, because there is ${placeText(first.place, first.provider, keys)}. ` +
    `${also.length === 0 ? '' : `Found besides: ${also.join(', ')}. `}Choose another with --model, or set "model".`;
  return { name, notice: { code: 'model-chosen', level: 'info', text } };
}

/**
 * Every provider whose key is there and for which a model can be named, in the order of the vendors. An endpoint of the settings is
 * meant for the default provider: no other one's key is to be sent there.
 */
function offersOf({ settings }: LoadedSettings, keys: Keys): Offer[] {
  const user = userCatalogue(settings);
  const { baseUrl, keyVariable, headers } = settings.endpoint;
  const hasEndpoint = baseUrl !== undefined || keyVariable !== undefined || Object.keys(headers).length > 0;
  const asked = hasEndpoint ? [defaultProvider] : providerNames(user);
  return asked.flatMap((provider): Offer[] => {
    const model = vendorNamed(provider)?.defaultModel ?? modelsOf(provider, user)[0];
    const need = keyNeed(settings, provider, provider === defaultProvider);
    const place = model === undefined ? undefined : keys.placeOf(need);
    return model === undefined || place === undefined ? [] : [{ provider, model, place }];
  });
}

/** Where a key is, in words. */
export function placeText(place: KeyPlace, provider: string, keys: Keys): string {
  if (place.in === 'environment') return place.variable;
  if (place.in === 'file') return `a key in ${keys.path}`;
  return place.in === 'command' ? `an apiKeyCommand for ${provider}` : 'a key';
}

async function chooseLocal(options: SessionOptions, loaded: LoadedSettings): Promise<Choice> {
  const { findLocalServers } = await import('./discovery.ts');
  const servers = await findLocalServers(loaded);
  const able = servers.filter(({ models }) => models.length > 0);
  const asked = able.length === 0 ? undefined : await options.chooseModel?.(able);
  if (asked === undefined) throw nothingChosen(servers);
  const { server, model } = offered(able, asked);
  const text = `No model is configured; ${asked} was chosen, at the local server ${server.baseUrl}.`;
  return {
    name: asked,
    ...(model.window !== undefined && { window: model.window }),
    notice: { code: 'model-chosen', level: 'info', text },
  };
}

function offered(servers: readonly LocalServer[], name: string) {
  for (const server of servers) {
    const model = server.models.find((each) => `${server.provider}/${each.name}` === name);
    if (model !== undefined) return { server, model };
  }
  throw new ReinsError('model-unknown', `"${name}" is none of the models that were offered.`);
}

/** Why nothing was chosen, and what there is. */
export function nothingChosen(found: readonly LocalServer[]): ReinsError {
  const servers = found.filter(({ models }) => models.length > 0);
  const variables = Object.values(vendors).flatMap(({ keyVariables: [variable] }) => variable ?? []);
  const keys = `No model is configured, and no key is set (${variables.join(', ')})`;
  const [first] = servers;
  if (first === undefined) {
    const names = Object.keys(vendors).filter((name) => vendors[name]?.local === true);
    return new ReinsError('model-unknown', `${keys}; no local server answers either (${names.join(', ')}).`);
  }
  const answering = servers.map(({ provider, baseUrl }) => `${provider} at ${baseUrl}`).join(', ');
  const name = `${first.provider}/${first.models[0]?.name ?? ''}`;
  const local = `What answers on this machine (${answering}) is never chosen by itself: name it with --model ${name}.`;
  return new ReinsError('model-unknown', `${keys}. ${local}`);
}

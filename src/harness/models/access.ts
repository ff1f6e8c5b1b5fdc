/** The joint between the settings and the vendors: where a provider is, what it is told, and what its key needs. */
import type { LoadedSettings, ProviderSettings, Settings } from '../../config/index.ts';
import { ReinsError } from '../../core/index.ts';
import { providerName, vendorNamed, vendors } from '../../model/index.ts';

export interface Access {
  provider: string;
  baseUrl: string;
  /** How the key is sent; absent: as the wire does it. */
  auth?: ProviderSettings['auth'];
  /** Headers of the user's own, over those of the key. */
  headers: { [name: string]: string };
  key: KeyNeed;
}

/** Where the key of a provider may be. */
export interface KeyNeed {
  provider: string;
  needed: boolean;
  /** Variables that may hold it; the first that is set counts. */
  variables: readonly string[];
  command?: string | string[];
}

/** The providers of the settings under the names by which they are kept. */
export function providersOf({ providers }: Pick<Settings, 'providers'>): { [name: string]: ProviderSettings } {
  const found = new Map<string, ProviderSettings>();
  for (const [name, provider] of Object.entries(providers)) {
    const kept = providerName(name);
    found.set(kept, { ...found.get(kept), ...provider });
  }
  return Object.fromEntries(found);
}

/** The user's own part of the catalogue: providers, and models as `provider/model`. */
export function userCatalogue(
  settings: Pick<Settings, 'providers' | 'models'>,
): Pick<Settings, 'providers' | 'models'> {
  const models = Object.entries(settings.models).map(([name, facts]) => {
    const slash = name.indexOf('/');
    return [`${providerName(name.slice(0, slash))}${name.slice(slash)}`, facts] as const;
  });
  return { providers: providersOf(settings), models: Object.fromEntries(models) };
}

/**
 * How a provider is reached; what the settings say of the endpoint is meant for the provider of the run's own model. Throws
 * `config-invalid` where there is no address, or one that isn't http or https.
 */
export function accessOf(loaded: LoadedSettings, provider: string, isPrimary: boolean): Access {
  const { settings } = loaded;
  const own = providersOf(settings)[provider] ?? {};
  const baseUrl = addressOf(loaded, provider, own, isPrimary);
  const protocol = URL.parse(baseUrl)?.protocol;
  if (protocol !== 'http:' && protocol !== 'https:') {
    // The address may hold a password.
    throw new ReinsError('config-invalid', `The base URL of the provider ${provider} is no http:// or https:// URL.`);
  }
  return {
    provider,
    baseUrl,
    ...(own.auth !== undefined && { auth: own.auth }),
    headers: { ...own.headers, ...(isPrimary && settings.endpoint.headers) },
    key: keyNeed(settings, provider, isPrimary),
  };
}

/** The command line before the environment, the environment before the files. */
function addressOf(loaded: LoadedSettings, provider: string, own: ProviderSettings, isPrimary: boolean): string {
  const { settings, origins } = loaded;
  const { baseUrl: given } = isPrimary ? settings.endpoint : {};
  const isLed = origins[`providers.${provider}.baseUrl`]?.layer === 'environment';
  const isAsked = origins['endpoint.baseUrl']?.layer === 'command-line';
  const found = isLed && !isAsked ? own.baseUrl : (given ?? own.baseUrl);
  const address = found ?? vendorNamed(provider)?.baseUrl;
  if (address !== undefined) return address;
  const text = `providers.${provider}: A provider that isn’t shipped needs an address (baseUrl).`;
  throw new ReinsError('config-invalid', `${placeOf(loaded, provider)}${text}`);
}

/** Where the settings name a provider. */
function placeOf({ entries }: LoadedSettings, provider: string): string {
  const { file, line } =
    entries.find(({ path: [group, name] }) => group === 'providers' && name === provider)?.origin ?? {};
  return file === undefined ? '' : `${file}:${line ?? 1}: `;
}

export function keyNeed(settings: Settings, provider: string, isPrimary: boolean): KeyNeed {
  const own = providersOf(settings)[provider] ?? {};
  const vendor = vendorNamed(provider);
  const named = (isPrimary ? settings.endpoint.keyVariable : undefined) ?? own.keyVariable;
  const command = own.apiKeyCommand;
  const isExpected = named !== undefined || command !== undefined || (vendor !== undefined && vendor.local !== true);
  return {
    provider,
    needed: own.auth !== 'none' && isExpected,
    variables: named === undefined ? (vendor?.keyVariables ?? []) : [named],
    ...(command !== undefined && { command }),
  };
}

/** The names of all variables that may hold a key: no command is to see them. */
export function keyVariables({ endpoint, providers }: Pick<Settings, 'endpoint' | 'providers'>): string[] {
  const own = Object.values(providers).map(({ keyVariable }) => keyVariable);
  const shipped = Object.values(vendors).flatMap((vendor) => vendor.keyVariables);
  return [...new Set([...shipped, ...own, endpoint.keyVariable].filter((name) => name !== undefined))];
}

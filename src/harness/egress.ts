/** The joint for what commands reach of the network: the user's grants, proxies and credentials. */
import { readKey, type LoadedSettings } from '../config/index.ts';
import { loadEgress, type CredentialAlias, type Egress } from '../exec/index.ts';
import { proxyChoice } from '../model/index.ts';
import { proxyOf } from './models/index.ts';

type Variables = { readonly [name: string]: string | undefined };

/** Undefined where nothing is granted. Rejects with `config-invalid` for hosts and aliases that are none. */
export async function egressFor(
  { settings }: Pick<LoadedSettings, 'settings'>,
  workspace: string,
  env: Variables | undefined,
): Promise<Egress | undefined> {
  const { hosts, credentials } = settings.egress;
  if (hosts.length === 0 && credentials.length === 0) return undefined;
  const { createEgress } = await loadEgress();
  return createEgress(workspace, {
    hosts,
    credentials: credentials.map((given) => aliasOf(given, env)),
    proxyFor: proxyChoice(proxyOf(env === undefined ? {} : { env }, settings)),
  });
}

/** Variables whose values the proxy adds: no command sees them. */
export function credentialVariables({ egress }: Pick<LoadedSettings['settings'], 'egress'>): string[] {
  return egress.credentials.map(({ value }) => value.variable);
}

/** Hosts and aliases that commands may ask for, for the model. */
export function reachableHosts({ egress }: Pick<LoadedSettings['settings'], 'egress'>): string[] {
  return [...egress.hosts, ...egress.credentials.map(({ alias }) => alias)];
}

function aliasOf(
  given: LoadedSettings['settings']['egress']['credentials'][number],
  env: Variables | undefined,
): CredentialAlias {
  const { alias, to, header = 'Authorization', as } = given;
  const { variable, prefix = '', basic } = given.value;
  const secret = readKey(variable, env);
  const login = (password: string): string => `Basic ${Buffer.from(`${basic}:${password}`).toString('base64')}`;
  const shape = (known: string): string => (basic === undefined ? `${prefix}${known}` : login(known));
  return { alias, to, header, value: secret === undefined ? undefined : shape(secret), variable, as };
}

/** The joint for what commands reach of the network: the user's grants, proxies and credentials. */
import { readKey, type LoadedSettings } from '../config/index.ts';
import type { EventData } from '../core/index.ts';
import { loadEgress, type CredentialAlias, type Egress, type SandboxReport } from '../exec/index.ts';
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

/** Whether there is a way out: it takes a sandbox that has a loopback of its own. */
export function canReach({ sandbox, works }: SandboxReport): boolean {
  return works && sandbox === 'bubblewrap';
}

/** What the user should know where hosts are granted and can't be reached, or commands have the whole network anyway. */
export function egressNotice(
  { settings }: Pick<LoadedSettings, 'settings'>,
  report: SandboxReport,
): EventData['notice'] | undefined {
  if (reachableHosts(settings).length === 0 || canReach(report)) return undefined;
  const free = 'Commands run without a sandbox, with the whole network: egress holds nothing back.';
  const closed = 'The hosts of egress can’t be reached: that takes bubblewrap, and commands run in another sandbox.';
  return { code: 'egress-missing', level: 'warning', text: report.works ? closed : free };
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

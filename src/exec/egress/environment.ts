/** What tells programs inside of the proxy. */
import type { Alias } from './alias.ts';
import { proxyAddress } from './relay.ts';

/** The sandbox's own loopback is reached directly. */
const direct = 'localhost,127.0.0.1,::1';

export function environmentFor(aliases: readonly Alias[]): { [name: string]: string } {
  return {
    ALL_PROXY: proxyAddress,
    HTTP_PROXY: proxyAddress,
    HTTPS_PROXY: proxyAddress,
    NO_PROXY: direct,
    NODE_USE_ENV_PROXY: '1',
    all_proxy: proxyAddress,
    http_proxy: proxyAddress,
    https_proxy: proxyAddress,
    no_proxy: direct,
    npm_config_https_proxy: proxyAddress,
    npm_config_noproxy: direct,
    npm_config_proxy: proxyAddress,
    ...forNpm(aliases),
    ...forGit(aliases),
  };
}

/** What its answers name under the registry's own address is asked for under the alias too. */
function forNpm(aliases: readonly Alias[]): { [name: string]: string } {
  const registry = aliases.find((each) => each.as === 'npm');
  if (registry === undefined) return {};
  return { npm_config_registry: `http://${registry.alias}/`, npm_config_replace_registry_host: 'always' };
}

function forGit(aliases: readonly Alias[]): { [name: string]: string } {
  const named = aliases.filter((each) => each.as === 'git');
  if (named.length === 0) return {};
  const pairs = named.flatMap(({ alias, base }, index) => [
    [`GIT_CONFIG_KEY_${index}`, `url.http://${alias}/.insteadOf`],
    [`GIT_CONFIG_VALUE_${index}`, base.href],
  ]);
  return { GIT_CONFIG_COUNT: String(named.length), ...Object.fromEntries(pairs) };
}

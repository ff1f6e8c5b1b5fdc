/** Which hosts the user lets the model fetch from. */
import { isIP } from 'node:net';
import { ReinsError } from '../../core/index.ts';
import { hostOf, portOf, usualPortOf } from './address.ts';

/** Host names and addresses, each with a port or not; `*.` in front of a name stands for all names below it. Or any host. */
export type Hosts = readonly string[] | 'any';

export type IsGranted = (url: URL) => boolean;

/** Throws `config-invalid` for an entry that is no host. Without a port an entry stands for the usual ones (80, 443). */
export function grantsOf(hosts: Hosts): IsGranted {
  if (hosts === 'any') return hasOrdinaryPort;
  const grants = hosts.map(grantOf);
  return (url) => grants.some((grant) => grant(url));
}

/** Services below 1024 other than the web's own don't speak HTTP; who wants one of them names host and port. */
function hasOrdinaryPort(url: URL): boolean {
  const port = portOf(url);
  return port === usualPortOf(url) || port >= 1024;
}

function grantOf(entry: string): IsGranted {
  const [, below, name, port] = /^(\*\.)?([^*:/?#@\s\\]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(entry.trim()) ?? [];
  const url = name === undefined ? null : URL.parse(`http://${name}`);
  if (url === null || Number(port ?? 0) > 65_535 || (below !== undefined && isIP(hostOf(url)) !== 0)) {
    throw new ReinsError(
      'config-invalid',
      `${JSON.stringify(entry)} is no host to fetch from: it must be like example.com, *.example.com or example.com:8080, or "any" in place of the list.`,
    );
  }
  const host = hostOf(url);
  return (asked) => {
    if (port === undefined ? portOf(asked) !== usualPortOf(asked) : portOf(asked) !== Number(port)) return false;
    return below === undefined ? hostOf(asked) === host : hostOf(asked).endsWith(`.${host}`);
  };
}

const hostsShown = 10;

/** Why a host isn't fetched from, and who can change that. */
export function notGrantedText(url: URL, hosts: Hosts): string {
  if (hosts === 'any') return `Port ${url.port} of ${url.hostname} isn’t fetched from: it isn’t a port of the web.`;
  const more = hosts.length > hostsShown ? `, and ${hosts.length - hostsShown} more` : '';
  const which = hosts.length === 0 ? 'none' : `${hosts.slice(0, hostsShown).join(', ')}${more}`;
  return `${url.host} isn’t among the hosts that the user lets you fetch from (${which}). Only the user can change that.`;
}

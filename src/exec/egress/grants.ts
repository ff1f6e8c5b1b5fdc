/** Which hosts the user lets commands reach. */
import { isIP } from 'node:net';
import { ReinsError } from '../../core/index.ts';
import { isPublicAddress } from '../fetch/index.ts';
import { authorityOf, readHost, type Target } from './target.ts';

/** Ports of an entry that names none. */
const usualPorts = [80, 443];

/** The entry of the settings that lets a target pass, if one does. */
export type Grants = (target: Target) => string | undefined;

/** Throws `config-invalid` for an entry that is no host, or an address that isn't public (but for those in `allowed`). */
export function grantsOf(entries: readonly string[], allowed: readonly string[]): Grants {
  const grants = entries.map((entry) => grantOf(entry, allowed));
  return (target) => entries.find((_, index) => grants[index]?.(target));
}

function grantOf(entry: string, allowed: readonly string[]): (target: Target) => boolean {
  const [, below, name, digits] = /^(\*\.)?(\[[0-9a-f:.]+\]|[^*:/?#@\s\\[\]%]+)(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  const host = name === undefined ? undefined : readHost(name);
  const port = digits === undefined ? undefined : Number(digits);
  const isAddress = host !== undefined && isIP(host) !== 0;
  if (host === undefined || port === 0 || (port ?? 0) > 65_535 || (below !== undefined && isAddress)) {
    throw new ReinsError(
      'config-invalid',
      `egress.hosts: ${JSON.stringify(entry)} is no host; it must be like example.com, *.example.com or example.com:8080.`,
    );
  }
  if (isAddress && !isPublicAddress(host) && !allowed.includes(host)) {
    throw new ReinsError(
      'config-invalid',
      `egress.hosts: ${entry} is no public address; commands don’t reach this machine and its networks.`,
    );
  }
  return (target) => {
    if (port === undefined ? !usualPorts.includes(target.port) : port !== target.port) return false;
    if (below === undefined) return target.host === host;
    return isIP(target.host) === 0 && target.host.endsWith(`.${host}`);
  };
}

const mostShown = 10;

/** Why a target isn't reached, and who can change that. */
export function notGranted(target: Target, entries: readonly string[]): string {
  const more = entries.length > mostShown ? `, and ${entries.length - mostShown} more` : '';
  const which = entries.length === 0 ? 'none' : `${entries.slice(0, mostShown).join(', ')}${more}`;
  return `${authorityOf(target)} isn’t among the hosts that commands may reach (${which}). Trying again will not help: only the user can add it, to egress.hosts in the user’s settings.`;
}

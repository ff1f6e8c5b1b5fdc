/** Reading what a client asks a proxy for. The name is compared and connected to in one spelling, however it was written. */
import { isIP } from 'node:net';

/** A host (lower case, IDN as ASCII, no dot at its end, no brackets) and a port. */
export interface Target {
  host: string;
  port: number;
}

export interface Unreadable {
  unreadable: string;
}

/** A name or an address in brackets or not, and a port. Encodings, blanks, users and backslashes have no place in it. */
const authority = /^(\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]%]+):(\d{1,5})$/i;

export function readAuthority(text: string): Target | Unreadable {
  const [, name, digits] = authority.exec(text) ?? [];
  const host = name === undefined ? undefined : readHost(name);
  const port = Number(digits);
  if (host === undefined || port === 0 || port > 65_535) return { unreadable: `${shown(text)} is no host and port.` };
  return { host, port };
}

/** One spelling of a host; undefined for what is none, and for numbers that hide where they lead (octal, hexadecimal, short). */
export function readHost(text: string): string | undefined {
  const url = URL.parse(`http://${text}/`);
  if (url === null || url.pathname !== '/' || url.username !== '' || url.port !== '') return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (host === '' || host.length > 253) return undefined;
  return isIP(host) === 4 && host !== text ? undefined : host;
}

/** The absolute form of a request to a proxy (RFC 9112, 3.2.2), http only: what is to be encrypted asks for a tunnel. */
export function readAbsolute(text: string): { target: Target; path: string } | Unreadable {
  const [, scheme, place] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(text) ?? [];
  if (scheme === undefined || place === undefined) return { unreadable: `${shown(text)} is no request to a proxy.` };
  if (scheme.toLowerCase() !== 'http') {
    return { unreadable: `Only http:// is passed on; ${scheme.slice(0, 20)}:// asks for a tunnel (CONNECT).` };
  }
  if (place.includes('@')) return { unreadable: 'An address with a name or password in it isn’t passed on.' };
  const target = readAuthority(/:\d+$/.test(place) ? place : `${place}:80`);
  const url = URL.parse(text);
  if ('unreadable' in target || url === null) return { unreadable: `${shown(text)} is no address.` };
  return { target, path: `${url.pathname}${url.search}` };
}

/** As it stands in an address. */
export function authorityOf({ host, port }: Target): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** What a client sent, harmless and short. */
export function shown(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '?').slice(0, 200);
}

/** Names that the proxy serves itself over plain HTTP: it adds a credential on the way to the one address that each stands for. */
import { isIP } from 'node:net';
import { ReinsError } from '../../core/index.ts';
import type { CredentialAlias } from './needs.ts';
import { readHost, type Target } from './target.ts';

export interface Alias extends CredentialAlias {
  /** Ends with a slash; nothing above it is reached. */
  base: URL;
}

/** What a request is framed and led by is no place for a credential. */
const notForCredentials = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te']);

/** Throws `config-invalid` for an alias that is no name, an address that isn't https, and a value that no header can hold. */
export function aliasesOf(credentials: readonly CredentialAlias[]): Alias[] {
  return credentials.map((given) => {
    const { alias, to, value, variable, header } = given;
    const host = readHost(alias);
    const base = URL.parse(to.endsWith('/') ? to : `${to}/`);
    if (host === undefined || isIP(host) !== 0) throw invalid(`${JSON.stringify(alias)} is no name`);
    if (base === null || base.protocol !== 'https:' || base.username !== '' || base.search !== '' || base.hash !== '')
      throw invalid(`${alias} must stand for a plain https:// address`);
    if (notForCredentials.has(header.toLowerCase())) throw invalid(`${header} holds no credential`);
    // The value itself is never repeated.
    if (value !== undefined && !/^[\t\x20-\x7e]+$/.test(value)) throw invalid(`${variable} holds what no header can`);
    return { ...given, alias: host, base };
  });
}

function invalid(why: string): ReinsError {
  return new ReinsError('config-invalid', `egress.credentials: ${why}.`);
}

/** Aliases are plain HTTP at its usual port, and nothing else. */
export function findAlias(aliases: readonly Alias[], { host, port }: Target): Alias | undefined {
  return port === 80 ? aliases.find(({ alias }) => alias === host) : undefined;
}

export function targetOf({ base }: Alias): Target {
  const host = base.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return { host, port: base.port === '' ? 443 : Number(base.port) };
}

/** A dot segment in any encoding, behind a slash in any encoding: a server that decodes it would leave the alias. */
const leaving = /(^|\/|\\|%2f|%5c)(\.|%2e)(\.|%2e)?(\/|\\|%2f|%5c|;|$)/i;

/** The address behind the alias; undefined for a path that could lead out of it. `path` begins with a slash. */
export function behind({ base }: Alias, path: string): URL | undefined {
  const [name = ''] = path.split('?');
  if (leaving.test(name)) return undefined;
  const url = URL.parse(`${base.origin}${base.pathname}${path.replace(/^\/+/, '')}`);
  return url !== null && isBehind(base, url) ? url : undefined;
}

function isBehind(base: URL, url: URL): boolean {
  return url.origin === base.origin && url.pathname.startsWith(base.pathname);
}

/** Where an answer redirects to, as the command is to ask for it: inside the alias by its name, elsewhere as it is. */
export function redirectFor({ alias, base }: Alias, from: URL, location: string): string {
  const url = URL.parse(location, from.href);
  if (url === null || !isBehind(base, url)) return location;
  return `http://${alias}/${url.pathname.slice(base.pathname.length)}${url.search}${url.hash}`;
}

/** Which proxy, if any, a request goes through. */
import { BlockList, isIP } from 'node:net';
import { ReinsError } from '../../core/index.ts';

/** The values of the usual proxy variables. */
export interface ProxySettings {
  /** For http:// targets. */
  http?: string;
  /** For https:// targets. */
  https?: string;
  /** Hosts that are reached directly: names (with their sub-domains), addresses, networks, each with a port or not; `*` for all. */
  no?: string;
  /** Send requests to this machine itself through the proxy, too. */
  loopback?: boolean;
}

export type ProxyChoice = (target: URL) => URL | undefined;

/** Throws `config-invalid` for a proxy that isn't an http or https URL: going around it silently could leave a closed network. */
export function proxyChoice(settings: ProxySettings = {}): ProxyChoice {
  const http = proxyUrl(settings.http);
  const https = proxyUrl(settings.https);
  const exempt = exemptions(settings.no ?? '');
  return (target) => {
    const proxy = target.protocol === 'https:' ? https : http;
    if (proxy === undefined) return undefined;
    const host = bareHost(target);
    if (settings.loopback !== true && isLoopback(host)) return undefined;
    return exempt(host, portOf(target)) ? undefined : proxy;
  };
}

function proxyUrl(value: string | undefined): URL | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.parse(text.trim());
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  // The value can hold a password, so it isn't repeated.
  throw new ReinsError('config-invalid', 'The proxy must be an http:// or https:// URL.');
}

/** The host without the brackets of an IPv6 address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost');
  return loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

type Exemption = (host: string, port: number) => boolean;

function exemptions(list: string): Exemption {
  const rules = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(exemption);
  return (host, port) => rules.some((rule) => rule(host, port));
}

function exemption(entry: string): Exemption {
  if (entry === '*') return () => true;
  const network = networkRule(entry);
  if (network !== undefined) return network;
  const parts = /^\[?(.+?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry);
  const name = (parts?.[1] ?? entry).replace(/^\*?\./, '');
  const onlyPort = parts?.[2];
  return (host, port) => {
    if (onlyPort !== undefined && Number(onlyPort) !== port) return false;
    return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`));
  };
}

function networkRule(entry: string): Exemption | undefined {
  const [address, prefix] = entry.split('/');
  const family = isIP(address ?? '');
  const bits = Number(prefix);
  if (address === undefined || prefix === undefined || family === 0) return undefined;
  if (!Number.isInteger(bits) || bits < 0 || bits > (family === 6 ? 128 : 32)) return undefined;
  const network = new BlockList();
  network.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  return (host) => {
    const kind = isIP(host);
    return kind !== 0 && network.check(host, kind === 6 ? 'ipv6' : 'ipv4');
  };
}

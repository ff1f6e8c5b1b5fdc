/** Reading the address that a model or a redirect names: what isn't a plain web address is refused before anything is asked. */
import { isIP } from 'node:net';
import type { Refusal } from '../files/index.ts';

/** Characters; longer ones carry data rather than name a page. */
const longestAddress = 4_096;
/** Scheme, then the host and port as they were written. Backslashes, blanks and control characters have no place in it. */
const shape = /^(https?):\/\/([^/?#]+)(?:[/?#]|$)/i;
const blankOrControl = /[\s\\\0-\x1f\x7f]/;

/** The address as a URL without its fragment, or why it can't be fetched. */
export function readAddress(text: string): URL | Refusal {
  if (text.length > longestAddress) return refused(`The address is longer than ${longestAddress} characters.`);
  const [, , authority] = shape.exec(text) ?? [];
  if (authority === undefined || blankOrControl.test(text)) return refused(unreadableText(text));
  if (authority.includes('@'))
    return refused('An address with a name or password in it isn’t fetched; leave them out.');
  const url = URL.parse(text);
  if (url === null) return refused(unreadableText(text));
  if (isOdd(url, authority)) {
    return refused(`The host ${url.hostname} is written in an odd way, which isn’t followed. Write it plainly.`);
  }
  url.hash = '';
  return url;
}

/** An address of numbers in any spelling but the usual one (decimal, octal, hexadecimal, short, other digits) hides where it leads. */
function isOdd(url: URL, authority: string): boolean {
  if (isIP(url.hostname) !== 4) return false;
  return authority.replace(/:\d*$/, '') !== url.hostname;
}

function unreadableText(text: string): string {
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return `${JSON.stringify(shown)} is no address of a web page: it begins with https:// or http:// and a host.`;
}

/** The host without the brackets of an IPv6 address and without the dot that may end a name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return usualPortOf(url);
}

export function usualPortOf(url: URL): number {
  return url.protocol === 'https:' ? 443 : 80;
}

function refused(why: string): Refusal {
  return { refused: why };
}

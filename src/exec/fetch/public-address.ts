/** Which addresses belong to the public internet. Everything else leads into somebody's own network, and isn't fetched. */
import { BlockList, isIP } from 'node:net';

/**
 * IPv4 that isn't public, after IANA's registry of special-purpose addresses (RFC 6890 and its updates), and one address that
 * is: behind 168.63.129.16 a cloud keeps the same things as others do at 169.254.169.254.
 */
const notPublic4 = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'
).split(' ');

/**
 * The only IPv6 that is given out for the internet, and what in it is for other things: IETF protocols (Teredo too), examples, and 6to4,
 * which holds an IPv4 address. Mapped, NAT64, link-local and private ones lie outside of it.
 */
const public6 = '2000::/3';
const notPublic6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'.split(' ');

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const closed4 = listOf(notPublic4, 'ipv4');
const open6 = listOf([public6], 'ipv6');
const closed6 = listOf(notPublic6, 'ipv6');

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed4.check(address, 'ipv4');
  // An address with a zone is one of a link.
  if (family !== 6 || address.includes('%')) return false;
  return open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');
}

/** From a host to the addresses that may be connected to: each one is looked at, and only those that were are used. */
import { promises as dns, ADDRCONFIG } from 'node:dns';
import { isIP } from 'node:net';
import { codeOf, failureWith, type Failure } from './failure.ts';
import { isPublicAddress } from './public-address.ts';

/** Gives all addresses of a name; rejects where there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export type Resolved = { addresses: readonly string[] } | { refused: string } | { unknown: Failure };

/** As the system itself looks names up, its file of hosts included. */
export const systemResolve: Resolve = async (name) => {
  const found = await dns.lookup(name, { all: true, hints: ADDRCONFIG });
  return found.map(({ address }) => address);
};

/** One address that isn't public is enough to refuse the host: a name that has both kinds is after something. `unknown`: the name has none. */
export async function resolveHost(host: string, resolve: Resolve, allowed: readonly string[]): Promise<Resolved> {
  if (isIP(host) !== 0) return checked(host, [host], allowed);
  try {
    const addresses = await resolve(host);
    return addresses.length === 0 ? unknown(host, 'no address') : checked(host, addresses, allowed);
  } catch (error) {
    return unknown(host, codeOf(error));
  }
}

function unknown(host: string, why: string): Resolved {
  return { unknown: failureWith(`The name ${host} could not be looked up`, why) };
}

function checked(host: string, addresses: readonly string[], allowed: readonly string[]): Resolved {
  const closed = addresses.find((address) => !allowed.includes(address) && !isPublicAddress(address));
  if (closed === undefined) return { addresses };
  const leads = closed === host ? `${host} is` : `${host} leads to ${closed},`;
  return { refused: `${leads} no public address. Those of this machine and its networks aren’t connected to.` };
}

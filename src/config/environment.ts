/** The environment, read here and nowhere else. */
import type { Variables } from './places.ts';

export interface Proxies {
  /** Addresses of proxies for http and https targets. */
  http?: string;
  https?: string;
  /** Hosts that are reached directly, separated by commas. */
  no?: string;
}

export interface Environment {
  proxies: Proxies;
  /** False when NO_COLOR is set to anything but nothing (no-color.org). */
  color: boolean;
  /** Runs in continuous integration: nobody is there. */
  ci: boolean;
  /** The search path for programs. */
  path: string;
}

export function readEnvironment(env: Variables = process.env): Environment {
  // Lower case wins over upper case, as with curl.
  const either = (name: string) => set(env[name.toLowerCase()]) ?? set(env[name]);
  const http = either('HTTP_PROXY') ?? either('ALL_PROXY');
  const https = either('HTTPS_PROXY') ?? either('ALL_PROXY');
  const no = either('NO_PROXY');
  const ci = set(env['CI']);
  return {
    proxies: {
      ...(http !== undefined && { http }),
      ...(https !== undefined && { https }),
      ...(no !== undefined && { no }),
    },
    color: set(env['NO_COLOR']) === undefined,
    ci: ci !== undefined && ci !== 'false' && ci !== '0',
    path: env['PATH'] ?? '',
  };
}

/** The value of the variable that holds a key; blanks around it are dropped, a blank one counts as none. */
export function readKey(variable: string, env: Variables = process.env): string | undefined {
  return set(env[variable]?.trim());
}

/** The whole environment, for programs that Reins starts; whoever starts them decides what of it they may see. */
export function commandEnvironment(env: Variables = process.env): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A variable that is set to nothing is not set. */
export function set(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}

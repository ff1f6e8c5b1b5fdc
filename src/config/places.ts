/** Where things are kept: the folders of the XDG base directory specification, and the project's own settings. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

export type Variables = { readonly [name: string]: string | undefined };

export interface Places {
  home: string;
  /** The user's settings file. */
  settings: string;
  /** The user's keys by provider; counts only while it is the user's alone. */
  keys: string;
  /** Sessions, trust and grants. */
  state: string;
  /** What may be deleted at any time. */
  cache: string;
}

/** The project's settings file, relative to the workspace. */
export const projectSettings = join('.reins', 'settings.json');

export function placesOf(env: Variables = process.env, home?: string): Places {
  const own = home ?? absolute(env['HOME']) ?? homedir();
  const config = absolute(env['XDG_CONFIG_HOME']) ?? join(own, '.config');
  return {
    home: own,
    settings: join(config, 'reins', 'settings.json'),
    keys: join(config, 'reins', 'keys.json'),
    state: join(absolute(env['XDG_STATE_HOME']) ?? join(own, '.local', 'state'), 'reins'),
    cache: join(absolute(env['XDG_CACHE_HOME']) ?? join(own, '.cache'), 'reins'),
  };
}

/** The specification says that a relative path is invalid and to be ignored: it would lead into whatever folder we are in. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

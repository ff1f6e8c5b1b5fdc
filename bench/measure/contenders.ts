/** Who is measured: the floor, the product as users get it, and how each is started. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from './launch.ts';
import type { RunFolders } from './place.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every agent is asked for this model; the product has a price for it, as it has for what its users take. */
export const model = 'claude-sonnet-5-5';
export const task = 'Run the command until there is nothing left to do.';

export interface Contender {
  name: string;
  /** The command for one run of the task. `more` goes in front of it: options that only this contender has. */
  command(folders: RunFolders, url: string, more?: string[]): Command;
}

const floorWith = (name: string, env: { [name: string]: string }): Contender => ({
  name,
  command: (folders, url) => ({
    program: process.execPath,
    args: [join(root, 'bench', 'floor.mjs'), task],
    env: { ...environment(folders, url), FLOOR_MODEL: model, ...env },
    cwd: folders.workspace,
  }),
});

export const floor = floorWith('floor', {});
/** The same with one trick that makes Node start faster. Budgets are held against the plain one; this one is shown beside it. */
export const tunedFloor = floorWith('tuned floor', { FLOOR_TUNED: '1' });

export type Mode = 'auto' | 'unsafe';

/** `bin/reins` finds the bundle and its Node by itself, as it does where it is installed. */
export function product(mode: Mode): Contender {
  return {
    name: 'reins',
    command: (folders, url, more = []) => ({
      program: join(root, 'bin', 'reins'),
      args: ['run', '--model', model, '--mode', mode, ...more, task],
      env: environment(folders, url),
      cwd: folders.workspace,
    }),
  };
}

/** Nothing of the environment that the benchmark itself was started in but the search path. */
export function environment({ home, state, config }: RunFolders, url: string): { [name: string]: string } {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: config,
    LANG: 'C.UTF-8',
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'bench',
  };
}

/** The file that a command of this name is, in the search path. */
export function programInPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

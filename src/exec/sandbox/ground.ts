/** What the sandboxes of one workspace stand on, whichever layer enforces it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../needs.ts';
import { realPath } from '../paths.ts';
import { findProgram } from '../programs.ts';
import { coveredPaths, hideableHome } from './hide.ts';
import { gitConfiguration } from './identity.ts';
import type { Ground } from './profile.ts';
import { makeScratch } from './scratch.ts';
import { findToolchains } from './toolchains.ts';

export interface GroundParts {
  workspace: string;
  environment: Environment;
  /** Real path of the user's home, where it can be hidden, and of all folders that are. */
  userHome: string | undefined;
  hidden: string[];
  /** Folders of Reins's own state. */
  hide: readonly string[];
}

/** Variables that name places or services which are hidden; without them programs use their defaults, which are private. */
export const hiddenVariables =
  /^(XDG_.*|SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_CONNECTION|SSH_CLIENT|SSH_TTY|GPG_AGENT_INFO|DBUS_.*|DOCKER_.*|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|TMP|TEMP|TMUX.*|npm_config_cache|npm_config_userconfig|npm_config_globalconfig|PIP_CACHE_DIR|UV_CACHE_DIR|YARN_CACHE_FOLDER|GOCACHE|CCACHE_DIR)$/i;

/** Home as commands see it: at its own place, or, where that can't be hidden, at a new one inside an empty folder. */
export function homeInside(environment: Environment): string {
  const place = ['/home', '/root', '/run'].find((path) => realPath(path) === path) ?? '/tmp';
  return hideableHome(environment['HOME']) ?? join(place, 'reins-home');
}

/** Makes the session's private folder with it. */
export function prepareGround({ workspace, environment, userHome, hidden, hide }: GroundParts): Ground {
  return {
    workspace,
    home: homeInside(environment),
    hidden,
    covered: coveredPaths(process.getuid?.() ?? -1, hidden, workspace),
    toolchains: findToolchains({ environment, home: userHome, hidden, workspace }),
    state: [...hide],
    scratch: makeScratch(workspace),
  };
}

/** Who commits, for commands that can't read the user's own settings. In place, since a sandbox may show this file already. */
export async function writeIdentity(
  scratch: string,
  { workspace, environment }: { workspace: string; environment: Environment },
): Promise<void> {
  const git = findProgram('git', environment['PATH'], [workspace]);
  writeFileSync(join(scratch, 'gitconfig'), await gitConfiguration(git, environment));
}

/** What the sandboxes of one workspace stand on, whichever layer enforces it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../needs.ts';
import { isWithin, realPath } from '../paths.ts';
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
  hide?: readonly string[] | undefined;
  /** Further paths of the user's choice; `~/` stands for home. */
  grants?: { read: readonly string[]; write: readonly string[] } | undefined;
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
export function prepareGround({ workspace, environment, userHome, hidden, hide = [], grants }: GroundParts): Ground {
  return {
    workspace,
    home: homeInside(environment),
    hidden,
    covered: coveredPaths(process.getuid?.() ?? -1, hidden, workspace),
    toolchains: findToolchains({ environment, home: userHome, hidden, workspace }),
    state: [...hide],
    grants: {
      read: grantedPaths(grants?.read ?? [], { workspace, userHome, hidden }),
      write: grantedPaths(grants?.write ?? [], { workspace, userHome, hidden }),
    },
    scratch: makeScratch(workspace),
  };
}

/** Real paths of what there is, without what would open a home or the disk as a whole. */
function grantedPaths(
  paths: readonly string[],
  { workspace, userHome, hidden }: Pick<GroundParts, 'workspace' | 'userHome' | 'hidden'>,
): string[] {
  const inner = [workspace, ...hidden, ...(userHome === undefined ? [] : [userHome])];
  return paths.flatMap((path) => {
    const asked = path.startsWith('~/') && userHome !== undefined ? join(userHome, path.slice(2)) : path;
    const real = realPath(asked);
    const isFit = real !== undefined && !inner.some((place) => isWithin(place, real)) && !isWithin(real, workspace);
    return isFit ? [real] : [];
  });
}

/** Who commits, for commands that can't read the user's own settings. In place, since a sandbox may show this file already. */
export async function writeIdentity(
  scratch: string,
  { workspace, environment }: { workspace: string; environment: Environment },
): Promise<void> {
  const git = findProgram('git', environment['PATH'], [workspace]);
  writeFileSync(join(scratch, 'gitconfig'), await gitConfiguration(git, environment));
}

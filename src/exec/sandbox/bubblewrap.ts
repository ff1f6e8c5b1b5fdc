/** The sandbox of Linux: bubblewrap with a profile of our own. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandEnvironment } from '../environment.ts';
import type { Environment } from '../needs.ts';
import { realPath } from '../paths.ts';
import { findShell, supervisorArguments } from '../process/index.ts';
import { findProgram } from '../programs.ts';
import { coveredPaths, hiddenFolders, hideableHome } from './hide.ts';
import { sandboxHint } from './hints.ts';
import { gitConfiguration } from './identity.ts';
import { notWorking, probeSandbox } from './probe.ts';
import { buildProfile, unfitWorkspace, type Ground, type Profile } from './profile.ts';
import { removeForeignCommonDir, removeMadeSettings } from './protect.ts';
import type { Obstacle, Sandbox, SandboxPlan, SandboxReport } from './sandbox.ts';
import { makeScratch, removeScratch } from './scratch.ts';
import { findToolchains } from './toolchains.ts';

export interface BubblewrapOptions {
  /** Real path of the folder that commands may write. */
  workspace: string;
  /** The user's environment. */
  environment: Environment;
  secretNames?: readonly string[] | undefined;
  /** Names of variables that are passed on although they hold secrets. */
  pass?: readonly string[] | undefined;
  /** Further folders that no command may see: the state of Reins. */
  hide?: string[] | undefined;
}

/** No network, no other processes, no capabilities, no terminal, no further namespaces, and an end together with Reins. */
const isolation = ['--unshare-all', '--unshare-user', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'];

/** Variables that name places or services which are hidden; without them programs use their defaults, which are private. */
const hiddenVariables =
  /^(XDG_.*|SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_CONNECTION|SSH_CLIENT|SSH_TTY|GPG_AGENT_INFO|DBUS_.*|DOCKER_.*|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|TMP|TEMP|TMUX.*|npm_config_cache|npm_config_userconfig|npm_config_globalconfig|PIP_CACHE_DIR|UV_CACHE_DIR|YARN_CACHE_FOLDER|GOCACHE|CCACHE_DIR)$/i;

interface Refused {
  refused: string;
  obstacle: Obstacle;
}

export function createBubblewrap(options: BubblewrapOptions): Sandbox {
  return new Bubblewrap(options);
}

class Bubblewrap implements Sandbox {
  readonly name = 'bubblewrap';
  readonly #options: BubblewrapOptions;
  readonly #program: string | undefined;
  readonly #shell = findShell();
  /** Real path of the user's home, where it can be hidden, and of all folders that are. */
  readonly #home: string | undefined;
  readonly #hidden: string[];
  #ground: Ground | undefined;
  /** Whether this bubblewrap can forbid further user namespaces (0.8 and newer); undefined until it was tried or asked. */
  #limits: boolean | undefined;
  #identity: Promise<void> | undefined;
  #scratch: string | undefined;
  #profile: Profile | undefined;
  #madeSettings = false;
  #report: Promise<SandboxReport> | undefined;

  constructor(options: BubblewrapOptions) {
    this.#options = options;
    this.#program = findProgram('bwrap', options.environment['PATH'], [options.workspace]);
    this.#home = hideableHome(options.environment['HOME']);
    this.#hidden = hiddenFolders(this.#home, options.workspace);
  }

  probe(): Promise<SandboxReport> {
    this.#report ??= this.#probe();
    return this.#report;
  }

  async plan(shellArguments?: readonly string[]): Promise<SandboxPlan | { refused: string }> {
    const profile = this.#buildProfile();
    if ('refused' in profile) return profile;
    this.#limits ??= await limitsNamespaces(this.#program ?? 'bwrap');
    this.#identity ??= this.#writeIdentity();
    await this.#identity;
    return this.#asPlan(profile, shellArguments);
  }

  inspect(): string | undefined {
    const git = this.#profile?.git;
    return git === undefined ? undefined : removeForeignCommonDir(git);
  }

  explain(output: string): string | undefined {
    const { workspace, environment } = this.#options;
    return sandboxHint(output, { workspace, home: homeInside(environment) });
  }

  async close(): Promise<void> {
    if (this.#madeSettings) removeMadeSettings(this.#options.workspace);
    await Promise.allSettled([this.#identity]);
    const scratch = this.#scratch;
    this.#scratch = undefined;
    this.#ground = undefined;
    if (scratch !== undefined) await removeScratch(scratch);
  }

  async #probe(): Promise<SandboxReport> {
    try {
      const profile = this.#buildProfile();
      if ('refused' in profile) return notWorking(profile.obstacle, profile.refused);
      const report = await this.#tryOut(profile, true);
      // Asking an older bubblewrap for its version first would cost every start a process.
      this.#limits = !(report.reason ?? '').includes('--disable-userns');
      return this.#limits ? report : await this.#tryOut(profile, false);
    } catch (error) {
      return notWorking('failed', `the sandbox can’t be set up: ${(error as Error).message}`);
    }
  }

  #tryOut(profile: Profile, limitsNamespaces: boolean): Promise<SandboxReport> {
    const { program, environment } = this.#asPlan(profile);
    const around = this.#around(profile, limitsNamespaces);
    return probeSandbox({ program, environment, around, shell: this.#shell.path, profile, limitsNamespaces });
  }

  #buildProfile(): Profile | Refused {
    const { workspace } = this.#options;
    const unfit = unfitWorkspace(workspace, [...this.#hidden, ...(this.#home === undefined ? [] : [this.#home])]);
    if (unfit !== undefined) return { refused: unfit, obstacle: 'workspace' };
    if (this.#program === undefined)
      return { refused: 'bubblewrap isn’t installed (the package is called bubblewrap)', obstacle: 'not-installed' };
    this.#ground ??= this.#prepareGround();
    const profile = buildProfile(this.#ground);
    if ('refused' in profile) return { ...profile, obstacle: 'workspace' };
    this.#profile = profile;
    this.#madeSettings ||= profile.madeSettings;
    return profile;
  }

  #prepareGround(): Ground {
    const { workspace, environment, hide = [] } = this.#options;
    this.#scratch = makeScratch(workspace);
    return {
      workspace,
      home: homeInside(environment),
      hidden: this.#hidden,
      covered: coveredPaths(process.getuid?.() ?? -1, this.#hidden, workspace),
      toolchains: findToolchains({ environment, home: this.#home, hidden: this.#hidden, workspace }),
      state: hide,
      scratch: this.#scratch,
    };
  }

  /** In place, since a sandbox that is being set up already shows this file. */
  async #writeIdentity(): Promise<void> {
    const { workspace, environment } = this.#options;
    const git = findProgram('git', environment['PATH'], [workspace]);
    const configuration = await gitConfiguration(git, environment);
    if (this.#scratch !== undefined) writeFileSync(join(this.#scratch, 'gitconfig'), configuration);
  }

  /** Everything in front of the program that is to run inside. */
  #around({ ground, arguments: shown }: Profile, limitsNamespaces: boolean): string[] {
    const limits = limitsNamespaces ? ['--disable-userns'] : [];
    return [...isolation, ...limits, ...shown, '--chdir', ground.workspace, '--'];
  }

  #asPlan(profile: Profile, shellArguments: readonly string[] = supervisorArguments(this.#shell, true)): SandboxPlan {
    const { workspace, environment, secretNames, pass } = this.#options;
    const all = commandEnvironment(environment, workspace, { secretNames, pass });
    const shown = Object.entries(all).filter(([name]) => !hiddenVariables.test(name));
    return {
      program: this.#program ?? 'bwrap',
      arguments: [...this.#around(profile, this.#limits ?? true), this.#shell.path, ...shellArguments],
      environment: { ...Object.fromEntries(shown), HOME: profile.ground.home, TMPDIR: '/tmp' },
      enclosed: true,
      fingerprint: profile.fingerprint,
    };
  }
}

/** Home as commands see it: at its own place, or, where that can't be hidden, at a new one inside an empty folder. */
function homeInside(environment: Environment): string {
  const place = ['/home', '/root', '/run'].find((path) => realPath(path) === path) ?? '/tmp';
  return hideableHome(environment['HOME']) ?? join(place, 'reins-home');
}

/** Whether this bubblewrap knows --disable-userns (0.8 and newer). */
async function limitsNamespaces(program: string): Promise<boolean> {
  const output = await new Promise<string>((resolve) => {
    execFile(program, ['--version'], { timeout: 2000 }, (_error, stdout) => resolve(stdout));
  });
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(output) ?? [];
  return Number(major) > 0 || Number(minor) >= 8;
}

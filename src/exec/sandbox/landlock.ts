/**
 * The sandbox of Linux where bubblewrap can't run: a helper gives up rights to files (Landlock) and system calls (seccomp) and
 * becomes the supervisor. There are no namespaces: a folder of the session's stands in for home and /tmp, names of hidden files can be
 * asked for, and what must stay as it is in the workspace is put back after each command.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { nativeProgram } from '../native.ts';
import { isWithin, realPath, statusOf } from '../paths.ts';
import { findShell, supervisorArguments, tasksOfMachine } from '../process/index.ts';
import { Guard } from './guard.ts';
import { SessionGroup } from './control-group.ts';
import { plainSandboxHint } from './hints.ts';
import { ruleArguments, rulesFrom, type Rules } from './landlock-rules.ts';
import { probeLandlock } from './landlock-probe.ts';
import { limitCommands, limitHint, mostTasks, useLimits, type UseLimits } from './limits.ts';
import type { Profile } from './profile.ts';
import type { CommandEnd, Obstacle, Sandbox, SandboxPlan, SandboxReport } from './sandbox.ts';
import { SessionGround, type Refused, type SandboxParts } from './session-ground.ts';

interface Built {
  helper: string;
  profile: Profile;
  rules: Rules;
}

export function createLandlock(options: SandboxParts): Sandbox {
  return new Landlock(options);
}

class Landlock implements Sandbox {
  readonly name = 'landlock';
  readonly #options: SandboxParts;
  readonly #helper = nativeProgram('confine');
  readonly #shell = findShell();
  readonly #use: UseLimits;
  readonly #group: SessionGroup;
  readonly #ground: SessionGround;
  #guard: Guard | undefined;
  /** Commands have begun since nothing ran: what is there now may be theirs. */
  #isBusy = false;
  /** What couldn't be put back; from then on no command starts. */
  #broken: string | undefined;
  #report: Promise<SandboxReport> | undefined;

  constructor(options: SandboxParts) {
    this.#options = options;
    this.#use = useLimits(options.limits);
    this.#group = new SessionGroup(mostTasks(this.#use));
    this.#ground = new SessionGround(options);
  }

  probe(): Promise<SandboxReport> {
    this.#report ??= this.#probe();
    return this.#report;
  }

  async plan(shellArguments?: readonly string[]): Promise<SandboxPlan | { refused: string }> {
    if (this.#isBusy) this.inspect(false);
    if (this.#broken !== undefined) return { refused: this.#broken };
    const built = this.#build();
    if ('refused' in built) return built;
    await this.#ground.identify();
    const refused = this.#isBusy ? undefined : this.#remember(built.profile);
    return refused ?? this.#asPlan(built, shellArguments);
  }

  began(): void {
    this.#isBusy = true;
  }

  inspect(isLast: boolean): string | undefined {
    const said = [this.#ground.inspect(), this.#putBack()];
    if (isLast) this.#isBusy = false;
    const text = said.filter((one) => one !== undefined).join(' ');
    return text === '' ? undefined : text;
  }

  explain(output: string, { exit, signal }: CommandEnd): string | undefined {
    const places = { workspace: this.#options.workspace, home: this.#ground.home };
    return limitHint(output, exit, signal, this.#use) ?? plainSandboxHint(output, places);
  }

  async close(): Promise<void> {
    await this.#group.close();
    await this.#ground.close();
  }

  async #probe(): Promise<SandboxReport> {
    try {
      const built = this.#build();
      if ('refused' in built) return notWorking(built.obstacle, built.refused);
      const { environment } = this.#asPlan(built);
      const around = ruleArguments(built.rules);
      return await probeLandlock({ ...built, around, environment, shell: this.#shell.path, use: this.#use });
    } catch (error) {
      return notWorking('failed', `the Landlock sandbox can’t be set up: ${(error as Error).message}`);
    }
  }

  #build(): Built | Refused {
    const { workspace, hide = [] } = this.#options;
    if ('missing' in this.#helper) return { refused: this.#helper.missing, obstacle: 'not-installed' };
    const unfit = this.#ground.unfit();
    if (unfit !== undefined) return unfit;
    const state = hide.flatMap((path) => realPath(path) ?? []);
    const inner = state.find((path) => isWithin(path, workspace));
    if (inner !== undefined)
      return { refused: `${inner}, which commands must not see, lies in the workspace`, obstacle: 'workspace' };
    const profile = this.#ground.profile();
    if ('refused' in profile) return profile;
    mkdirSync(join(profile.ground.scratch, 'home', '.cache'), { recursive: true });
    return { helper: this.#helper.path, profile, rules: this.#rules(profile, state) };
  }

  #rules({ mounts, ground }: Profile, state: string[]): Rules {
    const { read, write } = rulesFrom(mounts, state);
    const { scratch, workspace, grants } = ground;
    // What is hidden in a folder that may be written can't be left out.
    const leads = (path: string) => state.some((place) => isWithin(place, path));
    const granted = grants.write.filter((path) => !leads(path));
    const outside = write.filter((path) => !isWithin(path, workspace) && !leads(path));
    const own = ['tmp', 'home'].map((name) => join(scratch, name));
    return {
      // The common folder of a linked working tree lies outside, and what would have to be kept of it may be large.
      read: [...read, ...outside, join(scratch, 'gitconfig')],
      write: [...write.filter((path) => isWithin(path, workspace)), ...granted, ...own],
    };
  }

  #remember(profile: Profile): { refused: string } | undefined {
    try {
      this.#guard = new Guard(this.#options.workspace, profile.protectedPaths.flatMap(guarded));
      return undefined;
    } catch (error) {
      return { refused: `what commands must not change can’t be watched: ${(error as Error).message}` };
    }
  }

  #putBack(): string | undefined {
    try {
      const changed = this.#guard?.restore() ?? [];
      if (changed.length === 0) return undefined;
      return `The sandbox put back what commands must not change: ${changed.join(', ')}; trying again will not help.`;
    } catch (error) {
      this.#broken = `a command has changed what it must not, and it can’t be put back (${(error as Error).message}); look at .git and .reins before you go on`;
      return `Beware: ${this.#broken}.`;
    }
  }

  #asPlan(
    { helper, profile, rules }: Built,
    shellArguments: readonly string[] = supervisorArguments(
      this.#shell,
      'adoption',
      limitCommands(this.#use, this.#shell.path, tasksOfMachine()),
    ),
  ): SandboxPlan {
    const { scratch } = profile.ground;
    const around = ruleArguments(rules);
    const { program, arguments: words } = this.#group.into(helper, [
      ...around,
      '--',
      this.#shell.path,
      ...shellArguments,
    ]);
    return {
      program,
      arguments: words,
      environment: {
        ...this.#ground.environment(),
        HOME: join(scratch, 'home'),
        TMPDIR: join(scratch, 'tmp'),
        GIT_CONFIG_GLOBAL: join(scratch, 'gitconfig'),
      },
      enclosed: false,
      bound: this.#use,
      fingerprint: createHash('sha256').update(JSON.stringify(around)).update(profile.fingerprint).digest('hex'),
    };
  }
}

/** Of the Git folders of linked working trees only what leads elsewhere: the rest of them is large and harmless. */
function guarded(path: string): string[] {
  if (basename(path) !== 'worktrees' || statusOf(path)?.isDirectory() !== true) return [path];
  const names = ['commondir', 'gitdir', 'config.worktree'];
  return readdirSync(path).flatMap((tree) => names.map((name) => join(path, tree, name)));
}

function notWorking(obstacle: Obstacle, reason: string): SandboxReport {
  return { sandbox: 'landlock', works: false, obstacle, reason, enforced: [], notes: [] };
}

/** The sandbox of Linux: bubblewrap with a profile of our own. */
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { nativeProgram } from '../native.ts';
import { findShell, supervisorArguments } from '../process/index.ts';
import { findProgram } from '../programs.ts';
import { SessionGroup } from './control-group.ts';
import { sandboxHint } from './hints.ts';
import { limitCommands, limitHint, memoryPlaceBytes, mostTasks, useLimits, type UseLimits } from './limits.ts';
import { notWorking, probeSandbox } from './probe.ts';
import type { Profile } from './profile.ts';
import type { CommandEnd, Passage, Sandbox, SandboxPlan, SandboxReport } from './sandbox.ts';
import { SessionGround, type Refused, type SandboxParts } from './session-ground.ts';

/** No network, no other processes, no capabilities, no terminal, no further namespaces, and an end together with Reins. */
const isolation = ['--unshare-all', '--unshare-user', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'];

/** Where the second layer's helper lies inside: in a folder that is hidden, and empty but for it. */
const helperPlace = '/run/reins-confine';

export function createBubblewrap(options: SandboxParts): Sandbox {
  return new Bubblewrap(options);
}

class Bubblewrap implements Sandbox {
  readonly name = 'bubblewrap';
  readonly #options: SandboxParts;
  readonly #program: string | undefined;
  readonly #shell = findShell();
  readonly #use: UseLimits;
  readonly #group: SessionGroup;
  /** Refuses system calls inside, as a second layer; undefined where it can't. */
  #helper: string | undefined;
  readonly #ground: SessionGround;
  /** Whether this bubblewrap can forbid further user namespaces (0.8 and newer); undefined until it was tried or asked. */
  #limits: boolean | undefined;
  #report: Promise<SandboxReport> | undefined;

  constructor(options: SandboxParts) {
    this.#options = options;
    this.#use = useLimits(options.limits);
    this.#group = new SessionGroup(mostTasks(this.#use));
    this.#program = findProgram('bwrap', options.environment['PATH'], [options.workspace]);
    this.#ground = new SessionGround(options);
    this.#helper = this.#findHelper();
  }

  probe(): Promise<SandboxReport> {
    this.#report ??= this.#probe();
    return this.#report;
  }

  async plan(shellArguments?: readonly string[], passage?: Passage): Promise<SandboxPlan | { refused: string }> {
    const profile = this.#buildProfile();
    if ('refused' in profile) return profile;
    this.#limits ??= await limitsNamespaces(this.#program ?? 'bwrap');
    await this.#ground.identify();
    return this.#asPlan(profile, shellArguments, passage);
  }

  began(): void {}

  inspect(): string | undefined {
    return this.#ground.inspect();
  }

  explain(output: string, { exit, signal }: CommandEnd, hasPassage = false): string | undefined {
    const places = { workspace: this.#options.workspace, home: this.#ground.home, hasPassage };
    return limitHint(output, exit, signal, this.#use) ?? sandboxHint(output, places);
  }

  async close(): Promise<void> {
    await this.#group.close();
    await this.#ground.close();
  }

  async #probe(): Promise<SandboxReport> {
    try {
      const profile = this.#buildProfile();
      if ('refused' in profile) return notWorking(profile.obstacle, profile.refused);
      let report = await this.#tryOut(profile, true);
      // Asking an older bubblewrap for its version first would cost every start a process.
      this.#limits = !(report.reason ?? '').includes('--disable-userns');
      if (!this.#limits) report = await this.#tryOut(profile, false);
      if (report.works || !(report.reason ?? '').includes('confine:')) return report;
      this.#helper = undefined;
      return await this.#tryOut(profile, this.#limits);
    } catch (error) {
      return notWorking('failed', `the sandbox can’t be set up: ${(error as Error).message}`);
    }
  }

  #tryOut(profile: Profile, limitsNamespaces: boolean): Promise<SandboxReport> {
    const { environment } = this.#asPlan(profile);
    const program = this.#program ?? 'bwrap';
    const around = this.#around(profile, limitsNamespaces, ['-t']);
    const refusesCalls = this.#helper !== undefined;
    return probeSandbox({
      refusesCalls,
      use: this.#use,
      program,
      environment,
      around,
      shell: this.#shell.path,
      profile,
      limitsNamespaces,
    });
  }

  #buildProfile(): Profile | Refused {
    if (this.#program !== undefined) return this.#ground.profile();
    const refused = 'bubblewrap isn’t installed (the package is called bubblewrap)';
    return this.#ground.unfit() ?? { refused, obstacle: 'not-installed' };
  }

  get #supervisor(): string[] {
    return supervisorArguments(this.#shell, 'namespace', limitCommands(this.#use, this.#shell.path, 0));
  }

  #findHelper(): string | undefined {
    const found = nativeProgram('confine');
    return 'path' in found && this.#ground.hidden.includes(dirname(helperPlace)) ? found.path : undefined;
  }

  /** Everything in front of the program that is to run inside. */
  #around(
    { ground, arguments: shown }: Profile,
    limitsNamespaces: boolean,
    more: string[] = [],
    passage?: Passage,
  ): string[] {
    const limits = limitsNamespaces ? ['--disable-userns'] : [];
    const second = this.#helper === undefined ? [] : ['--ro-bind', this.#helper, helperPlace];
    const inner = this.#helper === undefined ? [] : [helperPlace, '-l', '-s', ...more, '--'];
    const size = String(memoryPlaceBytes(this.#use));
    // Older ones can't bound these places.
    const places = limitsNamespaces
      ? shown.flatMap((word) => (word === '--tmpfs' ? ['--size', size, word] : [word]))
      : shown;
    const leading = passage?.mounts.flatMap(({ source, place }) => ['--ro-bind', source, place]) ?? [];
    const mounts = [...places, ...second, ...leading];
    return [
      ...isolation,
      ...limits,
      ...mounts,
      '--chdir',
      ground.workspace,
      '--',
      ...(passage?.before ?? []),
      ...inner,
    ];
  }

  #asPlan(profile: Profile, shellArguments?: readonly string[], passage?: Passage): SandboxPlan {
    const { program, arguments: words } = this.#group.into(this.#program ?? 'bwrap', [
      ...this.#around(profile, this.#limits ?? true, [], passage),
      this.#shell.path,
      ...(shellArguments ?? this.#supervisor),
    ]);
    return {
      program,
      arguments: words,
      environment: {
        ...this.#ground.environment(),
        HOME: profile.ground.home,
        TMPDIR: '/tmp',
        ...passage?.environment,
      },
      enclosed: true,
      fingerprint: profile.fingerprint,
      bound: this.#use,
    };
  }
}

/** Whether this bubblewrap knows --disable-userns (0.8 and newer). */
async function limitsNamespaces(program: string): Promise<boolean> {
  const output = await new Promise<string>((resolve) => {
    execFile(program, ['--version'], { timeout: 2000 }, (_error, stdout) => resolve(stdout));
  });
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(output) ?? [];
  return Number(major) > 0 || Number(minor) >= 8;
}

/** The sandbox of macOS: Seatbelt, by its command-line program, with a profile of our own. */
import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin, realPath, statusOf } from '../paths.ts';
import { findShell, supervisorArguments, tasksOfMachine } from '../process/index.ts';
import { plainSandboxHint } from './hints.ts';
import { limitCommands, limitHint, limitsText, useLimits, type UseLimits } from './limits.ts';
import type { Profile } from './profile.ts';
import type { CommandEnd, Obstacle, Sandbox, SandboxPlan, SandboxReport } from './sandbox.ts';
import { SessionGround, type Refused, type SandboxParts } from './session-ground.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

/** Part of every macOS; at no other path, so that nothing else can stand in for it. */
const program = '/usr/bin/sandbox-exec';
const timeLimit = 10_000;

export function createSeatbelt(options: SandboxParts): Sandbox {
  return new Seatbelt(options);
}

class Seatbelt implements Sandbox {
  readonly name = 'seatbelt';
  readonly #options: SandboxParts;
  readonly #shell = findShell();
  readonly #use: UseLimits;
  readonly #ground: SessionGround;
  #report: Promise<SandboxReport> | undefined;

  constructor(options: SandboxParts) {
    this.#options = options;
    this.#use = useLimits(options.limits);
    this.#ground = new SessionGround(options);
  }

  probe(): Promise<SandboxReport> {
    this.#report ??= this.#probe();
    return this.#report;
  }

  async plan(shellArguments?: readonly string[]): Promise<SandboxPlan | { refused: string }> {
    const profile = this.#build();
    if ('refused' in profile) return profile;
    await this.#ground.identify();
    return this.#asPlan(profile, shellArguments);
  }

  began(): void {}

  inspect(): string | undefined {
    return this.#ground.inspect();
  }

  explain(output: string, { exit, signal }: CommandEnd): string | undefined {
    const places = { workspace: this.#options.workspace, home: this.#ground.home };
    return limitHint(output, exit, signal, this.#use) ?? plainSandboxHint(output, places);
  }

  async close(): Promise<void> {
    await this.#ground.close();
  }

  #build(): Profile | Refused {
    const profile = this.#ground.profile();
    if (!('refused' in profile)) mkdirSync(join(profile.ground.scratch, 'home'), { recursive: true });
    return profile;
  }

  #asPlan(
    profile: Profile,
    shellArguments: readonly string[] = supervisorArguments(
      this.#shell,
      'nothing',
      limitCommands(this.#use, this.#shell.path, tasksOfMachine()),
    ),
  ): SandboxPlan {
    const { scratch } = profile.ground;
    const text = seatbeltProfile(profile.mounts, scratch);
    return {
      program,
      arguments: ['-p', text, this.#shell.path, ...shellArguments],
      environment: {
        ...this.#ground.environment(),
        HOME: join(scratch, 'home'),
        TMPDIR: join(scratch, 'tmp'),
        GIT_CONFIG_GLOBAL: join(scratch, 'gitconfig'),
      },
      enclosed: false,
      bound: this.#use,
      fingerprint: createHash('sha256').update(text).update(profile.fingerprint).digest('hex'),
    };
  }

  /** Tries to write beside the workspace, to list a hidden folder and to reach this machine, and to write the workspace. */
  async #probe(): Promise<SandboxReport> {
    try {
      if (statusOf(program) === undefined) return notWorking('not-installed', `${program} isn’t there`);
      const profile = this.#build();
      if ('refused' in profile) return notWorking(profile.obstacle, profile.refused);
      return await this.#tryOut(profile);
    } catch (error) {
      return notWorking('failed', `the sandbox can’t be set up: ${(error as Error).message}`);
    }
  }

  async #tryOut(profile: Profile): Promise<SandboxReport> {
    const { workspace } = this.#options;
    const name = `.reins-probe-${process.pid}-${randomUUID().slice(0, 8)}`;
    const places = [...profile.ground.hidden, join(workspace, '..')].map((place) => realPath(place) ?? place);
    const outside = places.filter((place) => !isWithin(place, workspace));
    const plan = this.#asPlan(profile, ['-c', script, 'probe', name, ...outside]);
    const output = await new Promise<string>((resolve) => {
      const options = { env: plan.environment, cwd: workspace, timeout: timeLimit, killSignal: 'SIGKILL' } as const;
      execFile(plan.program, plan.arguments, options, (_error, out, said) => resolve(`${out}${said}`));
    });
    const written = outside.map((place) => join(place, name)).filter((path) => statusOf(path) !== undefined);
    for (const path of written) rmSync(path);
    const lines = output.split('\n');
    if (!lines.includes('end'))
      return notWorking('failed', `Seatbelt can’t start here: ${output.trim().slice(0, 500)}`);
    const breaches = [
      ...written.map((path) => `${path} was written`),
      ...lines.filter((line) => line.startsWith('open ')),
    ];
    if (breaches.length > 0) return notWorking('breached', `the sandbox doesn’t hold here: ${breaches.join('; ')}`);
    return {
      sandbox: 'seatbelt',
      works: true,
      enforced: [...enforcedBy(profile), limitsText(this.#use)],
      notes: [...profile.notes, ...gaps],
    };
  }
}

const script = `
name=$1; shift
for place do
  { true >"$place/$name"; } 2>/dev/null
  ls "$place" >/dev/null 2>&1 && [ "$place" != / ] && case $PWD in "$place"/*) ;; *) echo "open $place" ;; esac
done
[ -w . ] || echo "open: the workspace can’t be written"
{ echo >/dev/udp/127.0.0.1/9; } 2>/dev/null && echo "open network"
echo end`;

function enforcedBy({ ground, protectedPaths }: Profile): string[] {
  return [
    `Commands write only in ${ground.workspace} and in a private folder of the session, which is their home and their place for temporary files.`,
    ...(protectedPaths.length > 0 ? [`Read-only in the workspace: ${protectedPaths.join(', ')}.`] : []),
    `Not readable: ${[...ground.hidden, ...ground.covered].join(', ')}.`,
    'No network and no services of this machine but the few that every program needs.',
  ];
}

const gaps = ['What a command leaves running is ended by its group, descent and mark, not by a namespace.'];

function notWorking(obstacle: Obstacle, reason: string): SandboxReport {
  return { sandbox: 'seatbelt', works: false, obstacle, reason, enforced: [], notes: [] };
}

/** Tries the real profile once: what a sandbox enforces is only said when the kernel was seen to do it. */
import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statusOf } from '../paths.ts';
import { limitsText, type UseLimits } from './limits.ts';
import type { Ground, Profile } from './profile.ts';
import type { Obstacle, SandboxReport } from './sandbox.ts';

export interface ProbeOptions {
  program: string;
  /** Arguments in front of the program that runs inside. */
  around: string[];
  environment: { [name: string]: string };
  shell: string;
  profile: Profile;
  /** Whether further user namespaces are forbidden. */
  limitsNamespaces: boolean;
  use: UseLimits;
  /** Whether a second layer refuses system calls. */
  refusesCalls: boolean;
}

const timeLimit = 10_000;
/** Entries of a hidden folder that are looked for inside. */
const mostSamples = 20;
/** Breaches of one kind that are named. */
export const mostNamed = 3;

/**
 * Uses the shell's own commands only, so that it costs one process. It tries to write (nothing is left in the workspace, whose
 * access is asked of the kernel), looks for what must not be there, and lists what it is allowed to do.
 */
const script = `
name=$1; shift
for item do
  path=\${item#*:}
  case \${item%%:*} in
    outside) { true >"$path/$name"; } 2>/dev/null ;;
    hidden) [ ! -e "$path" ] || echo "seen $path" ;;
    protected) [ ! -w "$path" ] || echo "unprotected $path" ;;
    workspace) [ -w "$path" ] && echo writable ;;
  esac
done
while read -r line; do
  case $line in *:*) echo "network \${line%%:*}" ;; esac
done </proc/net/dev
while read -r key value rest; do
  case $key in CapEff:) echo "capabilities $value" ;; esac
done </proc/self/status
[ "$PPID" = 1 ] && echo "alone"
echo end`;

export async function probeSandbox(options: ProbeOptions): Promise<SandboxReport> {
  const { profile, shell } = options;
  const { ground } = profile;
  const name = `.reins-probe-${process.pid}-${randomUUID().slice(0, 8)}`;
  const outside = outsidePlaces(ground);
  const items = [
    ...outside.map((path) => `outside:${path}`),
    ...hiddenSamples(ground).map((path) => `hidden:${path}`),
    ...[...profile.protectedPaths, '/proc/sys/kernel/core_pattern'].map((path) => `protected:${path}`),
    `workspace:${ground.workspace}`,
  ];
  const { output, error } = await runInside(options, [shell, '-c', script, 'probe', name, ...items]);
  const written = outside.map((path) => join(path, name)).filter((path) => statusOf(path) !== undefined);
  for (const path of written) rmSync(path);
  rmSync(join(ground.scratch, 'tmp', name), { force: true });
  const lines = output.split('\n');
  if (!lines.includes('end')) return whyNotStarted(error);
  const breaches = [
    ...written.slice(0, mostNamed).map((path) => `${path} was written`),
    ...findBreaches(lines, ground.workspace),
  ];
  if (breaches.length > 0) return notWorking('breached', `the sandbox doesn’t hold here: ${breaches.join('; ')}`);
  return { sandbox: 'bubblewrap', works: true, enforced: enforcedBy(options), notes: profile.notes };
}

export function notWorking(obstacle: Obstacle, reason: string): SandboxReport {
  return { sandbox: 'bubblewrap', works: false, obstacle, reason, enforced: [], notes: [] };
}

export function outsidePlaces({ workspace, hidden }: Ground): string[] {
  return [...new Set(['/', '/etc', '/usr', '/var', dirname(workspace), ...hidden])];
}

/** Things that exist in hidden folders outside and must not be seen inside. */
export function hiddenSamples({ hidden, toolchains, workspace, home, grants }: Ground): string[] {
  // What is shown on purpose, the folders on the way to it, and what exists inside too but is the session's own.
  const own = ['.cache', '.npm', '.gitconfig'].map((name) => join(home, name));
  const shown = new Set([
    ...own,
    ...[workspace, home, ...toolchains, ...grants.read, ...grants.write].flatMap(withParents),
  ]);
  return [home, ...hidden].flatMap((folder) => {
    const samples: string[] = [];
    for (const name of namesIn(folder)) {
      const path = folder === '/' ? `/${name}` : `${folder}/${name}`;
      if (!shown.has(path)) samples.push(path);
      if (samples.length === mostSamples) break;
    }
    return samples;
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not readable for us, so not for a command either
  }
}

function withParents(path: string): string[] {
  return path === '/' ? [] : [path, ...withParents(dirname(path))];
}

function findBreaches(lines: string[], workspace: string): string[] {
  const all = (word: string) =>
    lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1).trim()] : []));
  const after = (word: string) => all(word).slice(0, mostNamed);
  const networks = all('network').filter((name) => name !== 'lo');
  const capabilities = after('capabilities').filter((value) => !/^0+$/.test(value));
  return [
    ...after('seen').map((path) => `${path} can be seen`),
    ...after('open').map((what) => `${what}: not closed`),
    ...after('unprotected').map((path) => `${path} can be written`),
    ...networks.map((name) => `the network ${name} is there`),
    ...capabilities.map((value) => `capabilities ${value} are left`),
    ...(lines.includes('alone') ? [] : ['other processes can be seen']),
    ...(lines.includes('writable') || !mayWrite(workspace) ? [] : ['the workspace can’t be written']),
  ];
}

export function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false; // the answer, not a failure
  }
}

function enforcedBy({ profile, limitsNamespaces, use, refusesCalls }: ProbeOptions): string[] {
  const { ground } = profile;
  const hidden = [...ground.hidden, ...ground.covered];
  return [
    `Commands write only in ${ground.workspace}, in a private /tmp and in private caches.`,
    ...(profile.protectedPaths.length > 0 ? [`Read-only in the workspace: ${profile.protectedPaths.join(', ')}.`] : []),
    `Hidden: ${hidden.join(', ')}.`,
    ...granted(ground),
    ...(ground.toolchains.length > 0 ? [`Shown of these, read-only: ${ground.toolchains.join(', ')}.`] : []),
    'No network, not even this machine’s own services.',
    'No other processes; everything a command starts ends with it.',
    limitsText(use),
    refusesCalls
      ? 'No system calls for mounts, namespaces, keyrings, io_uring, bpf and the like (seccomp).'
      : 'System calls aren’t limited: the helper for it can’t be used here.',
    `No capabilities${limitsNamespaces ? ' and no further user namespaces' : ''}.`,
  ];
}

/** What the user has granted. */
export function granted({ grants }: Ground): string[] {
  const said = (what: string, paths: string[]) =>
    paths.length > 0 ? [`${what} by your settings: ${paths.join(', ')}.`] : [];
  return [...said('Readable', grants.read), ...said('Writable', grants.write)];
}

function runInside(options: ProbeOptions, inside: string[]): Promise<{ output: string; error: string }> {
  const { program, around, environment } = options;
  return new Promise((resolve) => {
    execFile(
      program,
      [...around, ...inside],
      { env: environment, timeout: timeLimit, killSignal: 'SIGKILL', cwd: '/' },
      (failure, output, error) => resolve({ output, error: error.trim() || (failure?.message ?? '') }),
    );
  });
}

function whyNotStarted(error: string): SandboxReport {
  if (
    /No permissions|Operation not permitted|uid map|Creating new namespace failed|RTM_NEWADDR|No space left/i.test(
      error,
    )
  ) {
    const way =
      'this system forbids user namespaces to ordinary programs: see kernel.unprivileged_userns_clone, user.max_user_namespaces and ' +
      'kernel.apparmor_restrict_unprivileged_userns, or the security profile of the container;';
    return notWorking('namespaces-forbidden', `${way} bubblewrap says: ${error.slice(0, 500)}`);
  }
  return notWorking('failed', `bubblewrap can’t start here: ${error.slice(0, 500) || 'it printed nothing'}`);
}

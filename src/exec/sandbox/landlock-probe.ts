/** Tries the Landlock sandbox once, with its real rules: what it enforces is only said when the kernel was seen to do it. */
import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { statusOf } from '../paths.ts';
import type { Rules } from './landlock-rules.ts';
import { limitsText, type UseLimits } from './limits.ts';
import { granted, hiddenSamples, mayWrite, mostNamed, outsidePlaces } from './probe.ts';
import type { Profile } from './profile.ts';
import type { SandboxReport } from './sandbox.ts';

export interface LandlockProbeOptions {
  helper: string;
  /** The rules as arguments of the helper. */
  around: string[];
  rules: Rules;
  profile: Profile;
  environment: { [name: string]: string };
  shell: string;
  use: UseLimits;
}

const timeLimit = 10_000;

/** The shell's own commands only. Whether a hidden file exists may be asked; it must not be opened. */
const script = `
name=$1; shift
for item do
  path=\${item#*:}
  case \${item%%:*} in
    outside) { true >"$path/$name"; } 2>/dev/null ;;
    hidden) { true <"$path"; } 2>/dev/null && echo "seen $path" ;;
    workspace) [ -w "$path" ] && { true <"$path"; } 2>/dev/null && echo writable ;;
  esac
done
while read -r key value rest; do
  case $key in CapEff:) [ "$value" = 0000000000000000 ] || echo "open capabilities" ;; NoNewPrivs:) echo "privileges $value" ;; esac
done </proc/self/status
{ read -r line </proc/$PPID/environ; } 2>/dev/null && echo "open processes"
echo end`;

export async function probeLandlock(options: LandlockProbeOptions): Promise<SandboxReport> {
  const { profile } = options;
  const { ground } = profile;
  const name = `.reins-probe-${process.pid}-${randomUUID().slice(0, 8)}`;
  const outside = outsidePlaces(ground);
  const items = [
    ...outside.map((path) => `outside:${path}`),
    ...hiddenSamples(ground).map((path) => `hidden:${path}`),
    `workspace:${ground.workspace}`,
  ];
  const { output, error } = await run(options, ['probe', name, ...items]);
  const written = outside.map((path) => join(path, name)).filter((path) => statusOf(path) !== undefined);
  for (const path of written) rmSync(path);
  const lines = output.split('\n');
  if (!lines.includes('end'))
    return failed('failed', `Landlock can’t be used here: ${error.slice(0, 500) || 'it printed nothing'}`);
  const breaches = [
    ...written.map((path) => `${path} was written`),
    ...lines.filter((line) => line.startsWith('seen ')).map((line) => `${line.slice(5)} can be read`),
    ...lines.filter((line) => line.startsWith('open ')).map((line) => `${line.slice(5)}: not closed`),
    ...(lines.includes('privileges 1') ? [] : ['new privileges aren’t forbidden']),
    ...(lines.includes('writable') || !mayWrite(ground.workspace) ? [] : ['the workspace can’t be written']),
  ];
  if (breaches.length > 0)
    return failed('breached', `the Landlock sandbox doesn’t hold here: ${breaches.slice(0, mostNamed).join('; ')}`);
  return {
    sandbox: 'landlock',
    works: true,
    enforced: [...enforcedBy(profile), limitsText(options.use)],
    notes: [...profile.notes, ...gaps],
  };
}

function enforcedBy({ ground, protectedPaths }: Profile): string[] {
  return [
    `Commands write only in ${ground.workspace} and in a private folder of the session, which is their home and their place for temporary files.`,
    ...(protectedPaths.length > 0 ? [`Put back after each command: ${protectedPaths.join(', ')}.`] : []),
    `Not readable: ${[...ground.hidden, ...ground.covered].join(', ')}.`,
    ...granted(ground),
    ...(ground.toolchains.length > 0 ? [`Readable of these: ${ground.toolchains.join(', ')}.`] : []),
    'No network and no sockets at all, not even to this machine’s own services.',
    'No looking into other processes, no signals to them where the kernel can tell (Linux 6.12), no capabilities, no namespaces.',
  ];
}

/** What a person should know that this layer can't do. */
const gaps = [
  'Landlock can’t hide that a file exists, nor other processes’ names, and doesn’t hold modes and times of the user’s own files (chmod, touch).',
  'What a command leaves running is ended by its group, descent and mark, not by a namespace.',
  'Commands in the workspace have no /tmp (TMPDIR names another folder), no local servers, no new terminals, and can’t commit in a linked working tree.',
];

function failed(obstacle: 'failed' | 'breached', reason: string): SandboxReport {
  return { sandbox: 'landlock', works: false, obstacle, reason, enforced: [], notes: [] };
}

function run(
  { helper, around, environment, shell, profile }: LandlockProbeOptions,
  inside: string[],
): Promise<{ output: string; error: string }> {
  return new Promise((resolve) => {
    execFile(
      helper,
      [...around, '-t', '--', shell, '-c', script, ...inside],
      { env: environment, timeout: timeLimit, killSignal: 'SIGKILL', cwd: profile.ground.workspace },
      (failure, output, error) => resolve({ output, error: error.trim() || (failure?.message ?? '') }),
    );
  });
}

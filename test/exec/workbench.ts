/** What the tests of the hands share: folders of their own, shells over them, and a look at what still runs. */
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  createSandbox,
  createShell,
  loadSandbox,
  type BlobWriter,
  type CommandOutcome,
  type OutputCaps,
  type Sandbox,
  type SandboxName,
  type Shell,
  type ShellOptions,
} from '../../src/exec/index.ts';

export type Kind = 'bubblewrap' | 'none';

/** A new folder (its real path), removed after the test. */
export function makeFolder(t: TestContext, files: { [path: string]: string } = {}, parent = tmpdir()): string {
  const folder = mkdtempSync(join(realpathSync(parent), 'reins-exec-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) write(join(folder, path), text);
  return folder;
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export interface Bench {
  sandbox: Sandbox;
  shell: Shell;
  run: (command: string, timeout?: number) => Promise<CommandOutcome>;
}

export interface BenchOptions {
  env?: { [name: string]: string | undefined };
  blobs?: BlobWriter;
  caps?: OutputCaps;
  hide?: string[];
  secretNames?: string[];
  /** Further options of the shell. */
  shell?: Partial<ShellOptions>;
}

/** A shell over a folder, closed after the test. */
export function makeBench(t: TestContext, kind: Kind, workspace: string, options: BenchOptions = {}): Bench {
  const { env = {}, blobs, caps, hide, secretNames } = options;
  const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], LANG: 'C.UTF-8', ...env };
  const sandbox = createSandbox({ kind, workspace, environment, hide, secretNames });
  const shell = createShell({ workspace, sandbox, ...(blobs && { blobs }), ...(caps && { caps }), ...options.shell });
  t.after(async () => {
    await shell.close();
    await sandbox.close();
  });
  return {
    sandbox,
    shell,
    run: (command, timeout = 20_000) => shell.run({ command, timeout }, new AbortController().signal),
  };
}

/** A shell over a folder in a sandbox of any kind, closed after the test. */
export async function loadBench(t: TestContext, options: Parameters<typeof loadSandbox>[0]): Promise<Bench> {
  const sandbox = await loadSandbox(options);
  const shell = createShell({ workspace: options.workspace, sandbox });
  t.after(async () => {
    await shell.close();
    await sandbox.close();
  });
  return {
    sandbox,
    shell,
    run: (command, timeout = 20_000) => shell.run({ command, timeout }, new AbortController().signal),
  };
}

/** Why tests in the sandbox can't run here; false when they can. */
export async function whyNoSandbox(kind: SandboxName = 'bubblewrap'): Promise<string | false> {
  const workspace = mkdtempSync(join(realpathSync(tmpdir()), 'reins-exec-'));
  const sandbox = await loadSandbox({
    kind,
    workspace,
    environment: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
  });
  try {
    const report = await sandbox.probe();
    if (report.obstacle === 'not-installed') return `${kind} is not installed`;
    if (kind === 'landlock' && /this kernel has no/.test(report.reason ?? '')) return `no sandbox: ${report.reason}`;
    // Any other failure is for the tests to find.
    return report.obstacle === 'namespaces-forbidden' ? `no sandbox: ${report.reason}` : false;
  } finally {
    await sandbox.close();
    rmSync(workspace, { recursive: true });
  }
}

/** Text that marks the processes of one test in their command lines. */
export const makeMark = (): string => `1${randomUUID().replaceAll(/\D/g, '').slice(0, 8)}`;

/** Command lines on this machine that hold a text. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
        return line.includes(text) ? [line] : [];
      } catch {
        return []; // it ended meanwhile
      }
    });
}

/** How many processes of this machine work in a folder. */
export const processesIn = (folder: string): number => pidsIn(folder).length;

/** The processes of this machine that work in a folder, by their numbers. */
export function pidsIn(folder: string): number[] {
  const names = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false; // it ended meanwhile, or belongs to another user
    }
  });
  return names.map(Number);
}

/** Waits until something holds; fails the test after a deadline. */
export async function until(what: string, holds: () => boolean, milliseconds = 10_000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Runs git for the set-up of a test, independent of the user's settings; gives what it printed. */
export function git(folder: string, ...args: string[]): string {
  const result = spawnSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'protocol.file.allow',
      GIT_CONFIG_VALUE_0: 'always',
    },
  });
  if (result.status !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`);
  return result.stdout.trim();
}

/** Blobs kept in memory, or only counted. */
export class MemoryBlobs implements BlobWriter {
  readonly kept = new Map<string, Buffer>();
  abandoned = 0;
  readonly #keeps: boolean;

  constructor(keeps = true) {
    this.#keeps = keeps;
  }

  open() {
    const chunks: Buffer[] = [];
    const hash = createHash('sha256');
    return {
      write: (chunk: Uint8Array): void => {
        hash.update(chunk);
        if (this.#keeps) chunks.push(Buffer.from(chunk));
      },
      finish: async (): Promise<string> => {
        const name = hash.digest('hex');
        this.kept.set(name, Buffer.concat(chunks));
        return name;
      },
      abandon: (): void => {
        this.abandoned += 1;
      },
    };
  }
}

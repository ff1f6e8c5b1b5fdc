/** Git for Reins itself, outside the sandbox: one door, which disarms it. */
import { spawn } from 'node:child_process';
import { ReinsError } from '../../core/index.ts';
import type { Environment } from '../needs.ts';
import { findProgram } from '../programs.ts';
import {
  disarmedArguments,
  disarmedEnvironment,
  listDrivers,
  mayHaveDrivers,
  parseDrivers,
  refusal,
} from './disarm.ts';
import { findGitPlace, type GitPlace } from './place.ts';

export interface GitResult {
  exit: number;
  stdout: Buffer;
  stderr: string;
}

export interface Git {
  /**
   * Runs one of the reading commands in the workspace. Rejects with `tool-failed` when the
   * workspace is in no repository, there is no Git, the command isn't let through, or it exceeds time or output.
   */
  run(args: string[]): Promise<GitResult>;
  /** Whether the workspace is in a repository; found out without running Git. */
  isRepository(): boolean;
  /** Real path of the top of the working tree, of the common Git folder; null in no repository. */
  topLevel(): string | null;
  commonDir(): string | null;
}

export interface GitOptions {
  /** Real path. */
  workspace: string;
  environment: Environment;
  /** Milliseconds a command may take. */
  timeout?: number;
  /** Bytes a command may print. */
  outputLimit?: number;
}

const stderrLimit = 64 * 1024;

export function createGit(options: GitOptions): Git {
  const { workspace, environment, timeout = 30_000, outputLimit = 256 * 1024 * 1024 } = options;
  // Looked up once, and never in the workspace: the repository must not choose the program.
  const program = findProgram('git', environment['PATH'], [workspace]);

  const start = (place: GitPlace, args: string[]): Promise<GitResult> => {
    if (program === undefined) throw new ReinsError('tool-failed', 'There is no git in PATH.');
    const env = disarmedEnvironment(environment, place);
    return runGit({ program, args, env, folder: workspace, timeout, outputLimit });
  };

  return {
    async run(args) {
      const place = findGitPlace(workspace);
      if (place === undefined) throw new ReinsError('tool-failed', `${workspace} is in no Git repository.`);
      const refused = refusal(args);
      if (refused !== undefined) throw new ReinsError('tool-failed', `Git was not run: ${refused}.`);
      return start(place, disarmedArguments(args, await driversOf(place, start)));
    },
    isRepository: () => findGitPlace(workspace) !== undefined,
    topLevel: () => findGitPlace(workspace)?.topLevel ?? null,
    commonDir: () => findGitPlace(workspace)?.commonDir ?? null,
  };
}

/** Asked anew each time, because a command of the model may have changed the configuration; most repositories need no question. */
async function driversOf(
  place: GitPlace,
  start: (place: GitPlace, args: string[]) => Promise<GitResult>,
): Promise<string[]> {
  if (!mayHaveDrivers(place)) return [];
  const listed = await start(place, listDrivers);
  // 1: no such key. Anything else would leave drivers armed.
  if (listed.exit > 1)
    throw new ReinsError('tool-failed', `Git’s configuration can’t be read: ${listed.stderr.trim()}.`);
  const drivers = parseDrivers(listed.stdout.toString('utf8'));
  // A setting on the command line ends its name at the first such character, so it would disarm another driver.
  const odd = drivers.find((name) => name.includes('='));
  if (odd !== undefined)
    throw new ReinsError('tool-failed', `Git’s configuration defines ${odd}, which can’t be disarmed.`);
  return drivers;
}

interface GitStart {
  program: string;
  args: string[];
  env: { [name: string]: string };
  folder: string;
  timeout: number;
  outputLimit: number;
}

export function runGit(start: GitStart): Promise<GitResult> {
  const { program, args, env, folder, timeout, outputLimit } = start;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    let bytes = 0;
    let stderr = '';
    const fail = (detail: string) => {
      child.kill('SIGKILL');
      reject(new ReinsError('tool-failed', detail));
    };
    const timer = setTimeout(() => fail(`Git took more than ${timeout / 1000} s.`), timeout);
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > outputLimit) fail(`Git printed more than ${outputLimit} bytes.`);
      else stdout.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(0, stderrLimit);
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      fail(`Git could not be started: ${error.message}.`);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === null) fail(`Git was ended by ${signal}.`);
      else resolve({ exit: code, stdout: Buffer.concat(stdout), stderr });
    });
  });
}

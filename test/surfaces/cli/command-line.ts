/** The command line as its users have it: a process of its own, with a home, a state and a workspace of its own. */
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Scenario } from '../../../src/testing/index.ts';
import { commandLine, compiledCode } from '../../support/compiled.ts';

export { commandLine };

/** Milliseconds after which a process that should have ended is ended, and the test fails. */
const patience = 60_000;

export interface Ended {
  exit: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export interface Started {
  child: ChildProcessWithoutNullStreams;
  /** Everything so far. */
  text: { out: string; err: string };
  ended: Promise<Ended>;
  /** Resolves when what was written so far fits; rejects when the process ends before. */
  until(stream: 'out' | 'err', pattern: RegExp): Promise<void>;
}

export interface Bench {
  /** The real path of the workspace. */
  workspace: string;
  environment: { [name: string]: string };
  /** Writes a file into the workspace. */
  file(path: string, text: string): string;
  /** Writes a scenario beside the workspace and gives the name of its model. */
  scenario(scenario: Scenario): string;
  start(words: string[], options?: StartOptions): Started;
  /** Starts, and waits for the end; standard input is empty. */
  reins(words: string[], options?: StartOptions): Promise<Ended>;
}

export interface StartOptions {
  /** Another program than Node on the main module, with all its words before those of Reins. */
  through?: string[];
  environment?: { [name: string]: string };
  folder?: string;
  stdin?: 'open';
}

/** Everything is removed when the test is over. */
export function openBench(context: TestContext): Bench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'reins-cli-')));
  const workspace = join(root, 'workspace');
  for (const folder of ['workspace', 'home', 'state', 'config', 'temporary']) mkdirSync(join(root, folder));
  const running = new Set<ChildProcessWithoutNullStreams>();
  context.after(() => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });
  // Not the environment of the tests: a test runner that finds itself inside another one runs nothing, and keys are none of theirs.
  const environment = {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: join(root, 'home'),
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CONFIG_HOME: join(root, 'config'),
    TMPDIR: join(root, 'temporary'),
    TERM: 'xterm',
    LANG: 'C.UTF-8',
    ...compiledCode(),
  };
  const put = (path: string, text: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const start = (words: string[], options: StartOptions = {}): Started => {
    const [program = process.execPath, ...before] = options.through ?? [process.execPath, commandLine];
    const child = spawn(program, [...before, ...words], {
      cwd: options.folder ?? workspace,
      env: { ...environment, ...options.environment },
    });
    running.add(child);
    if (options.stdin !== 'open') child.stdin.end();
    return watch(child, () => running.delete(child));
  };
  return {
    workspace,
    environment,
    file: (path, text) => put(join(workspace, path), text),
    scenario: (scenario) => `script:${put(join(root, `${Math.random()}.json`), JSON.stringify(scenario))}`,
    start,
    reins: (words, options) => start(words, options).ended,
  };
}

function watch(child: ChildProcessWithoutNullStreams, gone: () => void): Started {
  const text = { out: '', err: '' };
  const watchers = new Set<() => void>();
  const tell = (): void => watchers.forEach((each) => each());
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
      tell();
    });
  }
  child.stdin.on('error', () => undefined); // It may end without having read what it was given.
  let isOver = false;
  const limit = setTimeout(() => child.kill('SIGKILL'), patience);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit, signal) => {
      clearTimeout(limit);
      isOver = true;
      gone();
      tell();
      resolve({ exit, signal, ...text });
    });
  });
  const until = (stream: 'out' | 'err', pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (pattern.test(text[stream])) resolve();
        else if (isOver) reject(new Error(`ended without ${pattern}:\n${text.out}\n${text.err}`));
        else return;
        watchers.delete(look);
      };
      watchers.add(look);
      look();
    });
  return { child, text, ended, until };
}

/** The lines of `--json`. */
export function linesOf(out: string): { [name: string]: unknown; type: string }[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
}

export function isInstalled(program: string, words = ['--version'], saying = /./): boolean {
  const { error, stdout } = spawnSync(program, words, { encoding: 'utf8' });
  return error === undefined && saying.test(stdout);
}

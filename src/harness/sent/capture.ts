/** The joint that records what any program sends to a model: it runs it against a model server on loopback and keeps each body. */
import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { commandEnvironment, placesOf } from '../../config/index.ts';
import { ReinsError } from '../../core/index.ts';
import { vendors } from '../../model/index.ts';
import type { ModelServer } from '../../testing/index.ts';
import { makeCaptureFolder, type CaptureFolder } from './capture-folder.ts';

type Variables = { readonly [name: string]: string | undefined };

export interface CaptureOptions {
  /** The program and its arguments. */
  command: readonly [string, ...string[]];
  /** Where the bodies are kept; by default a new folder in the state folder. */
  out?: string;
  /** What is answered: one short text, HTTP 400, or what the file of a scenario says. */
  answer: 'done' | 'refuse' | { scenario: string };
  /** The folder that the program runs in. */
  workspace: string;
  env?: Variables;
}

export interface CaptureEnd {
  /** The program's own exit code; 128 and the number of the signal that ended it. */
  exit: number;
  requests: number;
  /** What was not served or refused, in words. */
  unserved: string[];
}

/** A program that is being recorded. */
export interface Capture {
  folder: string;
  /** Base URL of the server, without a path. */
  url: string;
  /** Resolves when the program has ended. Rejects with `state-unwritable` when a request could not be kept. */
  ended: Promise<CaptureEnd>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the program. Rejects with `usage-arguments` where it can't be started, `scenario-invalid` and `state-unwritable`. */
export async function startCapture(options: CaptureOptions): Promise<Capture> {
  const server = await serverFor(options);
  let kept: CaptureFolder | undefined;
  try {
    kept = makeCaptureFolder(placesOf(options.env).state, options.out);
    const child = await started(options, server.url);
    const ended = endOf(child, server, kept);
    return { folder: kept.folder, url: server.url, ended, kill: (signal) => void child.kill(signal) };
  } catch (error) {
    kept?.dispose();
    await server.close();
    throw error;
  }
}

/** A request of another program is recorded as it is, so nothing of it is refused. */
async function serverFor({ answer, workspace }: CaptureOptions): Promise<ModelServer> {
  const { loadScenario, startModelServer } = await import('../../testing/index.ts');
  if (typeof answer === 'object') {
    const scenario = await loadScenario(resolve(answer.scenario));
    return startModelServer(scenario, { strict: false, values: { workspace: resolve(workspace) } });
  }
  const message = 'This server only records what is sent.';
  return startModelServer(() => (answer === 'refuse' ? { status: 400, message } : { text: 'done' }), { strict: false });
}

function started({ command, workspace, env }: CaptureOptions, url: string): Promise<ChildProcess> {
  const [program, ...words] = command;
  return new Promise((done, fail) => {
    const child = spawn(program, words, { cwd: workspace, env: environmentFor(env, url), stdio: 'inherit' });
    child.once('spawn', () => done(child));
    child.once('error', (error: NodeJS.ErrnoException) => {
      const why = reasons[error.code ?? ''] ?? error.message;
      fail(new ReinsError('usage-arguments', `"${program}" can’t be started: ${why}.`, { cause: error }));
    });
  });
}

const reasons: { [code: string]: string } = {
  ENOENT: 'there is no such program',
  EACCES: 'it may not be run',
};

/** Long enough for any program, and no longer than a timer can take: milliseconds. */
const patience = 2 ** 31 - 1;

/** Keeps each request as it comes, until the program has ended. */
async function endOf(child: ChildProcess, server: ModelServer, kept: CaptureFolder): Promise<CaptureEnd> {
  const keeper = new Keeper(kept);
  const keeping = keeper.keepAll(server).catch(() => undefined); // The server is closed: nothing comes any more.
  const exit = await exitOf(child);
  keeper.isOver = true;
  await server.close();
  await keeping;
  for (const request of server.requests.slice(keeper.requests)) keeper.keep(request);
  if (keeper.problem !== undefined) throw keeper.problem;
  if (keeper.requests === 0) kept.dispose();
  const unserved = server.refusals.map(
    ({ request, message }) => `${request === 0 ? '' : `request ${request}: `}${message}`,
  );
  return { exit, requests: keeper.requests, unserved: [...new Set(unserved)] };
}

type Recorded = ModelServer['requests'][number];

class Keeper {
  requests = 0;
  isOver = false;
  /** What kept a request from being kept: the program goes on, and it is said at the end. */
  problem: Error | undefined;
  readonly #folder: CaptureFolder;

  constructor(folder: CaptureFolder) {
    this.#folder = folder;
  }

  async keepAll(server: ModelServer): Promise<void> {
    while (!this.isOver) this.keep(await server.waitForRequest(this.requests + 1, patience));
  }

  keep(request: Recorded): void {
    this.requests += 1;
    try {
      this.#folder.store(request);
    } catch (error) {
      this.problem ??= error as Error;
    }
    void request.finished.then(() => forget(request));
  }
}

/** What is on disk needs no memory. */
function forget(request: Recorded): void {
  request.bytes = Buffer.alloc(0);
  request.body = {};
  request.question.messages = [];
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((done) => {
    const ended = (exit: number | null, signal: NodeJS.Signals | null): void => {
      done(exit ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    };
    if (child.exitCode !== null || child.signalCode !== null) ended(child.exitCode, child.signalCode);
    else child.once('exit', ended);
  });
}

/** Names of variables that may hold a key or lead to another provider. */
const secretName = /(^|_)(API_?KEY|KEY|KEYS|TOKEN|SECRET|PASSWORD|CREDENTIALS?)(_|$)|_(BASE_URL|API_BASE|ENDPOINT)$/i;
const otherRoutes = ['ANTHROPIC_CUSTOM_HEADERS', 'CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'];
const noKey = 'reins-capture-no-key';

/** The environment without keys and other ways to a provider, and with the way to the server. */
function environmentFor(env: Variables | undefined, url: string): { [name: string]: string } {
  const given = commandEnvironment(env);
  const keys = new Set([...Object.values(vendors).flatMap(({ keyVariables }) => keyVariables), ...otherRoutes]);
  const plain = Object.entries(given).filter(([name]) => !keys.has(name) && !secretName.test(name));
  const direct = [given['NO_PROXY'] ?? given['no_proxy'], '127.0.0.1', 'localhost'].filter(Boolean).join(',');
  return {
    ...Object.fromEntries(plain),
    REINS_CAPTURE_URL: url,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: noKey,
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_BASE: `${url}/v1`,
    OPENAI_API_KEY: noKey,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: noKey,
    NO_PROXY: direct,
    no_proxy: direct,
  };
}

/** Keys that a command prints: run once in this process, when the first request needs it. Loaded only then. */
import { spawn, type ChildProcess } from 'node:child_process';
import { ReinsError } from '../../core/index.ts';

/** Milliseconds: a keychain may ask its owner first. */
const patience = 30_000;
/** Bytes of output that are read; a key has a few hundred. */
const mostBytes = 64 * 1024;

type Environment = { readonly [name: string]: string };

const printed = new Map<string, Promise<string>>();

/** The first thing that the command prints, trimmed; later requests get the same. Rejects with `key-missing`; a failure is not remembered. */
export function printedKey(
  provider: string,
  command: string | string[],
  environment: Environment,
  folder: string,
): Promise<string> {
  // Another environment may mean another key.
  const name = JSON.stringify([command, environment]);
  const known = printed.get(name) ?? run(provider, command, environment, folder);
  printed.set(name, known);
  known.catch(() => printed.delete(name));
  return known;
}

async function run(provider: string, command: string | string[], env: Environment, folder: string): Promise<string> {
  const [program = '', ...words] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  const failed = (how: string) => new ReinsError('key-missing', `The apiKeyCommand of ${provider} ${how}`);
  // In the user's home, whatever the workspace is: what lies there must not stand in for the program.
  const child = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const ended = await endOf(child);
  if ('error' in ended) throw failed(`can’t be started (${ended.error}).`);
  if (ended.timedOut) throw failed(`took longer than ${patience / 1000} s and was ended.`);
  const said = harmless(ended.err);
  if (ended.signal !== null) throw failed(`was ended by ${ended.signal}${said}.`);
  if (ended.exit !== 0) throw failed(`failed with exit code ${ended.exit}${said}.`);
  const key = ended.out.trim();
  if (key === '') throw failed(`printed nothing${said}.`);
  return key;
}

type Ended =
  | { error: string }
  | { exit: number | null; signal: NodeJS.Signals | null; timedOut: boolean; out: string; err: string };

function endOf(child: ChildProcess): Promise<Ended> {
  const { out, err } = { out: collect(child.stdout), err: collect(child.stderr) };
  return new Promise((resolve) => {
    let timedOut = false;
    const limit = setTimeout(() => {
      timedOut = true;
      endGroup(child);
      // Whoever left the group may hold the pipes open for ever.
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, patience);
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(limit);
      resolve({ error: error.code ?? error.message });
    });
    child.once('close', (exit, signal) => {
      clearTimeout(limit);
      resolve({ exit, signal, timedOut, out: out(), err: err() });
    });
  });
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (length < mostBytes) chunks.push(chunk);
    length += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
}

/** What the command said of its failure, unless there is something in it that could be a key. */
function harmless(text: string): string {
  const line = text.trim().split('\n').at(-1)?.trim() ?? '';
  const isSuspect = /[A-Za-z0-9_\-+/=.]{16,}/.test(line) || /[^\u0020-\u007e]/.test(line);
  return line === '' || isSuspect ? '' : `: ${line.slice(0, 200).replace(/\.$/, '')}`;
}

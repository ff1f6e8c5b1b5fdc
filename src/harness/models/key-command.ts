/** Keys that a command prints: run once in this process, when the first request needs it. Loaded only then. */
import { spawn, type ChildProcess } from 'node:child_process';
import { ReinsError } from '../../core/index.ts';

/** Milliseconds: a keychain may ask its owner first. */
const patience = 30_000;
/** Bytes of output that are read; a key has a few hundred. */
const mostBytes = 64 * 1024;

/** What to run, and where: in the user's home, whatever the workspace is; what lies there must not stand in for the program. */
export interface KeyCommand {
  provider: string;
  command: string | string[];
  environment: { readonly [name: string]: string };
  folder: string;
}

/** A command that runs or has run, and how many wait for it. */
interface Printing {
  key: Promise<string>;
  waiting: number;
  running: boolean;
  /** Ends it and all that it started. */
  end: () => void;
}

const printed = new Map<string, Printing>();

/**
 * What the command prints, trimmed; later requests get the same. Rejects with `key-missing`, and at once when the signal is aborted:
 * with the last that waits for it the command is ended. A failure is not remembered.
 */
export async function printedKey(order: KeyCommand, signal: AbortSignal): Promise<string> {
  // Another environment may mean another key.
  const name = JSON.stringify([order.command, order.environment]);
  const printing = printed.get(name) ?? start(order);
  printed.set(name, printing);
  const forget = (): void => {
    if (printed.get(name) === printing) printed.delete(name);
  };
  const gone = Promise.withResolvers<never>();
  const leave = (): void => gone.reject(new ReinsError('request-cancelled', 'Nobody waits for the key any more.'));
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  printing.waiting += 1;
  try {
    return await Promise.race([printing.key, gone.promise]);
  } catch (error) {
    if (!printing.running || printing.waiting === 1) forget();
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
    printing.waiting -= 1;
    if (printing.running && printing.waiting === 0) printing.end();
  }
}

function start({ provider, command, environment: env, folder }: KeyCommand): Printing {
  const [program = '', ...words] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  const child = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const ended = endOf(child);
  const printing: Printing = {
    key: ended.then((how) => keyIn(how, provider)),
    waiting: 0,
    running: true,
    end: () => end(child),
  };
  void ended.then(() => {
    printing.running = false;
  });
  printing.key.catch(() => undefined); // Whoever waits has the rejection; there may be nobody left.
  return printing;
}

function keyIn(ended: Ended, provider: string): string {
  const failed = (how: string) => new ReinsError('key-missing', `The apiKeyCommand of ${provider} ${how}`);
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
      end(child);
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

/** Ends the command and its group. Whoever left the group may hold the pipes open for ever: they are closed from here. */
function end({ pid, stdout, stderr }: ChildProcess): void {
  stdout?.destroy();
  stderr?.destroy();
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
}

/** What the command said of its failure, unless there is something in it that could be a key: long, or letters and digits mixed. */
function harmless(text: string): string {
  const line = text.trim().split('\n').at(-1)?.trim() ?? '';
  const words = line.match(/[A-Za-z0-9_\-+/=.]{8,}/g) ?? [];
  const isSuspect = words.some((word) => word.length >= 16 || (/\d/.test(word) && /[A-Za-z]/.test(word)));
  const isPlain = !/[^\u0020-\u007e]/.test(line);
  return line === '' || isSuspect || !isPlain ? '' : `: ${line.slice(0, 200).replace(/\.$/, '')}`;
}

/** Opens one connection: to the server itself or through a proxy, with TLS where it is asked for, within one time limit. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { bareHost, portOf } from './proxy.ts';

export type ConnectProblem = 'refused' | 'timeout' | 'certificate' | 'proxy' | 'proxy-login' | 'lost' | 'aborted';

export class ConnectError extends Error {
  readonly problem: ConnectProblem;

  constructor(problem: ConnectProblem, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ConnectError';
    this.problem = problem;
  }
}

export interface ConnectTarget {
  secure: boolean;
  host: string;
  port: number;
  proxy: URL | undefined;
}

export interface ConnectOptions {
  /** Milliseconds for everything, name look-up included. */
  limit: number;
  signal: AbortSignal;
  /** Further certificates to trust, PEM. */
  ca: string | undefined;
}

/** A connected socket; rejects with a ConnectError. */
export async function openSocket(target: ConnectTarget, options: ConnectOptions): Promise<Socket> {
  const opening = new Opening(options.signal);
  const timer = setTimeout(() => opening.fail('timeout', timeoutText(target, options.limit)), options.limit);
  try {
    return await Promise.race([opening.failed, open(target, options.ca, opening)]);
  } catch (error) {
    opening.abandon();
    throw error instanceof ConnectError ? error : connectError(target, error);
  } finally {
    clearTimeout(timer);
    opening.end();
  }
}

/** The sockets of one attempt, so that time limit and abort can end it wherever it stands. */
class Opening {
  readonly failed: Promise<never>;
  private reject: (error: ConnectError) => void = () => undefined;
  private readonly signal: AbortSignal;
  private readonly sockets: Socket[] = [];
  private readonly onAbort = () => this.fail('aborted', 'Connecting was cancelled.');

  constructor(signal: AbortSignal) {
    this.signal = signal;
    this.failed = new Promise((_, reject) => {
      this.reject = reject;
    });
    if (signal.aborted) this.onAbort();
    else signal.addEventListener('abort', this.onAbort, { once: true });
  }

  add<S extends Socket>(socket: S): S {
    this.sockets.push(socket);
    return socket;
  }

  fail(problem: ConnectProblem, message: string): void {
    this.reject(new ConnectError(problem, message));
  }

  end(): void {
    this.signal.removeEventListener('abort', this.onAbort);
  }

  abandon(): void {
    for (const socket of this.sockets) {
      socket.on('error', () => undefined); // its failure has been reported
      socket.destroy();
    }
  }
}

async function open(target: ConnectTarget, ca: string | undefined, opening: Opening): Promise<Socket> {
  const { proxy } = target;
  if (proxy === undefined) {
    const socket = await tcp(target.host, target.port, opening);
    return target.secure ? tls(socket, target.host, ca, opening) : socket;
  }
  const plain = await tcp(bareHost(proxy), portOf(proxy), opening);
  const socket = proxy.protocol === 'https:' ? await tls(plain, bareHost(proxy), ca, opening) : plain;
  if (!target.secure) return socket;
  await tunnel(socket, target, proxy);
  return tls(socket, target.host, ca, opening);
}

function tcp(host: string, port: number, opening: Opening): Promise<Socket> {
  const socket = opening.add(connectTcp({ host, port, noDelay: true, keepAlive: true }));
  return ready(socket, 'connect');
}

async function tls(socket: Socket, host: string, ca: string | undefined, opening: Opening): Promise<TLSSocket> {
  const { connect, getCACertificates } = await import('node:tls');
  const secured = connect({
    socket,
    host,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
  });
  return ready(opening.add(secured), 'secureConnect');
}

function ready<S extends Socket>(socket: S, event: string): Promise<S> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      socket.off('error', onError);
      socket.off('close', onClose);
      act();
    };
    const onError = (error: Error) => settle(() => reject(error))();
    const onClose = settle(() => reject(new ConnectError('lost', 'The connection was closed while it was opened.')));
    socket.once(
      event,
      settle(() => resolve(socket)),
    );
    socket.once('error', onError);
    socket.once('close', onClose);
  });
}

/** The longest answer of a proxy to CONNECT, in bytes. */
const longestAnswer = 16_384;

function tunnel(socket: Socket, target: ConnectTarget, proxy: URL): Promise<void> {
  const host = isIP(target.host) === 6 ? `[${target.host}]` : target.host;
  const authority = `${host}:${target.port}`;
  const login = loginOf(proxy);
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (login !== undefined) lines.push(`Proxy-Authorization: ${login}`);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    let answer = '';
    const settle = (error?: Error) => {
      socket.off('data', onData);
      socket.off('error', settle);
      socket.off('close', onClose);
      socket.pause();
      if (error === undefined) resolve();
      else reject(error);
    };
    const onClose = () => settle(new ConnectError('proxy', 'The proxy closed the connection.'));
    const onData = (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      if (answer.length > longestAnswer) return settle(new ConnectError('proxy', 'The proxy’s answer has no end.'));
      const end = answer.indexOf('\r\n\r\n');
      if (end >= 0) settle(refusedTunnel(answer.slice(0, end), answer.length - end - 4));
    };
    socket.on('data', onData);
    socket.on('error', settle);
    socket.on('close', onClose);
  });
}

/** The server speaks only after TLS has begun: bytes before that come from somebody else. */
function refusedTunnel(head: string, extraBytes: number): ConnectError | undefined {
  const line = head.split('\r\n', 1)[0] ?? '';
  const status = /^HTTP\/1\.[01] (\d{3})\b/.exec(line)?.[1];
  if (status === '407') return new ConnectError('proxy-login', 'The proxy asks for a login (407).');
  if (status?.startsWith('2') !== true)
    return new ConnectError('proxy', `The proxy refuses the connection: ${line.slice(0, 200)}`);
  return extraBytes === 0 ? undefined : new ConnectError('proxy', 'The proxy speaks in place of the server.');
}

/** The value of an authorization header, if the URL has a name or a password. */
export function loginOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString('base64')}`;
}

/** A percent sign that escapes nothing stands for itself. */
function unescaped(part: string): string {
  return part.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    const text = Buffer.from(bytes.replaceAll('%', ''), 'hex').toString();
    return text.includes('\ufffd') ? bytes : text;
  });
}

const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|HOSTNAME_MISMATCH|ERR_SSL|EPROTO/;

function connectError(target: ConnectTarget, error: unknown): ConnectError {
  const place = placeOf(target);
  const text = causesOf(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (certificateCode.test(code))
    return new ConnectError('certificate', `No trusted TLS connection to ${place}: ${text}`, { cause: error });
  return new ConnectError('refused', `No connection to ${place}: ${text}`, { cause: error });
}

/** A failure over several addresses of one name says what failed with each. */
function causesOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(causesOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

function placeOf(target: ConnectTarget): string {
  const proxy = target.proxy === undefined ? '' : ` through the proxy ${target.proxy.host}`;
  return `${target.host}:${target.port}${proxy}`;
}

function timeoutText(target: ConnectTarget, limit: number): string {
  return `No connection to ${placeOf(target)} within ${limit / 1_000} s.`;
}

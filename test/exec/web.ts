/** A small web on loopback, and a fetcher that finds it by the names of its hosts. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createFetcher, type Failure, type FetcherOptions, type Page } from '../../src/exec/fetch/index.ts';

export const here = '127.0.0.1';
export const never = new AbortController().signal;

export interface Site {
  port: number;
  /** What it was asked, in order. */
  requests: IncomingMessage[];
  connections(): number;
}

/** A server that keeps what it is asked. */
export async function site(
  t: TestContext,
  listener: RequestListener,
  tls?: { key: string; cert: string },
): Promise<Site> {
  const requests: IncomingMessage[] = [];
  const keep: RequestListener = (request, response) => {
    requests.push(request);
    listener(request, response);
  };
  const server = tls === undefined ? createServer(keep) : createSecureServer(tls, keep);
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    socket.on('error', () => undefined); // Fetchers hang up on purpose.
  });
  t.after(() => server.closeAllConnections());
  return { port: await listen(t, server), requests, connections: () => connections };
}

export async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, here, resolve));
  t.after(() => {
    server.close();
    // A tunnel is no connection of the server's any more, so that doesn't end it.
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Answers every request with this body. */
export function always(body: string | Buffer, headers: { [name: string]: string } = {}): RequestListener {
  return (_request, response) => response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(body);
}

/** A fetcher for which every name leads to this machine, which it may connect to. */
export function fetcherHere(options: Partial<FetcherOptions> & Pick<FetcherOptions, 'hosts'>) {
  return createFetcher({
    userAgent: 'reins/1.2.3',
    resolve: () => Promise.resolve([here]),
    allowAddresses: [here],
    ...options,
  });
}

/** A page of a site under the name `site.test`. */
export async function pageFrom({ port }: Site, path = '/', options: Partial<FetcherOptions> = {}): Promise<Page> {
  const page = await fetcherHere({ hosts: [`site.test:${port}`], ...options }).fetch(
    `http://site.test:${port}${path}`,
    never,
  );
  assert.ok(!('refused' in page), 'refused' in page ? page.refused : '');
  return page;
}

export async function refusalFrom({ port }: Site, path = '/', options: Partial<FetcherOptions> = {}): Promise<Failure> {
  return refusal(
    await fetcherHere({ hosts: [`site.test:${port}`], ...options }).fetch(`http://site.test:${port}${path}`, never),
  );
}

export function refusal(outcome: Page | Failure): Failure {
  assert.ok('refused' in outcome, `not refused: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** A proxy that relays and tunnels to this machine whatever the name is; `refuse` is its answer to CONNECT in place of a tunnel. */
export async function proxy(t: TestContext, refuse?: string) {
  const asked: { line: string; login: string | undefined }[] = [];
  const note = ({ method, url, headers }: IncomingMessage) =>
    asked.push({ line: `${method} ${url}`, login: headers['proxy-authorization'] });
  const server = createServer((request, response) => {
    note(request);
    always(`relayed for ${request.headers.host}`)(request, response);
  });
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    note(request);
    client.on('error', () => undefined);
    if (refuse !== undefined) return client.end(refuse);
    const target = connect(Number(request.url?.split(':').at(-1)), here, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client);
      client.pipe(target);
    });
    target.on('error', () => client.destroy());
    return client.on('close', () => target.destroy());
  });
  t.after(() => server.closeAllConnections());
  return { url: `http://${here}:${await listen(t, server)}`, asked };
}

/** A key and a certificate for `site.test` and `other.test`, valid for a day; undefined where there is no openssl. */
export function certificate(): { key: string; cert: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'reins-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const shape = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=site.test',
    ];
    const names = 'subjectAltName=DNS:site.test,DNS:other.test';
    execFileSync('openssl', ['req', '-x509', ...shape, '-addext', names, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch {
    return undefined; // the tests that need it are skipped by name
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

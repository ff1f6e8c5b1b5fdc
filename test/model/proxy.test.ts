import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createTransport, type HttpEnd, type TransportOptions } from '../../src/model/index.ts';
import { listen, serve } from './loopback.ts';

interface Proxy {
  url: string;
  /** What it was asked for: `CONNECT host:port`, or `POST http://...`, with the login. */
  asked: { line: string; login: string | undefined }[];
}

/** A small proxy that relays and tunnels; `refuse` is its answer to CONNECT in place of a tunnel. */
async function proxy(t: TestContext, refuse?: string, secure = false): Promise<Proxy> {
  const asked: Proxy['asked'] = [];
  const note = (request: IncomingMessage) =>
    asked.push({ line: `${request.method} ${request.url}`, login: request.headers['proxy-authorization'] });
  const server = secure ? createHttpsServer(tls ?? {}) : createHttpServer();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    note(request);
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const target = new URL(request.url ?? '');
    const relayed = httpRequest(
      { host: '127.0.0.1', port: target.port, path: target.pathname, method: 'POST', headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(relayed);
  });
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    note(request);
    client.on('error', () => undefined); // tests hang up on purpose
    if (refuse !== undefined) return client.end(refuse);
    const port = Number(request.url?.split(':').at(-1));
    const target = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n');
      target.pipe(client);
      client.pipe(target);
    });
    target.on('error', () => client.destroy());
    return client.on('close', () => target.destroy());
  });
  const port = await listen(t, server);
  return { url: `${secure ? 'https' : 'http'}://localhost:${port}`, asked };
}

async function exchange(
  t: TestContext,
  url: string,
  options: TransportOptions,
  times = 1,
): Promise<{ end: HttpEnd; body: string }> {
  const transport = createTransport(options);
  t.after(() => transport.close());
  let end: HttpEnd = { kind: 'ended' };
  let body = '';
  for (let turn = 0; turn < times; turn += 1) {
    body = '';
    end = await transport.exchange(
      {
        url: new URL(url),
        headers: { 'x-key': 'k' },
        body: Buffer.from('question'),
        signal: new AbortController().signal,
      },
      {
        head: () => undefined,
        data: (chunk) => {
          body += chunk.toString();
          return true;
        },
      },
    );
  }
  return { end, body };
}

/** A key and a certificate for this machine, valid for a day; undefined where there is no openssl. */
function certificate(): { key: string; cert: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'reins-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const names = 'subjectAltName=DNS:localhost,DNS:provider.test,IP:127.0.0.1';
    const shape = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
    execFileSync(
      'openssl',
      ['req', '-x509', ...shape, '-subj', '/CN=localhost', '-addext', names, '-keyout', key, '-out', cert],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch {
    return undefined; // the tests that need it are skipped by name
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const tls = certificate();
const needsTls = { skip: tls === undefined ? 'openssl is not installed' : false };

async function secureServer(t: TestContext) {
  let connections = 0;
  const server = createHttpsServer(tls ?? {}, (request, response) => {
    request.resume();
    request.on('end', () => response.end(`secret answer for ${request.headers.host}`));
  });
  const names: (string | false | null)[] = [];
  server.on('secureConnection', (socket) => {
    connections += 1;
    names.push(socket.servername);
  });
  const port = await listen(t, server);
  return { port, connections: () => connections, names };
}

describe('https', needsTls, () => {
  test('needs a certificate that is trusted', async (t) => {
    const server = await secureServer(t);
    const { end } = await exchange(t, `https://localhost:${server.port}/`, {});
    assert.ok(end.kind === 'broken');
    assert.equal(end.problem, 'certificate');
    assert.match(end.message, /self-signed/i);
  });

  test('works with a further certificate, and keeps its connection', async (t) => {
    const server = await secureServer(t);
    const { end, body } = await exchange(t, `https://localhost:${server.port}/`, { ca: tls?.cert ?? '' }, 3);
    assert.deepEqual([end, body], [{ kind: 'ended' }, `secret answer for localhost:${server.port}`]);
    assert.equal(server.connections(), 1);
    assert.deepEqual(server.names, ['localhost']);
    assert.deepEqual((await exchange(t, `https://127.0.0.1:${server.port}/`, { ca: tls?.cert ?? '' })).end, {
      kind: 'ended',
    });
  });

  test('through a proxy is a tunnel: the proxy learns the host and nothing else', async (t) => {
    const server = await secureServer(t);
    const via = await proxy(t);
    const login = via.url.replace('http://', 'http://user%40x:p%C3%A4ss@');
    const options = { ca: tls?.cert ?? '', proxy: { https: login } };
    const { end, body } = await exchange(t, `https://provider.test:${server.port}/`, options, 2);
    assert.deepEqual([end, body], [{ kind: 'ended' }, `secret answer for provider.test:${server.port}`]);
    const expected = `Basic ${Buffer.from('user@x:päss').toString('base64')}`;
    assert.deepEqual(via.asked, [{ line: `CONNECT provider.test:${server.port}`, login: expected }]);
  });

  test('through a proxy still checks whose certificate it is', async (t) => {
    const server = await secureServer(t);
    const via = await proxy(t);
    const options = { ca: tls?.cert ?? '', proxy: { https: via.url } };
    const { end } = await exchange(t, `https://another.test:${server.port}/`, options);
    assert.equal(end.kind === 'broken' && end.problem, 'certificate');
  });
});

describe('a proxy that is reached by TLS itself', needsTls, () => {
  test('tunnels, and relays', async (t) => {
    const ca = tls?.cert ?? '';
    const via = await proxy(t, undefined, true);
    const secure = await secureServer(t);
    const tunnelled = `https://provider.test:${secure.port}/`;
    const { end, body } = await exchange(t, tunnelled, { ca, proxy: { https: via.url } }, 2);
    assert.deepEqual([end, body], [{ kind: 'ended' }, `secret answer for provider.test:${secure.port}`]);
    const plain = await serve(t, (_, response) => response.end('answer'));
    const relayed = `http://provider.test:${plain.port}/`;
    assert.equal((await exchange(t, relayed, { ca, proxy: { http: via.url } })).body, 'answer');
    assert.deepEqual(
      via.asked.map(({ line }) => line),
      [`CONNECT provider.test:${secure.port}`, `POST ${relayed}`],
    );
  });
});

describe('a proxy', () => {
  test('is told the whole target of a plain request', async (t) => {
    const server = await serve(t, (_, response) => response.end('answer'));
    const via = await proxy(t);
    const target = `http://provider.test:${server.port}/v1/messages`;
    const { end, body } = await exchange(t, target, { proxy: { http: via.url.replace('http://', 'http://u:p@') } }, 2);
    assert.deepEqual([end, body], [{ kind: 'ended' }, 'answer']);
    const login = `Basic ${Buffer.from('u:p').toString('base64')}`;
    assert.deepEqual(via.asked, [
      { line: `POST ${target}`, login },
      { line: `POST ${target}`, login },
    ]);
    const [received] = server.received;
    assert.equal(received?.headers.host, `provider.test:${server.port}`);
    assert.equal(received?.headers['proxy-authorization'], undefined);
  });

  test('that refuses the tunnel is named, with a login as its own case', async (t) => {
    const answers: [string, string][] = [
      ['HTTP/1.1 403 Forbidden\r\n\r\n', 'proxy'],
      ['HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'proxy-login'],
      ['HTTP/1.1 200 OK\r\n\r\nand more', 'proxy'],
      ['', 'proxy'],
      ['x'.repeat(20_000), 'proxy'],
    ];
    for (const [answer, problem] of answers) {
      const via = await proxy(t, answer);
      const { end } = await exchange(t, 'https://provider.test/', { proxy: { https: via.url } });
      assert.ok(end.kind === 'broken');
      assert.deepEqual([end.problem, end.sent], [problem, false], answer.slice(0, 40));
    }
  });

  test('that isn’t there is a host that can’t be reached', async (t) => {
    const { end } = await exchange(t, 'https://provider.test/', { proxy: { https: 'http://127.0.0.1:1' } });
    assert.ok(end.kind === 'broken');
    assert.equal(end.problem, 'refused');
    assert.match(end.message, /provider\.test:443 through the proxy 127\.0\.0\.1:1/);
  });

  test('is not used for this machine itself, unless asked', async (t) => {
    const server = await serve(t, (_, response) => response.end('answer'));
    for (const [loopback, uses] of [
      [false, 0],
      [true, 1],
    ] as const) {
      const via = await proxy(t);
      await exchange(t, `${server.url}/`, { proxy: { http: via.url, loopback } });
      assert.equal(via.asked.length, uses);
    }
  });

  test('is left out for the hosts that are exempt', async (t) => {
    const used = async (no: string, host: string) => {
      const via = await proxy(t, 'HTTP/1.1 403 Forbidden\r\n\r\n');
      const transport = createTransport({
        proxy: { https: via.url, no, loopback: true },
        timeouts: { connect: 1_000 },
      });
      t.after(() => transport.close());
      await transport.prepareConnection(new URL(`https://${host}/`));
      return via.asked.length > 0;
    };
    const through = [
      ['', '127.0.0.9:9'],
      ['example.com', '127.0.0.9:9'],
      ['127.0.0.9:8', '127.0.0.9:9'],
      ['127.1.0.0/16', '127.0.0.9:9'],
      ['ocalhost', 'localhost:9'],
      ['a.localhost', 'localhost:9'],
    ] as const;
    for (const [no, host] of through) assert.equal(await used(no, host), true, `${no} ${host}`);
    const exempt = [
      ['*', '127.0.0.9:9'],
      ['example.com, 127.0.0.9', '127.0.0.9:9'],
      ['127.0.0.9:9', '127.0.0.9:9'],
      ['127.0.0.0/16', '127.0.0.9:9'],
      ['LOCALHOST', 'localhost:9'],
      ['.localhost', 'a.localhost:9'],
      ['*.localhost', 'a.localhost:9'],
      ['localhost', 'a.localhost:9'],
      ['::1', '[::1]:9'],
    ] as const;
    for (const [no, host] of exempt) assert.equal(await used(no, host), false, `${no} ${host}`);
  });

  test('of a kind that can’t be used is refused, without its password', () => {
    for (const value of ['socks5://user:secret@host:1', 'http://', 'ftp://secret@x']) {
      assert.throws(
        () => createTransport({ proxy: { https: value } }),
        (error: Error) => 'code' in error && error.code === 'config-invalid' && !error.message.includes('secret'),
        value,
      );
    }
    createTransport({ proxy: { https: 'host:3128', http: '' } }).close();
  });
});

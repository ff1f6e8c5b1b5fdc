import assert from 'node:assert/strict';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import {
  createTransport,
  type HttpEnd,
  type HttpHead,
  type Transport,
  type TransportOptions,
} from '../../src/model/index.ts';
import { listen, serve, until, type Received } from './loopback.ts';

interface Exchanged {
  end: HttpEnd;
  head: HttpHead | undefined;
  body: string;
}

function transportFor(t: TestContext, options: TransportOptions = {}): Transport {
  const transport = createTransport(options);
  t.after(() => transport.close());
  return transport;
}

/** One exchange; `enough` tells when the sink has what it wants. */
async function exchange(
  transport: Transport,
  url: string,
  changes: { signal?: AbortSignal; enough?: (body: string) => boolean; headers?: { [name: string]: string } } = {},
): Promise<Exchanged> {
  let head: HttpHead | undefined;
  let body = '';
  const end = await transport.exchange(
    {
      url: new URL(url),
      headers: changes.headers ?? {},
      body: Buffer.from('{"question":"é"}'),
      signal: changes.signal ?? new AbortController().signal,
    },
    {
      head: (received) => {
        head = received;
      },
      data: (chunk) => {
        body += chunk.toString();
        return changes.enough?.(body) !== true;
      },
    },
  );
  return { end, head, body };
}

const problemOf = (end: HttpEnd) => (end.kind === 'broken' ? end.problem : end.kind);

describe('an exchange', () => {
  test('sends what it is given and hands on what comes', async (t) => {
    const server = await serve(t, (_, response) => {
      response.writeHead(201, { 'X-One': 'a', 'set-cookie': ['b', 'c'] });
      response.end('answer');
    });
    const { end, head, body } = await exchange(transportFor(t), `${server.url}/path?q=1`, {
      headers: { 'x-key': 'k' },
    });
    assert.deepEqual(end, { kind: 'ended' });
    assert.equal(head?.status, 201);
    assert.equal(head?.headers['x-one'], 'a');
    assert.equal(head?.headers['set-cookie'], 'b, c');
    assert.equal(body, 'answer');
    const [received] = server.received;
    assert.deepEqual([received?.method, received?.path, received?.body], ['POST', '/path?q=1', '{"question":"é"}']);
    assert.equal(received?.headers['content-length'], '17');
    assert.equal(received?.headers['accept-encoding'], 'identity');
    assert.equal(received?.headers['x-key'], 'k');
    assert.equal(received?.headers.host, `127.0.0.1:${server.port}`);
  });

  for (const [name, encode] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const) {
    test(`reads ${name} although it asks for none, piece by piece`, async (t) => {
      const bytes = encode(Buffer.from('answer é'.repeat(50)));
      const server = await serve(t, (_, response) => {
        response.writeHead(200, { 'content-encoding': name });
        response.write(bytes.subarray(0, 20), () => response.end(bytes.subarray(20)));
      });
      const { end, body } = await exchange(transportFor(t), server.url);
      assert.deepEqual(end, { kind: 'ended' });
      assert.equal(body, 'answer é'.repeat(50));
    });
  }

  test('a compressed body that is cut or isn’t one is broken', async (t) => {
    const bytes = gzipSync(Buffer.from('answer'.repeat(50)));
    for (const sent of [bytes.subarray(0, 20), Buffer.from('no gzip at all')]) {
      const server = await serve(t, (_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(sent);
      });
      const { end } = await exchange(transportFor(t), server.url);
      assert.equal(problemOf(end), 'lost');
    }
  });

  test('an encoding that nobody asked for and nobody knows is named', async (t) => {
    const server = await serve(t, (_, response) => {
      response.writeHead(200, { 'content-encoding': 'smoke' });
      response.end('x');
    });
    const { end } = await exchange(transportFor(t), server.url);
    assert.ok(end.kind === 'broken');
    assert.equal(end.problem, 'not-http');
    assert.match(end.message, /smoke/);
  });

  test('a header that HTTP doesn’t allow is a failure without its value', async (t) => {
    const server = await serve(t, (_, response) => response.end());
    const { end } = await exchange(transportFor(t), server.url, { headers: { 'x-key': 'secret\nvalue' } });
    assert.ok(end.kind === 'broken');
    assert.equal(end.problem, 'bad-request');
    assert.match(end.message, /x-key/);
    assert.doesNotMatch(end.message, /secret/);
    assert.equal(server.received.length, 0);
  });

  test('a server that doesn’t speak HTTP is named as that', async (t) => {
    const server = createTcpServer((socket) => socket.resume().end('SSH-2.0-nothing\r\n'));
    const port = await listen(t, server);
    const { end } = await exchange(transportFor(t), `http://127.0.0.1:${port}/`);
    assert.equal(problemOf(end), 'not-http');
  });
});

describe('connections', () => {
  test('are kept from turn to turn', async (t) => {
    const server = await serve(t, (_, response) => response.end('x'));
    const transport = transportFor(t);
    for (let turn = 0; turn < 5; turn += 1) await exchange(transport, server.url);
    assert.equal(server.connections(), 1);
  });

  test('are kept when the sink has enough before the end', async (t) => {
    let finished = false;
    const server = await serve(t, (_, response) => {
      response.write('enough');
      response.once('finish', () => {
        finished = true;
      });
      setImmediate(() => response.end('more'));
    });
    const transport = transportFor(t);
    const first = await exchange(transport, server.url, { enough: (body) => body.includes('enough') });
    assert.deepEqual([first.end, first.body], [{ kind: 'enough' }, 'enough']);
    await until(() => finished);
    await eventLoopTurns(10); // the rest has left the server: the client, in this same process, reads it in one of them
    await exchange(transport, server.url);
    assert.equal(server.connections(), 1);
  });

  test('are given up when the rest of an answer is long', async (t) => {
    let closed = 0;
    const server = await serve(t, (_, response, socket) => {
      socket.once('close', () => {
        closed += 1;
      });
      response.write('enough');
      const more = () => {
        if (!socket.destroyed && response.write('x'.repeat(16_384))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    const { end } = await exchange(transportFor(t), server.url, { enough: () => true });
    assert.deepEqual(end, { kind: 'enough' });
    await until(() => closed === 1);
  });

  test('that the server gave up while idle are replaced without a word', async (t) => {
    let spoiled = false;
    const server = await serve(t, (_, response, socket) => {
      if (!spoiled) return response.end('x');
      spoiled = false;
      socket.resetAndDestroy();
      return undefined;
    });
    const transport = transportFor(t);
    await exchange(transport, server.url);
    spoiled = true;
    const { end, body } = await exchange(transport, server.url);
    assert.deepEqual([end, body], [{ kind: 'ended' }, 'x']);
    assert.deepEqual(
      server.received.map(({ connection }) => connection),
      [1, 1, 2],
    );
  });

  test('that were opened beforehand and then given up by the server are replaced, too', async (t) => {
    const server = await serve(t, (request, response, socket) =>
      request.connection === 1 ? socket.resetAndDestroy() : response.end('x'),
    );
    const transport = transportFor(t);
    await transport.prepareConnection(new URL(server.url));
    const { end } = await exchange(transport, server.url);
    assert.deepEqual(end, { kind: 'ended' });
    assert.deepEqual(
      server.received.map(({ connection }) => connection),
      [1, 2],
    );
  });

  test('that wait beside one that the server gave up are not trusted either', async (t) => {
    const { transport, server } = await spoiling(t, (request) => request.connection < 3);
    await exchange(transport, server.url);
    const running = exchange(transport, server.url);
    await until(() => server.received.length === 2);
    await transport.prepareConnection(new URL(server.url));
    server.spoil();
    assert.deepEqual((await running).end, { kind: 'ended' });
    assert.deepEqual(
      server.received.map(({ connection }) => connection),
      [1, 1, 3],
    );
  });

  test('that break after a longer time are a failure: the server may have worked', async (t) => {
    const server = await serve(t, (_, response, socket) =>
      server.received.length === 1 ? response.end('x') : socket.resetAndDestroy(),
    );
    const transport = transportFor(t, { timeouts: { stale: 0 } });
    await exchange(transport, server.url);
    const { end } = await exchange(transport, server.url);
    assert.deepEqual([problemOf(end), server.received.length], ['lost', 2]);
  });

  test('are replaced once only, and a new one that breaks is a failure at once', async (t) => {
    let answers = true;
    const server = await serve(t, (_, response, socket) => (answers ? response.end('x') : socket.resetAndDestroy()));
    const transport = transportFor(t);
    await exchange(transport, server.url);
    answers = false;
    const broken = await exchange(transport, server.url);
    assert.deepEqual([problemOf(broken.end), server.received.length], ['lost', 3]);
    const again = await exchange(transport, server.url);
    assert.deepEqual([problemOf(again.end), server.received.length], ['lost', 4]);
  });

  test('can be opened before they are needed', async (t) => {
    const server = await serve(t, (_, response) => response.end('x'));
    const transport = transportFor(t);
    await transport.prepareConnection(new URL(server.url));
    await until(() => server.connections() === 1);
    await transport.prepareConnection(new URL(server.url));
    await exchange(transport, server.url);
    await transport.prepareConnection(new URL(server.url));
    await exchange(transport, server.url);
    assert.equal(server.connections(), 1);
  });

  test('are used while they are still being prepared', async (t) => {
    const server = await serve(t, (_, response) => response.end('x'));
    const transport = transportFor(t);
    const preparing = transport.prepareConnection(new URL(server.url));
    await exchange(transport, server.url);
    await preparing;
    assert.equal(server.connections(), 1);
  });

  test('that can’t be prepared are no matter until they are needed', async (t) => {
    const closed = await closedPort(t);
    const transport = transportFor(t);
    await transport.prepareConnection(new URL(`http://127.0.0.1:${closed}/`));
    const { end } = await exchange(transport, `http://127.0.0.1:${closed}/`);
    assert.equal(problemOf(end), 'refused');
  });

  test('that were prepared and closed in the meantime are opened anew', async (t) => {
    const sockets: Socket[] = [];
    const server = await serve(t, (_, response) => response.end('x'));
    server.server.on('connection', (socket: Socket) => sockets.push(socket));
    const transport = transportFor(t);
    await transport.prepareConnection(new URL(server.url));
    await until(() => sockets.length === 1);
    sockets[0]!.destroy();
    await until(() => sockets[0]!.destroyed);
    const { end } = await exchange(transport, server.url);
    assert.deepEqual(end, { kind: 'ended' });
  });
});

/** A server that answers its first request, and holds those that `isStale` names until `spoil` resets their connections. */
async function spoiling(t: TestContext, isStale: (request: Received) => boolean) {
  const spoiled = Promise.withResolvers<void>();
  const server = await serve(t, (request, response, socket) => {
    if (server.received.length === 1 || !isStale(request)) return response.end('x');
    return void spoiled.promise.then(() => socket.resetAndDestroy());
  });
  return { transport: transportFor(t), server: { ...server, spoil: () => spoiled.resolve() } };
}

async function eventLoopTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A port on which nothing listens. */
async function closedPort(t: TestContext): Promise<number> {
  const server = createTcpServer();
  const port = await listen(t, server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('what breaks', () => {
  test('nobody listens', async (t) => {
    const port = await closedPort(t);
    const { end } = await exchange(transportFor(t), `http://127.0.0.1:${port}/`);
    assert.ok(end.kind === 'broken');
    assert.deepEqual([end.problem, end.sent], ['refused', false]);
    assert.match(end.message, new RegExp(`127\\.0\\.0\\.1:${port}.*ECONNREFUSED`));
  });

  test('a name that doesn’t exist', async (t) => {
    const { end } = await exchange(transportFor(t, { timeouts: { connect: 3_000 } }), 'http://no-such-host.invalid/');
    assert.ok(end.kind === 'broken');
    // Where no name server answers, the limit ends the look-up.
    assert.ok(end.problem === 'refused' || end.problem === 'timeout', end.problem);
    assert.match(end.message, /no-such-host\.invalid/);
  });

  test('connecting takes too long: the limit covers TLS', async (t) => {
    const silent = createTcpServer((socket) => void socket.resume());
    const port = await listen(t, silent);
    const { end } = await exchange(transportFor(t, { timeouts: { connect: 50 } }), `https://127.0.0.1:${port}/`);
    assert.ok(end.kind === 'broken');
    assert.deepEqual([end.problem, end.sent], ['timeout', false]);
    assert.match(end.message, /within 0\.05 s/);
  });

  test('no TLS on the other side', async (t) => {
    const server = await serve(t, (_, response) => response.end('x'));
    const { end } = await exchange(transportFor(t), server.url.replace('http:', 'https:'));
    assert.equal(problemOf(end), 'certificate');
  });

  test('closed before the answer, in the middle of it', async (t) => {
    for (const write of [false, true]) {
      const server = await serve(t, (_, response, socket) => {
        if (!write) return socket.destroy();
        response.writeHead(200, { 'content-length': '100' });
        return response.write('part', () => socket.destroy());
      });
      const { end, body } = await exchange(transportFor(t), server.url);
      assert.ok(end.kind === 'broken');
      assert.deepEqual([end.problem, end.sent, body], ['lost', true, write ? 'part' : '']);
      assert.match(end.message, write ? /in the middle of the reply/ : /before an answer came/);
    }
  });

  test('no first byte within its limit, headers or not', async (t) => {
    for (const headers of [false, true]) {
      const server = await serve(t, (_, response) => {
        if (headers) response.flushHeaders();
      });
      const { end } = await exchange(transportFor(t, { timeouts: { firstByte: 40, silence: 5_000 } }), server.url);
      assert.ok(end.kind === 'broken');
      assert.deepEqual([end.problem, end.sent], ['first-byte-timeout', true]);
    }
  });

  test('silence in the middle; a sign of life starts its limit anew', async (t) => {
    const server = await serve(t, (_, response) => {
      let beats = 0;
      const beat = setInterval(() => {
        beats += 1;
        response.write(':');
        if (beats === 14) clearInterval(beat);
      }, 25);
    });
    const started = performance.now();
    const { end, body } = await exchange(transportFor(t, { timeouts: { silence: 250 } }), server.url);
    assert.equal(problemOf(end), 'silence-timeout');
    assert.equal(body, ':'.repeat(14));
    assert.ok(performance.now() - started > 500, 'the signs of life counted');
  });
});

describe('a cancel', () => {
  test('while connecting ends it at once', async (t) => {
    const cancel = new AbortController();
    let closed = false;
    const silent = createTcpServer((socket) => {
      socket.resume();
      socket.once('close', () => {
        closed = true;
      });
      cancel.abort();
    });
    const url = `https://127.0.0.1:${await listen(t, silent)}/`;
    const { end } = await exchange(transportFor(t), url, { signal: cancel.signal });
    assert.deepEqual(end, { kind: 'aborted', sent: false });
    await until(() => closed);
  });

  test('ends also a connection that was being opened beforehand', async (t) => {
    let [opened, closed] = [false, false];
    const silent = createTcpServer((socket) => {
      opened = true;
      socket.resume();
      socket.once('close', () => {
        closed = true;
      });
    });
    const url = `https://127.0.0.1:${await listen(t, silent)}/`;
    const transport = transportFor(t);
    void transport.prepareConnection(new URL(url));
    await until(() => opened);
    const cancel = new AbortController();
    const running = exchange(transport, url, { signal: cancel.signal });
    setImmediate(() => cancel.abort());
    assert.deepEqual((await running).end, { kind: 'aborted', sent: false });
    await until(() => closed);
  });

  test('before the answer ends it at once', async (t) => {
    const cancel = new AbortController();
    const server = await serve(t, () => cancel.abort());
    const { end } = await exchange(transportFor(t), server.url, { signal: cancel.signal });
    assert.deepEqual(end, { kind: 'aborted', sent: true });
  });

  test('in the middle of the answer ends it at once', async (t) => {
    const cancel = new AbortController();
    const server = await serve(t, (_, response) => response.write('part'));
    const enough = () => {
      cancel.abort();
      return false;
    };
    const { end, body } = await exchange(transportFor(t), server.url, { signal: cancel.signal, enough });
    assert.deepEqual([end, body], [{ kind: 'aborted', sent: true }, 'part']);
  });

  test('before it began means that nothing is sent', async (t) => {
    const server = await serve(t, (_, response) => response.end('x'));
    const { end } = await exchange(transportFor(t), server.url, { signal: AbortSignal.abort() });
    assert.deepEqual([end, server.connections()], [{ kind: 'aborted', sent: false }, 0]);
  });

  test('closes the connection, which the server sees', async (t) => {
    let closed = false;
    const server = await serve(t, (_, response, socket) => {
      socket.once('close', () => {
        closed = true;
      });
      response.write('part');
    });
    const cancel = new AbortController();
    const running = exchange(transportFor(t), server.url, { signal: cancel.signal });
    await until(() => server.received.length === 1);
    cancel.abort();
    await running;
    await until(() => closed);
  });
});

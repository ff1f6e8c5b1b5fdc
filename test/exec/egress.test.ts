import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { createEgress } from '../../src/exec/egress/index.ts';
import { holds } from '../support/property.ts';
import { egressHere, openDoor, read, statusOf } from './egress-ground.ts';
import { always, here, listen, proxy, site } from './web.ts';
import { until } from './workbench.ts';

const connectTo = (authority: string, more = '') => `CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const getFrom = (url: string, more = '') => `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`;

describe('a host is reached', () => {
  // Where every name leads into a private network, what passes the grants is refused for that.
  const cases: [hosts: string[], authority: string, granted: boolean][] = [
    [['example.com'], 'example.com:443', true],
    [['example.com'], 'example.com:80', true],
    [['example.com'], 'example.com:22', false],
    [['example.com'], 'EXAMPLE.com:443', true],
    [['Example.COM'], 'example.com.:443', true],
    [['example.com.'], 'example.com:443', true],
    [['example.com'], 'example.com..:443', false],
    [['example.com'], 'www.example.com:443', false],
    [['example.com'], 'example.com.evil.test:443', false],
    [['example.com'], 'badexample.com:443', false],
    [['*.example.com'], 'a.b.example.com:443', true],
    [['*.example.com'], 'example.com:443', false],
    [['*.example.com'], 'badexample.com:443', false],
    [['*.example.com:8443'], 'a.example.com:8443', true],
    [['*.example.com:8443'], 'a.example.com:443', false],
    [['bücher.example'], 'xn--bcher-kva.example:443', true],
    [['xn--bcher-kva.example'], 'XN--BCHER-KVA.example:443', true],
    [['8.8.8.8'], '8.8.4.4:443', false],
    [['example.com'], '8.8.8.8:443', false],
    [[], 'example.com:443', false],
  ];
  for (const [hosts, authority, granted] of cases) {
    test(`${granted ? 'with' : 'not with'} a grant of ${JSON.stringify(hosts)}: ${authority}`, async (t) => {
      const door = await openDoor(t, { hosts, resolve: () => Promise.resolve(['10.0.0.7']), allowAddresses: [] });
      const answer = await door.ask(connectTo(authority));
      assert.equal(statusOf(answer), 403);
      assert.match(
        answer,
        granted ? /leads to 10\.0\.0\.7, no public address/ : / among the hosts that commands may reach/,
      );
      assert.equal(door.connections[0]?.allowed, false);
    });
  }
});

test('what isn’t written plainly is no target', async (t) => {
  const door = await openDoor(t, { hosts: ['example.com', '8.8.8.8'] });
  const odd = ['example.com', 'example.com:0', 'example.com:70000', 'u@example.com:443', 'example.com%2e:443'];
  for (const authority of [...odd, '134744072:443', '0x8.8.8.8:443', '010.8.8.8:443', '8.8.2056:443', '[::1:443']) {
    assert.equal(statusOf(await door.ask(connectTo(authority))), 400, authority);
  }
  const urls = ['http://u:p@example.com/', 'https://example.com/', 'ftp://example.com/', '/', 'http://0x8.8.8.8/'];
  for (const url of urls) assert.equal(statusOf(await door.ask(getFrom(url))), 400, url);
  assert.ok(door.connections.every(({ allowed }) => !allowed));
});

test('addresses of this machine and its networks are never reached, by name or by number', async (t) => {
  const closed = ['127.0.0.1', '10.1.2.3', '169.254.169.254', '168.63.129.16', '::1', 'fe80::1', '::ffff:127.0.0.1'];
  for (const address of closed) {
    // One address that isn't public is enough, whichever else the name has.
    const resolve = () => Promise.resolve(['8.8.8.8', address]);
    const door = await openDoor(t, { hosts: ['example.com'], resolve, allowAddresses: [] });
    assert.equal(statusOf(await door.ask(connectTo('example.com:443'))), 403, address);
    assert.equal(statusOf(await door.ask(getFrom('http://example.com/'))), 403, address);
    const literal = address.includes(':') ? `[${address}]` : address;
    assert.throws(() => egressHere('/', { hosts: [literal], allowAddresses: [] }), { code: 'config-invalid' });
    assert.equal(statusOf(await door.ask(connectTo(`${literal}:443`))), 403, address);
  }
});

test('a name is looked up once for a connection, and what was looked at is connected to', async (t) => {
  const server = await site(t, always('page'));
  let asked = 0;
  // The second answer would lead elsewhere: the trick of rebinding.
  const resolve = () => Promise.resolve([(asked += 1) === 1 ? here : '10.0.0.7']);
  const door = await openDoor(t, { hosts: [`site.test:${server.port}`], resolve });
  assert.match(await door.ask(getFrom(`http://site.test:${server.port}/`)), /page/);
  assert.equal(asked, 1);
  assert.equal(statusOf(await door.ask(getFrom(`http://site.test:${server.port}/`))), 403);
  assert.equal(server.requests.length, 1);
});

test('an address that was granted literally is reached', async (t) => {
  const server = await site(t, always('page'));
  const door = await openDoor(t, { hosts: [`${here}:${server.port}`] });
  assert.match(await door.ask(getFrom(`http://${here}:${server.port}/`)), /page/);
});

describe('nothing is smuggled', () => {
  test('behind a tunnel that was refused', async (t) => {
    const server = await site(t, always('page'));
    const door = await openDoor(t, { hosts: [`site.test:${server.port}`] });
    const more = getFrom(`http://site.test:${server.port}/`);
    const answer = await door.ask(`${connectTo('other.test:443', `Content-Length: ${more.length}\r\n`)}${more}`);
    assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1);
    assert.equal(server.requests.length, 0);
  });

  test('by two framings, folded headers or a second host', async (t) => {
    const server = await site(t, always('page'));
    const door = await openDoor(t, { hosts: [`site.test:${server.port}`] });
    const url = `http://site.test:${server.port}/`;
    const both = 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n';
    const bad = [both, 'Content-Length: 1\r\nContent-Length: 2\r\n', 'X: a\r\n b: c\r\n', 'Transfer-Encoding: x\r\n'];
    for (const headers of bad) assert.equal(statusOf(await door.ask(getFrom(url, headers))), 400, headers);
    assert.equal(server.requests.length, 0);
    await door.ask(getFrom(url, 'Host: other.test\r\n'));
    assert.equal(server.requests[0]?.headers.host, `site.test:${server.port}`);
  });

  test('in the body of a request that has none elsewhere', async (t) => {
    const bodies: string[] = [];
    const server = await site(t, (request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
      request.on('end', () => response.end('page'));
    });
    const door = await openDoor(t, { hosts: [`site.test:${server.port}`] });
    const inner = 'GET /secret HTTP/1.1\r\nHost: site.test\r\n\r\n';
    const chunked = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
    await door.ask(`${getFrom(`http://site.test:${server.port}/`, 'Transfer-Encoding: chunked\r\n')}${chunked}`);
    assert.deepEqual([server.requests.length, bodies.join('')], [1, inner]);
  });

  test('headers that belong to the connection stay there', async (t) => {
    const server = await site(t, always('page', { connection: 'x-b', 'x-b': '1', 'x-c': '2' }));
    const door = await openDoor(t, { hosts: [`site.test:${server.port}`] });
    const own =
      'Connection: x-secret\r\nX-Secret: 1\r\nProxy-Authorization: Basic eDp5\r\nX-Kept: 1\r\nUpgrade: h2c\r\n';
    const answer = await door.ask(getFrom(`http://site.test:${server.port}/`, own));
    const { headers } = server.requests[0] ?? {};
    assert.equal(headers?.['x-kept'], '1');
    for (const name of ['x-secret', 'proxy-authorization', 'upgrade']) assert.equal(headers?.[name], undefined, name);
    assert.doesNotMatch(answer, /x-b: 1/i);
    assert.match(answer, /x-c: 2/i);
  });
});

test('a head has its limit in both directions', async (t) => {
  const server = await site(t, always('page', { 'x-long': 'a'.repeat(20_000) }));
  const door = await openDoor(t, { hosts: [`site.test:${server.port}`], limits: { head: 8_000 } });
  const url = `http://site.test:${server.port}/`;
  assert.equal(statusOf(await door.ask(getFrom(url, `X-Long: ${'a'.repeat(9_000)}\r\n`))), 431);
  assert.equal(statusOf(await door.ask(getFrom(url))), 502);
});

describe('the ends of a tunnel', () => {
  async function tunnel(t: Parameters<typeof openDoor>[0], serve: (socket: Socket) => void) {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined);
      serve(socket);
    });
    const port = await listen(t, server);
    const door = await openDoor(t, { hosts: [`site.test:${port}`] });
    const client = await door.knock();
    client.write(connectTo(`site.test:${port}`));
    const [first] = (await once(client, 'data')) as [Buffer];
    assert.equal(statusOf(first.toString()), 200);
    return { client, door };
  }

  test('one direction ends, the other goes on', async (t) => {
    const { client, door } = await tunnel(t, (socket) => {
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.once('end', () => socket.end(`got ${Buffer.concat(chunks).length}`));
    });
    client.end('a'.repeat(300_000));
    assert.equal(await read(client), 'got 300000');
    await until('it is told', () => door.connections.length === 1);
    const { allowed, sent, received } = door.connections[0] ?? {};
    assert.deepEqual([allowed, sent, received], [true, 300_000, 10]);
  });

  test('a client that is gone takes the connection with it', async (t) => {
    const gone = Promise.withResolvers<void>();
    const { client, door } = await tunnel(t, (socket) => {
      socket.once('end', () => socket.end()).resume();
      socket.once('close', () => gone.resolve());
    });
    client.destroy();
    await gone.promise;
    await until('it is told', () => door.connections.length === 1);
  });

  test('a server that breaks off breaks the client off', async (t) => {
    const { client } = await tunnel(t, (socket) => socket.once('data', () => socket.resetAndDestroy()));
    client.write('x');
    assert.equal(await read(client), '');
  });

  test('closing the way out ends what goes on, and tells it with the call', async (t) => {
    const { client, door } = await tunnel(t, (socket) => socket.resume());
    door.outlet.belongsTo('reply/0');
    door.outlet.close();
    assert.equal(await read(client), '');
    assert.deepEqual(
      door.connections.map(({ call, allowed }) => [call, allowed]),
      [['reply/0', true]],
    );
  });
});

test('many connections at once', async (t) => {
  const server = await site(t, (request, response) => response.end(request.url));
  const door = await openDoor(t, { hosts: [`site.test:${server.port}`] });
  const paths = Array.from({ length: 100 }, (_, index) => `/${index}/`);
  const answers = await Promise.all(paths.map((path) => door.ask(getFrom(`http://site.test:${server.port}${path}`))));
  answers.forEach((answer, index) => assert.ok(answer.includes(`/${index}/`)));
  await until('all are told', () => door.connections.length === 100);
});

test('one command has a limit of connections in all, and of those at once', async (t) => {
  const server = await site(t, always('page'));
  const hosts = [`site.test:${server.port}`];
  const url = `http://site.test:${server.port}/`;
  const door = await openDoor(t, { hosts, limits: { total: 3 } });
  for (const [at, status] of [200, 403, 200, 429, 429].entries()) {
    assert.equal(statusOf(await door.ask(getFrom(at === 1 ? 'http://other.test/' : url))), status);
  }
  const narrow = await openDoor(t, { hosts, limits: { connections: 1 } });
  await narrow.knock();
  assert.equal(await narrow.ask(getFrom(url)), '');
});

describe('where the user has a proxy', () => {
  test('granted names go through it, also those that only it can look up; all others stay refused', async (t) => {
    const outer = await proxy(t);
    const server = await site(t, always('page'));
    const proxyFor = () => new URL(outer.url.replace('//', '//u:p@'));
    const resolve = (name: string) =>
      name === 'inner.test' ? Promise.resolve(['10.0.0.7']) : Promise.reject(new Error());
    const hosts = [`site.test:${server.port}`, 'inner.test'];
    const door = await openDoor(t, { hosts, proxyFor, resolve, allowAddresses: [] });
    assert.match(await door.ask(getFrom(`http://site.test:${server.port}/a`)), /relayed for site\.test/);
    const client = await door.knock();
    client.write(connectTo(`site.test:${server.port}`));
    await once(client, 'data');
    client.write('GET /b HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n');
    assert.match(await read(client), /page/);
    assert.deepEqual(
      outer.asked.map(({ line }) => line),
      [`GET http://site.test:${server.port}/a`, `CONNECT site.test:${server.port}`],
    );
    assert.ok(outer.asked.every(({ login }) => login === 'Basic dTpw'));
    assert.equal(statusOf(await door.ask(connectTo('other.test:443'))), 403);
    assert.equal(statusOf(await door.ask(connectTo('inner.test:443'))), 403);
    assert.equal(outer.asked.length, 2);
  });

  test('its refusal is told', async (t) => {
    const outer = await proxy(t, 'HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n');
    const door = await openDoor(t, { hosts: ['site.test'], proxyFor: () => new URL(outer.url) });
    assert.match(await door.ask(connectTo('site.test:443')), /^HTTP\/1\.1 502 .*The proxy refuses/s);
  });
});

test('a name that leads nowhere and a port that nobody listens on are told as what they are', async (t) => {
  const unknown = await openDoor(t, { hosts: ['site.test'], resolve: () => Promise.reject(new Error('no')) });
  assert.match(await unknown.ask(getFrom('http://site.test/')), /^HTTP\/1\.1 502 .*could not be looked up/s);
  const closed = await openDoor(t, { hosts: ['site.test:1'] });
  assert.match(await closed.ask(connectTo('site.test:1')), /^HTTP\/1\.1 502 .*ECONNREFUSED/s);
  assert.match(await closed.ask(getFrom('http://site.test:1/')), /^HTTP\/1\.1 502 .*ECONNREFUSED/s);
});

test('whatever is sent, the proxy answers or closes, and goes on', async (t) => {
  const server = await site(t, always('page'));
  const door = await openDoor(t, { hosts: [`site.test:${server.port}`] });
  const word = fc.constantFrom(
    'GET',
    'CONNECT',
    'TRACE',
    ' ',
    '\r\n',
    'http://',
    'site.test',
    ':',
    '@',
    '\0',
    'HTTP/1.1',
    'é',
  );
  const text = fc.array(fc.oneof(word, fc.string()), { maxLength: 12 }).map((parts) => parts.join(''));
  await holds(t, text, 60, async (bytes) => {
    const socket = await door.knock();
    socket.end(bytes);
    await read(socket);
    socket.destroy();
  });
  assert.match(await door.ask(getFrom(`http://site.test:${server.port}/`)), /page/);
});

test('grants and aliases that are none are said by name', () => {
  const given = { alias: 'a.internal', to: 'https://a.test', header: 'Authorization', value: 'x', variable: 'X' };
  const wrong = [
    ...['', '*', '*.*.test', 'a b', 'a.test:0', 'a.test:99999', 'http://a.test', '*.8.8.8.8'].map((host) => ({
      hosts: [host],
    })),
    ...[
      { alias: '1.2.3.4' },
      { to: 'http://a.test' },
      { to: 'https://u@a.test' },
      { value: 'a\nb' },
      { header: 'Host' },
    ].map((part) => ({ credentials: [{ ...given, ...part }] })),
  ];
  for (const options of wrong) {
    const make = () => createEgress('/', { hosts: [], credentials: [], ...options });
    assert.throws(make, (error: Error & { code: string }) => {
      assert.equal(error.code, 'config-invalid', JSON.stringify(options));
      assert.doesNotMatch(error.message, /a\nb/);
      return true;
    });
  }
});

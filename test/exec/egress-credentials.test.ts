import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import type { CredentialAlias } from '../../src/exec/egress/index.ts';
import { openDoor, read, statusOf } from './egress-ground.ts';
import { certificate, proxy, site } from './web.ts';
import { until } from './workbench.ts';

const tls = certificate();
const skip = tls === undefined ? 'openssl is not installed' : false;

const getFrom = (path: string, more = '', method = 'GET') =>
  `${method} http://registry.reins.internal${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`;

async function registry(t: TestContext, listener: RequestListener, more: Partial<CredentialAlias> = {}) {
  const server = await site(t, listener, tls);
  const to = `https://site.test:${server.port}/npm`;
  const alias = { alias: 'registry.reins.internal', to, header: 'Authorization', value: 'Bearer hush', variable: 'T' };
  const door = await openDoor(t, { credentials: [{ ...alias, ...more }], ...(tls && { ca: tls.cert }) });
  return { server, door, to };
}

describe('an alias', { skip }, () => {
  test('adds the credential on the way to its address, in place of what the command says', async (t) => {
    const { server, door } = await registry(t, (_request, response) => response.end('package'));
    const answer = await door.ask(getFrom('/left-pad?x=1', 'Authorization: Bearer mine\r\nX-Other: 1\r\n'));
    assert.match(answer, /package/);
    assert.doesNotMatch(answer, /hush/);
    const [request] = server.requests;
    assert.equal(request?.url, '/npm/left-pad?x=1');
    assert.deepEqual(
      [request?.headers.authorization, request?.headers['x-other'], request?.headers.host],
      ['Bearer hush', '1', `site.test:${server.port}`],
    );
    await until('it is told', () => door.connections.length === 1);
    const { host, port, allowed, reason } = door.connections[0] ?? {};
    assert.deepEqual(
      [host, port, allowed, reason],
      ['site.test', server.port, true, 'egress.credentials registry.reins.internal'],
    );
  });

  test('is spoken to inside a tunnel too, request after request, and takes what is sent', async (t) => {
    const { server, door } = await registry(t, (request, response) => void request.pipe(response));
    const client = await door.knock();
    client.write('CONNECT registry.reins.internal:80 HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(client, 'data');
    client.write('PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\none');
    const [first] = (await once(client, 'data')) as [Buffer];
    assert.match(first.toString(), /200 OK/);
    client.write('PUT /b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\ntwo');
    assert.match(await read(client), /two/);
    assert.deepEqual(
      server.requests.map(({ url, headers }) => [url, headers.authorization]),
      [
        ['/npm/a', 'Bearer hush'],
        ['/npm/b', 'Bearer hush'],
      ],
    );
    const other = await door.knock();
    other.write('CONNECT registry.reins.internal:80 HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(other, 'data');
    other.write(getFrom('/').replace('registry.reins.internal', 'other.test'));
    assert.equal(statusOf(await read(other)), 400);
  });

  test('is at no other port, and its address isn’t reached without it', async (t) => {
    const { server, door } = await registry(t, (_request, response) => response.end('package'));
    for (const place of ['registry.reins.internal:443', `site.test:${server.port}`]) {
      assert.equal(statusOf(await door.ask(`CONNECT ${place} HTTP/1.1\r\nHost: x\r\n\r\n`)), 403);
    }
    assert.equal(server.requests.length, 0);
  });

  test('is never left by a path', async (t) => {
    const { server, door } = await registry(t, (_request, response) => response.end('package'));
    const refused = ['/..%2fadmin', '/a/..%5c..%5cadmin', '/%2e%2e%2fadmin', '/x/%2E%2E%2F', '/..;/admin'];
    for (const path of refused) assert.equal(statusOf(await door.ask(getFrom(path))), 403, path);
    // What an address itself resolves never rises above its root.
    for (const path of ['/../admin', '/%2e%2e/admin', '/a/../../admin', '//admin']) await door.ask(getFrom(path));
    assert.equal(statusOf(await door.ask(getFrom('/@scope%2fname'))), 200);
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      ['/npm/admin', '/npm/admin', '/npm/admin', '/npm/admin', '/npm/@scope%2fname'],
    );
  });

  test('keeps redirects inside, and lets others go without the credential', async (t) => {
    const elsewhere = ['https://other.test/x', '/admin', '//other.test/npm/x', 'http://site.test/npm/x'];
    const { door, to, server } = await registry(t, ({ url = '' }, response) => {
      const inside = ['/npm/next?a=1', `${to}/next?a=1`, 'next?a=1'];
      const location = [...inside, ...elsewhere][Number(url.slice(5))] ?? '';
      response.writeHead(302, { location }).end();
    });
    const seen: (string | undefined)[] = [];
    for (let at = 0; at < 7; at += 1) {
      const [, location] = /^location: (.*)$/im.exec(await door.ask(getFrom(`/${at}`))) ?? [];
      seen.push(location?.trim());
    }
    const inside = 'http://registry.reins.internal/next?a=1';
    assert.deepEqual(seen, [inside, inside, inside, ...elsewhere]);
    assert.equal(server.requests.length, 7);
  });

  test('shows nothing of what it adds', async (t) => {
    const { server, door } = await registry(t, (_request, response) => response.end('package'));
    assert.equal(statusOf(await door.ask(getFrom('/', '', 'TRACE'))), 405);
    assert.equal(server.requests.length, 0);
    assert.doesNotMatch(JSON.stringify(door.outlet.passage), /hush/);
  });

  test('whose variable isn’t set says so and adds nothing', async (t) => {
    const none = { value: undefined, variable: 'NPM_TOKEN' };
    const { server, door } = await registry(t, (_request, response) => response.end(), none);
    const answer = await door.ask(getFrom('/'));
    assert.match(answer, /502[^]*NPM_TOKEN/);
    assert.equal(server.requests.length, 0);
  });

  test('is asked through the user’s proxy, which sees nothing of it', async (t) => {
    const outer = await proxy(t);
    const server = await site(t, (request, response) => response.end(request.headers.authorization), tls);
    const to = `https://site.test:${server.port}`;
    const given = { alias: 'a.internal', to, header: 'Authorization', value: 'hush', variable: 'T' };
    const proxyFor = () => new URL(outer.url);
    const door = await openDoor(t, { credentials: [given], proxyFor, ...(tls && { ca: tls.cert }) });
    assert.match(await door.ask(getFrom('/').replace('registry.reins.internal', 'a.internal')), /200 OK[^]*hush/);
    assert.deepEqual(outer.asked, [{ line: `CONNECT site.test:${server.port}`, login: undefined }]);
  });

  test('leads nowhere without a trusted certificate', async (t) => {
    const server = await site(t, (_request, response) => response.end(), tls);
    const to = `https://site.test:${server.port}`;
    const given = { alias: 'a.internal', to, header: 'Authorization', value: 'hush', variable: 'T' };
    const door = await openDoor(t, { credentials: [given] });
    const answer = await door.ask(getFrom('/').replace('registry.reins.internal', 'a.internal'));
    assert.equal(statusOf(answer), 502);
    assert.equal(server.requests.length, 0);
  });
});

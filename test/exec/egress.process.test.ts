import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { relayFor, type Egress } from '../../src/exec/egress/index.ts';
import { connectedBench, egressHere } from './egress-ground.ts';
import { always, certificate, listen, never, site } from './web.ts';
import { git, makeBench, makeFolder, until, whyNoSandbox } from './workbench.ts';

const skip = await whyNoSandbox();
const tls = certificate();
const needsTls = tls === undefined ? 'openssl is not installed' : false;
const hasCurl = ['/usr/bin/curl', '/bin/curl'].some((path) => existsSync(path));

/** A client without any library: asks the proxy that the environment names, and says what came. */
const ask = (url: string) =>
  `exec 9<>/dev/tcp/127.0.0.1/3128 && printf 'GET ${url} HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&9 && cat <&9`;

describe('a command in the sandbox', { skip }, () => {
  test('reaches a granted host, and nothing else', async (t) => {
    const server = await site(t, always('the page'));
    const { run, connections } = connectedBench(t, { hosts: [`site.test:${server.port}`] });
    const granted = await run(ask(`http://site.test:${server.port}/a`));
    assert.match(granted.head, /200 OK[^]*the page/);
    assert.deepEqual([granted.exit, granted.hint, granted.ended], [0, undefined, undefined]);
    const other = await run(ask('http://other.test/'));
    assert.match(other.head, /403 Forbidden[^]*other\.test:80 isn’t among the hosts that commands may reach/);
    assert.match(other.hint ?? '', /other\.test:80 isn’t among.*egress\.hosts in the user’s settings/);
    assert.deepEqual(
      connections.map(({ host, allowed }) => [host, allowed]),
      [
        ['site.test', true],
        ['other.test', false],
      ],
    );
  });

  test('has no network but for that: no address, no name, no service of this machine', async (t) => {
    const port = await listen(
      t,
      createServer((socket) => socket.end('seen')),
    );
    const { run, connections } = connectedBench(t, { hosts: [`site.test:${port}`] });
    for (const place of [`127.0.0.1/${port}`, '8.8.8.8/53', 'site.test/80']) {
      const { exit, head } = await run(`exec 9<>/dev/tcp/${place} && cat <&9`);
      assert.notEqual(exit, 0, place);
      assert.doesNotMatch(head, /seen/);
    }
    const ignoring = await run(
      `"${process.execPath}" -e "fetch('http://site.test:${port}/')" || exit 1`.replace('-e', '--no-use-env-proxy -e'),
    );
    assert.notEqual(ignoring.exit, 0);
    assert.deepEqual(connections, []);
    const names = await run('ls /sys/class/net; echo "$HTTPS_PROXY $no_proxy $NODE_USE_ENV_PROXY"');
    assert.match(names.head, /http:\/\/127\.0\.0\.1:3128 localhost,127\.0\.0\.1,::1 1/);
  });

  test('uses it with common clients', async (t) => {
    const server = await site(t, (request, response) => response.end(`got ${request.url}`));
    const { run } = connectedBench(t, { hosts: [`site.test:${server.port}`] });
    const url = `http://site.test:${server.port}`;
    const node = await run(`"${process.execPath}" -e "fetch('${url}/node').then((a) => a.text()).then(console.log)"`);
    assert.match(node.head, /got \/node/);
    if (!hasCurl) return t.diagnostic('curl is not installed');
    const curl = await run(`curl -sS ${url}/curl && curl -sSp ${url}/tunnel`);
    assert.equal(curl.head, 'got /curlgot /tunnel');
    const secure = await run('curl -sS https://other.test/');
    assert.match(`${secure.head} ${secure.hint}`, /403[^]*other\.test:443 isn’t among/);
  });

  test('its connections carry its call, also in a sandbox that was started before, and side by side', async (t) => {
    const server = await site(t, always('the page'));
    const { shell, connections } = connectedBench(t, { hosts: [`site.test:${server.port}`] });
    await shell.prepare();
    const runAs = (call: string, command: string) => shell.run({ command, timeout: 20_000, call }, never);
    const calls = ['reply/0', 'reply/1', 'reply/2'];
    await Promise.all(calls.map((call, at) => runAs(call, ask(`http://site.test:${server.port}/${at}`))));
    assert.deepEqual(new Set(connections.map(({ call }) => call)), new Set(calls));
    const job = await shell.run(
      { command: `sleep 0.2; ${ask('http://no.test/')}`, timeout: 1, goesOn: 'job', call: 'reply/3' },
      never,
    );
    assert.equal(job.job, 'job-1');
    await until('the job asked', () => connections.length === 4);
    assert.deepEqual([connections[3]?.call, connections[3]?.allowed], ['reply/3', false]);
  });

  test('leaves nothing running, and the relay isn’t taken for a part of it', async (t) => {
    const server = await site(t, () => undefined);
    const { run, connections } = connectedBench(t, { hosts: [`site.test:${server.port}`] });
    const silent = await run(`(${ask(`http://site.test:${server.port}/`)}) & sleep 0.2; exit 3`);
    assert.equal(silent.exit, 3);
    assert.match(silent.ended ?? '', /cat/);
    assert.doesNotMatch(silent.ended ?? '', /relay/);
    assert.equal(connections.length, 1);
    const timed = await run('sleep 60', 300);
    assert.deepEqual([timed.timedOut, /relay/.test(timed.ended ?? '')], [true, false]);
    const stopped = await run('kill -STOP $$', 20_000);
    assert.match(stopped.ended ?? '', /stopped/i);
    const killed = await run(
      `kill -9 $(grep -l egress-relay /proc/[0-9]*/comm | cut -d/ -f3); ${ask('http://a.test/')}`,
    );
    assert.notEqual(killed.exit, 0);
  });

  test('sees neither the variable of the relay nor a socket of another', async (t) => {
    const { run } = connectedBench(t, { hosts: ['site.test'] });
    const { head } = await run('env | grep -c REINS_; ls /run/reins');
    assert.equal(head, '0\negress-relay\negress.sock\n');
  });

  test('has the way out by Node where the program can’t be used', async (t) => {
    const server = await site(t, always('the page'));
    const workspace = makeFolder(t);
    const native = egressHere(workspace, { hosts: [`site.test:${server.port}`] });
    const egress: Egress = {
      relay: 'node',
      close: () => native.close(),
      open: async (tell) => {
        const outlet = await native.open(tell);
        const { before, mounts } = relayFor(process.execPath, { missing: 'for this test' });
        const socket = outlet.passage.mounts.slice(-1);
        return { ...outlet, passage: { ...outlet.passage, before, mounts: [...mounts, ...socket] } };
      },
    };
    const { run } = makeBench(t, 'bubblewrap', workspace, { shell: { egress } });
    const { head, ended } = await run(ask(`http://site.test:${server.port}/`));
    assert.match(head, /200 OK[^]*the page/);
    assert.equal(ended, undefined);
    assert.equal((await run('kill -STOP $$')).timedOut, false);
  });
});

describe('an alias in the sandbox', { skip: skip || needsTls }, () => {
  const given = { header: 'Authorization', value: 'Bearer hush', variable: 'HUSH' };
  const ca = tls === undefined ? {} : { ca: tls.cert };

  test('Git clones from it by the address that it stands for', async (t) => {
    const source = makeFolder(t, { 'a.txt': 'hello\n' });
    git(source, 'init', '-q');
    git(source, 'add', '.');
    git(source, 'commit', '-qm', 'first');
    git(source, 'update-server-info');
    const server = await site(
      t,
      ({ url = '', headers }, response) => {
        const path = join(source, '.git', url.slice('/team/a.git'.length).replace(/\?.*/, ''));
        if (headers.authorization !== 'Bearer hush') return void response.writeHead(401).end();
        return existsSync(path) ? void response.end(readFileSync(path)) : void response.writeHead(404).end();
      },
      tls,
    );
    const to = `https://site.test:${server.port}/team`;
    const { run } = connectedBench(t, { credentials: [{ ...given, alias: 'git.internal', to, as: 'git' }], ...ca });
    const cloned = await run(`git clone -q ${to}/a.git here && cat here/a.txt && env | grep -c hush`);
    assert.equal(cloned.head, 'hello\n0\n');
  });

  test('npm asks it for packages', async (t) => {
    const server = await site(t, always('{}', { 'content-type': 'application/json' }), tls);
    const to = `https://site.test:${server.port}`;
    const { run } = connectedBench(t, { credentials: [{ ...given, alias: 'npm.internal', to, as: 'npm' }], ...ca });
    if ((await run('npm --version')).exit !== 0) return t.diagnostic('npm is not in the sandbox');
    const pinged = await run('npm ping');
    assert.equal(pinged.exit, 0, pinged.head + pinged.tail);
    assert.deepEqual(
      server.requests.map(({ url, headers }) => [url, headers.authorization]),
      [['/-/ping', 'Bearer hush']],
    );
  });
});

describe('the relay', { skip }, () => {
  test('passes on what comes in pieces, in both directions, many times at once', async (t) => {
    const server = await site(t, (request, response) => void request.pipe(response));
    const { run, workspace } = connectedBench(t, { hosts: [`site.test:${server.port}`] });
    writeFileSync(join(workspace, 'large'), Buffer.alloc(3_000_000, 'abcdefgh'));
    const sum = execFileSync('sha256sum', [join(workspace, 'large')], { encoding: 'utf8' }).split(' ')[0];
    if (!hasCurl) return t.diagnostic('curl is not installed');
    const { head } = await run(
      `for i in 1 2 3 4 5 6 7 8; do curl -sS --data-binary @large http://site.test:${server.port}/ | sha256sum & done; wait`,
    );
    assert.equal(head, `${sum}  -\n`.repeat(8));
  });
});

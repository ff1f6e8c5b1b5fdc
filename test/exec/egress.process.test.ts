import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connectedBench } from './egress-ground.ts';
import { always, certificate, site } from './web.ts';
import { whyNoSandbox } from './workbench.ts';

const skip = await whyNoSandbox();
const tls = certificate();

describe('a command in the sandbox', { skip }, () => {
  test('reaches a granted host by plain HTTP and through a tunnel, and nothing else', async (t) => {
    const server = await site(t, always('the page\n'));
    const { run, connections } = connectedBench(t, { hosts: [`site.test:${server.port}`] });
    const plain = await run(`curl -sS http://site.test:${server.port}/a`);
    assert.deepEqual([plain.head, plain.exit, plain.hint], ['the page\n', 0, undefined]);
    const tunnel = await run(`curl -sS -p http://site.test:${server.port}/b`);
    assert.deepEqual([tunnel.head, tunnel.exit], ['the page\n', 0]);
    const other = await run('curl -sS http://other.test/');
    assert.match(other.head, /other\.test:80 isn’t among the hosts that commands may reach \(site\.test/);
    assert.match(other.hint ?? '', /egress\.hosts in the user’s settings/);
    const secure = await run('curl -sS https://other.test/');
    assert.notEqual(secure.exit, 0);
    assert.match(secure.hint ?? '', /other\.test:443 isn’t among/);
    console.log(connections);
  });
});

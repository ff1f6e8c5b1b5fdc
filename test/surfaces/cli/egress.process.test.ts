import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { always, proxy, site } from '../../exec/web.ts';
import { whyNoSandbox } from '../../exec/workbench.ts';
import { linesOf, openBench } from './command-line.ts';

const skip = await whyNoSandbox();

/** A client without any library: asks the proxy of the sandbox, and shows what came. */
const ask = (url: string) =>
  `exec 9<>/dev/tcp/127.0.0.1/3128 && printf 'GET ${url} HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&9 && cat <&9`;

function benchWith(context: TestContext, egress: object) {
  const bench = openBench(context);
  const folder = join(bench.environment['XDG_CONFIG_HOME'] ?? '', 'reins');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ egress }));
  return bench;
}

describe('a run whose user granted hosts', { skip }, () => {
  test('records each connection with its call; the user’s own proxy is the way', async (context) => {
    // No setting opens this machine's own network: here the user's proxy leads into it.
    const outer = await proxy(context);
    const { port } = await site(context, always('page'));
    const value = { variable: 'HUSH_TOKEN', prefix: 'Bearer ' };
    const credentials = [{ alias: 'a.reins.internal', to: 'https://a.test', value, as: 'npm' }];
    const bench = benchWith(context, { hosts: [`site.test:${port}`], credentials });
    const shell = (command: string) => ({ calls: [{ name: 'shell', arguments: { command } }] });
    const model = bench.scenario({
      turns: [
        shell(ask(`http://site.test:${port}/a`)),
        { ...shell(`${ask('http://other.test/')}; env`), expect: { contains: 'relayed for site.test' } },
        { text: 'Done.', expect: { contains: 'egress.hosts in the user’s settings' } },
      ],
    });
    const environment = { http_proxy: outer.url, https_proxy: outer.url, HUSH_TOKEN: 'hush-hush-hush' };
    const words = ['run', '--json', '--mode', 'auto', '--check', 'none', '--model', model, 'go'];
    const ended = await bench.reins(words, { environment });
    assert.equal(ended.exit, 0, ended.out + ended.err);
    assert.match(ended.out, /reach only site\.test:\d+, a\.reins\.internal, through the proxy/);
    assert.doesNotMatch(ended.out, /hush-hush-hush/);
    assert.match(ended.out, /npm_config_registry=http:\/\/a\.reins\.internal\//);
    assert.match(ended.err, /a command didn’t reach other\.test:80: egress\.hosts doesn’t grant it/);
    const seen = linesOf(ended.out).filter(({ kind }) => kind === 'connection' || kind === 'result');
    assert.deepEqual(
      seen.map(({ kind }) => kind),
      ['connection', 'result', 'connection', 'result'],
    );
    const [first, firstResult, second, secondResult] = seen.map(({ data }) => data as { [name: string]: unknown });
    assert.deepEqual(
      [first?.['host'], first?.['port'], first?.['allowed'], first?.['call']],
      ['site.test', port, true, firstResult?.['call']],
    );
    assert.deepEqual(
      [second?.['host'], second?.['allowed'], second?.['call']],
      ['other.test', false, secondResult?.['call']],
    );
    assert.deepEqual(
      outer.asked.map(({ line }) => line),
      [`GET http://site.test:${port}/a`],
    );
    const log = await bench.reins(['log']);
    assert.match(log.out, /connection +to site\.test:\d+: egress\.hosts site\.test:\d+/);
    assert.match(log.out, /connection +refused to other\.test:80/);
  });
});

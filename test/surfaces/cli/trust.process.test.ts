import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { gitIn } from '../../support/git-in.ts';
import { isInstalled, linesOf, commandLine, openBench, type Bench, type Started } from './command-line.ts';

const skip = isInstalled('script', ['--version'], /util-linux/) ? false : 'script of util-linux is not installed';

/** A cloned repository in which everything that can name a program names one that leaves a file in the workspace. */
function hostile(context: TestContext): Bench & { pwned(): string[]; settings: { [key: string]: unknown } } {
  const bench = openBench(context);
  const { workspace, environment } = bench;
  const leaves = (name: string): string => `touch '${join(workspace, `pwn-${name}`)}'`;
  const settings = {
    checks: [leaves('check')],
    diagnostics: {
      linters: [{ files: '*.txt', command: `${leaves('linter')}; : {file}` }],
      servers: [{ files: '*.txt', command: `${leaves('server')}; cat`, language: 'plaintext' }],
      timeout: 1000,
    },
    allow: ['shell(*)'],
  };
  gitIn(workspace, environment['HOME'], ['init', '-q', '-b', 'main']);
  const monitor = bench.file('monitor', `#!/bin/sh\n${leaves('fsmonitor')}\n`);
  chmodSync(monitor, 0o755);
  for (const words of [
    ['core.fsmonitor', monitor],
    ['core.hooksPath', join(workspace, 'hooks')],
    ['diff.external', monitor],
  ])
    gitIn(workspace, environment['HOME'], ['config', ...words]);
  for (const place of ['', 'packages/a/'])
    bench.file(`${place}.reins/settings.json`, JSON.stringify(settings, null, 2));
  bench.file('a.txt', 'one\n');
  const pwned = (): string[] => readdirSync(workspace).filter((name) => name.startsWith('pwn-'));
  return { ...bench, pwned, settings };
}

const edits = {
  turns: [{ calls: [{ name: 'write', arguments: { path: 'packages/a/b.txt', content: 'two\n' } }] }, { text: 'Done.' }],
};

function onTerminal(bench: Bench, words: string[]): Started {
  const command = [process.execPath, commandLine, 'run', ...words].map((word) => `'${word}'`).join(' ');
  return bench.start(['-qefc', `exec ${command} > answer`, '/dev/null'], { through: ['script'], stdin: 'open' });
}

const asked = /y: trust it as it is {2}n: go on without {2}s: show (it|the change) > $/;

describe('a repository that names programs', { concurrency: 3 }, () => {
  test('runs none of them headless, with a model and without a key, and it is said', async (context) => {
    const bench = hostile(context);
    const run = await bench.reins(['run', '--mode', 'edit', '--json', '--model', bench.scenario(edits), 'go']);
    const notice = linesOf(run.out).find(({ kind }) => kind === 'notice') as { data?: { code: string } } | undefined;
    assert.equal(notice?.data?.code, 'settings-untrusted');
    const keyless = await bench.reins(['run', '--model', 'anthropic/claude-sonnet-5', 'go']);
    assert.equal(keyless.exit, 2, keyless.err);
    for (const words of [['models'], ['context'], ['diff']]) await bench.reins(words);
    assert.deepEqual(bench.pwned(), []);
  });

  test('runs them for one run with --trust, and for good with reins trust until something changes', async (context) => {
    const bench = hostile(context);
    const run = async (...words: string[]) => {
      const all = ['run', '--mode', 'auto', '--json', '--model', bench.scenario(edits), ...words, 'go'];
      const { out } = await bench.reins(all);
      return linesOf(out).some(({ data }) => (data as { code?: string } | undefined)?.code === 'settings-untrusted');
    };
    assert.equal(await run('--trust'), false);
    assert.deepEqual(
      bench.pwned().filter((name) => name !== 'pwn-server'),
      ['pwn-check', 'pwn-linter'],
    );
    assert.equal(await run(), true);

    const given = await bench.reins(['trust']);
    assert.equal(given.exit, 0, given.err);
    assert.match(given.out, /is trusted as it is now\. From now on it counts: checks /);
    assert.equal(await run(), false);

    const changed = { ...bench.settings, checks: ['touch pwn-later'] };
    bench.file('.reins/settings.json', JSON.stringify(changed, null, 2));
    assert.equal(await run(), true);
    assert.equal(existsSync(join(bench.workspace, 'pwn-later')), false);
    const shown = await bench.reins(['trust', '--show']);
    assert.equal(shown.exit, 1);
    assert.match(shown.out, /has changed since:[^]*^\+.*pwn-later/m);

    assert.match((await bench.reins(['trust', '--list'])).out, new RegExp(`^${bench.workspace} +since`));
    await bench.reins(['trust']);
    assert.equal((await bench.reins(['trust', '--show'])).exit, 0);
    assert.match((await bench.reins(['trust', '--revoke'])).out, /Nothing in this workspace is trusted any more/);
    assert.equal((await bench.reins(['trust', '--show'])).exit, 1);
    assert.equal((await bench.reins(['trust', '--list'])).out, 'No workspace is trusted.\n');
    assert.equal((await bench.reins(['trust', '--list', '--json'])).out, '');
  });

  test('waits on a terminal, shows what it names, and a no leaves it out', { skip }, async (context) => {
    const bench = hostile(context);
    const run = onTerminal(bench, ['--mode', 'edit', '--check', 'none', '--model', bench.scenario(edits), 'go']);
    await run.until('out', asked);
    assert.deepEqual(bench.pwned(), []);
    run.child.stdin.write('s\n');
    await run.until('out', /"linters"[^]*s: show it > $/);
    run.child.stdin.write('n\n');
    await run.ended;
    assert.deepEqual(bench.pwned(), []);
    assert.equal((await bench.reins(['trust', '--show'])).exit, 1);
  });

  test('is trusted by a yes for what was shown, not for what is there by then', { skip }, async (context) => {
    const bench = hostile(context);
    const words = ['--mode', 'edit', '--model', bench.scenario(edits), 'go'];
    const first = onTerminal(bench, words);
    await first.until('out', asked);
    writeFileSync(join(bench.workspace, '.reins/settings.json'), JSON.stringify({ checks: ['touch pwn-swapped'] }));
    first.child.stdin.write('y\n');
    await first.ended;
    assert.deepEqual(bench.pwned(), []);

    const second = onTerminal(bench, ['--check', 'none', ...words]);
    await second.until('out', /have changed since you trusted them[^]*show the change > $/);
    second.child.stdin.write('y\n');
    await second.ended;
    assert.equal((await bench.reins(['trust', '--show'])).exit, 0);
  });

  test('is asked about a profile of its own, which counts after a yes', { skip }, async (context) => {
    const bench = openBench(context);
    bench.file('.reins/profiles/own.jsonc', '{ "mode": "plan" }');
    const words = [
      '--profile',
      'own',
      '--check',
      'none',
      '--model',
      bench.scenario({ turns: [{ text: 'Done.' }] }),
      'go',
    ];
    const no = onTerminal(bench, words);
    await no.until(
      'out',
      /The profile own of this workspace [^]* is not trusted yet[^]*n: stop here {2}s: show it > $/,
    );
    no.child.stdin.write('n\n');
    assert.match((await no.ended).out, /profile own is the project’s own/);
    const yes = onTerminal(bench, words);
    await yes.until('out', /n: stop here {2}s: show it > $/);
    yes.child.stdin.write('y\n');
    assert.match((await yes.ended).out, /profile own · mode plan/);
    assert.equal((await bench.reins(['trust', '--profile', 'own', '--show'])).exit, 0);
  });

  for (const part of [
    'an MCP server',
    'a hook',
    'a plugin',
    'a status line',
    'a formatter',
    'an environment for commands',
  ])
    test(`can’t name ${part}: there is no such setting yet`, { skip: 'settings have none of it' });
});

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createSandbox, createShell, type Shell } from '../../src/exec/index.ts';
import { builtinTools } from '../../src/tools/index.ts';
import { toolSession } from './session.ts';

/** A session whose shell and jobs are the real ones, without a sandbox. */
async function realShell(t: TestContext, files: { [path: string]: string } = {}) {
  // The tools come before the session that makes the workspace, which the shell needs.
  const holder: { shell?: Shell } = {};
  const real = (): Shell => {
    assert.ok(holder.shell !== undefined);
    return holder.shell;
  };
  const tools = builtinTools({
    shell: { run: (request, signal) => real().run(request, signal) },
    jobs: {
      list: () => real().jobs.list(),
      look: (id, look, signal) => real().jobs.look(id, look, signal),
      type: (id, input) => real().jobs.type(id, input),
      end: (id) => real().jobs.end(id),
    },
  });
  const session = await toolSession({ files, tools });
  const workspace = session.workspace.path;
  const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], LANG: 'C.UTF-8' };
  const sandbox = createSandbox({ kind: 'none', workspace, environment });
  holder.shell = createShell({ workspace, sandbox });
  t.after(async () => {
    await holder.shell?.close();
    await sandbox.close();
    await session[Symbol.asyncDispose]();
  });
  return session;
}

test('a server is started, waited for, asked and ended', async (t) => {
  const session = await realShell(t);
  const serve = 'echo starting; while read x; do echo "answer to $x"; done; echo bye';
  const started = await session.call('shell', { command: serve, background: 'job' });
  assert.equal(started.outcome, 'ok');
  assert.match(started.text, /^starting\nIt still runs, as job-1: /);
  assert.match((await session.call('job', {})).text, /^job-1 has been running for \d+ seconds?\. echo starting; /);
  const asked = await session.call('job', { id: 'job-1', input: 'one\n', wait: '^answer.*one$' });
  assert.match(asked.text, /^answer to one\njob-1 has been running for \d+ seconds?\.$/);
  assert.equal(asked.mayHaveChanged, true);
  const ended = await session.call('job', { id: 'job-1', end: true });
  assert.match(ended.text, /As asked, everything .* was ended.*\]\njob-1 was ended \(/);
  assert.equal(
    (await session.call('job', { id: 'job-1' })).text.split('\n').at(-1)?.startsWith('job-1 was ended'),
    true,
  );
});

test('a prompt that needs a terminal is answered there', async (t) => {
  const session = await realShell(t);
  const command = 'read -s -p "password: " x </dev/tty; echo; echo "${#x} letters"';
  assert.match((await session.call('shell', { command })).text, /No such device|Exit code: [^0]/);
  const started = await session.call('shell', { command, background: 'job', terminal: true, timeout: 5 });
  assert.match(started.text, /^password: \nIt still runs, as job-1/);
  const typed = await session.call('job', { id: 'job-1', input: 'secret\n', wait: 'letters' });
  assert.match(typed.text, /6 letters/);
});

test('the folder goes on from call to call, and falls back when it is gone', async (t) => {
  const session = await realShell(t, { 'src/deep/a.txt': 'a\n' });
  const root = session.workspace.path;
  assert.equal(
    (await session.call('shell', { command: 'cd src/deep' })).text,
    '(no output)\nFolder: src/deep\nExit code: 0',
  );
  assert.equal((await session.call('shell', { command: 'cat a.txt' })).text, 'a\nExit code: 0');
  rmSync(join(root, 'src/deep'), { recursive: true });
  const fallen = await session.call('shell', { command: 'pwd' });
  assert.equal(
    fallen.text,
    `${root}/src\nThe folder ${root}/src/deep is gone; the command ran in ${root}/src.\nFolder: src\nExit code: 0`,
  );
  assert.equal((await session.call('shell', { command: 'pwd' })).text, `${root}/src\nExit code: 0`);
  const outside = await session.call('shell', { command: 'cd /; pwd' });
  assert.match(outside.text, /^\/\nThe command ended in \/, outside the workspace; .*\nExit code: 0$/);
  const back = await session.call('shell', { command: 'cd ..; pwd' });
  assert.equal(back.text, `${root}\nFolder: .\nExit code: 0`);
});

test('commands of one reply start in the folder that the one before has left', async (t) => {
  const session = await realShell(t, { 'src/a.txt': 'a\n' });
  const results = await session.callAll([
    ['shell', { command: 'cd src' }],
    ['shell', { command: 'ls' }],
  ]);
  assert.deepEqual(
    results.map(({ text }) => text),
    ['(no output)\nFolder: src\nExit code: 0', 'a.txt\nExit code: 0'],
  );
});

test('long output of a job is cut like that of a command, its end in sight', async (t) => {
  const session = await realShell(t);
  await session.call('shell', { command: 'read x; seq 30000', background: 'job' });
  const result = await session.call('job', { id: 'job-1', input: '\n', timeout: 15 });
  assert.ok(result.text.length <= 25_000);
  assert.match(result.text, /^1\n2\n/);
  assert.match(result.text, /\n30000\njob-1 ended by itself \(exit code: 0\)\.$/);
  assert.match(session.blobs.get(result.blob ?? '')?.toString() ?? '', /\n15000\n/);
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { test } from 'node:test';
import type { CommandOutcome, JobReport } from '../../src/exec/index.ts';
import { makeFolder, whyNoSandbox } from './workbench.ts';

const skip = await whyNoSandbox();
const door = JSON.stringify(new URL('../../src/exec/index.ts', import.meta.url).href);

// A machine that can make no pipes of the kind that is wanted: this one, without the programs that make them.
const missing = ['/usr/bin/mkfifo', '/bin/sh'].filter((path) => existsSync(path)).map((path) => realpathSync(path));
const masks = missing.flatMap((path) => ['--ro-bind', '/dev/null', path]);

test('where no real pipe can be made, commands and jobs run all the same', { skip }, (t) => {
  const workspace = makeFolder(t);
  const home = makeFolder(t, { '.bashrc': 'echo settings' });
  const script = `
    import { createSandbox, createShell } from ${door};
    const workspace = ${JSON.stringify(workspace)};
    const environment = { PATH: process.env.PATH, HOME: ${JSON.stringify(home)} };
    const sandbox = createSandbox({ kind: 'none', workspace, environment });
    const shell = createShell({ workspace, sandbox });
    const never = new AbortController().signal;
    const plain = await shell.run({ command: 'echo out; echo err >&2; cat; exit 3', timeout: 20000 }, never);
    const job = await shell.run({ command: 'read x; echo "got $x"; cat', timeout: 500, goesOn: 'job' }, never);
    await shell.jobs.type('job-1', 'one\\ntwo\\n\\u0004');
    const report = await shell.jobs.look('job-1', { wait: 15000 }, never);
    await shell.close();
    console.log(JSON.stringify({ plain, job, report }));`;
  const around = ['--bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...masks];
  const program = [process.execPath, '--input-type=module', '-e', script];
  const result = spawnSync('bwrap', [...around, ...program], { encoding: 'utf8', timeout: 60_000, cwd: '/' });
  assert.equal(result.status, 0, result.stderr);
  const { plain, job, report } = JSON.parse(result.stdout) as { [name: string]: CommandOutcome & JobReport };
  assert.deepEqual([plain?.head, plain?.exit], ['out\nerr\n', 3]);
  assert.deepEqual(
    [job?.job, job?.head],
    ['job-1', ''],
    'no settings of the user are read, although the input is a socket',
  );
  assert.deepEqual([report?.output, report?.state, report?.exit], ['got one\ntwo\n', 'exited', 0]);
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { KeptJobs, type KeptStart } from '../../src/exec/kept/index.ts';

const never = new AbortController().signal;

function place(t: TestContext, sandbox: KeptStart['sandbox'] = 'none', lifetime = 60_000) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'reins-kept-')));
  const jobs = join(root, 'state', 'a'.repeat(120), 'jobs');
  const workspace = mkdtempSync(join(root, 'workspace-'));
  const environment = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home') };
  const options = { jobs, workspace };
  const start = { sandbox, environment, secretNames: [], hide: [join(root, 'state')], lifetime };
  const kept = new KeptJobs(options, start);
  t.after(async () => {
    for (const { id } of await kept.list()) await kept.end(id);
    rmSync(root, { recursive: true, force: true });
  });
  return { root, jobs, workspace, options, start, kept };
}

const order = { timeout: 10_000, goesOn: 'kept' as const };
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000;
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'it never came');
    await pause(20);
  }
}

describe('a kept job', () => {
  test('outlives the process that began it, and is found again by its id', async (t) => {
    const { kept, options, start, workspace } = place(t);
    const door = pathToFileURL(new URL('../../src/exec/kept/index.ts', import.meta.url).pathname).href;
    const script = `
      import { KeptJobs } from ${JSON.stringify(door)};
      const kept = new KeptJobs(${JSON.stringify(options)}, ${JSON.stringify(start)});
      const command = 'echo begun; echo $$ > pid; while read line; do echo "got $line"; done; echo over';
      const outcome = await kept.run({ command, timeout: 200, goesOn: 'kept' }, new AbortController().signal);
      console.log(JSON.stringify(outcome));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const outcome = JSON.parse(stdout) as { job: string; head: string };
    assert.match(outcome.job, /^kept-[0-9a-f]{8}$/);
    assert.equal(outcome.head, 'begun\n');
    const [state] = await kept.list();
    assert.deepEqual([state?.id, state?.state, state?.kind], [outcome.job, 'running', 'kept']);
    assert.equal(await kept.type(outcome.job, 'one\n'), null);
    const look = await kept.look(outcome.job, { pattern: /got (\w+)/, wait: 15_000 }, never);
    assert.ok(!('refused' in look));
    assert.deepEqual([look.matched, look.output], [true, 'got one\n']);
    assert.equal(await kept.type(outcome.job, '\u0004'), null);
    await until(async () => (await kept.list())[0]?.state === 'exited');
    const last = await kept.look(outcome.job, { wait: 0 }, never);
    assert.ok(!('refused' in last));
    assert.deepEqual([last.output, last.exit, last.state], ['over\n', 0, 'exited']);
    const pid = Number(readFileSync(join(workspace, 'pid'), 'utf8'));
    await until(() => !isAlive(pid));
  });

  test('tells what it wrote last, whenever it ends', async (t) => {
    const { kept } = place(t);
    for (let step = 0; step < 12; step += 1) {
      // From before its supervisor can be asked to long after.
      const command = `sleep ${(step * 0.015).toFixed(3)}; echo last words; exit 7`;
      const outcome = await kept.run({ ...order, command }, never);
      const told = outcome.notStarted ?? `${outcome.head}exit code ${outcome.exit}`;
      assert.match(told, /exit code 7/);
      assert.match(told, /last words/);
    }
  });

  test('keeps for the next look what nobody heard, because who asked had gone', async (t) => {
    const { kept } = place(t);
    const { job } = await kept.run(
      { command: 'echo heard; read line; echo unheard; read more', timeout: 200, goesOn: 'kept' },
      never,
    );
    assert.ok(job !== undefined);
    const leaves = new AbortController();
    const gone = kept.look(job, { wait: 15_000 }, leaves.signal);
    assert.equal(await kept.type(job, 'on\n'), null);
    leaves.abort();
    const empty = await gone;
    assert.ok(!('refused' in empty));
    assert.equal(empty.output, '');
    const next = await kept.look(job, { pattern: /unheard/, wait: 15_000 }, never);
    assert.ok(!('refused' in next));
    assert.deepEqual([next.output, next.matched], ['unheard\n', true]);
  });

  for (const sandbox of ['none', 'bubblewrap'] as const) {
    const missing = sandbox === 'bubblewrap' && !existsSync('/usr/bin/bwrap') && 'bubblewrap is missing';
    test(`is ended with everything that it started (sandbox: ${sandbox})`, { skip: missing }, async (t) => {
      const { kept, workspace } = place(t, sandbox);
      const command = 'setsid sh -c "trap \\"\\" TERM; while :; do echo x >> beat; sleep 0.05; done" & sleep 600';
      const { job = '' } = await kept.run({ ...order, command, timeout: 100 }, never);
      await until(() => existsSync(join(workspace, 'beat')));
      const report = await kept.end(job);
      assert.ok(!('refused' in report), JSON.stringify(report));
      assert.equal(report.state, 'ended');
      const size = statSync(join(workspace, 'beat')).size;
      await pause(300);
      assert.equal(statSync(join(workspace, 'beat')).size, size);
      assert.deepEqual(await kept.type(job, 'x'), { refused: `${job} has ended already.` });
    });
  }

  test('is ended when its lifetime is over, and says that it ended', async (t) => {
    const { kept } = place(t, 'none', 2_000);
    await kept.run({ ...order, command: 'echo here; sleep 600', timeout: 10 }, never);
    await until(async () => (await kept.list())[0]?.state === 'ended');
  });

  test('whose supervisor was killed is lost, and leaves nothing alive', async (t) => {
    const { kept, jobs, workspace } = place(t);
    const { job = '' } = await kept.run({ ...order, command: 'echo $$ > pid; sleep 600', timeout: 200 }, never);
    const record = JSON.parse(readFileSync(join(jobs, job, 'job.json'), 'utf8')) as { pid: number };
    process.kill(record.pid, 'SIGKILL');
    await until(async () => (await kept.list())[0]?.state === 'lost');
    await until(() => !isAlive(Number(readFileSync(join(workspace, 'pid'), 'utf8'))));
  });

  test('that can’t be started leaves nothing behind', async (t) => {
    const { kept, jobs } = place(t);
    const outcome = await kept.run({ ...order, command: 'echo \0' }, never);
    assert.match(outcome.notStarted ?? '', /NUL/);
    const gone = new KeptJobs({ jobs, workspace: '/nowhere/at/all' }, place(t).start);
    const missing = await gone.run({ ...order, command: 'sleep 1' }, never);
    assert.match(missing.notStarted ?? '', /workspace/);
    assert.deepEqual(existsSync(jobs) ? readdirSync(jobs) : [], []);
  });

  test('is the user’s alone, and another workspace doesn’t see it', async (t) => {
    const { kept, jobs, root } = place(t);
    const { job = '' } = await kept.run({ ...order, command: 'sleep 600', timeout: 50 }, never);
    assert.equal(statSync(join(jobs, job)).mode & 0o077, 0);
    const other = new KeptJobs({ jobs, workspace: root });
    assert.deepEqual(await other.list(), []);
    assert.ok('refused' in (await other.look(job, { wait: 0 }, never)));
    assert.equal((await new KeptJobs({ jobs }).list())[0]?.id, job);
    for (const odd of ['../x', 'kept-', 'kept-0000000g', '']) assert.equal(kept.has(odd), false);
  });

  test('that was over long ago is forgotten when another begins; what runs, or is fresh, stays', async (t) => {
    const { kept, jobs } = place(t);
    for (const command of ['echo old', 'echo fresh'])
      await kept.run({ ...order, command: `${command}; sleep 0.1` }, never);
    await until(async () => (await kept.list()).every(({ state }) => state === 'exited'));
    const [old, fresh] = (await kept.list()).map(({ id }) => id);
    const file = join(jobs, old ?? '', 'job.json');
    const record = JSON.parse(readFileSync(file, 'utf8')) as { until: number };
    writeFileSync(file, JSON.stringify({ ...record, until: Date.now() - 8 * 24 * 3_600_000 }));
    await kept.run({ ...order, command: 'sleep 600', timeout: 50 }, never);
    const ids = (await kept.list()).map(({ id }) => id);
    assert.deepEqual([ids.includes(old ?? ''), ids.includes(fresh ?? ''), ids.length], [false, true, 2]);
  });
});

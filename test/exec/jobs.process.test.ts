import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { awaiting, makeJobs, refusal, soon } from './jobs-bench.ts';
import { git, makeMark, processesIn, processesWith, until, whyNoSandbox, type Kind } from './workbench.ts';

const noSandbox = await whyNoSandbox();
const kinds: { kind: Kind; skip: string | false }[] = [
  { kind: 'none', skip: false },
  { kind: 'bubblewrap', skip: noSandbox },
];

for (const { kind, skip } of kinds) {
  describe(`jobs, sandbox ${kind}`, { skip, concurrency: 2 }, () => {
    test('a command that isn’t over at its limit goes on, and its output is told bit by bit', async (t) => {
      const { start, look, jobs, touch } = makeJobs(t, kind);
      const outcome = await start(`echo one; ${awaiting('go')}; echo two; ${awaiting('end')}; exit 3`, {
        timeout: 500,
      });
      assert.deepEqual(
        [outcome.job, outcome.head, outcome.exit, outcome.timedOut, outcome.ended, outcome.folder],
        ['job-1', 'one\n', null, false, undefined, undefined],
      );
      const [state] = await jobs.list();
      assert.deepEqual([state?.id, state?.kind, state?.state], ['job-1', 'job', 'running']);
      assert.ok(Math.abs(Date.now() - (state?.startedAt ?? 0)) < 60_000);
      assert.equal((await look('job-1')).output, '', 'what was told already isn’t told again');
      touch('go');
      const second = await look('job-1', /tw./);
      assert.deepEqual([second.output, second.matched, second.state], ['two\n', true, 'running']);
      touch('end');
      const last = await look('job-1', soon);
      assert.deepEqual([last.output, last.state, last.exit, last.signal], ['', 'exited', 3, null]);
      assert.equal((await jobs.list())[0]?.state, 'exited', 'it stays listed');
    });

    test('one that is over before is an ordinary command, and takes no number', async (t) => {
      const { start, jobs, begun, folder } = makeJobs(t, kind);
      mkdirSync(join(folder, 'src'));
      const outcome = await start('cd src; echo done; exit 4', { timeout: soon });
      assert.deepEqual([outcome.exit, outcome.head, outcome.job], [4, 'done\n', undefined]);
      assert.equal(outcome.folder, join(folder, 'src'));
      assert.deepEqual([await jobs.list(), begun], [[], []]);
      assert.equal((await start('sleep 60')).job, 'job-1');
    });

    test('one that starts in a folder that is gone says so', async (t) => {
      const { start, folder } = makeJobs(t, kind);
      const outcome = await start('sleep 60', { folder: join(folder, 'gone'), timeout: 1000 });
      assert.deepEqual([outcome.job, outcome.folder], ['job-1', folder]);
      assert.match(outcome.hint ?? '', /is gone/);
    });

    test('what is typed reaches it, and the input can be ended', async (t) => {
      const { start, look, jobs } = makeJobs(t, kind);
      await start('read -p "name? " name; echo "hello $name"; cat /dev/stdin; echo over', { timeout: 1000 });
      assert.equal(await jobs.type('job-1', 'Ann é🙂\n'), null);
      assert.equal((await look('job-1', /hello .*/)).output, 'hello Ann é🙂\n');
      assert.equal(await jobs.type('job-1', 'some'), null);
      assert.equal(await jobs.type('job-1', 'thing\u0004'), null);
      const end = await look('job-1', soon);
      assert.deepEqual([end.output, end.state, end.exit], ['somethingover\n', 'exited', 0]);
      assert.match(refusal(await jobs.type('job-1', 'x')), /has ended already/);
    });

    test('input that has ended before anybody opens it by its path is not waited for', async (t) => {
      const { start, look, jobs, touch } = makeJobs(t, kind);
      await start(`${awaiting('go')}; cat /dev/stdin; cat /dev/stdin /proc/self/fd/0; echo over`);
      assert.equal(await jobs.type('job-1', 'all\n\u0004'), null);
      touch('go');
      assert.equal((await look('job-1', soon)).output, 'all\nover\n');
    });

    test('input after its end is refused, and who doesn’t read is not waited for', async (t) => {
      const { start, jobs } = makeJobs(t, kind);
      await start('sleep 60');
      const block = 'x'.repeat(700_000);
      assert.equal(await jobs.type('job-1', block), null);
      assert.equal(await jobs.type('job-1', block), null);
      assert.match(refusal(await jobs.type('job-1', block)), /doesn’t read what is typed/);
      await start('cat; sleep 60');
      assert.equal(await jobs.type('job-2', '\u0004'), null);
      assert.match(refusal(await jobs.type('job-2', 'more')), /takes no input any more/);
    });

    test('ending it ends all of it, with a moment to clean up', async (t) => {
      const { start, look, end, folder, ended } = makeJobs(t, kind);
      const mark = makeMark();
      const command = `trap 'echo cleaned >clean; exit' TERM; (setsid sleep 3${mark} &); echo up; while :; do sleep 0.0${mark}; done`;
      const { job, head } = await start(command);
      assert.equal(job, 'job-1');
      if (!head.includes('up')) await look('job-1', /up/);
      const report = await end('job-1');
      assert.deepEqual([report.state, report.exit], ['ended', null]);
      assert.match(report.output, /\[As asked, everything that the command had started was ended: .*sleep.*\]$/);
      assert.equal(readFileSync(join(folder, 'clean'), 'utf8'), 'cleaned\n');
      await until('all are gone', () => processesWith(mark).length === 0);
      assert.deepEqual(
        ended.map(({ id, how, exit }) => [id, how, exit]),
        [['job-1', 'ended', null]],
      );
      const again = await end('job-1');
      assert.deepEqual([again.output, again.state], ['', 'ended'], 'a second time is no harm');
    });

    test('one that ignores every polite signal, or has stopped, is ended all the same', async (t) => {
      const { start, end } = makeJobs(t, kind);
      const mark = makeMark();
      await start(`trap '' TERM INT HUP; echo up; while :; do sleep 0.0${mark}; done`, { timeout: 500 });
      await start(`: ${mark}; kill -STOP $$`, { timeout: 500 });
      assert.deepEqual([(await end('job-1')).state, (await end('job-2')).state], ['ended', 'ended']);
      await until('all are gone', () => processesWith(mark).length === 0);
    });

    test('what it leaves running at its own end is ended with it, and that is said', async (t) => {
      const { start, look, jobs } = makeJobs(t, kind);
      const mark = makeMark();
      await start(`sleep 3${mark} & read x`, { timeout: 500 });
      await jobs.type('job-1', '\n');
      const report = await look('job-1', soon);
      assert.deepEqual([report.state, report.exit], ['exited', 0]);
      assert.match(report.output, /^\[The command left processes running in the background; .*sleep\.\]$/);
      await until('all are gone', () => processesWith(mark).length === 0);
    });

    test('closing ends all jobs and tells of each', async (t) => {
      const { start, shell, ended, folder, jobs } = makeJobs(t, kind);
      const mark = makeMark();
      await start(`echo a; sleep 3${mark}`);
      await start(`trap '' TERM; sleep 3${mark}; sleep 3${mark}`);
      await shell.close();
      assert.deepEqual(processesWith(mark), []);
      assert.equal(processesIn(folder), 0);
      assert.deepEqual(ended.map(({ id, how }) => `${id} ${how}`).toSorted(), ['job-1 session', 'job-2 session']);
      assert.ok((await jobs.list()).every(({ state }) => state !== 'running'));
      assert.match((await start('true')).notStarted ?? '', /closed/);
    });

    test('begin and end are told, with the call; numbers go on from earlier ones', async (t) => {
      const { start, look, begun, ended, jobs } = makeJobs(t, kind, { shell: { earlierJobs: 7 } });
      await start('read x; exit 9', { call: 'reply/2' });
      assert.deepEqual(begun, [{ id: 'job-8', call: 'reply/2', command: 'read x; exit 9', kept: false }]);
      assert.deepEqual(ended, []);
      await jobs.type('job-8', '\n');
      await look('job-8', soon);
      await start('read x; kill -9 $$');
      await jobs.type('job-9', '\n');
      const killed = await look('job-9', soon);
      assert.deepEqual([killed.exit, killed.signal], [null, 'SIGKILL']);
      assert.deepEqual(ended, [
        { id: 'job-8', how: 'exited', exit: 9 },
        { id: 'job-9', how: 'exited', exit: null, signal: 'SIGKILL' },
      ]);
    });

    test('a command that is waited for can be let go on, without input', async (t) => {
      const { shell, look, jobs, touch } = makeJobs(t, kind);
      let heard = '';
      const request = { command: `echo up; ${awaiting('go')}; echo end`, timeout: 60_000, call: 'r/0' };
      const running = shell.run({ ...request, onOutput: (delta) => (heard += delta) }, new AbortController().signal);
      await until('it runs', () => heard.includes('up'));
      assert.equal(shell.release('r/0'), 'job-1');
      const outcome = await running;
      assert.deepEqual([outcome.job, outcome.head, outcome.timedOut], ['job-1', 'up\n', false]);
      assert.match(refusal(shell.release('r/0')), /No command of this call/);
      assert.match(refusal(await jobs.type('job-1', 'x')), /has no input/);
      touch('go');
      assert.equal((await look('job-1', /end/)).output, 'end\n');
    });

    test('a cancel ends a command that is still waited for, and no job', async (t) => {
      const { shell, look } = makeJobs(t, kind);
      const abort = new AbortController();
      const first = await shell.run({ command: 'sleep 60', timeout: 50, goesOn: 'job' }, abort.signal);
      const second = shell.run({ command: 'sleep 60', timeout: 60_000, goesOn: 'job' }, abort.signal);
      abort.abort();
      assert.deepEqual([first.job, (await second).cancelled, (await second).job], ['job-1', true, undefined]);
      assert.equal((await look('job-1')).state, 'running');
    });

    test('twenty run at once, and no more', async (t) => {
      const { start, end, shell } = makeJobs(t, kind);
      const started = await Promise.all(Array.from({ length: 20 }, () => start('sleep 60', { timeout: 1 })));
      assert.equal(started.filter(({ job }) => job !== undefined).length, 20);
      assert.match((await start('touch never')).notStarted ?? '', /20 jobs run already/);
      let isUp = false;
      const request = { command: 'echo up; sleep 0.5', timeout: soon, call: 'c', onOutput: () => (isUp = true) };
      const running = shell.run(request, new AbortController().signal);
      await until('it runs', () => isUp);
      assert.match(refusal(shell.release('c')), /as there may be/i);
      assert.equal((await running).exit, 0);
      await end('job-3');
      assert.equal((await start('sleep 60')).job, 'job-21');
    });

    test('jobs and commands are no hindrance to each other', async (t) => {
      const { start, look, shell, run, jobs } = makeJobs(t, kind);
      await start('while read x; do echo "got $x"; done');
      for (let round = 0; round < 3; round += 1) {
        await shell.prepare();
        assert.equal((await run(`echo ${round}`)).head, `${round}\n`);
        await jobs.type('job-1', `${round}\n`);
        assert.equal((await look('job-1', /got/)).output, `got ${round}\n`);
      }
    });

    test('what there isn’t is refused, with what there is', async (t) => {
      const { start, jobs } = makeJobs(t, kind);
      const never = new AbortController().signal;
      assert.match(refusal(await jobs.look('job-1', { wait: 0 }, never)), /no job "job-1"; there is none at all/);
      await start('sleep 60');
      assert.match(refusal(await jobs.type('__proto__', 'x')), /no job "__proto__"; there is job-1/);
      assert.match(refusal(await jobs.end('a\nb')), /no job "a\\nb"/);
      const { notStarted } = await start('touch never', { goesOn: 'kept' });
      assert.match(notStarted ?? '', /can’t be kept/);
    });
  });
}

test('a job can’t lead Git outside to another configuration for long', { skip: noSandbox }, async (t) => {
  const { start, look, jobs, folder } = makeJobs(t, 'bubblewrap');
  git(folder, 'init', '-q');
  const made = join(folder, '.git/commondir');
  await start('read x; echo elsewhere >.git/commondir; echo made; read x', { timeout: 500 });
  await jobs.type('job-1', '\n');
  await look('job-1', /made/);
  await until('it is gone', () => !existsSync(made));
  assert.match(
    (await look('job-1')).output,
    /commondir, which would lead Git to another configuration; it was removed/,
  );
});

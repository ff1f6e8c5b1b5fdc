import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makeJobs, refusal, soon } from './jobs-bench.ts';
import { makeMark, processesWith, until, whyNoSandbox, type Kind } from './workbench.ts';

const noSandbox = await whyNoSandbox();
const kinds: { kind: Kind; skip: string | false }[] = [
  { kind: 'none', skip: false },
  { kind: 'bubblewrap', skip: noSandbox },
];
// What is printed before it goes on as a job waits for the first look: how much that is depends on the machine.
const terminal = { terminal: true, timeout: 1, untold: true };

for (const { kind, skip } of kinds) {
  describe(`jobs with a terminal, sandbox ${kind}`, { skip, concurrency: 2 }, () => {
    test('input, output and errors are one terminal, the command’s own', async (t) => {
      const { start, look } = makeJobs(t, kind);
      await start(
        'test -t 0 -a -t 1 -a -t 2 && echo all; : </dev/tty && echo own; stty size; echo $TERM; read x',
        terminal,
      );
      const report = await look('job-1', /xterm/);
      assert.match(report.output, /^all\nown\n30 120\nxterm\n$/);
    });

    test('a password is asked for and typed unseen', async (t) => {
      const { start, look, jobs } = makeJobs(t, kind);
      await start('read -s -p "password: " x </dev/tty; echo; echo "got ${#x}"', terminal);
      await look('job-1', /password: $/);
      await jobs.type('job-1', 'secret\n');
      const report = await look('job-1', soon);
      assert.deepEqual([report.output, report.state, report.exit], ['\ngot 6\n', 'exited', 0]);
    });

    test('control keys interrupt, end the input and stop, as on any terminal', async (t) => {
      const { start, look, jobs } = makeJobs(t, kind);
      const mark = makeMark();
      await start(`trap "echo interrupted" INT; sleep 60${mark}; cat; echo then; read x`, terminal);
      await until('it sleeps', () => processesWith(`sleep 60${mark}`).length > 0);
      await jobs.type('job-1', '\u0003');
      await look('job-1', /interrupted/);
      await jobs.type('job-1', 'line\n\u0004');
      assert.match((await look('job-1', /then/)).output, /line\nline\nthen/);
    });

    test('a shell for people runs jobs of its own in it', async (t) => {
      const { start, look, jobs } = makeJobs(t, kind);
      const mark = makeMark();
      await start("PS1='ready> ' bash --norc -i", terminal);
      await look('job-1', /ready> $/);
      await jobs.type('job-1', `sleep 3${mark}\n`);
      await until('it sleeps', () => processesWith(`sleep 3${mark}`).length > 0);
      await jobs.type('job-1', '\u001a');
      await look('job-1', /Stopped/);
      await jobs.type('job-1', 'bg; echo $((6*7)) after\n');
      await look('job-1', /42 after/);
      const ended = await jobs.end('job-1');
      assert.ok('state' in ended && ended.state === 'ended');
      await until('all are gone', () => processesWith(mark).length === 0);
    });

    test('an editor can be typed to, and what it draws is harmless', async (t) => {
      const { start, look, jobs, folder } = makeJobs(t, kind);
      await start('command -v vi >/dev/null || { cat >made; exit; }; vi -u NONE made', terminal);
      await look('job-1', /~|$/);
      await jobs.type('job-1', 'ihello\u001b:wq\r\u0004');
      const report = await look('job-1', soon);
      assert.equal(report.state, 'exited');
      assert.match(readFileSync(join(folder, 'made'), 'utf8'), /hello/);
      assert.doesNotMatch(report.output, /[\0-\x08\x0b-\x1f\x7f-\x9f]/);
    });

    test('it is gone with the job, and no other command gets it', async (t) => {
      const { start, look, run, shell, jobs } = makeJobs(t, kind);
      const mark = makeMark();
      await start(`trap '' HUP TERM; echo up; while :; do sleep 0.0${mark}; done`, terminal);
      await look('job-1', /up/);
      await shell.prepare();
      assert.match((await run('ls -l /proc/self/fd; tty')).head, /not a tty\n$/);
      assert.doesNotMatch((await run('ls -l /proc/$$/fd /proc/$PPID/fd')).head, /ptmx|pts/);
      await jobs.end('job-1');
      await until('all are gone', () => processesWith(mark).length === 0);
    });

    test('one that prints much is bounded like any other', async (t) => {
      const { start, look } = makeJobs(t, kind);
      await start('seq 200000', terminal);
      const report = await look('job-1', soon);
      assert.deepEqual([report.state, report.exit], ['exited', 0]);
      assert.match(report.output, /left out here.*\n.*200000\n$/s);
    });
  });
}

test('only what goes on in the background gets one', async (t) => {
  const { shell } = makeJobs(t, 'none');
  const outcome = await shell.run({ command: 'tty', timeout: 1000, terminal: true }, new AbortController().signal);
  assert.match(outcome.notStarted ?? '', /only a command that may go on as a job/);
  assert.match(refusal(shell.release('none')), /No command/);
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makeBench, makeFolder, makeMark, pidsIn, processesWith, until, whyNoSandbox, type Kind } from './workbench.ts';

const noSandbox = await whyNoSandbox();
const kinds: { kind: Kind; skip: string | false }[] = [
  { kind: 'none', skip: false },
  { kind: 'bubblewrap', skip: noSandbox },
];

/** What a command prints and how it ends, as in any shell. */
const asInAnyShell: [what: string, command: string, output: RegExp, exit: number | null, signal?: string][] = [
  ['an open quote', "echo 'open", /unexpected EOF/, 2],
  ['an open here-document', 'cat <<END\nhi', /warning.*\n.*hi\n$/s, 0],
  ['an open parenthesis', '( echo', /syntax error/, 2],
  ['exec of a program', 'exec echo hi', /^hi\n$/, 0],
  ['exec of nothing', 'exec no-such-program; echo after', /not found/, 127],
  ['exit', 'echo a; exit 3; echo b', /^a\n$/, 3],
  ['set -e', 'set -e; false; echo no', /^$/, 1],
  ['set -x', 'set -x; echo a', /^\+\+? echo a\na\n$/, 0],
  ['set -v', 'set -v; echo a\necho b', /^a\necho b\nb\n$/, 0],
  ['set -n', 'set -n; echo a', /^$/, 0],
  ['a trap at the exit', 'trap "echo bye" EXIT; echo hi; exit 4', /^hi\nbye\n$/, 4],
  ['a trap at each command', 'trap "echo d" DEBUG; true', /^d\n$/, 0],
  ['waiting for children', 'sleep 0.1 & wait; echo ok', /^ok\n$/, 0],
  ['its own end', 'kill -9 $$; echo no', /^$/, null, 'SIGKILL'],
  ['a signal that it handles', 'trap "echo got" USR1; kill -USR1 $$; echo y', /^got\ny\n$/, 0],
  ['a signal that it doesn’t', 'kill -TERM $$; echo no', /^$/, null, 'SIGTERM'],
  ['output closed', 'exec 1>&- 2>&-; echo no', /^$/, 1],
  ['input closed', 'exec 0<&-; cat; echo yes', /yes\n$/, 0],
  ['descriptors closed', 'exec 3>&- 4>&- 5>&-; echo yes', /^yes\n$/, 0],
  ['no memory for children', 'ulimit -v 1000; ls; echo hi', /hi\n$/, 0],
  ['line ends of Windows', 'echo a\r\necho b\r\n', /^a\nb\n$/, 0],
  ['nothing', ' \n# nothing\n', /^$/, 0],
  ['only an operator', ';;', /syntax error/, 2],
  ['a shell for people', 'bash --norc -i; echo then', /then\n$/, 0],
  ['a terminal asked for', 'read x </dev/tty; echo "[$x]"', /No such device.*\n.*\[\]\n$/s, 0],
  ['a menu', 'select x in a b; do echo $x; done', /1\) a/, 1],
  ['return and break at the top', 'break; return 3', /can only `return'/, 2],
  ['a step too deep', '('.repeat(3000), /syntax error|unexpected/, 2],
  ['half a surrogate pair', 'printf %s \ud800 | wc -c', /^3\n$/, 0],
];

for (const { kind, skip } of kinds) {
  describe(`odd commands, sandbox ${kind}`, { skip, concurrency: 2 }, () => {
    for (const [what, command, output, exit, signal = null] of asInAnyShell) {
      test(`${what}: ends at once, as in any shell`, async (t) => {
        const outcome = await makeBench(t, kind, makeFolder(t)).run(command);
        assert.match(outcome.head, output);
        assert.deepEqual([outcome.exit, outcome.signal, outcome.timedOut], [exit, signal, false]);
        assert.doesNotMatch(outcome.head, /__reins/);
      });
    }

    test('the shell of a command is a process of its own', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      const { head } = await run('[ $$ = $BASHPID ] && echo own; echo $SHLVL; kill -9 $PPID; sleep 0.1');
      assert.match(head, /^own\n1\n/);
      assert.equal((await run('echo next')).head, 'next\n');
    });

    for (const command of [
      'kill -STOP $$; echo no',
      'kill -STOP 0',
      'kill -STOP $PPID; echo done',
      'suspend -f; echo no',
    ]) {
      test(`what has stopped itself is ended: ${command}`, async (t) => {
        const outcome = await makeBench(t, kind, makeFolder(t)).run(command, 60_000);
        assert.match(outcome.ended ?? '', /it had stopped itself by a signal/);
        assert.ok(outcome.exit !== 0);
        assert.ok(outcome.elapsed < 15_000, `took ${outcome.elapsed} ms`);
      });
    }

    test('the user’s settings of the shell are not read, wherever it seems to be started from', async (t) => {
      const home = makeFolder(t, { '.bashrc': 'echo settings', '.profile': 'echo settings' });
      const remote = { SSH_CLIENT: '192.0.2.1 1 22', SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' };
      const { shell } = makeBench(t, kind, makeFolder(t), { env: { HOME: home, ENV: `${home}/.profile`, ...remote } });
      const never = new AbortController().signal;
      assert.equal((await shell.run({ command: 'echo hi', timeout: 20_000 }, never)).head, 'hi\n');
      const typed = await shell.run({ command: 'echo hi', timeout: 20_000, goesOn: 'job' }, never);
      assert.equal(typed.head, 'hi\n');
    });

    test('what is stopped only for a moment goes on', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      const outcome = await run('(sleep 3; kill -CONT $$) & kill -STOP $$; echo woke; wait', 30_000);
      assert.deepEqual([outcome.head, outcome.exit, outcome.ended], ['woke\n', 0, undefined]);
    });

    test('at the time limit also what has stopped is ended, and may clean up', async (t) => {
      const folder = makeFolder(t);
      const mark = makeMark();
      const { run } = makeBench(t, kind, folder);
      const inner = `trap 'echo cleaned >clean; exit' TERM; kill -STOP $$; : ${mark}`;
      const outcome = await run(`bash -c "${inner.replaceAll('$', '\\$')}" & while :; do sleep 0.05; done`, 400);
      assert.equal(outcome.timedOut, true);
      assert.deepEqual(processesWith(mark), []);
      assert.equal(readFileSync(join(folder, 'clean'), 'utf8'), 'cleaned\n');
    });

    test('hundreds of processes that fork and ignore signals are ended at the limit', async (t) => {
      const mark = makeMark();
      const { run } = makeBench(t, kind, makeFolder(t));
      const one = `trap '' TERM INT HUP; : ${mark}; while :; do (sleep 0.0${mark}) & wait; done`;
      const outcome = await run(`for i in {1..40}; do bash -c "${one}" & setsid bash -c "${one}" & done; wait`, 1500);
      assert.equal(outcome.timedOut, true);
      assert.match(outcome.ended ?? '', /everything that the command had started was ended/);
      assert.ok(outcome.elapsed < 15_000, `took ${outcome.elapsed} ms`);
      await until('all are gone', () => processesWith(mark).length === 0);
    });

    test('output and errors can be opened by their paths', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      const command =
        'echo a >/dev/stderr; echo b >/dev/stdout; echo c | tee /dev/stderr; echo d >/proc/self/fd/1; cat /dev/stdin; exec 2>/dev/stdout; ls nowhere';
      const { head, exit } = await run(command);
      assert.match(head, /^a\nb\nc\nc\nd\nls: .*nowhere/);
      assert.equal(exit, 2);
    });

    test('a megabyte of command, in one line or in a hundred thousand', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      assert.equal((await run(`echo ${'x'.repeat(1_000_000)} | wc -c`)).head, '1000001\n');
      assert.equal((await run(`${'true\n'.repeat(100_000)}echo hi`)).head, 'hi\n');
    });

    test('an editor and a program that looks for its newer self don’t wait', async (t) => {
      const folder = makeFolder(t);
      const { run } = makeBench(t, kind, folder);
      const editor = await run('command -v vi >/dev/null || exit 1; vi made; exit $?');
      assert.deepEqual([editor.exit, editor.timedOut], [1, false]);
      assert.equal(existsSync(join(folder, 'made')), false);
      const started = await run('npm init', 15_000);
      assert.equal(started.timedOut, false);
      assert.notEqual(started.exit, 0);
    });

    test('a shell that is prepared and killed is not handed a command', async (t) => {
      const folder = makeFolder(t);
      const { shell, run } = makeBench(t, kind, folder);
      await shell.prepare();
      await until('they are gone', () => {
        const pids = pidsIn(folder);
        spawnSync('kill', ['-KILL', ...pids.map(String)]);
        return pids.length === 0;
      });
      assert.equal((await run('echo hi')).head, 'hi\n');
    });
  });
}

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import {
  git,
  makeBench,
  makeFolder,
  makeMark,
  processesIn,
  processesWith,
  until,
  whyNoSandbox,
  write,
  type Kind,
} from './workbench.ts';

const noSandbox = await whyNoSandbox();
const kinds: { kind: Kind; skip: string | false }[] = [
  { kind: 'none', skip: false },
  { kind: 'bubblewrap', skip: noSandbox },
];

for (const { kind, skip } of kinds) {
  describe(`commands, sandbox ${kind}`, { skip, concurrency: 2 }, () => {
    test('exit codes come through', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 255 }), async (code) => {
          const { exit, signal, notStarted, timedOut } = await run(`exit ${code}`);
          assert.deepEqual(
            { exit, signal, notStarted, timedOut },
            { exit: code, signal: null, notStarted: undefined, timedOut: false },
          );
        }),
        { numRuns: 12, examples: [[0], [1], [125], [126], [127], [137], [143], [255]] },
      );
    });

    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGABRT', 'SIGHUP']) {
      test(`${signal} that ends the shell is told, and isn't when a code only looks like it`, async (t) => {
        const { run } = makeBench(t, kind, makeFolder(t));
        const own = await run(`kill -${signal.slice(3)} $BASHPID`);
        assert.deepEqual([own.exit, own.signal], [null, signal]);
        const child = await run(`bash -c 'kill -${signal.slice(3)} $$'; exit $?`);
        assert.ok(child.exit !== null && child.exit > 128);
        assert.equal(child.signal, null);
      });
    }

    test('standard output and error stay in order', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      const { head, bytes, omitted } = await run('for i in {1..200}; do echo o$i; echo e$i >&2; done');
      const expected = Array.from({ length: 200 }, (_, index) => `o${index + 1}\ne${index + 1}\n`).join('');
      assert.equal(head, expected);
      assert.equal(bytes, expected.length);
      assert.equal(omitted, 0);
    });

    test('the command reaches the shell byte for byte, however long', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      const text = `${'é"\\$`\t'.repeat(40_000)}\n\n`;
      const { head, bytes, exit } = await run(`wc -c <<'END'\n${text}END\n`);
      assert.equal(exit, 0);
      assert.equal(head.trim(), String(Buffer.byteLength(text)));
      assert.ok(bytes > 0);
      assert.equal((await run("printf '%s|' 'a\n\n'; echo é")).head, 'a\n\n|é\n');
      assert.match((await run('a\0b')).notStarted ?? '', /NUL/);
    });

    test('messages of the shell count lines from 1 and name no inner parts', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      assert.equal((await run('no-such-command')).head, 'bash: line 1: no-such-command: command not found\n');
      assert.equal((await run('true\n  no-such-command')).head, 'bash: line 2: no-such-command: command not found\n');
      const broken = await run("echo 'open");
      assert.notEqual(broken.exit, 0);
      assert.doesNotMatch(broken.head, /__reins/);
    });

    test('a command has no input, no terminal and no further descriptors', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      const { head } = await run('cat; tty; : </dev/tty; ls /proc/self/fd | tr "\\n" " "');
      assert.match(head, /not a tty/);
      assert.match(head, /\/dev\/tty: No such device or address/);
      assert.match(head, /0 1 2 3 $/, 'descriptor 3 is the folder that ls reads');
    });

    test('prompts and editors end at once instead of waiting', async (t) => {
      const folder = makeFolder(t, { 'a.txt': 'a\n' });
      git(folder, 'init', '-q');
      git(folder, 'add', '.');
      git(folder, 'commit', '-qm', 'one');
      write(join(folder, 'a.txt'), 'b\n');
      git(folder, 'add', '.');
      const { run } = makeBench(t, kind, folder, {
        env: {
          EDITOR: 'vi',
          GIT_EDITOR: 'vi',
          PAGER: 'less',
          GIT_AUTHOR_NAME: 'T',
          GIT_AUTHOR_EMAIL: 't@x',
          GIT_COMMITTER_NAME: 'T',
          GIT_COMMITTER_EMAIL: 't@x',
        },
      });
      assert.equal((await run("read -p 'ok? ' x; echo got:$x")).head, 'got:\n');
      assert.equal((await run('cat')).exit, 0);
      const commit = await run('git commit');
      assert.notEqual(commit.exit, 0);
      assert.match(commit.head, /There is no editor: nobody can type here/);
      const rebase = await run('git commit -qm two && git rebase -i HEAD~1');
      assert.notEqual(rebase.exit, 0);
      assert.match(rebase.head, /There is no editor/);
      assert.equal((await run('git log --oneline | cat; less /etc/passwd | head -1')).exit, 0);
      assert.notEqual((await run('git -c credential.helper= ls-remote https://127.0.0.1:9/x')).exit, 0);
    });

    test('a background child that goes on printing is ended with the command', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      const mark = makeMark();
      const outcome = await run(`(while :; do echo tick; sleep 0.${mark}; done) & sleep 0.3; echo done`);
      assert.match(outcome.head, /done/);
      assert.match(outcome.head, /tick/);
      assert.equal(outcome.exit, 0);
      assert.equal(outcome.timedOut, false);
      assert.match(outcome.ended ?? '', /left processes running.*(sleep|sh)/);
      assert.ok(outcome.elapsed < 15_000);
      assert.deepEqual(processesWith(mark), []);
      assert.equal((await run('echo next')).head, 'next\n');
    });

    test('children that left group, parent and streams are ended too', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      const mark = makeMark();
      const lines = [
        `sleep 3${mark} &`,
        `setsid sleep 4${mark} >/dev/null 2>&1 &`,
        `nohup sleep 5${mark} >/dev/null 2>&1 &`,
        `(setsid bash -c 'trap "" TERM INT HUP; setsid sleep 6${mark} & while :; do sleep 0.1; done' >/dev/null 2>&1 &)`,
        // The command ends when all of them run.
        `while [ "$(grep -lz '[3456]${mark}' /proc/[0-9]*/cmdline 2>/dev/null | wc -l)" -lt 5 ]; do sleep 0.02; done; echo up`,
      ];
      const outcome = await run(lines.join('\n'));
      assert.equal(outcome.head, 'up\n');
      assert.match(outcome.ended ?? '', /sleep/);
      await until('all are gone', () => processesWith(mark).length === 0);
    });

    test('what ends by itself at the end is not called left running', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      const outcome = await run("exec > >(sed 's/^/> /'); echo hello");
      assert.equal(outcome.head, '> hello\n');
      assert.equal(outcome.ended, undefined);
    });

    test('the time limit holds against whoever ignores signals, grandchildren in new sessions included', async (t) => {
      const folder = makeFolder(t);
      const mark = makeMark();
      const loop = 'while :; do echo x >>beat; sleep 0.05; done';
      write(
        join(folder, 's.sh'),
        `trap '' TERM INT\n: ${mark}\nsetsid bash -c "trap '' TERM INT; : ${mark}; ${loop}" &\n${loop}\n`,
      );
      const { run } = makeBench(t, kind, folder);
      const outcome = await run(`bash s.sh ${mark}`, 400);
      assert.equal(outcome.timedOut, true);
      assert.equal(outcome.cancelled, false);
      assert.equal(outcome.exit, null);
      assert.ok(outcome.elapsed < 400 + 15_000, `took ${outcome.elapsed} ms`);
      assert.match(
        outcome.ended ?? '',
        /At the time limit of 0.4 s everything that the command had started was ended: .*bash/,
      );
      assert.deepEqual(processesWith(mark), []);
      assert.ok(statSync(join(folder, 'beat')).size > 0, 'it had begun');
    });

    test('at the time limit a command may clean up for a second', async (t) => {
      const folder = makeFolder(t);
      const { run } = makeBench(t, kind, folder);
      const outcome = await run(
        "trap 'echo cleaned >clean; exit 7' TERM; echo begun; while :; do sleep 0.02; done",
        300,
      );
      assert.equal(outcome.timedOut, true);
      assert.match(outcome.head, /^begun\n/);
      assert.equal(readFileSync(join(folder, 'clean'), 'utf8'), 'cleaned\n');
      assert.ok(outcome.elapsed < 20_000);
    });

    test('a cancel ends a command at once, and one that came before starts nothing', async (t) => {
      const folder = makeFolder(t);
      const { shell } = makeBench(t, kind, folder);
      const mark = makeMark();
      const abort = new AbortController();
      let heard = '';
      const running = shell.run(
        {
          command: `echo up; sleep 3${mark}`,
          timeout: 60_000,
          onOutput: (delta) => {
            heard += delta;
            if (heard.includes('up')) abort.abort();
          },
        },
        abort.signal,
      );
      const outcome = await running;
      assert.equal(outcome.cancelled, true);
      assert.equal(outcome.timedOut, false);
      assert.match(outcome.ended ?? '', /^On cancel/);
      assert.ok(outcome.elapsed < 20_000);
      assert.deepEqual(processesWith(mark), []);
      const late = await shell.run({ command: 'touch late', timeout: 1000 }, abort.signal);
      assert.equal(late.cancelled, true);
      assert.ok(late.notStarted);
      assert.equal(existsSync(join(folder, 'late')), false);
    });

    test('closing ends what runs and what waits', async (t) => {
      const folder = makeFolder(t);
      const { shell } = makeBench(t, kind, folder);
      const mark = makeMark();
      let isUp = false;
      const running = shell.run(
        {
          command: `trap '' TERM; echo up; sleep 3${mark}; sleep 3${mark}`,
          timeout: 60_000,
          onOutput: () => (isUp = true),
        },
        new AbortController().signal,
      );
      await until('it runs', () => isUp);
      await shell.close();
      await running;
      assert.deepEqual(processesWith(mark), []);
      assert.equal(processesIn(folder), 0);
      const after = await shell.run({ command: 'true', timeout: 1000 }, new AbortController().signal);
      assert.match(after.notStarted ?? '', /closed/);
    });

    test('closing ends what only waits', async (t) => {
      const folder = makeFolder(t);
      const { shell } = makeBench(t, kind, folder);
      await shell.prepare();
      await until('it waits', () => processesIn(folder) > 0);
      await shell.close();
      assert.equal(processesIn(folder), 0);
    });

    test('a command that signals its whole group still ends by itself', async (t) => {
      const { run } = makeBench(t, kind, makeFolder(t));
      for (const signal of ['TERM', 'INT', 'HUP']) {
        const outcome = await run(`trap '' ${signal}; kill -${signal} 0; echo survived; exit 3`);
        assert.deepEqual([outcome.head, outcome.exit], ['survived\n', 3], signal);
      }
    });

    test('a prepared shell is used once, and only in the state it was prepared for', async (t) => {
      const { shell, run } = makeBench(t, kind, makeFolder(t));
      const seen = new Set<string>();
      for (let round = 0; round < 3; round += 1) {
        await shell.prepare();
        await shell.prepare();
        const { head, exit } = await run('echo "$BASHPID ${left:-new}"; left=old; cd /; export left');
        assert.equal(exit, 0);
        assert.match(head, /^\d+ new\n$/);
        seen.add(head);
      }
      const both = await Promise.all([
        shell.prepare().then(() => run('echo one; pwd')),
        run('echo two; pwd'),
        run('echo three; pwd'),
      ]);
      assert.deepEqual(
        both.map(({ head }) => head.split('\n')[0]),
        ['one', 'two', 'three'],
      );
      assert.equal(new Set(both.map(({ head }) => head.split('\n')[1])).size, 1);
      assert.ok(seen.size >= 1);
    });

    test('prepared and fresh give the same environment', async (t) => {
      const { shell, run } = makeBench(t, kind, makeFolder(t), { env: { SHOWN: 'yes' } });
      const look = 'env | grep -v REINS_COMMAND | sort; pwd; umask; ulimit -a; id';
      const fresh = await run(look);
      await shell.prepare();
      const prepared = await run(look);
      assert.match(fresh.head, /SHOWN=yes/);
      assert.equal(prepared.head, fresh.head);
    });

    test('secrets and what would make a command wait don’t reach it', async (t) => {
      const secrets = {
        ANTHROPIC_API_KEY: 's1',
        MY_TOKEN: 's2',
        DB_PASSWORD: 's3',
        AWS_SECRET_ACCESS_KEY: 's4',
        npm_config__authToken: 's5',
        GITHUB_PAT: 's6',
        MAIN_LLM: 's7',
        DATABASE_URL: 'postgres://u:s8@host/db',
        OTHER: 'ghp_s9000000',
        OTEL_HEADERS: 's10',
        BASH_ENV: '/s11',
        GIT_DIR: '/s12',
        PROMPT_COMMAND: 's13',
        GIT_CONFIG_VALUE_0: 's14',
        NODE_TEST_CONTEXT: 's15',
        SENTRY_DSN: 's16',
      };
      const kept = {
        MONKEY: 'k1',
        TOKENIZERS_PARALLELISM: 'k2',
        KEYBOARD: 'k3',
        HOMEPAGE: 'http://host:80/k4',
        PATHOS: 'k5',
        COMPASS: 'k6',
      };
      const { run } = makeBench(t, kind, makeFolder(t), {
        env: { ...secrets, ...kept, FORCE_COLOR: '1' },
        secretNames: ['MAIN_LLM'],
      });
      const { head } = await run('env; cat /proc/$PPID/environ /proc/1/environ 2>/dev/null | tr "\\0" "\\n"');
      assert.doesNotMatch(
        kind === 'none' ? (head.split('REINS_COMMAND')[0] ?? '') : head,
        /s1\d?\b(?=\n)|=s\d+\n|:s8@|s9000000|\/s1[12]/,
      );
      for (const [name, value] of Object.entries(kept)) assert.ok(head.includes(`${name}=${value}\n`), name);
      for (const line of ['PAGER=cat', 'GIT_TERMINAL_PROMPT=0', 'TERM=dumb', 'NO_COLOR=1'])
        assert.ok(head.includes(`${line}\n`), line);
      assert.doesNotMatch(head, /FORCE_COLOR/);
    });

    test('a workspace that is gone is told as such', async (t) => {
      const folder = makeFolder(t, { 'w/a': '' });
      const { run } = makeBench(t, kind, join(folder, 'w'));
      assert.equal((await run('rm -rf ../w || true; rm -rf a; echo ok')).exit, 0);
      const gone = makeBench(t, kind, join(folder, 'never'));
      const outcome = await gone.run('echo never');
      assert.match(outcome.notStarted ?? '', /the workspace folder is gone/);
      assert.equal(outcome.exit, null);
    });
  });
}

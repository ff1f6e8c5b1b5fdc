import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { makeBench, makeFolder, whyNoSandbox, type Kind } from './workbench.ts';

const noSandbox = await whyNoSandbox();
const kinds: { kind: Kind; skip: string | false }[] = [
  { kind: 'none', skip: false },
  { kind: 'bubblewrap', skip: noSandbox },
];

/** A shell over a folder with a folder `src/deep` in it. */
function makePlace(t: TestContext, kind: Kind, parent?: string) {
  const workspace = makeFolder(t, { 'src/deep/a': '' }, parent);
  const { shell } = makeBench(t, kind, workspace);
  const run = (command: string, folder?: string) =>
    shell.run({ command, timeout: 20_000, ...(folder !== undefined && { folder }) }, new AbortController().signal);
  return { workspace, shell, run, src: join(workspace, 'src'), deep: join(workspace, 'src/deep') };
}

for (const { kind, skip } of kinds) {
  describe(`the folder of commands, sandbox ${kind}`, { skip, concurrency: 2 }, () => {
    test('a command starts where it is told to, prepared or not, and says where it ended', async (t) => {
      const { workspace, shell, run, src, deep } = makePlace(t, kind);
      for (const prepare of [false, true]) {
        if (prepare) await shell.prepare();
        const there = await run('pwd; ls', src);
        assert.deepEqual([there.head, there.folder, there.hint], [`${src}\ndeep\n`, src, undefined]);
        if (prepare) await shell.prepare();
        const moved = await run('cd deep && pwd', src);
        assert.deepEqual([moved.head, moved.folder], [`${deep}\n`, deep]);
      }
      assert.equal((await run('pwd')).folder, workspace);
      assert.equal((await run('cd ..; cd src/../src', deep)).folder, src);
    });

    const ways: [what: string, command: string, ends: 'src' | 'deep' | 'unknown'][] = [
      ['a folder of a sub-shell is its own', '(cd deep); bash -c "cd deep"; cd deep | cat', 'src'],
      ['a command that exits tells it', 'cd deep; exit 3', 'deep'],
      ['a command that fails tells it', 'cd deep; set -e; false; cd ..', 'deep'],
      ['a trap of its own for the end is no hindrance', 'trap "echo bye" EXIT; cd deep', 'deep'],
      ['output that is closed is none', 'exec >&- 2>&-; cd deep', 'deep'],
      [
        'functions and aliases of its own are none',
        'cd() { builtin cd "$@"; }; printf() { echo no; }; cd deep',
        'deep',
      ],
      ['CDPATH is none', 'CDPATH=/usr:. cd deep >/dev/null', 'deep'],
      ['a variable for it counts for nothing', 'PWD=/etc', 'src'],
      ['a shell that was replaced doesn’t tell', 'cd deep; exec true', 'unknown'],
      ['a shell that was killed doesn’t tell', 'cd deep; kill -9 $$', 'unknown'],
    ];
    for (const [what, command, ends] of ways) {
      test(what, async (t) => {
        const { run, src, deep } = makePlace(t, kind);
        const { folder, hint } = await run(command, src);
        assert.equal(folder, { src, deep, unknown: undefined }[ends]);
        assert.equal(hint, undefined);
      });
    }

    test('it is the real one, links resolved', async (t) => {
      const { workspace, run, deep } = makePlace(t, kind);
      symlinkSync('src/deep', join(workspace, 'link'));
      assert.equal((await run('cd link; pwd')).folder, deep);
    });

    test('any name comes through', async (t) => {
      const { workspace, run } = makePlace(t, kind);
      const name = fc
        .string({
          unit: fc.constantFrom('a', ' ', '\n', '\t', '\r', "'", '"', '$', '`', '\\', '*', 'é', '🙂', '-', '~', ';'),
          minLength: 1,
          maxLength: 12,
        })
        .filter((text) => !text.startsWith('.'));
      await fc.assert(
        fc.asyncProperty(name, async (text) => {
          const folder = join(workspace, text);
          mkdirSync(folder, { recursive: true });
          const {
            head,
            folder: left,
            exit,
          } = await run('[ "$PWD" = "$(pwd)" ]; mkdir -p sub; cd sub; echo here', folder);
          assert.deepEqual([head, exit, left], ['here\n', 0, join(folder, 'sub')]);
        }),
        { numRuns: 12, examples: [['-'], ['a\nb'], ['\n'], ['"$(touch x)`']] },
      );
    });

    test('a name that is no text is not kept, and that is said', async (t) => {
      const { run, src } = makePlace(t, kind);
      const { folder, hint } = await run("mkdir $'a\\xff'; cd $'a\\xff'; pwd | wc -c", src);
      assert.equal(folder, src);
      assert.match(hint ?? '', /name can’t be kept/);
    });

    test('where the folder is gone, the nearest one above serves, and that is said', async (t) => {
      const { workspace, run, src, deep } = makePlace(t, kind);
      rmSync(deep, { recursive: true });
      const above = await run('pwd', join(deep, 'far/away'));
      assert.deepEqual([above.head, above.folder], [`${src}\n`, src]);
      assert.equal(above.hint, `The folder ${deep}/far/away is gone; the command ran in ${src}.`);
      rmSync(src, { recursive: true });
      const top = await run('exec pwd', deep);
      assert.deepEqual([top.head, top.folder], [`${workspace}\n`, workspace], 'also where the shell can’t tell');
      assert.match(top.hint ?? '', /is gone/);
    });

    test('a folder that can’t be entered serves as little as one that is gone', async (t) => {
      const { workspace, run } = makePlace(t, kind);
      const { head, hint } = await run('pwd', join(workspace, 'src/deep/a'));
      assert.equal(head, `${workspace}/src/deep\n`);
      assert.match(hint ?? '', /is gone/);
    });

    test('a command may remove the folder that it is in', async (t) => {
      const { run, src, deep } = makePlace(t, kind);
      const { exit, folder } = await run('rm -rf "$PWD"; echo x >y; exit 0', deep);
      assert.deepEqual([exit, folder], [0, deep]);
      const after = await run('pwd', folder);
      assert.deepEqual([after.head, after.folder], [`${src}\n`, src]);
    });

    test('commands at the same time have each their own', async (t) => {
      const { run, src, deep } = makePlace(t, kind);
      const both = await Promise.all([run('cd deep; sleep 0.2', src), run('sleep 0.1; pwd', src), run('cd ..', deep)]);
      assert.deepEqual(
        both.map(({ folder }) => folder),
        [deep, src, src],
      );
      assert.equal(both[1].head, `${src}\n`);
    });
  });
}

test('without a sandbox no command starts outside the workspace', async (t) => {
  const { workspace, run, src } = makePlace(t, 'none');
  const out = await run('cd /; pwd', src);
  assert.deepEqual([out.head, out.folder], ['/\n', src]);
  assert.match(out.hint ?? '', /ended in \/, outside the workspace; the next one starts in .*\/src\.$/);
  const asked = await run('pwd', '/usr');
  assert.deepEqual([asked.head, asked.folder], [`${workspace}\n`, workspace]);
  assert.match(asked.hint ?? '', /^\/usr is outside the workspace/);
  const beside = await run('pwd', `${workspace}-not`);
  assert.equal(beside.head, `${workspace}\n`, 'a name that only begins like the workspace is outside');
});

// Where programs of PATH lie in /tmp, that is new for each command.
const isShared = (process.env['PATH'] ?? '').split(':').some((folder) => folder.startsWith('/tmp/'));
const lastless = noSandbox || (isShared && 'programs of PATH lie in /tmp, so nothing lasts there');

test('in the sandbox every folder stands that lasts', { skip: lastless }, async (t) => {
  // Not in /tmp itself, of which commands have one of their own then.
  const { workspace, run } = makePlace(t, 'bubblewrap', '/var/tmp');
  const temporary = await run('mkdir -p /tmp/mine; cd /tmp/mine');
  assert.deepEqual([temporary.folder, temporary.hint], ['/tmp/mine', undefined]);
  assert.equal((await run('pwd', '/tmp/mine')).head, '/tmp/mine\n');
  assert.equal((await run('pwd', '/usr')).folder, '/usr');
  const fleeting = await run('mkdir -p /home/new; cd /home/new');
  assert.equal(fleeting.folder, '/home/new');
  const after = await run('pwd', '/home/new');
  assert.deepEqual([after.head, after.folder], [`${workspace}\n`, workspace]);
  assert.match(after.hint ?? '', /is gone/);
});

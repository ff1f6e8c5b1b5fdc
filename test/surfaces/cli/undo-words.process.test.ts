import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { linesOf } from './command-line.ts';
import { shell } from '../../support/calls.ts';
import { openUndoBench } from './undo-bench.ts';

test('a run that is killed in the middle of a command: what it did so far is taken back', async (context) => {
  const bench = openUndoBench(context);
  bench.file('a.txt', 'old\n');
  const before = bench.files();
  const command = 'echo new > a.txt; mkdir d; echo x > d/x; echo reached > reached; sleep 60; echo late > late';
  const model = bench.scenario({ turns: [{ calls: [shell(command)] }, { text: 'Done.' }] });
  const run = bench.start(['run', '--mode', 'auto', '--check', 'none', '--model', model, 'work']);
  while (!existsSync(join(bench.workspace, 'reached'))) await new Promise((resolve) => setTimeout(resolve, 20));
  run.child.kill('SIGKILL');
  await run.ended;
  const diff = await bench.reins(['diff']);
  assert.match(diff.out, /^\+new$/m);
  const report = await bench.json(['undo']);
  assert.deepEqual(report.kept, []);
  assert.deepEqual(own(bench.files()), before);
  await bench.run([{ calls: [shell('echo newer > a.txt')] }], { words: ['--continue'] });
  await bench.json(['undo']);
  assert.deepEqual(own(bench.files()), before);
  assert.equal((await bench.reins(['undo'])).exit, 2);
});

/** Without the place that a sandbox made to be covered, and could not remove when it was killed. */
function own(files: Map<string, string>): Map<string, string> {
  return new Map([...files].filter(([path]) => path !== '.reins'));
}

describe('the words of the command line', () => {
  test('list, dry run, exit codes, other sessions and wrong words', async (context) => {
    const bench = openUndoBench(context);
    bench.file('a.txt', '1\n2\n3\n');
    await bench.run([{ calls: [shell('sed -i s/2/two/ a.txt; echo x > x.txt')] }, { calls: [shell('rm x.txt')] }]);
    const list = await bench.reins(['undo', '--list']);
    assert.match((await bench.reins(['redo'])).err, /nothing that an undo took back/);
    assert.equal(list.out, 'turn 1: shell\nturn 2: shell\n');
    const before = bench.files();
    const dry = await bench.reins(['undo', '--all', '--dry-run']);
    assert.equal(dry.out, 'Would have taken back 2 turns (1, 2):\n  change a.txt\n');
    assert.deepEqual(bench.files(), before);
    bench.file('a.txt', '1\nzwei\n3\n');
    const left = await bench.reins(['undo', '--all']);
    assert.equal(left.exit, 1);
    assert.match(left.out, /left as it is: a\.txt \(others changed the same lines since\)/);
    assert.equal(bench.files().get('a.txt'), 'file 644 1\nzwei\n3\n');
    const taken = await bench.json(['undo', '--overwrite', 'a.txt']);
    assert.deepEqual(
      taken.changes.map(({ path }) => path),
      ['a.txt'],
    );
    assert.equal(bench.files().get('a.txt'), 'file 644 1\n2\n3\n');
    const listed = linesOf((await bench.reins(['undo', '--list', '--json'])).out) as unknown as { isUndone: boolean }[];
    assert.deepEqual(
      listed.map(({ isUndone }) => isUndone),
      [true, true],
    );
    for (const words of [['--to', '0'], ['--to', '1', '--all'], ['--turns', 'x'], ['nobody'], ['--to', '9']]) {
      const wrong = await bench.reins(['undo', ...words]);
      assert.equal(wrong.exit, 2, words.join(' '));
      assert.notEqual(wrong.err, '');
    }
    assert.equal((await bench.reins(['undo'], { folder: '/' })).exit, 2);
  });

  test('a push by force reaches no remote from the sandbox', async (context) => {
    const bench = openUndoBench(context);
    const remote = join(bench.workspace, '..', 'remote.git');
    bench.git('init', '-q', '--bare', '-b', 'main', remote);
    bench.git('init', '-q', '-b', 'main');
    bench.git('remote', 'add', 'origin', remote);
    bench.git('commit', '-q', '--allow-empty', '-m', 'first');
    bench.git('push', '-q', 'origin', 'main');
    const head = bench.git('ls-remote', 'origin');
    // In a script, where no rule sees it.
    bench.file('push.sh', 'git push --force origin main\n');
    const command = 'git -c user.name=A -c user.email=a@b commit -q --allow-empty --amend -m other; sh push.sh';
    await bench.run([{ calls: [shell(command)] }]);
    assert.equal(bench.git('ls-remote', 'origin'), head);
    const report = await bench.reins(['undo']);
    assert.equal(report.exit, 0, report.out);
    assert.match(bench.git('log', '--format=%s'), /^first$/m);
  });
});

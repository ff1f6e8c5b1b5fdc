import assert from 'node:assert/strict';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryWorkspace } from '../../src/testing/index.ts';
import { filesBelow } from '../support/files-below.ts';
import { edit, read, shell } from '../support/calls.ts';
import { gitIn } from '../support/git-in.ts';
import { undoGround, type UndoGround } from './undo-ground.ts';

/** The state of before with the patch of the session applied by Git. */
async function applied(ground: UndoGround, before: string): Promise<Map<string, string>> {
  const { patch } = await ground.diff();
  gitIn(before, ground.home, ['apply', '-'], patch);
  return filesBelow(before);
}

test('the patch brings the state of before to that of after: text, bytes, links, modes, odd names', async (context) => {
  const ground = await undoGround(context);
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n}\n`).join('');
  ground.put('text', lines);
  ground.put('no-end', 'one\ntwo');
  ground.put('gets-end', 'one\ntwo');
  ground.put('ends', 'dos\r\nline\r\nlast\r\n');
  ground.put('latin', Buffer.from('caf\u00e9\nna\u00efve\n', 'latin1'));
  ground.put('binary', Buffer.from(Array.from({ length: 300 }, (_, n) => (n * 7) % 256)));
  ground.put('moved/from', 'moves\n');
  ground.put('goes', 'goes\n');
  ground.put('empty-goes', '');
  ground.put('run', 'echo\n');
  ground.put('sp ace', 'a\n');
  ground.put('new\nline\t"q"\\', 'a\n');
  ground.put('ünï', 'a\n');
  ground.put('becomes-link', 'text\n');
  ground.put('becomes-folder', 'text\n');
  symlinkSync('text', join(ground.workspace, 'link'));
  ground.put('deep/er/file', 'x\n');
  const copy = await temporaryWorkspace({ files: {} });
  const before = copy.path;
  context.after(() => copy.dispose());
  cpSync(ground.workspace, before, { recursive: true, verbatimSymlinks: true });
  const changes = [
    `sed -i 's/^line 3$/THREE/; s/^line 30$/THIRTY/' text`,
    'printf "one\\n2" > no-end; printf "one\\ntwo\\n" > gets-end; printf "dos\\r\\nLINE\\r\\nlast" > ends',
    `printf 'th\\351\\n' >> latin; printf '\\0\\1' >> binary; printf '\\0' > made-binary; : > made-empty`,
    'mkdir new; mv moved/from new/to; rm goes empty-goes; chmod 755 run; echo b >> "sp ace"; echo b >> ünï',
    `echo b >> "$(printf 'new\\nline\\t"q"\\\\\\\\')"; printf x > "$(printf 'no\\377text')"; printf z > '"quoted'`,
    'rm becomes-link; ln -s text becomes-link; rm becomes-folder; mkdir becomes-folder; echo x > becomes-folder/in',
    'ln -sfn run link; ln -s nowhere made-link; rm -r deep; printf x > made-script; chmod 755 made-script',
  ];
  await ground.work([
    { calls: changes.map((command) => shell(command)) },
    { calls: [shell('sed -i s/THREE/drei/ text')] },
  ]);
  const after = filesBelow(ground.workspace);
  const { left } = await ground.diff();
  assert.deepEqual(left, []);
  const made = await applied(ground, before);
  // Git keeps no empty folders.
  const content = (files: Map<string, string>) => new Map([...files].filter(([, what]) => !what.startsWith('folder')));
  assert.deepEqual(content(made), content(after));
});

test('changes of others are left out, and what was taken back', async (context) => {
  const ground = await undoGround(context);
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join('');
  ground.put('a.txt', lines);
  ground.put('mine.txt', 'mine\n');
  const copy = await temporaryWorkspace({ files: { 'a.txt': lines } });
  const before = copy.path;
  context.after(() => copy.dispose());
  await ground.work([{ calls: [read('a.txt')] }, { calls: [edit('a.txt', 'line 2\n', 'two\n')] }]);
  ground.put('a.txt', ground.text('a.txt').replace('line 10\n', 'TEN\n'));
  ground.put('mine.txt', 'more\n');
  await ground.resume([{ calls: [shell('sed -i s/18/eighteen/ a.txt; echo x > x.txt')] }]);
  await ground.resume([{ calls: [shell('echo y > y.txt; rm a.txt')] }]);
  await ground.undo();
  const made = await applied(ground, before);
  assert.equal(made.get('a.txt'), `file 644 ${lines.replace('line 2\n', 'two\n').replace('18', 'eighteen')}`);
  assert.deepEqual([...made.keys()], ['a.txt', 'x.txt']);
  await ground.undo({ all: true });
  assert.deepEqual(await ground.diff(), { patch: Buffer.alloc(0), left: [] });
});

test('where others changed the same lines between, it is said', async (context) => {
  const ground = await undoGround(context);
  ground.put('a.txt', '1\n');
  await ground.work([{ calls: [shell('echo 2 > a.txt')] }]);
  ground.put('a.txt', '3\n');
  await ground.resume([{ calls: [shell('echo 4 > a.txt')] }]);
  const { patch, left } = await ground.diff();
  assert.deepEqual(
    left.map(({ path }) => path),
    ['a.txt'],
  );
  assert.equal(
    patch
      .toString()
      .match(/^[-+]\d$/gm)
      ?.join(),
    '-1,+2,-3,+4',
  );
});

test('what was not kept is named: it is neither told as made or removed, nor passed over in silence', async (context) => {
  const ground = await undoGround(context, { checkpoints: { fileBytes: 10 } });
  ground.git('init', '-q');
  ground.put('.gitignore', '*.env\n');
  ground.put('large.env', 'a'.repeat(100));
  ground.put('gone.env', 'a'.repeat(100));
  ground.put('small.env', 'a\n');
  await ground.work([{ calls: [shell('for f in *.env; do echo b >> $f; done; rm gone.env')] }]);
  const { patch, left } = await ground.diff();
  assert.deepEqual(
    left.map(({ path }) => path),
    ['gone.env'],
  );
  assert.match(patch.toString(), /small\.env/);
  assert.doesNotMatch(patch.toString(), /gone\.env/);
  const report = await ground.undo();
  assert.deepEqual(
    report.kept.map(({ path }) => path),
    ['gone.env'],
  );
  assert.deepEqual(report.unseen.map(({ path }) => path).toSorted(), ['gone.env', 'large.env']);
  assert.equal(ground.text('small.env'), 'a\n');
});

test('a size above the default is kept where the settings say so, and comes back', async (context) => {
  const ground = await undoGround(context, { checkpoints: { fileBytes: 4_000_000 } });
  ground.git('init', '-q');
  ground.put('.gitignore', '*.env\n');
  const large = 'a'.repeat(2_000_000);
  ground.put('large.env', large);
  await ground.work([{ calls: [shell('echo b >> large.env')] }]);
  assert.deepEqual((await ground.undo()).kept, []);
  assert.equal(ground.text('large.env'), large);
});

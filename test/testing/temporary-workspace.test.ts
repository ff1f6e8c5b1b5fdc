import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { temporaryWorkspace, type TemporaryWorkspaceOptions } from '../../src/testing/index.ts';

async function workspace(context: TestContext, options?: TemporaryWorkspaceOptions) {
  const made = await temporaryWorkspace(options);
  context.after(() => made.dispose());
  return made;
}

const files = {
  'a.txt': 'text\n',
  'deep/er/b.bin': Uint8Array.from([0, 255, 1]),
  'run.sh': { content: '#!/bin/sh\n', mode: 0o755 },
  link: { link: 'deep/er' },
};

test('files are made as they are given, and the tree tells them', async (context) => {
  const made = await workspace(context, { files });
  assert.equal(made.path, await realpath(made.path));
  assert.equal((await stat(join(made.path, 'run.sh'))).mode & 0o777, 0o755);
  await mkdir(join(made.path, 'empty'));
  await made.write('späce d/c', 'grüß');
  assert.deepEqual(await made.tree(), {
    'a.txt': 'text\n',
    'deep/er/b.bin': `sha256:${createHash('sha256')
      .update(Buffer.from([0, 255, 1]))
      .digest('hex')}`,
    empty: '/',
    link: '-> deep/er',
    'run.sh': '#!/bin/sh\n',
    'späce d/c': 'grüß',
  });
  assert.deepEqual(await made.read('deep/er/b.bin'), Buffer.from([0, 255, 1]));
});

test('the tree tells bytes that aren’t text by their hash alone', async (context) => {
  const made = await workspace(context, { files: { latin: Buffer.from('caf\xe9', 'latin1'), nul: 'a\0b' } });
  const tree = await made.tree();
  assert.match(tree['latin'] ?? '', /^sha256:[0-9a-f]{64}$/);
  assert.match(tree['nul'] ?? '', /^sha256:/);
  await made.write('latin', Buffer.from('caf\xe8', 'latin1'));
  assert.notEqual((await made.tree())['latin'], tree['latin']);
});

test('a repository has everything in one commit, the same for the same files', async (context) => {
  const made = await workspace(context, { files, git: true });
  assert.equal(await made.git('status', '--porcelain'), '');
  assert.equal((await made.git('rev-list', '--count', 'HEAD')).trim(), '1');
  assert.equal((await made.git('branch', '--show-current')).trim(), 'main');
  const twin = await workspace(context, { files, git: true });
  assert.equal(await made.git('rev-parse', 'HEAD'), await twin.git('rev-parse', 'HEAD'));
  assert.ok(!Object.keys(await made.tree()).some((path) => path.startsWith('.git')));
});

test('an empty repository has a commit too, and commands in it need no identity', async (context) => {
  const made = await workspace(context, { git: true });
  await made.write('a', 'b');
  await made.git('add', 'a');
  await made.git('commit', '--quiet', '--message=more');
  assert.equal((await made.git('log', '--format=%an <%ae>', '-1')).trim(), 'Reins Test <test@reins.invalid>');
});

test('Git that fails says why', async (context) => {
  const made = await workspace(context, { git: true });
  await assert.rejects(made.git('switch', 'nowhere'), /git switch nowhere: exit 128: fatal: /);
});

test('disposing removes everything, also what is there no more', async () => {
  const made = await temporaryWorkspace({ files });
  await made.dispose();
  assert.ok(!existsSync(made.path));
  await made.dispose();
});

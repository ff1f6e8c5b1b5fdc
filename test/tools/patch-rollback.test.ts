import assert from 'node:assert/strict';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { patchTool } from '../../src/tools/builtin/patch/index.ts';
import { readTool } from '../../src/tools/builtin/read/index.ts';
import type { Files } from '../../src/tools/index.ts';
import { patchRead, wrapped } from './patch-files.ts';
import { toolSession, type SessionOptions } from './session.ts';

const session = (options: SessionOptions) => toolSession({ tools: [readTool, patchTool], ...options });

describe('a patch that is refused while it is written leaves nothing behind', () => {
  const files = { a: 'one\n', b: 'two\n', c: 'three\n', d: 'four\n' };
  const lines = [
    '*** Delete File: c\n*** Update File: a\n@@\n-one\n+1\n*** Add File: n/new\n+n',
    '*** Update File: b\n@@\n-two\n+2\n*** Delete File: d',
  ];
  const before = { a: 'one\n', b: 'two\n', c: 'three\n', d: 'four\n' };

  test('a file that something else changes meanwhile', async () => {
    await using open = await session({
      files,
      wrap: (inner) => ({
        ...inner,
        write: async (path, bytes, expected) => {
          if (path.endsWith('/b')) await appendFile(path, 'foreign\n');
          return inner.write(path, bytes, expected);
        },
      }),
    });
    const result = await patchRead(open, Object.keys(files), ...lines);
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /^b: its content has changed meanwhile\. The patch was stopped there\./);
    assert.match(result.text, /put back as it was: n\/new, a /);
    assert.match(result.text, /No content is changed/);
    assert.equal(result.changes, undefined);
    assert.equal(result.mayHaveChanged, undefined);
    assert.deepEqual(await open.workspace.tree(), { ...before, b: 'two\nforeign\n', n: '/' });
  });

  const failing = (fails: (path: string) => boolean, what: 'write' | 'remove', error: () => { refused: string }) =>
    ((inner) => ({
      ...inner,
      [what]: async (path: string, ...rest: never[]) =>
        fails(path) ? error() : (inner[what] as (...args: unknown[]) => Promise<unknown>)(path, ...rest),
    })) as (inner: Files) => Files;

  test('a full disk, at every file in turn', async () => {
    for (const [path, what] of [
      ['/a', 'write'],
      ['/new', 'write'],
      ['/b', 'write'],
      ['/c', 'remove'],
      ['/d', 'remove'],
    ] as const) {
      let failed = false;
      const once = (candidate: string) => {
        if (failed || !candidate.endsWith(path)) return false;
        failed = true;
        return true;
      };
      const wrap = failing(once, what, () => ({ refused: 'there is no room left on the disk' }));
      await using open = await session({ files, wrap });
      const result = await patchRead(open, Object.keys(files), ...lines);
      assert.equal(result.outcome, 'error');
      assert.match(result.text, /there is no room left on the disk/);
      assert.equal(/made anew, with default permissions: c\./.test(result.text), path === '/d');
      assert.equal(/put back as it was: \S/.test(result.text), path !== '/a');
      assert.equal(result.text.split('\n').length, { '/a': 2, '/d': 4 }[path as string] ?? 3);
      assert.equal(result.changes, undefined);
      const { n: _folder, ...tree } = await open.workspace.tree();
      assert.deepEqual(tree, before, path);
      // What was known is known still.
      assert.equal((await patchRead(open, [], ...lines)).outcome, 'ok');
    }
  });

  test('an error that is thrown', async () => {
    const wrap = failing(
      (path) => path.endsWith('/d'),
      'remove',
      () => {
        throw new Error('broken');
      },
    );
    await using open = await session({ files, wrap });
    const result = await patchRead(open, Object.keys(files), ...lines);
    assert.match(result.text, /^d: broken\. The patch was stopped there\./);
    const { n: _folder, ...tree } = await open.workspace.tree();
    assert.deepEqual(tree, before);
  });

  test('what can’t be put back is named, with its hashes in the record', async () => {
    await using open = await session({
      files,
      wrap: (inner) => ({
        ...inner,
        write: async (path, bytes, expected) => {
          // Something else changes what the patch has just written.
          if (path.endsWith('/b')) await writeFile(path.replace(/b$/, 'a'), 'foreign\n');
          return path.endsWith('/b') ? { refused: 'it is read-only (mode 444)' } : inner.write(path, bytes, expected);
        },
      }),
    });
    const result = await patchRead(open, Object.keys(files), ...lines);
    assert.equal(result.outcome, 'error');
    assert.match(result.text, /NOT put back: a isn’t what it was, since its content has changed meanwhile\./);
    assert.match(result.text, /put back as it was: n\/new/);
    assert.deepEqual(
      result.changes?.map(({ path, before: hash, after }) => [path, hash === after, after === null]),
      [['a', false, false]],
    );
    const { n: _folder, ...tree } = await open.workspace.tree();
    assert.deepEqual(tree, { ...before, a: 'foreign\n' });
  });

  test('a file that has gone since it was planned', async () => {
    await using open = await session({
      files,
      wrap: (inner) => ({
        ...inner,
        remove: async (path, expected) => {
          if (path.endsWith('/d')) await rm(path);
          return inner.remove(path, expected);
        },
      }),
    });
    const result = await patchRead(open, Object.keys(files), ...lines);
    assert.match(result.text, /^d: it is gone by now/);
    const { n: _folder, ...tree } = await open.workspace.tree();
    const { d: _gone, ...others } = before;
    assert.deepEqual(tree, others);
  });

  test('a cancel between two files', async () => {
    await using open = await session({
      files,
      wrap: (inner) => ({
        ...inner,
        write: async (path, bytes, expected) => {
          if (path.endsWith('/a')) open.cancel();
          return inner.write(path, bytes, expected);
        },
      }),
    });
    for (const path of ['a', 'b', 'c', 'd']) await open.call('read', { path });
    await open.reply([['apply_patch', { patch: wrapped(...lines) }]]);
    await open.run();
    const result = open.results().at(-1);
    assert.equal(result?.outcome, 'cancelled');
    assert.match(
      result.text,
      /new: the call was ended before it\. The patch was stopped there\.\nWritten before and put back as it was: a /,
    );
    assert.deepEqual(await open.workspace.tree(), before);
  });

  test('a cancel before the first write', async () => {
    await using open = await session({
      files,
      wrap: (inner) => ({
        ...inner,
        read: async (path) => {
          if (path.endsWith('/d')) open.cancel();
          return inner.read(path);
        },
      }),
    });
    await open.reply([['apply_patch', { patch: wrapped('*** Update File: d', '*** Move to: e') }]]);
    await open.run();
    const [result] = open.results();
    assert.equal(result?.outcome, 'cancelled');
    assert.deepEqual(await open.workspace.tree(), before);
  });
});

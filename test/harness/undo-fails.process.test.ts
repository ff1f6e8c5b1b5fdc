import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { read, shell, write } from '../support/calls.ts';
import { undoGround } from './undo-ground.ts';

const stateOf = (home: string) => join(home, '.local', 'state', 'reins');

describe('a store that can’t be written', () => {
  test('keeps calls from being run, says why and what to do, and lets reading go on', async (context) => {
    const ground = await undoGround(context);
    ground.put('a.txt', 'alpha\n');
    mkdirSync(stateOf(ground.home), { recursive: true });
    writeFileSync(join(stateOf(ground.home), 'checkpoints'), 'in the way');
    await ground.work([
      { calls: [shell('echo b > a.txt')] },
      { calls: [write('n.txt', 'n')] },
      { calls: [read('a.txt')] },
    ]);
    const results = (await ground.events()).flatMap((event) => (event.kind === 'result' ? [event.data] : []));
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['error', 'error', 'ok'],
    );
    for (const { text } of results.slice(0, 2)) assert.match(text, /Nothing was run.*kept.*checkpoints/s);
    assert.deepEqual([...ground.files()], [['a.txt', 'file 644 alpha\n']]);
  });

  test('because the disk is full costs nothing but the calls, and what was kept before stands', async (context) => {
    const ground = await undoGround(context);
    const store = join(stateOf(ground.home), 'checkpoints');
    mkdirSync(store, { recursive: true });
    const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', store]).status === 0;
    if (!isMounted) return context.skip('no file system can be mounted here');
    try {
      ground.put('a.txt', 'alpha\n');
      await ground.work([{ calls: [shell('echo b > a.txt')] }]);
      spawnSync('sh', ['-c', 'cat /dev/zero > "$1/fill"', 'sh', store]);
      ground.put('noise', Buffer.from(Array.from({ length: 400_000 }, (_, n) => (n * 2_654_435_761) % 251)));
      await ground.resume([{ calls: [shell('echo c > a.txt')] }, { calls: [read('a.txt')] }]);
      const last = (await ground.events()).flatMap((event) => (event.kind === 'result' ? [event.data] : [])).slice(-2);
      assert.deepEqual(
        last.map(({ outcome }) => outcome),
        ['error', 'ok'],
      );
      assert.match(last[0]?.text ?? '', /Nothing was run.*ENOSPC/s);
      await assert.rejects(ground.undo(), { code: 'state-unwritable' });
      assert.equal(ground.text('a.txt'), 'b\n');
      rmSync(join(store, 'fill'));
      assert.deepEqual((await ground.undo()).kept, []);
      assert.equal(ground.text('a.txt'), 'alpha\n');
    } finally {
      spawnSync('umount', ['-l', store]);
    }
  });
});

describe('a call that was cut off', () => {
  test('and could write only one file leaves everything else as it is', async (context) => {
    const ground = await undoGround(context);
    ground.put('other.txt', 'other\n');
    const run = await ground.work([{ calls: [write('new.txt', 'new\n')] }]);
    const lines = readFileSync(run.log, 'utf8').split('\n');
    const start = lines.findIndex((line) => line.includes('"kind":"start"'));
    writeFileSync(run.log, `${lines.slice(0, start + 1).join('\n')}\n`);
    ground.put('other.txt', 'mine\n');
    ground.put('late.txt', 'late\n');
    assert.deepEqual(
      (await ground.undo()).changes.map(({ path }) => path),
      ['new.txt'],
    );
    assert.deepEqual([...ground.files().keys()].toSorted(), ['late.txt', 'other.txt']);
    assert.equal(ground.text('other.txt'), 'mine\n');
    await ground.redo();
    const more = await ground.resume([{ calls: [shell('echo x > x.txt')] }]);
    assert.ok(more.resumable || more.outcome === 'completed');
    ground.put('other.txt', 'still mine\n');
    await ground.undo({ all: true });
    assert.deepEqual([...ground.files().keys()].toSorted(), ['late.txt', 'other.txt']);
    assert.equal(ground.text('other.txt'), 'still mine\n');
  });
});

test('what the snapshots of another session need goes with it alone, and the refusal says so', async (context) => {
  const ground = await undoGround(context);
  ground.put('a.txt', 'a\n');
  const first = await ground.work([{ calls: [shell('echo b > a.txt')] }]);
  const store = join(stateOf(ground.home), 'checkpoints');
  const [name = ''] = spawnSync('ls', [store], { encoding: 'utf8' }).stdout.split('\n');
  const record = join(store, name, 'sessions', `${first.session}.jsonl`);
  renameSync(record, `${record}.aside`);
  await assert.rejects(ground.undo(), { code: 'blob-missing' });
  assert.equal(ground.text('a.txt'), 'b\n');
  renameSync(`${record}.aside`, record);
  await ground.undo();
  assert.equal(ground.text('a.txt'), 'a\n');
});

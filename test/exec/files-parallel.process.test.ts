import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFiles } from '../../src/exec/index.ts';
import { makeFolder } from './workbench.ts';

const writers = ['a', 'b', 'c', 'd', 'e'];
const rounds = 50;
const length = 150_000;

/** A process that puts its own letter over the whole file whenever it is told to, against whatever the others do. */
const writerScript = `
  import { createFiles } from ${JSON.stringify(new URL('../../src/exec/index.ts', import.meta.url).href)};
  const [workspace, letter] = process.argv.slice(2);
  const files = createFiles({ workspace });
  const path = workspace + '/f';
  process.on('message', async () => {
    const refusals = [];
    for (;;) {
      const state = await files.read(path);
      const hash = 'refused' in state ? state : await files.write(path, Buffer.alloc(${length}, letter), state.hash);
      if (typeof hash === 'string') break;
      refusals.push(hash.refused);
    }
    process.send(refusals);
  });
  process.send([]);
`;

test('five processes that write one file at once never tear it, 50 times', async (t) => {
  const workspace = makeFolder(t);
  const script = join(makeFolder(t), 'writer.mjs');
  writeFileSync(script, writerScript);
  const path = join(workspace, 'f');
  writeFileSync(path, 'x'.repeat(length));
  const children = writers.map((letter) => fork(script, [workspace, letter], { stdio: 'inherit' }));
  t.after(() => children.forEach((child) => child.kill('SIGKILL')));
  await Promise.all(children.map(answerOf));

  let looks = 0;
  for (let round = 0; round < rounds; round++) {
    const answers = children.map(answerOf);
    for (const child of children) child.send('go');
    const progress = { isDone: false };
    const all = Promise.all(answers).finally(() => (progress.isDone = true));
    while (!progress.isDone) {
      assertWhole(path);
      looks += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const refusal of (await all).flat()) assert.match(refusal, /its content has changed meanwhile|gone by now/);
    assertWhole(path);
    assert.deepEqual(readdirSync(workspace), ['f'], `round ${round}`);
  }
  assert.ok(looks > rounds, 'the file was looked at while it was written');
});

async function answerOf(child: ChildProcess): Promise<string[]> {
  const [answer] = (await once(child, 'message')) as [string[]];
  return answer;
}

/** Every byte is of one writer, and none is missing. */
function assertWhole(path: string): void {
  const bytes = readFileSync(path);
  assert.equal(bytes.length, length);
  assert.ok(bytes.equals(Buffer.alloc(length, bytes[0])), 'the file holds bytes of several writers');
}

test('10,000 writes leave the files and nothing beside them', async (t) => {
  // In memory where the system offers that: waiting for a disk proves nothing here.
  const workspace = makeFolder(t, {}, existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
  const files = createFiles({ workspace });
  const names = Array.from({ length: 25 }, (_, index) => `f${index}`);
  await Promise.all(
    names.map(async (name) => {
      const path = join(workspace, name);
      let expected: string | null = null;
      for (let count = 1; count <= 10_000 / names.length; count++) {
        const hash: string | { refused: string } = await files.write(path, Buffer.from(`edit ${count}\n`), expected);
        assert.ok(typeof hash === 'string', JSON.stringify(hash));
        expected = hash;
      }
      assert.equal(readFileSync(path, 'utf8'), 'edit 400\n');
    }),
  );
  assert.deepEqual(readdirSync(workspace).toSorted(), names.toSorted());
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { storeFor } from '../../src/harness/checkpoints.ts';
import { read, write } from '../support/calls.ts';
import { undoGround } from './undo-ground.ts';

test('a run that only reads is looked at once, however many turns it takes and whatever others change meanwhile', async (t) => {
  const ground = await undoGround(t);
  ground.put('a.txt', 'a\n');
  ground.put('b.txt', 'b\n');
  const turns = Array.from({ length: 6 }, (_, at) => ({ calls: [read(at % 2 === 0 ? 'a.txt' : 'b.txt')] }));
  let changes = 0;
  const { session } = await ground.work(turns, {
    onEvent: ({ kind }) => {
      if (kind === 'result') writeFileSync(join(ground.workspace, 'theirs.txt'), `${(changes += 1)}\n`);
    },
  });
  assert.equal(changes, 6);
  const looks = await snapshotsOf(ground, session);
  assert.ok(looks <= 1, `${looks} snapshots`);
});

test('a run that changes something has a snapshot before and after it', async (t) => {
  const ground = await undoGround(t);
  ground.put('a.txt', 'a\n');
  const { session } = await ground.work([{ calls: [write('new.txt', 'new\n')] }]);
  assert.ok((await snapshotsOf(ground, session)) >= 2);
});

async function snapshotsOf(ground: Awaited<ReturnType<typeof undoGround>>, session: string): Promise<number> {
  const store = await storeFor(ground.env, ground.workspace, session);
  try {
    return (await store.list(session)).length;
  } finally {
    await store.close();
  }
}

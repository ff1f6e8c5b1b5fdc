import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { newSession, reopen } from './sessions.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function newBlobs(t: TestContext) {
  const { session } = await newSession(t);
  const folder = join(session.folder, 'blobs');
  return { blobs: session.blobs, folder, names: () => readdirSync(folder).sort() };
}

describe('blobs', () => {
  test('are kept under their hash, once, for their owner alone', async (t) => {
    const { blobs, folder, names } = await newBlobs(t);
    const kept = await Promise.all(['a', 'b', 'a', ''].map((text) => blobs.put(Buffer.from(text))));
    assert.deepEqual(kept, ['a', 'b', 'a', ''].map(sha256));
    assert.deepEqual(names(), [...new Set(kept)].sort());
    for (const name of names()) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    assert.deepEqual(await blobs.get(sha256('a')), Buffer.from('a'));
    assert.deepEqual(await blobs.get(sha256('')), Buffer.alloc(0));
  });

  test('that are missing, changed or impossible are named', async (t) => {
    const { blobs, folder } = await newBlobs(t);
    await assert.rejects(blobs.get(sha256('a')), { code: 'blob-missing' });
    await assert.rejects(blobs.get('../log.jsonl'), { code: 'blob-missing', message: /can’t be the name/ });
    writeFileSync(join(folder, sha256('a')), 'b');
    await assert.rejects(blobs.get(sha256('a')), { code: 'blob-missing', message: /other bytes/ });
    assert.equal(await blobs.has(sha256('a')), false);
  });

  test('that were changed are made whole by keeping them again', async (t) => {
    const { blobs, folder } = await newBlobs(t);
    writeFileSync(join(folder, sha256('a')), 'b');
    await blobs.put(Buffer.from('a'));
    assert.deepEqual(await blobs.get(sha256('a')), Buffer.from('a'));
  });

  test('can be written piece by piece', async (t) => {
    const { blobs, names } = await newBlobs(t);
    const writer = blobs.writer();
    for (const piece of ['one ', '', 'two']) writer.write(Buffer.from(piece));
    assert.equal(writer.bytes, 7);
    assert.equal(await writer.finish(), sha256('one two'));
    assert.deepEqual(await blobs.get(sha256('one two')), Buffer.from('one two'));
    writer.abandon();
    assert.deepEqual(names(), [sha256('one two')]);
  });

  test('that a killed process left half-made are cleared when the session is opened again', async (t) => {
    const { state, session } = await newSession(t);
    const kept = await session.blobs.put(Buffer.from('kept'));
    session.blobs.writer().write(Buffer.from('half'));
    assert.equal(readdirSync(join(session.folder, 'blobs')).length, 2);
    await session.close();
    await reopen(t, state, session.id);
    assert.deepEqual(readdirSync(join(session.folder, 'blobs')), [kept]);
  });

  test('that are given up leave nothing', async (t) => {
    const { blobs, names } = await newBlobs(t);
    const writer = blobs.writer();
    writer.write(Buffer.from('text'));
    writer.abandon();
    writer.abandon();
    assert.deepEqual(names(), []);
  });
});

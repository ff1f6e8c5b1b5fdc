import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { verify } from '../../src/session/index.ts';
import { appendAll, input, linesOf, newSession, requestDraft, reopen, writeLines } from './sessions.ts';

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

async function written(t: TestContext) {
  const { state, session, file } = await newSession(t);
  const blob = await session.blobs.put(Buffer.from('output'));
  const body = '{"messages":[]}';
  const request = { fingerprint: sha256(body), base: null, kept: 0, tail: body, bytes: body.length };
  await appendAll(session, [
    input('one'),
    requestDraft(request),
    { kind: 'result', data: { call: 'a/0', tool: 'shell', outcome: 'ok', text: 'out', blob } },
    input('two'),
  ]);
  await session.close();
  return { state, id: session.id, folder: session.folder, file, lines: linesOf(file), blob };
}

const edit = (line: Buffer, from: string, to: string): Buffer => Buffer.from(line.toString().replace(from, to));

describe('verification', () => {
  test('finds nothing in a whole log and gives its head', async (t) => {
    const { folder, lines } = await written(t);
    assert.deepEqual(await verify(folder), { lines: 5, findings: [], head: sha256(lines[4]!) });
  });

  test('names the line that isn’t what its follower was chained to', async (t) => {
    const { folder, file, lines } = await written(t);
    writeLines(file, lines.with(1, edit(lines[1]!, 'one', 'onE')));
    assert.deepEqual((await verify(folder)).findings, [{ line: 3, what: 'line 2 isn’t the one it was chained to' }]);
    writeLines(file, lines.toSpliced(1, 1));
    assert.deepEqual((await verify(folder)).findings, [{ line: 2, what: 'line 1 isn’t the one it was chained to' }]);
    writeLines(file, lines.slice(1));
    assert.match((await verify(folder)).findings[0]!.what, /chained to a line before it, and is the first/);
  });

  test('names damage; what was written behind it is chained to the damaged bytes', async (t) => {
    const { state, id, folder, file } = await written(t);
    appendFileSync(file, '{"id":"half');
    assert.deepEqual((await verify(folder)).findings, [
      { line: 6, what: 'half a line' },
      { line: 6, what: 'no newline at its end: torn, or being written now' },
    ]);
    await appendAll(await reopen(t, state, id), [input('three')]);
    assert.deepEqual((await verify(folder)).findings, [{ line: 6, what: 'half a line' }]);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"half', '"ha1f'));
    assert.deepEqual((await verify(folder)).findings[1], { line: 7, what: 'line 6 isn’t the one it was chained to' });
  });

  test('says of a salvaged record that nothing proves it', async (t) => {
    const { folder, file, lines } = await written(t);
    writeLines(file, [lines[0]!, Buffer.concat([lines[1]!.subarray(0, 70), lines[2]!]), lines[3]!, lines[4]!]);
    const { findings } = await verify(folder);
    assert.deepEqual(
      findings.map(({ line }) => line),
      [2, 2, 3],
    );
    assert.match(findings[1]!.what, /used but not chained/);
  });

  test('names a request whose bytes aren’t those that were sent', async (t) => {
    const { folder, file, lines } = await written(t);
    writeLines(file, lines.with(2, edit(lines[2]!, 'messages', 'messageS')));
    assert.deepEqual(
      (await verify(folder)).findings.map(({ line }) => line),
      [3, 4],
    );
  });

  test('names a blob that is gone or changed', async (t) => {
    const { folder, blob } = await written(t);
    writeFileSync(join(folder, 'blobs', blob), 'forged');
    const { findings } = await verify(folder);
    assert.deepEqual(
      findings.map(({ line }) => line),
      [4],
    );
    assert.match(findings[0]!.what, new RegExp(blob));
  });

  test('tells where a head that was kept elsewhere stands', async (t) => {
    const { state, id, folder, file, lines } = await written(t);
    const { head } = await verify(folder);
    assert.deepEqual((await verify(folder, head!)).given, { line: 5, after: 0 });
    await appendAll(await reopen(t, state, id), [input('three')]);
    assert.deepEqual((await verify(folder, head!)).given, { line: 5, after: 1 });
    writeLines(file, lines.slice(0, 4));
    assert.equal((await verify(folder, head!)).given, null, 'lines were cut off at the end');
    assert.deepEqual((await verify(folder)).findings, [], 'which nothing but the kept head can show');
  });

  test('an empty log has no head', async (t) => {
    const { folder, file } = await written(t);
    writeFileSync(file, '');
    assert.deepEqual(await verify(folder, 'x'), { lines: 0, findings: [], head: null, given: null });
  });
});

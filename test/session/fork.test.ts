import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { logFormat, type Draft, type Event } from '../../src/core/index.ts';
import { fork, pathOf, rebuildRequest, scan, sessionFolder, verify } from '../../src/session/index.ts';
import { appendAll, eventsOf, input, linesOf, newSession, reopen, requestDraft, writeLines } from './sessions.ts';

const request = (text: string, base: string | null = null, kept = 0): Draft =>
  requestDraft({
    fingerprint: createHash('sha256').update(text).digest('hex'),
    base,
    kept,
    tail: text.slice(kept),
    bytes: text.length,
  });
const at = Date.UTC(2026, 6, 1);
const options = (state: string, session: string) => ({ state, session, reins: '0.2.0', at });

describe('a fork', () => {
  test('holds the path under its own ids, then a head event, in a chain of its own', async (t) => {
    const { state, session, file } = await newSession(t);
    const [one, two, three] = await appendAll(session, ['one', 'two', 'three'].map(input));
    const before = readFileSync(file);
    const id = await fork({ ...options(state, session.id), event: two!.id });

    const folder = sessionFolder(state, id);
    const [root, ...copied] = eventsOf(folder);
    assert.deepEqual(root!.data, {
      format: logFormat,
      reins: '0.2.0',
      workspace: '/work/space',
      parent: { session: session.id, event: two!.id },
    });
    assert.deepEqual(copied.slice(0, 2), [{ ...one, parent: root!.id }, two]);
    const head = copied[2]!;
    assert.deepEqual([head.kind, head.parent, head.data], ['head', two!.id, { from: two!.id, why: 'fork' }]);
    assert.equal(copied.length, 3);
    assert.deepEqual((await verify(folder)).findings, []);
    assert.deepEqual(readFileSync(file), before, 'the source is as it was');
    assert.deepEqual(readdirSync(join(state, 'sessions')).sort(), [session.id, id].sort());
    assert.notEqual(three!.id, head.id);

    const opened = await reopen(t, state, id);
    const [next] = await appendAll(opened, [input('next')]);
    assert.ok(next!.id > head.id && head.id > two!.id);
  });

  test('of the head leaves out what lies on other branches', async (t) => {
    const { state, session } = await newSession(t);
    const [one, left] = await appendAll(session, ['one', 'left'].map(input));
    await appendAll(session, [{ kind: 'head', data: { from: left!.id, why: 'rewind' } }, input('right')], one!.id);
    const id = await fork(options(state, session.id));
    const texts = eventsOf(sessionFolder(state, id)).map(({ kind, data }) => ('text' in data ? data.text : kind));
    assert.deepEqual(texts, ['session', 'one', 'head', 'right', 'head']);
  });

  test('keeps its requests whole, also where their base lies on another branch', async (t) => {
    const { state, session } = await newSession(t);
    const [first, left] = await appendAll(session, [request('abc'), input('left')]);
    const [other] = await appendAll(session, [request('abcdef', first!.id, 3)], left!.id);
    const [right] = await appendAll(session, [request('abcdeg', other!.id, 5)], first!.id);
    const id = await fork({ ...options(state, session.id), event: right!.id });
    const folder = sessionFolder(state, id);
    assert.equal((await rebuildRequest(folder, first!.id)).body.toString(), 'abc');
    assert.equal((await rebuildRequest(folder, right!.id)).body.toString(), 'abcdeg');
    assert.equal(scan(folder).index.has(other!.id), false);
    assert.deepEqual((await verify(folder)).findings, []);
  });

  test('takes along the blobs that its events name, and only those', async (t) => {
    const { state, session } = await newSession(t);
    const named = await session.blobs.put(Buffer.from('named'));
    await session.blobs.put(Buffer.from('not named'));
    const gone = 'f'.repeat(64);
    const result = (blob: string): Draft => ({
      kind: 'result',
      data: { call: 'a/0', tool: 'x', outcome: 'ok', text: '', blob },
    });
    writeFileSync(join(session.folder, 'elsewhere'), 'no blob');
    const shown = await session.blobs.put(Buffer.from('an image'));
    const images = [{ type: 'image' as const, mediaType: 'image/png', blob: shown, bytes: 8 }];
    const said: Draft = { kind: 'input', data: { from: 'user', text: 'look', images } };
    await appendAll(session, [result(named), result(gone), result('../elsewhere'), said]);
    const folder = sessionFolder(state, await fork(options(state, session.id)));
    assert.deepEqual(readdirSync(join(folder, 'blobs')).sort(), [named, shown].sort());
    assert.deepEqual(readdirSync(folder).sort(), ['blobs', 'inbox', 'lock', 'log.jsonl']);
  });

  test('of a fork starts at the fork’s own beginning', async (t) => {
    const { state, session } = await newSession(t);
    await appendAll(session, [input('one')]);
    const first = await fork(options(state, session.id));
    const second = await fork(options(state, first));
    const kinds = eventsOf(sessionFolder(state, second)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['session', 'input', 'head', 'head']);
  });

  test('of a damaged session has what can be read', async (t) => {
    const { state, session, file } = await newSession(t);
    const [one, , three] = await appendAll(session, ['one', 'two', 'three'].map(input));
    await session.close();
    const lines = linesOf(file);
    writeLines(file, [lines[0]!, lines[1]!, lines[2]!.subarray(0, 80), lines[3]!]);
    appendFileSync(file, '{"id":"torn');
    const folder = sessionFolder(state, await fork(options(state, session.id)));
    const written = linesOf(join(folder, 'log.jsonl')).map((line) => JSON.parse(line.toString()) as Event);
    const idsBefore = written.slice(0, -1).map(({ id }) => id);
    assert.deepEqual(
      written.map(({ parent }) => parent),
      [null, ...idsBefore],
    );
    assert.deepEqual(
      eventsOf(folder)
        .slice(1, 3)
        .map(({ id }) => id),
      [one!.id, three!.id],
    );
    assert.deepEqual((await verify(folder)).findings, []);
    assert.equal(pathOf(scan(folder)).size, 4);
  });

  test('needs a workspace from elsewhere where the source’s own line is lost', async (t) => {
    const { state, session, file } = await newSession(t);
    await appendAll(session, [input('one')]);
    await session.close();
    writeLines(file, linesOf(file).with(0, Buffer.from('lost')));
    await assert.rejects(fork(options(state, session.id)), { code: 'log-damaged' });
    const id = await fork({ ...options(state, session.id), workspace: '/elsewhere' });
    assert.equal(scan(sessionFolder(state, id)).session?.workspace, '/elsewhere');
  });

  test('from an event that isn’t there leaves nothing behind', async (t) => {
    const { state, session } = await newSession(t);
    await assert.rejects(fork({ ...options(state, session.id), event: 'nothing' }), { code: 'item-unknown' });
    await assert.rejects(fork(options(state, 'nothing')), { code: 'session-missing' });
    assert.deepEqual(readdirSync(join(state, 'sessions')), [session.id]);
  });
});

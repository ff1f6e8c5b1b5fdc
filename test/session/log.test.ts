import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { logFormat, type Draft } from '../../src/core/index.ts';
import { createSession, readLog, readEntries, verify } from '../../src/session/index.ts';
import { testLogContract } from '../contracts/log.ts';
import {
  appendAll,
  damageOf,
  eventsOf,
  failingDisk,
  input,
  linesOf,
  newSession,
  reopen,
  start,
  temporaryState,
} from './sessions.ts';

testLogContract('the log on disk', async () => {
  const state = mkdtempSync(join(tmpdir(), 'reins-session-'));
  const { openHandle, limits } = failingDisk();
  const session = await createSession(state, start, openHandle);
  return {
    log: session,
    read: () => eventsOf(session.folder),
    failNext: () => void (limits.bytes = 0),
    async close() {
      await session.close();
      rmSync(state, { recursive: true });
    },
  };
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the file of a log', () => {
  test('a new session is on disk with its first event, for its owner alone', async (t) => {
    const { state, session, file } = await newSession(t);
    assert.match(session.id, /^20260102-030405-[0-9a-z]{6}$/);
    const [first, ...more] = eventsOf(session.folder);
    assert.deepEqual(more, []);
    assert.deepEqual(first?.data, { format: logFormat, reins: '0.1.0', workspace: '/work/space' });
    assert.equal(first?.parent, null);
    assert.deepEqual(readdirSync(session.folder).sort(), ['blobs', 'holder', 'inbox', 'lock', 'log.jsonl']);
    for (const folder of [join(state, 'sessions'), session.folder, join(session.folder, 'inbox')]) {
      assert.equal(modeOf(folder), '700', folder);
    }
    for (const name of ['lock', 'holder', 'log.jsonl']) assert.equal(modeOf(join(session.folder, name)), '600', name);
    assert.equal(file, join(session.folder, 'log.jsonl'));
  });

  test('a line has its keys in a fixed order and the hash of the line before', async (t) => {
    const { session, file } = await newSession(t);
    const [event] = await appendAll(session, [input('a\u2028b\ud800')]);
    const [first, second] = linesOf(file);
    const prev = sha256(first!);
    assert.match(
      first!.toString(),
      /^\{"id":"[0-9a-z]{16}","parent":null,"at":1767323045000,"kind":"session",.*,"prev":null\}$/,
    );
    assert.equal(
      second!.toString(),
      `{"id":"${event!.id}","parent":"${event!.parent}","at":${start.at},"kind":"input","data":{"from":"user","text":"a\u2028b\\ud800"},"prev":"${prev}"}`,
    );
  });

  test('the chain goes on over a reopening, and over a last line without newline', async (t) => {
    const { state, session, file } = await newSession(t);
    await session.close();
    appendFileSync(file, '{"id":"torn');
    const again = await reopen(t, state, session.id);
    assert.equal(readFileSync(file, 'utf8').endsWith('torn'), true, 'opening alone changes nothing');
    await appendAll(again, [input('next')]);
    const [, torn, next] = linesOf(file);
    assert.equal(torn!.toString(), '{"id":"torn');
    assert.equal(JSON.parse(next!.toString()).prev, sha256(torn!));
    assert.deepEqual(damageOf(session.folder), [{ damage: 'half a line', line: 2, bytes: 11 }]);
  });

  test('a whole last line without newline is an event', async (t) => {
    const { state, session, file } = await newSession(t);
    await appendAll(session, [input('whole')]);
    await session.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, -1));
    const again = await reopen(t, state, session.id);
    await appendAll(again, [input('next')]);
    assert.deepEqual(readFileSync(file).subarray(0, bytes.length), bytes);
    assert.equal(eventsOf(session.folder).length, 3);
    assert.deepEqual(damageOf(session.folder), []);
  });

  test('an emptied log can be gone on with', async (t) => {
    const { state, session, file } = await newSession(t);
    await session.close();
    writeFileSync(file, '');
    const again = await reopen(t, state, session.id);
    const [event] = await appendAll(again, [input('again')]);
    assert.equal(event?.parent, null);
    assert.deepEqual(eventsOf(session.folder), [event]);
  });

  test('where its events stand can be let go of, and the session goes on', async (t) => {
    const { state, session } = await newSession(t);
    await appendAll(session, [input('one'), input('two')]);
    await session.close();
    const again = await reopen(t, state, session.id);
    again.forgetPlaces();
    const { ids, index, head } = again.skeleton;
    assert.deepEqual([ids.length, index.size, again.skeleton.session?.workspace], [0, 0, start.workspace]);
    await appendAll(again, [input('three')], head);
    assert.deepEqual((await verify(again.folder)).findings, []);
    assert.equal(eventsOf(again.folder).length, 4);
  });

  test('entries carry the place of each event in the file', async (t) => {
    const { session, file } = await newSession(t);
    await appendAll(session, [input('é'), input('two')]);
    const bytes = readFileSync(file);
    for (const { item, offset, bytes: length } of readEntries(session.folder)) {
      const found = JSON.parse(bytes.subarray(offset, offset + length).toString());
      assert.equal('id' in item && item.id, found.id);
    }
  });
});

describe('a draft that can’t be recorded', () => {
  const circular: { [key: string]: unknown } = {};
  circular['self'] = circular;
  const cases: [string, object][] = [
    ['a circle', { kind: 'hook', data: circular }],
    ['a missing field', { kind: 'input', data: { from: 'user' } }],
    ['a number that JSON doesn’t have', { kind: 'start', data: { call: NaN, tool: 'x' } }],
    ['an unknown kind', { kind: 'dream', data: {} }],
    ['no data', { kind: 'hook' }],
    ['a time that is none', { ...input(''), at: NaN }],
    ['a parent that is none', { ...input(''), parent: 'a"b' }],
  ];
  for (const [name, draft] of cases) {
    test(`${name} is refused as a defect, and the log stays whole`, async (t) => {
      const { session, file } = await newSession(t);
      const before = readFileSync(file);
      const append = session.append({ parent: null, at: 1, ...(draft as Draft) });
      await assert.rejects(append, { code: 'defect' });
      assert.deepEqual(readFileSync(file), before);
      await appendAll(session, [input('goes on')]);
    });
  }
});

describe('a disk that fails', () => {
  test('short writes are carried on until the line is whole', async (t) => {
    const { openHandle, limits } = failingDisk();
    limits.piece = 7;
    const { session } = await newSession(t, temporaryState(t), openHandle);
    const events = await appendAll(session, [input('a'.repeat(100)), input('b')]);
    assert.deepEqual(eventsOf(session.folder).slice(1), events);
  });

  test('a full disk stops the log with a named error, and the torn line costs nothing else', async (t) => {
    const { openHandle, limits } = failingDisk();
    const { state, session, file } = await newSession(t, temporaryState(t), openHandle);
    const [kept] = await appendAll(session, [input('kept')]);
    limits.bytes = 60;
    const failing = session.append({ parent: kept!.id, at: 1, ...input('lost') });
    await assert.rejects(failing, (error: Error & { code?: string }) => {
      assert.equal(error.code, 'log-append-failed');
      assert.ok(error.message.includes(file) && error.message.includes('ENOSPC'), error.message);
      return true;
    });
    limits.bytes = Infinity;
    await assert.rejects(session.append({ parent: kept!.id, at: 1, ...input('later') }), { code: 'log-append-failed' });
    await session.close();
    const torn = readFileSync(file);
    const again = await reopen(t, state, session.id);
    assert.equal(again.skeleton.head, kept!.id);
    const [next] = await appendAll(again, [input('next')]);
    assert.deepEqual(readFileSync(file).subarray(0, torn.length), torn);
    assert.deepEqual(eventsOf(session.folder).slice(1), [kept, next]);
    assert.deepEqual(
      damageOf(session.folder).map(({ damage, bytes }) => [damage, bytes]),
      [['half a line', 60]],
    );
  });

  test('a failed sync stops the log too', async (t) => {
    const { openHandle, limits } = failingDisk();
    const { session } = await newSession(t, temporaryState(t), openHandle);
    await appendAll(session, [input('a')]);
    limits.syncFails = true;
    await assert.rejects(session.sync(), { code: 'log-append-failed' });
    limits.syncFails = false;
    await assert.rejects(session.sync(), { code: 'log-append-failed' });
    await assert.rejects(session.append({ parent: null, at: 1, ...input('b') }), { code: 'log-append-failed' });
  });

  test('sync asks the disk only when something is new', async (t) => {
    const { openHandle, limits } = failingDisk();
    const { session } = await newSession(t, temporaryState(t), openHandle);
    const before = limits.syncs;
    await session.sync();
    assert.equal(limits.syncs, before);
    await appendAll(session, [input('a'), input('b')]);
    await Promise.all([session.sync(), session.sync()]);
    await session.sync();
    assert.equal(limits.syncs, before + 1);
  });

  test('an event appended while a sync is under way is synced by the next', async (t) => {
    const { openHandle, limits } = failingDisk();
    const { session } = await newSession(t, temporaryState(t), openHandle);
    const before = limits.syncs;
    await appendAll(session, [input('a')]);
    const first = session.sync();
    const appending = session.append({ parent: null, at: 1, ...input('b') });
    await Promise.all([first, appending, session.sync()]);
    assert.equal(limits.syncs, before + 2);
  });

  test('a session can’t be made where a file is in the way', async (t) => {
    const state = temporaryState(t);
    writeFileSync(join(state, 'sessions'), '');
    await assert.rejects(createSession(state, start), { code: 'state-unwritable' });
  });

  test('a log that is gone is named', async (t) => {
    const { session, file } = await newSession(t);
    await session.close();
    rmSync(file);
    assert.throws(() => [...readLog(session.folder)], { code: 'session-missing' });
  });
});

describe('a closed session', () => {
  test('refuses events, closes twice, and can be opened again', async (t) => {
    const { state, session } = await newSession(t);
    await session.close();
    await session.close();
    await assert.rejects(session.append({ parent: null, at: 1, ...input('') }), { code: 'log-append-failed' });
    await reopen(t, state, session.id);
  });

  test('one that is open can’t be opened a second time, and says who holds it', async (t) => {
    const { state, session } = await newSession(t);
    const again = reopen(t, state, session.id);
    await assert.rejects(again, { code: 'session-busy', message: new RegExp(`Process ${process.pid} holds`) });
  });

  test('one that isn’t there is named', async (t) => {
    await assert.rejects(reopen(t, temporaryState(t), '20260102-030405-abcdef'), { code: 'session-missing' });
    await assert.rejects(reopen(t, temporaryState(t), '../../etc'), { code: 'session-missing' });
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { Event, EventId } from '../../src/core/index.ts';
import { previousBody, rebuildRequest, type Session } from '../../src/session/index.ts';
import { appendAll, input, linesOf, newSession, requestDraft, writeLines } from './sessions.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Records a request as a difference: what it has in common with its base's beginning is kept. */
async function recordRequest(
  session: Session,
  body: Buffer,
  parent: EventId | null,
  base?: { id: EventId; body: Buffer },
): Promise<Event> {
  const before = base?.body ?? Buffer.alloc(0);
  const differs = body.findIndex((byte, at) => byte !== before[at]);
  let kept = differs < 0 ? body.length : differs;
  while (kept > 0 && !isUtf8(body.subarray(0, kept))) kept -= 1;
  const rest = body.subarray(kept);
  const isText = isUtf8(rest) && rest.length < 200;
  const draft = requestDraft({
    fingerprint: sha256(body),
    base: base?.id ?? null,
    kept,
    tail: isText ? rest.toString() : '',
    ...(isText ? {} : { tailBlob: await session.blobs.put(rest) }),
    bytes: body.length,
  });
  return session.append({ parent, at: 1, ...draft });
}

/** Requests that each build on the one before. */
async function recordChain(session: Session, bodies: Buffer[]): Promise<Event[]> {
  const events: Event[] = [];
  for (const [index, body] of bodies.entries()) {
    const before = events.at(-1);
    const base = before && { id: before.id, body: bodies[index - 1]! };
    events.push(await recordRequest(session, body, before?.id ?? session.skeleton.head, base));
  }
  return events;
}

describe('a request is put together again', () => {
  test('byte for byte, whatever the bodies', async (t) => {
    const { state } = await newSession(t);
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
      fc.constant(Buffer.from('é“’'.repeat(100))),
    );
    const step = fc.record({ keep: fc.double({ min: 0, max: 1, noNaN: true }), add: piece });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { session } = await newSession(t, state);
        let body = Buffer.alloc(0);
        const bodies = steps.map(({ keep, add }) => {
          body = Buffer.concat([body.subarray(0, Math.round(keep * body.length)), add]);
          return body;
        });
        const events = await recordChain(session, bodies);
        for (const [index, { id }] of events.entries()) {
          assert.deepEqual((await rebuildRequest(session.folder, id)).body, bodies[index]);
          assert.deepEqual((await rebuildRequest(session.folder, index + 1)).event.id, id);
        }
        assert.deepEqual(await previousBody(session.folder), { id: events.at(-1)!.id, body: bodies.at(-1) });
        await session.close();
      }),
      { numRuns: 20 },
    );
  });

  test('one that isn’t there is named', async (t) => {
    const { session } = await newSession(t);
    const [request] = await recordChain(session, [Buffer.from('{}')]);
    const [other] = await appendAll(session, [input('no request')], request!.id);
    for (const which of [0, 2, -1, 1.5]) {
      await assert.rejects(rebuildRequest(session.folder, which), {
        code: 'usage-arguments',
        message: /the log holds 1/,
      });
    }
    await assert.rejects(rebuildRequest(session.folder, other!.id), { code: 'usage-arguments' });
    await assert.rejects(rebuildRequest(session.folder, 'nothing'), { code: 'item-unknown' });
    assert.deepEqual((await rebuildRequest(session.folder, 1)).body, Buffer.from('{}'));
  });

  test('a lost base is named with its line; what doesn’t need it is still there', async (t) => {
    const { session, file } = await newSession(t);
    const bodies = ['{"a":1}', '{"a":1,"b":2}', '{"a":1,"b":2,"c":3}'].map((text) => Buffer.from(text));
    await recordChain(session, bodies);
    const lines = linesOf(file);
    writeLines(file, lines.with(2, lines[2]!.subarray(0, 150)));
    assert.deepEqual((await rebuildRequest(session.folder, 1)).body, bodies[0]);
    await assert.rejects(rebuildRequest(session.folder, 2), { code: 'log-damaged', message: /line 3 is half a line/ });
    assert.equal(await previousBody(session.folder), undefined);
  });

  test('a missing blob is named', async (t) => {
    const { session } = await newSession(t);
    await recordChain(session, [Buffer.alloc(500, 'x')]);
    rmSync(join(session.folder, 'blobs', sha256(Buffer.alloc(500, 'x'))));
    await assert.rejects(rebuildRequest(session.folder, 1), { code: 'blob-missing' });
    assert.equal(await previousBody(session.folder), undefined);
  });

  test('bytes that aren’t those that were sent are refused', async (t) => {
    const { session, file } = await newSession(t);
    await recordChain(session, [Buffer.from('{"a":1}')]);
    const lines = linesOf(file).map((line) => line.toString().replace('\\"a\\":1', '\\"a\\":2'));
    writeLines(file, lines);
    await assert.rejects(rebuildRequest(session.folder, 1), { code: 'log-damaged' });
  });

  test('a request that names itself or a later one as its base ends with an error', async (t) => {
    const { session, file } = await newSession(t);
    const [first] = await recordChain(session, [Buffer.from('{"a":1}'), Buffer.from('{"a":1,"b":2}')]);
    const lines = linesOf(file).map((line) => line.toString());
    const looped = lines[2]!.replace(`"base":"${first!.id}"`, `"base":"${JSON.parse(lines[2]!).id}"`);
    writeLines(file, [lines[0]!, lines[1]!, looped]);
    await assert.rejects(rebuildRequest(session.folder, 2), { code: 'log-damaged' });
  });

  test('what was sent on another branch is no base for a resumed driver', async (t) => {
    const { session } = await newSession(t);
    const root = session.skeleton.head;
    const first = await recordRequest(session, Buffer.from('one'), root);
    const left = await recordRequest(session, Buffer.from('one two'), first.id, {
      id: first.id,
      body: Buffer.from('one'),
    });
    await appendAll(session, [{ kind: 'head', data: { from: left.id, why: 'rewind' } }], first.id);
    assert.equal((await previousBody(session.folder))?.id, first.id);
  });

  test('without a request there is no previous body', async (t) => {
    const { session } = await newSession(t);
    assert.equal(await previousBody(session.folder), undefined);
    writeFileSync(join(session.folder, 'log.jsonl'), '');
    assert.equal(await previousBody(session.folder), undefined);
  });
});

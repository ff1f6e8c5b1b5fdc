import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { logFormat, type Damage, type Event, type Kind } from '../../src/core/index.ts';
import {
  pathOf,
  readEvent,
  readLog,
  rebuildRequest,
  scan,
  verify,
  type Formats,
  type UpCast,
} from '../../src/session/index.ts';
import { appendAll, eventsOf, input, linesOf, newSession, reopen, writeLines } from './sessions.ts';

for (const format of [1, 2, 3, 4]) testGolden(format);

/** The format in which each kind of event came. */
const since: { readonly [K in Kind]: number } = {
  session: 1,
  setup: 1,
  input: 1,
  cancel: 1,
  request: 1,
  reply: 1,
  failure: 1,
  verdict: 1,
  ask: 1,
  answer: 1,
  hook: 1,
  start: 1,
  result: 1,
  compaction: 1,
  rewrite: 1,
  evidence: 1,
  checkpoint: 1,
  child: 1,
  'child-end': 1,
  job: 1,
  'job-end': 1,
  head: 1,
  notice: 1,
  stop: 1,
  undo: 3,
  aside: 4,
  'aside-end': 4,
  connection: 4,
  'follow-up': 4,
  instructions: 4,
  judgement: 4,
  'own-checks': 4,
  review: 4,
  'review-end': 4,
  title: 4,
};

/** The golden log of a format: written once, and read the same by every later version. */
function testGolden(format: number): void {
  const golden = fileURLToPath(new URL(`../golden/log-format-${format}`, import.meta.url));

  describe(`a log of format ${format}`, () => {
    test('is read as it was when it was written', () => {
      const expected = JSON.parse(readFileSync(join(golden, 'events.json'), 'utf8')) as (Event | Damage)[];
      assert.deepEqual([...readLog(golden)], expected);
    });

    test('holds every kind of event', () => {
      const kinds = new Set(eventsOf(golden).map(({ kind }) => kind));
      const expected = Object.entries(since).flatMap(([kind, first]) => (first <= format ? [kind] : []));
      assert.deepEqual([...kinds].sort(), expected.sort());
    });

    test('keeps its chain, its requests and its blobs', async () => {
      const { findings, lines, head } = await verify(golden);
      assert.deepEqual(findings, []);
      assert.deepEqual(await verify(golden, head!), { findings, lines, head, given: { line: lines, after: 0 } });
      const { body } = await rebuildRequest(golden, 2);
      assert.equal(
        body.toString(),
        '{"messages":[{"role":"user","content":"Fix é"},{"role":"assistant","content":"…"}]}',
      );
    });

    test('has its path and each event by its id', () => {
      const skeleton = scan(golden);
      const events = eventsOf(golden);
      const reply = events.findIndex(({ kind }) => kind === 'reply');
      assert.deepEqual(
        [...pathOf(skeleton)],
        [...events.slice(0, reply + 1), events.at(-1)!].map(({ id }) => id),
      );
      for (const event of events) assert.deepEqual(readEvent(golden, skeleton, event.id), event);
      assert.throws(() => pathOf(skeleton, 'nothing'), { code: 'item-unknown' });
    });
  });
}

test('a setup of format 1 has its settings in neutral words, and a model that can do what all did', () => {
  const golden = fileURLToPath(new URL('../golden/log-format-1', import.meta.url));
  const setup = eventsOf(golden).find(({ kind }) => kind === 'setup');
  assert.ok(setup?.kind === 'setup');
  assert.deepEqual(setup.data.settings, { effort: 'high', thinking: 'adaptive' });
  assert.equal(setup.data.maxOutput, setup.data.limits.outputTokens);
  assert.equal(setup.data.abilities.images, true);
});

const textOf = (data: unknown): string => (data as { text: string }).text;

describe('another format', () => {
  test('an older one is cast up as it is read, line by line, step by step', async (t) => {
    const { session } = await newSession(t);
    await appendAll(session, [input('one')]);
    const say =
      (text: string): UpCast =>
      (line) =>
        line.kind === 'input' ? { ...line, data: { from: 'user', text: `${textOf(line.data)} ${text}` } } : line;
    const later = logFormat + 2;
    const formats: Formats = {
      current: later,
      upCasts: { [logFormat]: say('from 2'), [logFormat + 1]: say('from 3') },
    };
    const texts = [...readLog(session.folder, formats)].map(
      (item) => 'kind' in item && item.kind === 'input' && item.data.text,
    );
    assert.deepEqual(texts, [false, 'one from 2 from 3']);
    const skeleton = scan(session.folder, formats);
    const event = readEvent(session.folder, skeleton, skeleton.head!, formats);
    assert.equal(event.kind === 'input' && event.data.text, 'one from 2 from 3');
    assert.deepEqual(eventsOf(session.folder)[1]!.data, { from: 'user', text: 'one' });
  });

  test('a newer one is read and not continued', async (t) => {
    const { state, session, file } = await newSession(t);
    await appendAll(session, [input('one')]);
    await session.close();
    const lines = linesOf(file).map((line) =>
      line.toString().replace(`"format":${logFormat}`, `"format":${logFormat + 1}`),
    );
    writeLines(file, lines);
    const before = readFileSync(file);
    const newer = await reopen(t, state, session.id);
    assert.equal(newer.isNewer, true);
    assert.equal(eventsOf(newer.folder).length, 2);
    await assert.rejects(newer.append({ parent: null, at: 1, ...input('two') }), { code: 'session-newer' });
    await newer.sync();
    assert.deepEqual(readFileSync(file), before);
  });
});

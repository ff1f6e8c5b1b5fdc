/** Several processes on one session: one drives it, the others reach it from outside, and none harms it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Scenario } from '../../src/testing/index.ts';
import { assertRebuilt } from '../support/rebuilt.ts';
import { linesOf } from '../surfaces/cli/command-line.ts';
import { assertExit, assertWhole, logIn, openRounds, untilEvent } from './rounds.ts';

const asker = fileURLToPath(new URL('./asker.ts', import.meta.url));
const once: Scenario = {
  turns: [{ text: 'I look.', calls: [{ name: 'read', arguments: { path: '.' } }] }],
  after: { text: 'Done.' },
};

const texts = (folder: string): string[] =>
  logIn(folder).flatMap((event) => (event.kind === 'input' ? [event.data.text] : []));

describe('a session that is driven', () => {
  test('is busy for a second driver: exit 2, and nothing is touched', { timeout: 60_000 }, async (context) => {
    const rounds = await openRounds(context, once);
    const held = rounds.server.hold(1, 'in-text');
    const first = rounds.run();
    await held.reached;
    const folder = rounds.session() ?? '';
    // The look at the workspace is recorded while the model answers; nothing else is until it has.
    const looked = () => logIn(folder).some(({ kind }) => kind === 'checkpoint');
    for (let tries = 0; tries < 500 && !looked(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(looked());
    const log = readFileSync(join(folder, 'log.jsonl'));
    for (const words of [['--resume', basename(folder)], ['--continue']]) {
      const second = await rounds.bench.reins(['run', '--model', 'claude-sonnet-4-5', '--json', ...words, 'Me too.'], {
        environment: { ANTHROPIC_BASE_URL: rounds.server.url, ANTHROPIC_API_KEY: 'none' },
      });
      assertExit(second, 2);
      assert.equal(linesOf(second.out).at(-1)?.['code'], 'session-busy');
      assert.match(second.err, new RegExp(`Process ${first.child.pid} holds the session`));
    }
    assert.deepEqual(readFileSync(join(folder, 'log.jsonl')), log);
    held.release();
    assertExit(await first.ended, 0);
    await assertWhole(folder);
    await assertRebuilt(rounds.server, { folder });
  });

  test('has one driver when two begin at the same moment', { timeout: 60_000 }, async (context) => {
    const rounds = await openRounds(context, once);
    assertExit(await rounds.run().ended, 0);
    const held = rounds.server.hold(3);
    const both = [rounds.run('And this.'), rounds.run('And this.')].map(({ ended }) => ended);
    const refused = await Promise.race(both);
    assertExit(refused, 2);
    held.release();
    const [one, other] = (await Promise.all(both)).map(({ exit }) => exit);
    assert.ok((one === 0 && other === 2) || (one === 2 && other === 0), `${one}, ${other}`);
    const folder = rounds.session() ?? '';
    await assertWhole(folder);
    await assertRebuilt(rounds.server, { folder });
  });

  test(
    'is told by many at once, each thing once, while it runs and while nobody drives it',
    { timeout: 60_000 },
    async (context) => {
      const rounds = await openRounds(context, once);
      const held = rounds.server.hold(1, 'before-end');
      const run = rounds.run();
      await held.reached;
      const folder = rounds.session() ?? '';
      const say = (text: string) => rounds.bench.reins(['say', basename(folder), text]);
      const during = ['one', 'two', 'three', 'four'];
      for (const ended of await Promise.all(during.map(say))) assertExit(ended, 0);
      held.release();
      assertExit(await run.ended, 0);
      const after = ['five', 'six', 'seven', 'eight'];
      for (const ended of await Promise.all(after.map(say))) assertExit(ended, 0);
      assert.deepEqual(texts(folder).toSorted(), ['Do it.', ...during, ...after].toSorted());
      const told = rounds.server.requests[1]?.bytes.toString() ?? '';
      assert.deepEqual(
        // What is said while it works stands on lines of its own, in a mark.
        during.filter((text) => !told.includes(`\\n${text}\\n`)),
        [],
        'not told',
      );
      assertExit(await rounds.run().ended, 0);
      assert.deepEqual(rounds.server.refusals, []);
      await assertWhole(folder);
      await assertRebuilt(rounds.server, { folder });
    },
  );

  test('is cancelled by another process: exit 130', { timeout: 60_000 }, async (context) => {
    const rounds = await openRounds(context, once);
    const held = rounds.server.hold(1, 'in-text');
    const run = rounds.run();
    await held.reached;
    const folder = rounds.session() ?? '';
    assertExit(await rounds.bench.reins(['cancel', basename(folder)]), 0);
    assertExit(await run.ended, 130);
    held.release();
    assertExit(await rounds.run().ended, 0);
    await assertRebuilt(rounds.server, { folder });
  });

  test(
    'takes an answer of another process while it asks somebody else, and the first one only',
    { timeout: 60_000 },
    async (context) => {
      const calls = [{ name: 'shell', arguments: { command: 'echo yes >answered' } }];
      const rounds = await openRounds(context, { turns: [{ calls }], after: { text: 'Done.' } });
      const asking = rounds.bench.start([asker, rounds.bench.workspace], {
        through: [process.execPath],
        environment: { ANTHROPIC_BASE_URL: rounds.server.url, ANTHROPIC_API_KEY: 'none' },
      });
      await asking.until('out', /^ask$/m);
      const folder = rounds.session() ?? '';
      const answers = ['yes', 'no', 'yes'].map((word) => rounds.bench.reins(['answer', basename(folder), word]));
      const exits = (await Promise.all(answers)).map(({ exit }) => exit);
      assert.ok(exits.includes(0) && exits.every((exit) => exit === 0 || exit === 2), exits.join(', '));
      assertExit(await asking.ended, 0);
      const events = logIn(folder);
      const [first, ...more] = events.flatMap((event) => (event.kind === 'answer' ? [event.data.decision] : []));
      assert.equal(more.length, 0);
      const outcomes = events.flatMap((event) => (event.kind === 'result' ? [event.data.outcome] : []));
      assert.deepEqual(outcomes, [first === 'yes' ? 'ok' : 'denied']);
      await assertRebuilt(rounds.server, { folder });
    },
  );

  test('is followed by readers while it grows', { timeout: 60_000 }, async (context) => {
    const rounds = await openRounds(context, once);
    const held = rounds.server.hold(1, 'in-text');
    const run = rounds.run();
    await held.reached;
    const folder = rounds.session() ?? '';
    const reader = rounds.bench.start(['log', basename(folder), '--follow', '--json']);
    await untilEvent(reader, 3);
    held.release();
    assertExit(await run.ended, 0);
    await reader.until('out', /"kind":"stop"/);
    reader.child.kill('SIGINT');
    await reader.ended;
    const ids = (out: string) => [...out.matchAll(/"id":"([^"]+)","parent"/g)].map(([, id]) => id);
    assert.deepEqual(
      ids(reader.text.out),
      logIn(folder).map(({ id }) => id),
    );
  });
});

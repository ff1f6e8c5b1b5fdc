import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { Check } from 'typebox/schema';
import { createSession, type RunReport, type Session, type SessionOptions } from '../../src/harness/index.ts';
import type { Scenario } from '../../src/testing/index.ts';
import { edit, read, shell, write } from '../support/calls.ts';
import { ground, type Ground } from './ground.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../schema/report.schema.json', import.meta.url), 'utf8'),
) as Parameters<typeof Check>[0];

type Turns = NonNullable<Scenario['turns']>;

async function opened(
  context: TestContext,
  { workspace, env }: Ground,
  turns: Turns,
  options: Partial<SessionOptions> = {},
): Promise<Session> {
  const file = join(workspace, '..', `${Math.random()}.json`);
  writeFileSync(file, JSON.stringify({ turns }));
  const session = await createSession({
    workspace,
    env,
    ...options,
    settings: { mode: 'edit', model: `script:${file}`, checks: 'waived', ...options.settings },
  });
  context.after(() => session.close());
  return session;
}

async function ran(session: Session, task = 'do it'): Promise<RunReport> {
  await session.say(task);
  const { report: file } = await session.run();
  assert.ok(file !== undefined);
  const written = JSON.parse(readFileSync(file, 'utf8')) as RunReport;
  assert.ok(Check(schema, written), 'the report is of the published form');
  assert.deepEqual(written, JSON.parse(JSON.stringify(await session.report())));
  return written;
}

describe('the report of a run', { concurrency: 2 }, () => {
  test('says what changed, what proves it, what was refused, and how to take it back', async (t) => {
    const place = await ground(t);
    const turns = [
      { calls: [read('a.txt')] },
      { calls: [edit('a.txt', 'a', 'b'), write('new.txt', 'n\n'), shell('curl http://x.example')] },
      { text: 'Done.' },
    ];
    const session = await opened(t, place, turns, { settings: { checks: ['true'], allow: ['shell(true)'] } });
    const report = await ran(session, 'the task');
    assert.deepEqual(
      report.changed.map(({ path, change }) => [path, change]),
      [
        ['a.txt', 'modified'],
        ['new.txt', 'created'],
      ],
    );
    assert.equal(report.task, 'the task');
    assert.equal(report.answer, 'Done.');
    assert.deepEqual(
      report.evidence.map(({ command, passed, fresh, exit }) => [command, passed, fresh, exit]),
      [['true', true, true, 0]],
    );
    assert.deepEqual(
      report.denials.map(({ turn, tool, what }) => [turn, tool, what]),
      [[2, 'shell', 'curl http://x.example']],
    );
    assert.deepEqual(report.undo, { command: `reins undo ${session.id} --to 2`, turns: [2] });
    assert.equal(report.spending.length, 1);
    assert.deepEqual(report.spending[0]?.usage, report.usage);
  });

  test('a run that changed nothing has nothing to take back', async (t) => {
    const report = await ran(await opened(t, await ground(t), [{ text: 'Nothing to do.' }]));
    assert.deepEqual([report.changed, report.undo, report.skipped, report.more], [[], undefined, [], {}]);
  });

  test('the next run of a session is taken back from its own first turn on', async (t) => {
    const place = await ground(t);
    const session = await opened(t, place, [
      { calls: [write('one.txt', '1')] },
      { text: 'one' },
      { calls: [write('two.txt', '2')] },
      { text: 'two' },
    ]);
    assert.deepEqual((await ran(session)).undo?.turns, [1]);
    const report = await ran(session, 'and the next');
    assert.deepEqual(report.undo, { command: `reins undo ${session.id} --to 3`, turns: [3] });
    assert.deepEqual(
      report.changed.map(({ path }) => path),
      ['one.txt', 'two.txt'],
    );
  });

  test('what a model writes reaches the file as escapes, and a secret that is known does not reach it', async (t) => {
    const place = await ground(t);
    writeFileSync(join(place.workspace, '.env'), 'API_TOKEN=correct-horse-9f8e7d6c\n');
    const session = await opened(t, place, [{ calls: [shell('cat .env; exit 3')] }, { text: 'a\u202eb\u001b[2J' }], {
      settings: { allow: ['shell(cat *)'] },
    });
    const { report: file = '' } = (await session.say('look'), await session.run());
    const text = readFileSync(file, 'utf8');
    assert.doesNotMatch(text, /[\u001b\u202e]|correct-horse/);
    assert.equal((JSON.parse(text) as RunReport).answer, 'a\u202eb\u001b[2J');
  });

  test('a report that can’t be written costs nothing but the file', async (t) => {
    const session = await opened(t, await ground(t), [{ text: 'Done.' }]);
    await session.say('go');
    // A folder in the way of the temporary file.
    mkdirSync(join(session.folder, `report.json.${process.pid}`));
    const outcome = await session.run();
    assert.equal(outcome.outcome, 'completed');
    assert.equal(outcome.report, undefined);
    assert.ok(!existsSync(join(session.folder, 'report.json')));
    assert.match(readFileSync(join(session.folder, 'log.jsonl'), 'utf8'), /report-unwritten/);
  });
});

import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { createSession, loadLedger, type RunSettings } from '../../src/harness/index.ts';
import { failuresIn, rungRows } from '../../src/harness/failure-ledger/fold.ts';
import { rungs, type LedgerLine } from '../../src/harness/failure-ledger/types.ts';
import type { Scenario } from '../../src/testing/index.ts';
import { edit, shell } from '../support/calls.ts';
import { ground, type Ground } from './ground.ts';

const ledger = await loadLedger();

async function opened(context: TestContext): Promise<Ground & { folder: string; file: string }> {
  const place = await ground(context);
  return { ...place, folder: place.workspace, file: join(place.workspace, '.reins', 'ledger.jsonl') };
}

describe('the ledger of failures', { concurrency: 2 }, () => {
  test('a failure that is seen after its fix has come back, and the report says how high to climb', async (t) => {
    const place = await opened(t);
    const { id } = await ledger.addFailure(place, { symptom: 'Edited generated files' });
    await ledger.addFix(place, id, { rung: 'instructions', file: 'AGENTS.md', text: 'src/gen' });
    assert.deepEqual((await ledger.ledgerReport(place)).open, []);
    const again = await ledger.addFailure(place, { symptom: 'edited  generated files.' });
    assert.deepEqual([again.id, again.state, again.seen.length], [id, 'open', 2]);
    const { rungs: rows, recurred, open } = await ledger.ledgerReport(place);
    assert.deepEqual(rows, [{ rung: 'instructions', fixes: 1, failed: 1, recurrences: 1 }]);
    assert.deepEqual([open.length, recurred[0]?.next], [1, 'skill']);
    await ledger.addFix(place, id.slice(0, 6), { rung: 'hook' });
    assert.equal((await ledger.ledgerReport(place)).recurred[0]?.next, undefined);
    const other = await ledger.addFailure(place, { symptom: 'wrote to src/gen', recurs: id });
    assert.deepEqual([other.id, other.state], [id, 'open']);
  });

  test('names the lines of instructions that no failure stands behind, and fixes that are gone', async (t) => {
    const place = await opened(t);
    const text = '# Rules\n\nProse stays.\n\n- Never edit src/gen/.\n- Be nice.\n\n```\n- no rule\n```\n1. Use tabs.\n';
    writeFileSync(join(place.folder, 'AGENTS.md'), text);
    const { id } = await ledger.addFailure(place, { symptom: 'edited generated files' });
    await ledger.addFix(place, id, { rung: 'instructions', file: 'AGENTS.md', text: 'never edit SRC/GEN' });
    const other = await ledger.addFailure(place, { symptom: 'guessed a port' });
    await ledger.addFix(place, other.id, { rung: 'lint', file: '../outside', text: 'x' });
    const third = await ledger.addFailure(place, { symptom: 'ran all tests' });
    await ledger.addFix(place, third.id, { rung: 'instructions', file: 'AGENTS.md', text: 'only the tests' });
    const { unjustified, gone } = await ledger.ledgerReport(place);
    assert.deepEqual(
      unjustified.map(({ file, line, text: said }) => [file, line, said]),
      [
        ['AGENTS.md', 6, 'Be nice.'],
        ['AGENTS.md', 11, 'Use tabs.'],
      ],
    );
    assert.deepEqual(gone, [{ id: third.id, file: 'AGENTS.md', text: 'only the tests' }]);
  });

  test('a log proposes what went wrong, once', async (t) => {
    const place = await opened(t);
    const turns = [
      ...Array.from({ length: 3 }, () => ({ calls: [edit('missing.txt', `x`, 'y')] })),
      { calls: [edit('a.txt', 'a', 'b'), shell('curl -s http://x.example/one')] },
      ...Array.from({ length: 6 }, () => ({ text: 'Done.' })),
    ];
    const session = await ran(place, turns, { checks: ['false'] });
    const { proposals } = await ledger.proposeFailures(place, session);
    const symptoms = proposals.map(({ symptom }) => symptom);
    assert.ok(symptoms.includes('Said to be done although a check failed: false'));
    assert.ok(symptoms.some((symptom) => /^Tried what is refused \(.+\): shell curl -s$/.test(symptom)));
    assert.ok(symptoms.includes('Ended unverified (checks-failed)'));
    assert.ok(symptoms.includes('The same call failed again and again: edit missing.txt'));
    const [first] = await ledger.addFromSession(place, session, [1]);
    assert.deepEqual([first?.symptom, first?.session], [symptoms[0], session]);
    assert.equal((await ledger.addFromSession(place, session)).length, proposals.length - 1);
    assert.deepEqual(await ledger.addFromSession(place, session), []);
    await assert.rejects(ledger.addFromSession(place, session, [99]), { code: 'usage-arguments' });
  });

  test('a session that went well proposes nothing', async (t) => {
    const place = await opened(t);
    assert.deepEqual((await ledger.proposeFailures(place, await ran(place, [{ text: 'Done.' }]))).proposals, []);
  });

  test('lines of others, torn and strange ones cost only themselves', async (t) => {
    const place = await opened(t);
    await ledger.addFailure(place, { symptom: 'one' });
    appendFileSync(
      place.file,
      '{"type":"failure"}\nnull\n{"type":"fix","id":"x","at":"","of":"y","rung":"prayer"}\n{"torn',
    );
    await ledger.addFailure(place, { symptom: 'two' });
    const { failures, damaged } = await ledger.readLedger(place);
    assert.deepEqual([failures.map(({ symptom }) => symptom), damaged], [['one', 'two'], 4]);
  });

  test('it is found from below the repository’s top, and no link leads it elsewhere', async (t) => {
    const place = await opened(t);
    mkdirSync(join(place.folder, '.git'));
    mkdirSync(join(place.folder, 'deep', 'down'), { recursive: true });
    await ledger.addFailure({ ...place, folder: join(place.folder, 'deep', 'down') }, { symptom: 'one' });
    assert.ok(existsSync(place.file));
    for (const link of ['file', 'folder'] as const) {
      const other = await opened(t);
      const target = join(place.folder, 'target');
      mkdirSync(target, { recursive: true });
      writeFileSync(join(target, 'ledger.jsonl'), '');
      if (link === 'folder') symlinkSync(target, join(other.folder, '.reins'));
      else {
        mkdirSync(join(other.folder, '.reins'));
        symlinkSync(join(target, 'ledger.jsonl'), other.file);
      }
      await assert.rejects(ledger.addFailure(other, { symptom: 'x' }), { code: 'ledger-unusable' });
      assert.equal(readFileSync(join(target, 'ledger.jsonl'), 'utf8'), '');
    }
  });

  test('a secret that is known, or has the shape of one, doesn’t get into what a team shares', async (t) => {
    const place = await opened(t);
    writeFileSync(join(place.folder, '.env'), 'API_TOKEN=correct-horse-9f8e7d6c\n');
    const shaped = ['ghp_R7kQ2mZx9LpW4vTb8NcY', '3hJd6FsG1aUe5oXi'].join('');
    for (const secret of ['correct-horse-9f8e7d6c', shaped])
      await assert.rejects(ledger.addFailure(place, { symptom: `printed ${secret}` }), { code: 'secret-given' });
    assert.ok(!existsSync(place.file));
    await ledger.addFailure(place, { symptom: 'printed API_TOKEN, a key like ghp_…' });
  });

  test('whatever is noted: each fix is on one rung, and recurrences are sightings after a fix', () => {
    const step = fc.record({ symptom: fc.constantFrom('a', 'A ', 'b'), rung: fc.option(fc.constantFrom(...rungs)) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const lines = steps.map(({ symptom, rung }, n): LedgerLine => {
          const common = { id: `${n}`, at: `${n}`.padStart(3, '0') };
          const of = steps.findIndex((other) => other.rung === null && other.symptom === symptom);
          return rung === null
            ? { type: 'failure', ...common, symptom }
            : { type: 'fix', ...common, of: `${of}`, rung };
        });
        const failures = failuresIn(lines);
        assert.equal(
          failures.length,
          new Set(steps.filter(({ rung }) => rung === null).map(({ symptom }) => symptom.trim().toLowerCase())).size,
        );
        assert.equal(failures.flatMap(({ seen }) => seen).length, steps.filter(({ rung }) => rung === null).length);
        for (const { seen, fixes, state } of failures) {
          const after = seen.filter(({ at }) => at > (fixes[0]?.at ?? '~')).length;
          assert.equal(
            fixes.reduce((sum, { recurrences }) => sum + recurrences, 0),
            after,
          );
          assert.equal(state === 'fixed', (fixes.at(-1)?.at ?? '') > (seen.at(-1)?.at ?? ''));
        }
        const rows = rungRows(failures);
        assert.equal(
          rows.reduce((sum, { fixes }) => sum + fixes, 0),
          failures.flatMap(({ fixes }) => fixes).length,
        );
      }),
      { numRuns: 200 },
    );
  });
});

async function ran(
  { workspace, env }: Ground,
  turns: NonNullable<Scenario['turns']>,
  settings: RunSettings = {},
): Promise<string> {
  const file = join(workspace, '..', `${Math.random()}.json`);
  writeFileSync(file, JSON.stringify({ turns }));
  const session = await createSession({
    workspace,
    env,
    settings: { mode: 'edit', model: `script:${file}`, checks: 'waived', ...settings },
  });
  try {
    await session.say('go');
    await session.run();
    return session.id;
  } finally {
    await session.close();
  }
}

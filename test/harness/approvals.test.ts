import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { answerQuestion, openQuestions, ReinsError } from '../../src/harness/index.ts';
import { asking, drive, events, person, write } from './approvals-ground.ts';

const waiting = { onAsk: 'wait' } as const;
const yes = { decision: 'yes', scope: 'once' } as const;

describe('a question', () => {
  test('says what the call would do, what caused it, why, and the diff, and nothing is written before the answer', async (t) => {
    const { place } = await asking(t, [[{ name: 'read', arguments: { path: 'a.txt' } }, write('a.txt')]]);
    const approver = person((question) => {
      assert.equal(readFileSync(join(place.workspace, 'a.txt'), 'utf8'), 'a\n');
      assert.equal(question.tool, 'write');
      return { decision: 'yes' };
    });
    const { id } = await drive(place, { approver });
    const [question] = await events(place, id, 'ask');
    assert.match(
      question?.diff ?? '',
      /^diff --git a\/a\.txt b\/a\.txt\n--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ -1,1 \+1,1 @@\n-a\n\+b\n$/,
    );
    assert.match(question?.by ?? '', /^mode:ask/);
    assert.ok((question?.because ?? '') !== '');
    assert.equal(readFileSync(join(place.workspace, 'a.txt'), 'utf8'), 'b\n');
  });

  test('has a diff for edits and patches, one of bounded size, and isn’t put for a call that would fail', async (t) => {
    const edit = { name: 'edit', arguments: { path: 'a.txt', old: 'a', new: 'c' } };
    const missing = { name: 'edit', arguments: { path: 'a.txt', old: 'nowhere', new: 'c' } };
    const long = write('long.txt', 'line\n'.repeat(20_000));
    const read = { name: 'read', arguments: { path: 'a.txt' } };
    const { place } = await asking(t, [[read, edit, missing, long]]);
    const approver = person();
    const { id } = await drive(place, { approver });
    const [first, second, third] = approver.asked;
    assert.match(first?.diff ?? '', /-a\n\+c\n$/);
    assert.match(second?.diff ?? '', /--- \/dev\/null\n[^]*\([\d,]+ more lines\)\n$/);
    assert.ok((second?.diff ?? '').length < 21_000);
    assert.equal(third, undefined);
    const [, , failed] = await events(place, id, 'result');
    assert.match(`${failed?.outcome}: ${failed?.text}`, /^error: .*`old`/);
    assert.equal(existsSync(join(place.workspace, 'long.txt')), false);
  });

  test('is put for a call that would fail on a file that may not be read: why it fails would tell of it', async (t) => {
    const missing = { name: 'edit', arguments: { path: 'closed.txt', old: 'nowhere', new: 'c' } };
    const { place } = await asking(t, [[missing]], { ask: ['read(closed.txt)'] });
    writeFileSync(join(place.workspace, 'closed.txt'), 'here\n');
    const approver = person();
    await drive(place, { approver });
    assert.deepEqual(
      approver.asked.map(({ diff }) => diff),
      [undefined],
    );
  });

  test('that was answered with no is not put again in the run, until a person says something', async (t) => {
    const { place } = await asking(t, [[write('b.txt')], [write('b.txt')], [write('c.txt')], [write('b.txt')]]);
    const approver = person(() => ({ reason: 'not now' }));
    const { id, outcome } = await drive(place, { approver });
    assert.deepEqual(
      approver.asked.map(({ question }) => question.split(' ')[1]),
      ['b.txt', 'c.txt'],
    );
    assert.deepEqual(
      outcome.denials.map(({ by }) => by),
      ['answer:person', 'refused-before', 'answer:person', 'refused-before'],
    );
    assert.match(outcome.denials[1]?.reason ?? '', /refused already in this run by person \(not now\)/);
    assert.equal((await events(place, id, 'ask')).length, 2);
  });

  test('is put again once a person has spoken', async (t) => {
    const { place } = await asking(t, [[write('b.txt')], [], [write('b.txt')]]);
    const approver = person();
    const { id } = await drive(place, { approver });
    await drive(place, { approver, resume: id, say: 'try it again' });
    assert.equal(approver.asked.length, 2);
  });
});

describe('a run that waits', () => {
  test('stops with its question, is answered from elsewhere, and goes on in another process', async (t) => {
    const { place } = await asking(t, [[write('b.txt')]]);
    const { outcome, id } = await drive(place, { settings: waiting });
    assert.deepEqual([outcome.outcome, outcome.exit], ['waiting', 9]);
    const [question] = outcome.questions ?? [];
    assert.equal(question?.tool, 'write');
    assert.deepEqual(openQuestions(place.env, id), outcome.questions);
    await answerQuestion(place.env, id, yes);
    const late = answerQuestion(place.env, id, { ...yes, ask: question?.id ?? '' });
    await assert.rejects(late, (error) => error instanceof ReinsError && error.code === 'already-answered');
    const after = await drive(place, { resume: id });
    assert.equal(after.outcome.outcome, 'completed');
    assert.equal(after.outcome.questions, undefined);
    assert.equal(readFileSync(join(place.workspace, 'b.txt'), 'utf8'), 'b\n');
  });

  test('whose process ends between question and answer loses nothing: whoever comes next is asked', async (t) => {
    const { place } = await asking(t, [[write('b.txt')]]);
    const { id } = await drive(place, { approver: { ask: async () => 'later' } });
    const approver = person(() => ({ decision: 'yes' }));
    const { outcome } = await drive(place, { resume: id, approver });
    assert.deepEqual([outcome.outcome, approver.asked.length], ['completed', 1]);
    assert.equal((await events(place, id, 'ask')).length, 1);
  });

  test('of two answers at the same moment takes the one that is recorded first', async (t) => {
    const { place } = await asking(t, [[write('b.txt')]]);
    const { id } = await drive(place, { settings: waiting });
    const [ask = ''] = openQuestions(place.env, id).map((question) => question.id);
    const answers = [yes, { decision: 'no', scope: 'once' } as const].map((answer) =>
      answerQuestion(place.env, id, { ...answer, ask }).then(
        () => 'taken',
        () => 'late',
      ),
    );
    await Promise.all(answers);
    const { outcome } = await drive(place, { resume: id });
    const [first, ...others] = await events(place, id, 'answer');
    assert.deepEqual(others, []);
    assert.equal(existsSync(join(place.workspace, 'b.txt')), first?.decision === 'yes');
    assert.equal(outcome.outcome, 'completed');
  });

  test('counts as answered with no when its time is over, whoever is there', async (t) => {
    const { place } = await asking(t, [[write('b.txt')]], { approvals: { timeout: 0.05 } });
    const never = {
      ask: (_: unknown, signal: AbortSignal) =>
        new Promise<'later'>((resolve) => signal.addEventListener('abort', () => resolve('later'))),
    };
    const { outcome, id } = await drive(place, { approver: never });
    assert.equal(outcome.outcome, 'completed');
    const [answer] = await events(place, id, 'answer');
    assert.deepEqual([answer?.by, answer?.decision], ['timeout', 'no']);
  });

  test('and the time runs on while no process lives: a late answer is refused, the next run says no', async (t) => {
    const { place } = await asking(t, [[write('b.txt')]], { approvals: { timeout: 0.001 } });
    const { outcome, id } = await drive(place, { approver: { ask: async () => 'later' } });
    if (outcome.outcome === 'waiting') {
      await assert.rejects(answerQuestion(place.env, id, yes), /already|over/);
      await drive(place, { resume: id });
    }
    const [answer] = await events(place, id, 'answer');
    assert.deepEqual([answer?.by, answer?.decision], ['timeout', 'no']);
    assert.equal(existsSync(join(place.workspace, 'b.txt')), false);
  });
});

describe('an edited call', () => {
  const edited = (args: object) => person(() => ({ decision: 'yes', arguments: args as never }));

  test('is judged anew and run in its new form; who changed it is in the log', async (t) => {
    const { place } = await asking(t, [[write('b.txt')]]);
    const { id } = await drive(place, { approver: edited({ path: 'c.txt' }) });
    assert.equal(readFileSync(join(place.workspace, 'c.txt'), 'utf8'), 'b\n');
    assert.equal(existsSync(join(place.workspace, 'b.txt')), false);
    const verdict = (await events(place, id, 'verdict')).at(-1);
    assert.deepEqual(verdict?.changedBy, ['answer:person']);
    assert.equal((await events(place, id, 'ask')).length, 1);
  });

  test('stays denied where a rule denies what it has become', async (t) => {
    const command = { name: 'shell', arguments: { command: 'touch one' } };
    const { place } = await asking(t, [[command]]);
    const { outcome } = await drive(place, {
      approver: edited({ command: 'rm one' }),
      settings: { deny: ['shell(rm)'] },
    });
    assert.match(outcome.denials[0]?.by ?? '', /^rule:/);
  });

  test('that breaks the schema is not run', async (t) => {
    const { place } = await asking(t, [[write('b.txt')]]);
    const { id } = await drive(place, { approver: edited({ path: 7 }) });
    const [result] = await events(place, id, 'result');
    assert.deepEqual([result?.outcome, result?.failed], ['error', 'schema']);
    assert.match(result?.text ?? '', /^Changed by answer:person\./);
  });

  test('is seen by hooks, which may block it; one that changes it again is no endless way', async (t) => {
    const { place } = await asking(t, [[write('b.txt')], [write('d.txt')]]);
    let count = 0;
    const before = ({ arguments: args }: { arguments: { [key: string]: unknown } }) => {
      count += 1;
      return args['path'] === 'c.txt' ? { arguments: { ...args, path: `c${count}.txt` } as never } : undefined;
    };
    const { outcome, id } = await drive(place, {
      approver: edited({ path: 'c.txt' }),
      hooks: [{ name: 'h', before }] as never,
    });
    assert.equal(outcome.outcome, 'completed');
    const verdict = (await events(place, id, 'verdict'))[1];
    assert.deepEqual(verdict?.changedBy, ['answer:person', 'h']);
  });
});

test('a project can’t say who answers', async (t) => {
  const { place } = await asking(t, []);
  const { mkdirSync } = await import('node:fs');
  mkdirSync(join(place.workspace, '.reins'));
  writeFileSync(join(place.workspace, '.reins', 'settings.json'), '{"approvals":{"onAsk":"wait"}}');
  await assert.rejects(drive(place), /approvals/);
});

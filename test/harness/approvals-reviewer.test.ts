import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createSession, openReader, ReinsError, type Approver } from '../../src/harness/index.ts';
import { startModelServer } from '../../src/testing/index.ts';
import { asking, drive, events, person, write, type Call } from './approvals-ground.ts';

const rates = { input: 10, output: 50, cacheRead: 1, cacheWrite: 12 };
const ruling = (decision: string, reason = 'because') => ({ text: JSON.stringify({ decision, reason }) });

/** A run whose questions go to a second model first, which says these things. */
async function reviewed(
  t: TestContext,
  turns: object[],
  { calls = [[write('b.txt')]], reviewer = {}, ...more }: { calls?: Call[][]; reviewer?: object; models?: object } = {},
) {
  const second = await startModelServer({ position: 'count', strict: false, turns } as never);
  t.after(() => second.close());
  const user = {
    providers: { second: { wire: 'anthropic', baseUrl: second.url, models: { judge: { rates } }, ...more } },
    approvals: { reviewer: { model: 'second/judge', ...reviewer } },
  };
  return { ...(await asking(t, calls, user)), second };
}

describe('a reviewer', () => {
  test('that allows stands in for a person: once, with its reason, and its tokens and cost count', async (t) => {
    const { place, second } = await reviewed(t, [{ ...ruling('allow'), usage: { input: 1000, output: 20 } }]);
    const approver = person();
    const { outcome, id, view } = await drive(place, { approver });
    assert.equal(existsSync(join(place.workspace, 'b.txt')), true);
    assert.equal(approver.asked.length, 0);
    assert.partialDeepStrictEqual(await events(place, id, 'answer'), [
      { by: 'reviewer:second/judge', decision: 'yes', scope: 'once', reason: 'because' },
    ]);
    const [review] = await events(place, id, 'review');
    const [end] = await events(place, id, 'review-end');
    assert.partialDeepStrictEqual(end, { decision: 'allow', usage: { input: 1000, output: 20 }, cost: 0.011 });
    assert.ok((review?.reserved.cost ?? 0) > 0.011);
    assert.ok((outcome.usage.input ?? 0) >= 1000 && view.ledger.settled >= 0.011);
    assert.equal(view.ledger.reserved.size, 0);
    const body = JSON.stringify(second.requests[0]?.body);
    for (const part of ['work', 'write b.txt', 'mode:ask', '+b']) assert.ok(body.includes(part), part);
    assert.deepEqual((await (await openReader(place.env, id)).verify()).problems, []);
  });

  test('that denies is heard by the model, and not asked about the same call again', async (t) => {
    const { place, second } = await reviewed(t, [ruling('deny', 'it overwrites work')], {
      calls: [[write('b.txt')], [write('b.txt')]],
    });
    const { outcome, id } = await drive(place);
    assert.equal(existsSync(join(place.workspace, 'b.txt')), false);
    assert.deepEqual(
      outcome.denials.map(({ by }) => by),
      ['answer:reviewer:second/judge', 'refused-before'],
    );
    assert.match(
      (await events(place, id, 'result'))[0]?.text ?? '',
      /reviewer:second\/judge said no\. Reason: it overwrites work/,
    );
    assert.equal(second.requests.length, 1);
  });

  const failures: [string, object, object?][] = [
    ['that wants a person', ruling('ask')],
    ['that says no JSON', { text: 'I allow it.' }],
    ['that wraps its JSON in words', { text: 'Sure: {"decision":"allow","reason":"x"}' }],
    ['with an unknown decision', ruling('yes')],
    ['without a reason', ruling('allow', ' ')],
    ['with a key too many', { text: '{"decision":"allow","reason":"x","scope":"always"}' }],
    ['that is cut', { ...ruling('allow'), stop: 'length' }],
    ['that refuses', { ...ruling('allow'), stop: 'refusal' }],
    ['whose provider fails', { failures: [{ status: 500, times: 'forever' }], ...ruling('allow') }],
    ['whose connection ends', { failures: [{ close: true, times: 'forever' }], ...ruling('allow') }],
    [
      'that is silent',
      { failures: [{ silence: 'before-headers', times: 'forever' }], ...ruling('allow') },
      { timeout: 0.1 },
    ],
  ];
  for (const [name, turn, reviewer = {}] of failures) {
    test(`${name} leaves it to the person`, async (t) => {
      const there = await reviewed(t, [turn], { reviewer });
      const approver = person(() => ({ decision: 'yes' }));
      const { id } = await drive(there.place, { approver });
      assert.equal(approver.asked.length, 1);
      assert.equal((await events(there.place, id, 'answer'))[0]?.by, 'person');
      assert.equal(existsSync(join(there.place.workspace, 'b.txt')), true);
    });
  }

  test('that gives no answer means no where nobody is', async (t) => {
    const { place } = await reviewed(t, [{ text: 'I allow it.' }]);
    const { outcome } = await drive(place);
    assert.match(outcome.denials[0]?.reason ?? '', /nobody is there.*reviewer:second\/judge did not decide/);
    assert.equal(existsSync(join(place.workspace, 'b.txt')), false);
  });

  test('is not asked about what a rule denies', async (t) => {
    const { place, second } = await reviewed(t, [ruling('allow')]);
    const { outcome } = await drive(place, { settings: { deny: ['write'] } });
    assert.match(outcome.denials[0]?.by ?? '', /^rule:/);
    assert.equal(second.requests.length, 0);
  });

  test('that has refused three calls of a turn refuses the others of it unseen, and is asked again in the next', async (t) => {
    const names = ['1', '2', '3', '4', '5'];
    const { place, second } = await reviewed(t, [{ ...ruling('deny'), repeat: 'forever' }], {
      calls: [names.map((name) => write(name)), [write('6')]],
    });
    const approver = person(() => ({ decision: 'yes' }));
    const { outcome } = await drive(place, { approver });
    assert.deepEqual([second.requests.length, approver.asked.length, outcome.denials.length], [4, 0, 6]);
    assert.match(outcome.denials[4]?.reason ?? '', /refused unseen/);
  });

  test('is asked so many times in a turn and no more: the rest is for the person', async (t) => {
    const { place, second } = await reviewed(t, [{ ...ruling('allow'), repeat: 'forever' }], {
      calls: [['1', '2', '3'].map((name) => write(name))],
      reviewer: { perTurn: 2 },
    });
    const approver = person();
    await drive(place, { approver });
    assert.deepEqual([second.requests.length, approver.asked.length], [2, 1]);
  });

  test('is not asked where the money limit has no room for it', async (t) => {
    const { place, second } = await reviewed(t, [ruling('allow')]);
    const approver = person();
    const { outcome } = await drive(place, { approver, settings: { limits: { cost: 0.05 } } });
    assert.deepEqual([outcome.outcome, approver.asked.length], ['completed', 1]);
    assert.equal(second.requests.length, 0);
  });

  test('is withdrawn when the question is answered elsewhere', async (t) => {
    const silent = { failures: [{ silence: 'before-headers', times: 'forever' }], ...ruling('deny') };
    const { place, second } = await reviewed(t, [silent]);
    const { answerQuestion } = await import('../../src/harness/index.ts');
    const answers: Promise<unknown>[] = [];
    const { id } = await drive(place, {
      onEvent: ({ kind }, session) => {
        if (kind === 'review') answers.push(answerQuestion(place.env, session, { decision: 'yes', scope: 'once' }));
      },
    });
    await Promise.all(answers);
    assert.equal((await events(place, id, 'answer'))[0]?.by, 'reins answer');
    assert.equal(existsSync(join(place.workspace, 'b.txt')), true);
    assert.ok(second.requests.length <= 1);
  });

  test('that can’t be had is said before the run begins', async (t) => {
    const { place } = await asking(t, [], { approvals: { reviewer: { model: 'nowhere/judge' } } });
    const approver: Approver = person();
    await assert.rejects(
      createSession({ workspace: place.workspace, env: place.env, approver, settings: { mode: 'ask' } }),
      ReinsError,
    );
  });
});

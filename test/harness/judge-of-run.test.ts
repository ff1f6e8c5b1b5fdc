import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { createSession, type Event, type RunSettings } from '../../src/harness/index.ts';
import { serve } from '../model/loopback.ts';
import { ground } from './ground.ts';
import { sayIn } from './replies.ts';

const rates = { input: 10, output: 50, cacheRead: 1, cacheWrite: 12 };
const judging = 'You judge whether';

/** A run that writes a file and says that all is well; the judge says what is given, the last again and again. */
async function judged(t: TestContext, rulings: (object | string)[], settings: RunSettings = {}) {
  const questions: string[] = [];
  let turns = 0;
  const server = await serve(t, (received, response) => {
    if (received.body.includes(judging)) {
      const said = rulings[Math.min(questions.length, rulings.length - 1)] ?? '';
      questions.push(received.body);
      sayIn('anthropic', { text: typeof said === 'string' ? said : JSON.stringify(said) })(received, response);
      return;
    }
    turns += 1;
    const call = { name: 'write', arguments: { path: `${turns}.txt`, content: 'written\n' } };
    const text = 'It is all met, I promise.';
    sayIn('anthropic', turns % 2 === 1 ? { text, call } : { text })(received, response);
  });
  const models = { m: { window: 200_000, maxOutput: 8_000, rates } };
  const user = { model: 'p/m', providers: { p: { wire: 'anthropic', baseUrl: server.url, models } } };
  const { workspace, env } = await ground(t, { user });
  const events: Event[] = [];
  const goal = 'A file that says written.';
  const session = await createSession({
    workspace,
    env,
    settings: { mode: 'edit', goal, ...settings },
    onEvent: (event) => events.push(event),
  });
  t.after(() => session.close());
  await session.say('go');
  return { outcome: await session.run(), questions, turns, events };
}

const met = { ruling: 'met', reason: 'The file is there.' };
const notYet = { ruling: 'not-yet', reason: 'There is no second file.' };

describe('a judge', () => {
  test('that finds the goal met completes the run; it saw the difference and no claim, and its cost counts', async (t) => {
    const { outcome, questions, events } = await judged(t, [met]);
    assert.deepEqual([outcome.outcome, outcome.judgement?.ruling], ['completed', 'met']);
    assert.match(
      outcome.detail,
      /there is no check that proves them\. The judge finds the goal met: The file is there\./,
    );
    assert.match(questions[0] ?? '', /A file that says written\.[^]*\+written/);
    assert.doesNotMatch(questions[0] ?? '', /I promise/);
    const asides = events.filter(({ kind }) => kind === 'aside' || kind === 'aside-end');
    assert.equal(asides.length, 2);
    // Two turns and a ruling, each of 100 tokens in and 10 out.
    assert.ok(Math.abs((outcome.cost ?? 0) - (3 * (100 * 10 + 10 * 50)) / 1e6) < 1e-9, String(outcome.cost));
  });

  test('that wants more sends the run on with its reason, and then takes its word', async (t) => {
    const { outcome, turns, events } = await judged(t, [notYet, met]);
    assert.deepEqual([outcome.outcome, turns], ['completed', 4]);
    const [first] = events.flatMap((event) => (event.kind === 'judgement' ? [event.data] : []));
    assert.match(first?.shown ?? '', /There is no second file\./);
  });

  test('sends it on three times at most', async (t) => {
    const { outcome, questions } = await judged(t, [notYet]);
    assert.deepEqual([outcome.outcome, outcome.code, questions.length], ['unverified', 'goal-not-met', 4]);
  });

  test('that finds the goal impossible stops the run with its reason', async (t) => {
    const { outcome, questions } = await judged(t, [{ ruling: 'impossible', reason: 'There is no disk.' }]);
    assert.deepEqual([outcome.code, questions.length], ['goal-impossible', 1]);
    assert.match(outcome.detail, /There is no disk\./);
  });

  const none: [string, object | string][] = [
    ['words', 'The goal is met.'],
    ['words around it', `Yes: ${JSON.stringify(met)}`],
    ['another ruling', { ruling: 'yes', reason: 'x' }],
    ['no reason', { ruling: 'met', reason: ' ' }],
    ['more keys', { ...met, confidence: 1 }],
    ['a ruling twice', '{"ruling":"not-yet","ruling":"met","reason":"x"}'],
  ];
  for (const [name, said] of none) {
    test(`that answers with ${name} proves nothing`, async (t) => {
      const { outcome } = await judged(t, [said]);
      assert.deepEqual([outcome.outcome, outcome.code], ['unverified', 'goal-unjudged']);
    });
  }

  test('is not asked where a check fails, and can’t make that good', async (t) => {
    const { outcome, questions } = await judged(t, [met], { checks: ['false'] });
    assert.deepEqual([outcome.outcome, questions.length], ['unverified', 0]);
  });
});

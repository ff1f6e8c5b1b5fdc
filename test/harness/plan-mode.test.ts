/** Mode plan: one file is writable, its review ends the planning, and what was accepted is carried out. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  answerQuestion,
  createSession,
  openQuestions,
  rehearseSession,
  sayTo,
  type Approver,
  type EventData,
} from '../../src/harness/index.ts';
import { done, lastSaid, planGround, results, shell, write, type Turn } from './plan-ground.ts';

const plan = '1. Write b.txt.\n2. Read it again.\n';

/** A person who says these things in their turn. */
function person(...answers: Partial<EventData['answer']>[]): Approver & { asked: EventData['ask'][] } {
  const asked: EventData['ask'][] = [];
  return {
    asked,
    ask: async (question) => {
      asked.push(question);
      return { by: 'person', decision: 'no', scope: 'once', ...answers.shift() };
    },
  };
}

describe('in mode plan', () => {
  test('the plan is the only file that is written: by file tools, and by no command', async (t) => {
    const place = await planGround(t);
    const { id, outcome, events, setup } = await place.drive({
      turns: [
        write('x', 'b.txt'),
        write('x', '.reins/plan.md.txt'),
        write('x', '.reins/settings.json'),
        shell('echo x > .reins/plan.md'),
        shell('echo x > b.txt'),
        write(plan),
        { call: { name: 'read', arguments: { path: '.reins/plan.md' } } },
        {
          call: { name: 'edit', arguments: { path: '.reins/plan.md', old: '1. Write', new: '1. Make' } },
        },
        { call: { name: 'read', arguments: { path: 'a.txt' } } },
        shell('cat a.txt'),
      ],
    });
    const kinds = results(events).map((text) => text.split(':')[0]);
    assert.deepEqual(
      kinds,
      [...Array<string>(5).fill('denied'), ...Array<string>(5).fill('ok')],
      results(events).join('\n'),
    );
    assert.equal(setup?.planFile, '.reins/plan.md');
    assert.equal(place.plan(id), plan.replace('Write', 'Make'));
    assert.deepEqual(readdirSync(place.workspace), ['a.txt']);
    assert.deepEqual(outcome.changed, []);
  });

  test('a patch may write the plan, and nothing beside it', async (t) => {
    const place = await planGround(t, { edits: 'patch' });
    const patch = (...paths: string[]): Turn => {
      const files = paths.map((path) => `*** Add File: ${path}\n+${plan.split('\n')[0]}\n`).join('');
      return { call: { name: 'apply_patch', arguments: { patch: `*** Begin Patch\n${files}*** End Patch` } } };
    };
    const { id, events } = await place.drive({ turns: [patch('.reins/plan.md', 'b.txt'), patch('.reins/plan.md')] });
    assert.deepEqual(
      results(events).map((text) => text.split(':')[0]),
      ['denied', 'ok'],
      results(events).join('\n'),
    );
    assert.equal(place.plan(id), '1. Write b.txt.\n');
  });

  test('a profile without a tool that writes has no plan, and its answer is its end', async (t) => {
    const place = await planGround(t);
    const { outcome, setup, sent } = await place.drive({
      settings: { profile: 'explore' },
      turns: [{ text: 'It is there.' }],
    });
    assert.deepEqual([outcome.outcome, outcome.answer, setup?.planFile], ['completed', 'It is there.', undefined]);
    assert.match(JSON.stringify(sent[0]), /Mode plan: you can only read/);
  });

  test('a run that writes no plan ends with its answer', async (t) => {
    const place = await planGround(t);
    const { outcome } = await place.drive({ turns: [{ text: 'Nothing to plan.' }], approver: person() });
    assert.deepEqual([outcome.outcome, outcome.answer, outcome.plan], ['completed', 'Nothing to plan.', undefined]);
  });

  test('in other modes the file is none that may be written', async (t) => {
    const place = await planGround(t);
    const first = await place.drive({ turns: [write(plan)] });
    const turns = [write('x'), write('x', place.planFile(first.id))];
    const { events } = await place.drive({ resume: first.id, settings: { mode: 'edit' }, say: 'go', turns });
    assert.match(results(events)[0] ?? '', /^denied: .*only the user changes/);
    assert.match(results(events)[1] ?? '', /^denied: .*outside the workspace/);
    assert.equal(place.plan(first.id), plan);
  });
});

describe('the review of a plan', () => {
  test('without a person leaves the question open, and the outcome says what it is about', async (t) => {
    const place = await planGround(t);
    const { id, outcome } = await place.drive({ turns: [write(plan), done] });
    assert.deepEqual([outcome.outcome, outcome.exit, outcome.answer], ['waiting', 9, plan.trimEnd()]);
    const [question] = outcome.questions ?? [];
    assert.equal(question?.plan?.text, plan.trimEnd());
    assert.deepEqual(question?.plan?.modes.slice(0, 2), ['ask', 'edit']);
    assert.deepEqual(outcome.plan, { file: place.planFile(id) });
    assert.equal(question?.plan?.file, place.planFile(id));
    assert.deepEqual(
      openQuestions(place.env, id).map(({ tool }) => tool),
      ['plan'],
    );
    // A reviewing model and a time-out are for calls.
    assert.equal(question?.until, undefined);
  });

  test('accepted ends the run; the session goes on in the mode of the answer, with the plan before the model', async (t) => {
    const place = await planGround(t);
    const approver = person({ decision: 'yes', mode: 'edit' });
    const first = await place.drive({ turns: [write(plan), done], approver });
    assert.equal(first.outcome.outcome, 'completed');
    assert.deepEqual([first.outcome.plan?.decision, first.outcome.plan?.mode], ['accepted', 'edit']);
    assert.deepEqual(first.outcome.denials, []);
    const second = await place.drive({ resume: first.id, turns: [write('b', 'b.txt')], approver });
    assert.equal(second.setup?.mode, 'edit');
    assert.match(lastSaid(second.sent[0]!), /accepted your plan.*Mode edit: .*waived.*1\. Write b\.txt/);
    // The request only grows: what was cached while it planned holds.
    const request = second.events.find((event) => event.kind === 'request');
    assert.ok(request?.kind === 'request' && request.data.extends);
    assert.deepEqual(second.outcome.changed, ['b.txt']);
    assert.equal(second.outcome.plan, undefined);
    assert.equal(approver.asked.length, 1);
    // What was carried out isn't begun again.
    const third = await place.drive({ resume: first.id, say: 'and now?' });
    assert.equal(third.setup?.mode, 'ask');
    assert.ok(!lastSaid(third.sent[0]!).includes('accepted'));
  });

  test('a change goes back in the person’s words, and the new plan is reviewed again', async (t) => {
    const place = await planGround(t);
    const approver = person({ reason: 'Use c.txt.' }, { decision: 'yes' });
    const edit = {
      call: {
        name: 'edit',
        arguments: { path: '.reins/plan.md', old: '1. Write b.txt', new: '1. Write c.txt' },
      },
    };
    const { outcome, sent } = await place.drive({ turns: [write(plan), done, edit, done], approver });
    assert.match(lastSaid(sent[2]!), /The plan is to be changed: Use c\.txt\./);
    assert.deepEqual(
      approver.asked.map((question) => question.plan?.text.split('\n')[0]),
      ['1. Write b.txt.', '1. Write c.txt.'],
    );
    // Without a mode it is the careful one.
    assert.equal(outcome.plan?.mode, 'ask');
    assert.deepEqual(outcome.denials, []);
  });

  test('a no without words ends it, and the next task begins anew', async (t) => {
    const place = await planGround(t);
    const approver = person({}, {});
    const first = await place.drive({ turns: [write(plan), done], approver });
    assert.deepEqual([first.outcome.outcome, first.outcome.plan?.decision], ['completed', 'rejected']);
    const again = await place.drive({
      resume: first.id,
      settings: { mode: 'plan' },
      say: 'else?',
      turns: [done],
      approver,
    });
    assert.deepEqual([again.outcome.plan, approver.asked.length], [undefined, 1]);
    assert.equal(place.plan(first.id), plan);
  });

  test('a mode that was not offered counts for nothing', async (t) => {
    const place = await planGround(t);
    const { outcome } = await place.drive({
      turns: [write(plan), done],
      approver: person({ decision: 'yes', mode: 'unsafe' }),
    });
    assert.equal(outcome.plan?.mode, 'ask');
  });

  test('is answered from elsewhere after the process is gone: accepted, changed, and never with a mode that isn’t there', async (t) => {
    const place = await planGround(t);
    const { id } = await place.drive({ turns: [write(plan), done] });
    const answer = (more: object) => answerQuestion(place.env, id, { decision: 'yes', scope: 'once', ...more });
    await assert.rejects(answer({ mode: 'unsafe' }), { code: 'usage-arguments', detail: /offers the modes ask, edit/ });
    await assert.rejects(answer({ scope: 'always' }), { code: 'usage-arguments' });
    await answer({ decision: 'no', reason: 'Shorter.' });
    await assert.rejects(answer({}), { code: 'question-missing' });
    const planning = await place.drive({ resume: id, turns: [write('1. Short.'), done] });
    assert.equal(planning.setup?.mode, 'plan');
    assert.match(lastSaid(planning.sent[0]!), /to be changed: Shorter/);
    assert.equal(planning.outcome.answer, '1. Short.');
    await answer({ mode: 'edit' });
    const working = await place.drive({ resume: id, turns: [write('b', 'b.txt')] });
    assert.equal(working.setup?.mode, 'edit');
    assert.match(lastSaid(working.sent[0]!), /accepted your plan.*1\. Short\./);
    assert.deepEqual(working.outcome.changed, ['b.txt']);
  });

  test('waits for whoever comes next, and a word of the person’s goes before it', async (t) => {
    const place = await planGround(t);
    const { id } = await place.drive({ turns: [write(plan), done] });
    const approver = person({ decision: 'yes', mode: 'edit' });
    const asked = await place.drive({ resume: id, say: 'Why b.txt?', turns: [{ text: 'It is free.' }], approver });
    assert.match(lastSaid(asked.sent[0]!), /Why b\.txt/);
    assert.deepEqual([asked.setup?.mode, asked.outcome.plan?.decision], ['plan', 'accepted']);
    assert.equal(approver.asked.length, 1);
  });

  test('a word from outside withdraws it, and planning goes on with that', async (t) => {
    const place = await planGround(t);
    const { id, outcome } = await place.drive({ turns: [write(plan), done] });
    await sayTo(place.env, id, 'Mind c.txt.');
    const answer = answerQuestion(place.env, id, {
      ask: outcome.questions?.[0]?.id ?? '',
      decision: 'yes',
      scope: 'once',
    });
    await assert.rejects(answer, { code: 'question-missing' });
    const again = await place.drive({ resume: id });
    assert.match(lastSaid(again.sent[0]!), /Mind c\.txt/);
    assert.deepEqual([again.setup?.mode, again.outcome.outcome], ['plan', 'waiting']);
  });

  test('is an item for whoever drives the session step by step', async (t) => {
    const place = await planGround(t);
    const { id } = await place.drive({ turns: [write(plan), done] });
    const session = await createSession({ workspace: place.workspace, env: place.env, resume: id });
    try {
      const item = await session.step();
      assert.ok(item.item === 'approve' && item.question.plan?.text === plan.trimEnd());
      await session.settle(item, { by: 'driver', decision: 'yes', scope: 'once', mode: 'edit' });
      assert.equal((await session.step()).item, 'stopped');
      assert.deepEqual(session.outcome().plan?.mode, 'edit');
    } finally {
      await session.close();
    }
  });

  test('the mode of the command line goes before that of the answer, and the question is withdrawn', async (t) => {
    const place = await planGround(t);
    const { id } = await place.drive({ turns: [write(plan), done] });
    const other = await place.drive({ resume: id, settings: { mode: 'edit' }, say: 'no plan, just do it' });
    assert.deepEqual(
      [other.setup?.mode, other.outcome.outcome, other.outcome.questions],
      ['edit', 'completed', undefined],
    );
    assert.deepEqual(openQuestions(place.env, id), []);
  });

  test('an empty plan is asked for once before it is put to anybody', async (t) => {
    const place = await planGround(t);
    const approver = person({});
    const { sent, outcome } = await place.drive({ turns: [write(' \n'), done, done], approver });
    assert.match(lastSaid(sent.at(-1)!), /There is no plan in/);
    assert.deepEqual([approver.asked[0]?.plan?.text, outcome.plan?.decision], ['', 'rejected']);
  });

  test('a reviewing model is not asked, and the work isn’t done by the model that only plans', async (t) => {
    const place = await planGround(t, {
      phases: { planning: { model: 'p/planner' } },
      approvals: { reviewer: { model: 'p/m' } },
    });
    const first = await place.drive({ turns: [write(plan), done] });
    assert.deepEqual([first.outcome.outcome, first.sent[0]?.model], ['waiting', 'planner']);
    await answerQuestion(place.env, first.id, { decision: 'yes', scope: 'once' });
    const { sent, setup } = await place.drive({ resume: first.id });
    assert.deepEqual([sent[0]?.model, setup?.mode], ['m', 'ask']);
  });
});

test('a session that planned, was corrected and carried its plan out is rehearsed as it was', async (t) => {
  const place = await planGround(t, { limits: { cost: null } });
  const approver = person({ reason: 'Shorter.' }, { decision: 'yes', mode: 'edit' });
  const first = await place.drive({ turns: [write(plan), done, write('1. Short.'), done], approver });
  await place.drive({ resume: first.id, turns: [write('b', 'b.txt')] });
  rmSync(join(place.workspace, 'b.txt'));
  const { differences, stops } = await rehearseSession({ session: first.id, env: place.env });
  assert.deepEqual([differences, stops.length], [[], 2]);
});

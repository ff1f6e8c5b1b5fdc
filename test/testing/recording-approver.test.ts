import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordingApprover } from '../../src/testing/index.ts';

const open = new AbortController().signal;
const question = (text: string) => ({ call: 'e1/0', tool: 'shell', question: text });

test('answers come one after another, and when they are over the answer is no', async () => {
  const whole = { by: 'reviewer', decision: 'no' as const, scope: 'once' as const, reason: 'too wide' };
  const approver = recordingApprover(['yes', 'always', 'later', whole]);
  const answers = [];
  for (const text of ['a', 'b', 'c', 'd', 'e']) answers.push(await approver.ask(question(text), open));
  assert.deepEqual(answers, [
    { by: 'script', decision: 'yes', scope: 'once' },
    { by: 'script', decision: 'yes', scope: 'always' },
    'later',
    whole,
    { by: 'script', decision: 'no', scope: 'once' },
  ]);
  assert.deepEqual(
    approver.questions.map((asked) => asked.question),
    ['a', 'b', 'c', 'd', 'e'],
  );
});

test('answers may depend on the question', async () => {
  const approver = recordingApprover(({ question: text }) => (text.startsWith('safe') ? 'yes' : 'no'));
  assert.partialDeepStrictEqual(await approver.ask(question('safe'), open), { decision: 'yes' });
  assert.partialDeepStrictEqual(await approver.ask(question('unsafe'), open), { decision: 'no' });
});

test('a question that is answered elsewhere first is known as withdrawn', async () => {
  const answered = Promise.withResolvers<'yes'>();
  const approver = recordingApprover(() => answered.promise);
  const controller = new AbortController();
  const asking = approver.ask(question('a'), controller.signal);
  controller.abort();
  answered.resolve('yes');
  await asking;
  assert.deepEqual(approver.withdrawn, [question('a')]);
});

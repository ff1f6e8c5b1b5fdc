/** The contract of the port `Approver`: an answer has one shape, whoever gives it, and nobody there means no. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Approver, EventData } from '../../src/core/index.ts';

export interface ApproverUnderTest {
  approver: Approver;
  /** Whether somebody is there to say yes. */
  isThere: boolean;
}

const open = new AbortController().signal;
const questions: EventData['ask'][] = [
  { call: 'e1/0', tool: 'shell', question: 'shell ls', shape: 'shell:ls' },
  { call: 'e1/1', tool: 'write', question: 'write a.txt' },
  { call: 'e2/0', tool: 'shell', question: '\u{1f512}\n\0', until: 1 },
];

type Said = Awaited<ReturnType<Approver['ask']>>;

function assertAnswer(said: Said): void {
  if (said === 'later') return;
  const { by, decision, scope, reason, ...rest } = said;
  assert.ok(typeof by === 'string' && by.trim() !== '', 'who answered');
  assert.ok(decision === 'yes' || decision === 'no');
  assert.ok(scope === 'once' || scope === 'always');
  assert.ok(reason === undefined || (typeof reason === 'string' && reason.trim() !== ''));
  // Which question it answers is added by whoever asked.
  assert.deepEqual(rest, {});
}

/** Runs the suite; the factory makes an approver that answers at least three questions. */
export function testApproverContract(name: string, make: () => ApproverUnderTest): void {
  describe(`${name} keeps the contract of an approver`, () => {
    test('every question gets an answer of the one shape', async () => {
      const { approver } = make();
      for (const question of questions) assertAnswer(await approver.ask(question, open));
    });

    test('questions may be asked at the same time', async () => {
      const { approver } = make();
      const said = await Promise.all(questions.map((question) => approver.ask(question, open)));
      assert.equal(said.length, questions.length);
      for (const answer of said) assertAnswer(answer);
    });

    test('an answer can be recorded as it is', async () => {
      const { approver } = make();
      for (const question of questions) {
        const said = await approver.ask(question, open);
        assert.deepEqual(JSON.parse(JSON.stringify(said)), said);
      }
    });

    test('the question stays as it was', async () => {
      const { approver } = make();
      const question = Object.freeze({ ...questions[0]! });
      await approver.ask(question, open);
      assert.deepEqual(question, questions[0]);
    });

    test('nobody there means no, once', async () => {
      const { approver, isThere } = make();
      for (const question of questions) {
        const said = await approver.ask(question, open);
        if (!isThere) assert.partialDeepStrictEqual(said, { decision: 'no', scope: 'once' });
      }
    });

    test('a question that is answered elsewhere is let go without an error', async () => {
      const { approver } = make();
      const elsewhere = new AbortController();
      const asked = approver.ask(questions[0]!, elsewhere.signal);
      elsewhere.abort(new Error('answered elsewhere'));
      assertAnswer(await asked);
      assertAnswer(await approver.ask(questions[1]!, elsewhere.signal));
      assertAnswer(await approver.ask(questions[2]!, open));
    });
  });
}

/** The contract of the port `Calls`: every step of a call is recorded in its order, and nothing runs that was not started. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { open, openCallsRig, type Asked, type CallsRig, type MakeCalls } from './calls-rig.ts';

const silent = () => undefined;

/** Runs the suite over what the factory makes. */
export function testCallsContract(name: string, make: MakeCalls): void {
  const withCalls = (asked: Asked[], body: (rig: CallsRig) => Promise<void>) => async (): Promise<void> => {
    const rig = await openCallsRig(make, asked);
    try {
      await body(rig);
    } finally {
      await rig.close();
    }
  };

  describe(`${name} keeps the contract of calls`, () => {
    test(
      'verdict, ask, answer, start and result are recorded in this order',
      withCalls([['edit']], async ({ calls, executed, record, prepare, answer, results, kinds }) => {
        assert.equal(await prepare(), undefined);
        assert.deepEqual(kinds(), ['verdict', 'ask']);
        assert.equal(await prepare(), undefined);
        assert.deepEqual(kinds(), ['verdict', 'ask'], 'an open question is not recorded again');
        const asked = await answer('yes');
        const prepared = await prepare();
        assert.ok(prepared);
        const { key } = prepared;
        assert.deepEqual(prepared, { key, tool: 'edit', arguments: {} });
        assert.deepEqual([kinds(), executed], [['verdict', 'ask', 'answer', 'start'], []]);
        const outcome = await calls.execute(prepared, open, silent);
        assert.partialDeepStrictEqual(outcome, { outcome: 'ok', text: 'done' });
        await calls.finish(prepared, outcome, 7, record);
        assert.deepEqual(kinds(), ['verdict', 'ask', asked.kind, 'start', 'result']);
        assert.partialDeepStrictEqual(results(), [
          { call: key, tool: 'edit', outcome: 'ok', text: 'done', elapsed: 7 },
        ]);
        assert.deepEqual(executed, ['done']);
      }),
    );

    const refused: [string, Asked, string[], string][] = [
      ['denied', ['drop'], ['verdict', 'result'], 'denied'],
      ['of no known tool', ['nothing'], ['result'], 'error'],
      ['with malformed arguments', ['look', '{"a":'], ['result'], 'error'],
    ];
    for (const [what, asked, steps, outcome] of refused) {
      test(
        `a call that is ${what} never starts`,
        withCalls([asked], async ({ prepare, opened, results, kinds, executed }) => {
          assert.equal(await prepare(), undefined);
          assert.deepEqual([kinds(), opened(), executed], [steps, [], []]);
          assert.partialDeepStrictEqual(results(), [{ tool: asked[0], outcome }]);
          assert.notEqual(results()[0]!.text.trim(), '');
        }),
      );
    }

    test(
      'a call that somebody said no to never starts',
      withCalls([['edit']], async ({ prepare, answer, results, kinds, executed }) => {
        await prepare();
        await answer('no');
        assert.equal(await prepare(), undefined);
        assert.deepEqual([kinds(), executed], [['verdict', 'ask', 'answer', 'result'], []]);
        assert.partialDeepStrictEqual(results(), [{ outcome: 'denied' }]);
      }),
    );

    test(
      'after an abort nothing starts',
      withCalls([['look']], async ({ calls, record, prepare, opened, kinds, executed }) => {
        assert.equal(await prepare(AbortSignal.abort()), undefined);
        await calls.run(opened(), record, AbortSignal.abort(), silent);
        const abort = new AbortController();
        const aborting: typeof record = (draft) => record(draft).finally(() => abort.abort());
        assert.equal(await calls.prepare(opened()[0]!, aborting, abort.signal), undefined);
        assert.deepEqual([kinds(), executed], [['verdict'], []]);
      }),
    );

    test(
      'a call that has started is not run again',
      withCalls([['look']], async ({ prepare, results, kinds, executed }) => {
        assert.ok(await prepare());
        // That it settles it, as interrupted, is part of going on from wherever the call stands.
        assert.equal(await prepare(), undefined);
        assert.deepEqual([kinds(), executed], [['verdict', 'start', 'result'], []]);
        assert.partialDeepStrictEqual(results(), [{ outcome: 'interrupted' }]);
      }),
    );

    test(
      'run answers all calls, once each, and what a tool throws is its result',
      withCalls(
        [['look'], ['nothing'], ['look', '['], ['drop'], ['fail'], ['look']],
        async ({ calls, record, opened, results, executed }) => {
          const keys = opened().map(({ key }) => key);
          await calls.run(opened(), record, open, silent);
          assert.deepEqual(opened(), []);
          const of = new Map(results().map(({ call, outcome }) => [call, outcome]));
          assert.equal(results().length, keys.length);
          assert.deepEqual(
            keys.map((key) => of.get(key)),
            ['ok', 'error', 'error', 'denied', 'error', 'ok'],
          );
          assert.match(results().find(({ tool }) => tool === 'fail')!.text, /The tool broke/);
          assert.deepEqual(executed, ['seen', 'seen']);
        },
      ),
    );

    test(
      'run returns when a question is open, and goes on when it is answered',
      withCalls([['edit'], ['look']], async ({ calls, record, opened, answer, executed }) => {
        await calls.run(opened(), record, open, silent);
        assert.equal(opened()[0]?.name, 'edit');
        await answer('yes');
        await calls.run(opened(), record, open, silent);
        assert.deepEqual([opened(), executed.toSorted()], [[], ['done', 'seen']]);
      }),
    );
  });
}

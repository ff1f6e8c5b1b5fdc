import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallOutcome, JsonObject, Resource } from '../../src/core/index.ts';
import { defineTool, type Effects, type ToolDefinition } from '../../src/tools/index.ts';
import { ownCalls } from './own-calls.ts';
import type { Asked } from './session.ts';

const input = { type: 'object', properties: { text: { type: 'string' } } } as const;

/** A tool that counts its runs; what it touches is in its arguments. */
function counting(more: Partial<ToolDefinition<typeof input>> = {}, outcome?: Partial<CallOutcome>) {
  const runs: JsonObject[] = [];
  const tool = defineTool({
    name: 'look',
    description: 'Looks.',
    input,
    idempotent: true,
    effects: (args): Effects => {
      const { writes, reads = [] } = args as { writes?: string[] | 'all'; reads?: string[] };
      if (writes === 'all') return { effects: ['write'], resources: 'unknown' };
      const of = (access: Resource['access'], paths: string[] = []) => paths.map((path) => ({ access, path }));
      return { effects: ['read'], resources: [...of('read', reads), ...of('write', writes)] };
    },
    execute: (args) => {
      runs.push(args);
      return { outcome: 'ok', text: `run ${runs.length}`, ...outcome };
    },
    ...more,
  });
  return { tool, runs };
}

const look = (args: JsonObject): Asked => ['look', args];

describe('two same calls of one reply, of a tool for which once is enough', () => {
  test('run once; both have the result, and the second says that it is the same', async () => {
    const { tool, runs } = counting();
    await using session = await ownCalls({ tools: [tool] });
    const results = await session.callAll([look({ text: 'a' }), look({ text: 'b' }), look({ text: 'a' })]);
    assert.deepEqual(
      results.map(({ outcome, text }) => [outcome, text]),
      [
        ['ok', 'run 1'],
        ['ok', 'run 2'],
        ['ok', 'The same call as call 1 of this reply; it was run once for both. Its result:\nrun 1'],
      ],
    );
    assert.equal(runs.length, 2);
    assert.equal(session.start().length, 2, 'what isn’t run has no start');
    assert.equal(session.verdicts().length, 3);
  });

  test('whatever the order of their arguments, and whatever says how they are to be run', async () => {
    const { tool, runs } = counting();
    await using session = await ownCalls({ tools: [tool] });
    await session.callAll([
      look({ text: 'a', reads: ['w/a'] }),
      look({ reads: ['w/a'], text: 'a', time_limit: 5, wait_for_previous: true }),
    ]);
    assert.equal(runs.length, 1);
  });

  const different: [string, Asked[]][] = [
    ['other arguments', [look({ text: 'a' }), look({ text: 'a ' })]],
    ['one argument more', [look({ text: 'a' }), look({ text: 'a', reads: [] })]],
    ['a change in between', [look({ reads: ['w/a'] }), look({ writes: ['w'] }), look({ reads: ['w/a'] })]],
    ['something unknown in between', [look({ reads: ['w/a'] }), look({ writes: 'all' }), look({ reads: ['w/a'] })]],
  ];
  for (const [name, asked] of different) {
    test(`with ${name} they are not the same`, async () => {
      const { tool, runs } = counting();
      await using session = await ownCalls({ tools: [tool] });
      await session.callAll(asked);
      assert.equal(runs.length, asked.length);
    });
  }

  test('a change elsewhere in between leaves them the same', async () => {
    const { tool, runs } = counting();
    await using session = await ownCalls({ tools: [tool] });
    await session.callAll([look({ reads: ['w/a'] }), look({ writes: ['w/b'] }), look({ reads: ['w/a'] })]);
    assert.equal(runs.length, 2);
  });

  test('one that changes something is waited for; what it changed is told once', async () => {
    const changes = [{ path: 'a', before: null, after: 'hash' }];
    const facts = { wrote: [] };
    const { tool, runs } = counting({}, { changes, facts });
    await using session = await ownCalls({ tools: [tool] });
    const [first, second] = await session.callAll([look({ writes: ['w/a'] }), look({ writes: ['w/a'] })]);
    assert.equal(runs.length, 1);
    assert.deepEqual([first!.changes?.length, first!.facts], [1, facts]);
    assert.deepEqual([second!.changes, second!.facts, second!.mayHaveChanged], [undefined, undefined, undefined]);
  });

  test('a failure is the failure of both', async () => {
    const { tool, runs } = counting({}, { outcome: 'error', failed: 'limit' });
    await using session = await ownCalls({ tools: [tool] });
    const results = await session.callAll([look({}), look({})]);
    assert.deepEqual([runs.length, ...results.map(({ failed }) => failed)], [1, 'limit', 'limit']);
  });

  test('a long result isn’t made longer than the tool allows', async () => {
    const text = 'x'.repeat(25_000);
    const { tool } = counting({}, { text });
    await using session = await ownCalls({ tools: [tool] });
    const [first, second] = await session.callAll([look({}), look({})]);
    assert.equal(first!.text, text);
    assert.match(second!.text, /^The same call as call 1 of this reply; .* Its result stands there\.$/);
  });

  test('of any other tool both run', async () => {
    const { tool, runs } = counting({ idempotent: false });
    await using session = await ownCalls({ tools: [tool] });
    await session.callAll([look({}), look({})]);
    assert.equal(runs.length, 2);
  });

  test('in another reply it runs again', async () => {
    const { tool, runs } = counting();
    await using session = await ownCalls({ tools: [tool] });
    await session.callAll([look({})]);
    await session.callAll([look({})]);
    assert.equal(runs.length, 2);
  });

  test('each has its own verdict: one that is denied stays denied', async () => {
    const { tool, runs } = counting();
    let asked = 0;
    const hook = { name: 'guard', before: async () => ((asked += 1) === 2 ? { block: 'not twice.' } : undefined) };
    await using session = await ownCalls({ tools: [tool], hooks: [hook] });
    const results = await session.callAll([look({}), look({}), look({})]);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['ok', 'denied', 'ok'],
    );
    assert.equal(runs.length, 1);
  });

  test('where the first is cancelled the second stays open, to be answered as not run', async () => {
    const { tool, runs } = counting({
      execute: (_, { signal }) => {
        runs.push({});
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      },
    });
    await using session = await ownCalls({ tools: [tool] });
    await session.reply([look({}), look({})]);
    const running = session.run();
    while (session.verdicts().length < 2) await new Promise((resolve) => setImmediate(resolve));
    session.cancel();
    await running;
    assert.deepEqual(
      session.results().map(({ outcome }) => outcome),
      ['cancelled'],
    );
    assert.deepEqual([runs.length, session.open().length], [1, 1]);
  });
});

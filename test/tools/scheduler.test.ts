import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject, Resource } from '../../src/core/index.ts';
import { recordingApprover } from '../../src/testing/index.ts';
import { defineTool } from '../../src/tools/index.ts';
import { toolSession, type Asked } from './session.ts';

type Resources = Resource[] | 'unknown';

/** What must hold, said anew: two calls may not overlap if one writes what the other touches, folders included. */
function mustNotOverlap(a: Resources, b: Resources): boolean {
  if (a === 'unknown' || b === 'unknown') return true;
  return a.some((x) => b.some((y) => (x.access === 'write' || y.access === 'write') && isSamePlace(x.path, y.path)));
}

function isSamePlace(path: string, other: string): boolean {
  if (path.includes(':') || other.includes(':')) return path === other;
  const [p, q] = [path.split('/'), other.split('/')];
  return p.every((part, index) => index >= q.length || part === q[index]);
}

/** How many calls from the first on conflict with none before them, ten at most. */
function firstBatch(resources: Resources[]): number {
  const end = resources.findIndex((one, index) =>
    resources.slice(0, index).some((other) => mustNotOverlap(other, one)),
  );
  return Math.min(10, end === -1 ? resources.length : end);
}

/** A tool that touches what its arguments say and ends when it is told to. */
function touching() {
  const events: { call: number; what: 'start' | 'end' }[] = [];
  const ends = new Map<number, () => void>();
  const tool = defineTool({
    name: 'touch',
    description: 'Touches.',
    input: { type: 'object', properties: { index: { type: 'integer' } }, required: ['index'] },
    effects: (args) => ({ effects: ['read'], resources: (args as unknown as { resources: Resources }).resources }),
    execute: ({ index }) => {
      events.push({ call: index, what: 'start' });
      return new Promise<string>((resolve) => {
        ends.set(index, () => {
          ends.delete(index);
          events.push({ call: index, what: 'end' });
          resolve(String(index));
        });
      });
    },
  });
  return { tool, events, ends };
}

const asked = (resources: Resources[]): Asked[] =>
  resources.map((each, index) => ['touch', { index, resources: each } as unknown as JsonObject]);

/** Lets everything run that waits for nothing but its turn. */
const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const paths = fc.constantFrom('w/a', 'w/a/x', 'w/a/x/1', 'w/ab', 'w/b', 'w', 'process:1', 'process:12');
const resource = fc.record({
  access: fc.constantFrom('read' as const, 'read' as const, 'write' as const),
  path: paths,
});
const resourcesOf = fc.oneof(
  { weight: 9, arbitrary: fc.array(resource, { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constant('unknown' as const) },
);

test('conflicting calls never overlap and keep their order; neighbours without conflict do overlap', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(resourcesOf, { minLength: 1, maxLength: 14 }),
      fc.infiniteStream(fc.nat()),
      async (resources, picks) => {
        const { tool, events, ends } = touching();
        await using session = await toolSession({ tools: [tool] });
        await session.reply(asked(resources));
        const state = { over: false };
        const running = session.run().finally(() => (state.over = true));
        await settled();
        assert.equal(ends.size, firstBatch(resources), 'neighbours without conflict overlap');
        let together = 0;
        while (!state.over) {
          await settled();
          together = Math.max(together, ends.size);
          const open = [...ends.values()];
          open[(picks.next().value as number) % Math.max(1, open.length)]?.();
        }
        await running;
        const at = (call: number, what: string) =>
          events.findIndex((event) => event.call === call && event.what === what);
        for (let later = 0; later < resources.length; later++) {
          assert.notEqual(at(later, 'end'), -1, `call ${later} ran`);
          for (let earlier = 0; earlier < later; earlier++) {
            assert.ok(at(earlier, 'start') < at(later, 'start'), 'started in order');
            if (!mustNotOverlap(resources[earlier]!, resources[later]!)) continue;
            assert.ok(at(earlier, 'end') < at(later, 'start'), `${earlier} before ${later}`);
          }
        }
        assert.ok(together <= 10);
      },
    ),
    { numRuns: 60 },
  );
});

describe('batches', () => {
  /** How many calls are at work before any ends. */
  const atOnce = async (resources: Resources[]): Promise<number> => {
    const { tool, ends } = touching();
    await using session = await toolSession({ tools: [tool] });
    await session.reply(asked(resources));
    const state = { over: false };
    const running = session.run().finally(() => (state.over = true));
    await settled();
    const first = ends.size;
    while (!state.over) {
      for (const end of ends.values()) end();
      await settled();
    }
    await running;
    return first;
  };
  const read = (path: string): Resource[] => [{ access: 'read', path }];
  const write = (path: string): Resource[] => [{ access: 'write', path }];

  const cases: [string, Resources[], number][] = [
    ['reads of one file overlap', [read('w/a'), read('w/a')], 2],
    ['writes to disjoint files overlap', [write('w/a'), write('w/b')], 2],
    ['a name that only begins alike is another file', [write('w/a'), write('w/ab')], 2],
    ['a read waits for a write', [write('w/a'), read('w/a')], 1],
    ['a write waits for a read', [read('w/a'), write('w/a')], 1],
    ['a folder conflicts with what is in it', [read('w/src'), write('w/src/deep/x.ts')], 1],
    ['and what is in it with the folder', [write('w/src/deep/x.ts'), read('w/src')], 1],
    ['a folder of folders too', [write('w'), write('w/a')], 1],
    ['unknown waits and is waited for', ['unknown', read('w/a')], 1],
    ['also by a call that touches nothing', [[], 'unknown', []], 1],
    ['at most ten at once', Array.from({ length: 12 }, () => read('w/a')), 10],
    ['no overtaking: what comes after a conflict waits with it', [write('w/a'), read('w/a'), read('w/b')], 1],
    ['a slash at the end of a folder says nothing', [read('w/src/'), write('w/src')], 1],
    ['a glob conflicts with what it may stand for', [read('w/src/**/*.ts'), write('w/src/deep/x.ts')], 1],
    ['and with the folder that it is in', [write('w/src/*.ts'), read('w')], 1],
    ['two globs conflict where their folders do', [write('w/src/*.ts'), read('w/src/*.md')], 1],
    ['a glob elsewhere doesn’t', [write('w/src/*.ts'), read('w/docs/**')], 2],
    ['a glob from the start may stand for anything', [write('**/*.ts'), read('w/docs/a')], 1],
    ['but for no named thing', [write('**/*.ts'), write('job:1')], 2],
    ['the same named thing conflicts', [write('job:1'), read('job:1')], 1],
    ['another one doesn’t', [write('job:1'), write('job:12')], 2],
    ['all of a kind conflict with each of it', [write('job:*'), read('job:1')], 1],
    ['but not with another kind', [write('job:*'), read('process:1')], 2],
    ['a named thing is no path', [write('job:*'), write('w/a'), write('w/job:x')], 3],
  ];
  for (const [name, resources, expected] of cases) {
    test(name, async () => assert.equal(await atOnce(resources), expected));
  }

  test('a call waits for those that it conflicts with, and for no others', async () => {
    const { tool, events, ends } = touching();
    await using session = await toolSession({ tools: [tool] });
    await session.reply(asked([write('w/a'), read('w/b'), read('w/a')]));
    const running = session.run();
    await settled();
    assert.deepEqual([...ends.keys()], [0, 1]);
    ends.get(0)?.();
    await settled();
    assert.deepEqual([...ends.keys()], [1, 2], 'the slow one goes on beside it');
    ends.get(2)?.();
    ends.get(1)?.();
    await running;
    assert.deepEqual(
      events.map(({ call, what }) => `${what} ${call}`),
      ['start 0', 'start 1', 'end 0', 'start 2', 'end 2', 'end 1'],
    );
  });

  test('of one tool so many at once as it allows; others go their way until one stands before them', async () => {
    const { tool, ends } = touching();
    const shy = { ...tool, name: 'shy', atOnce: 2 };
    await using session = await toolSession({ tools: [tool, shy] });
    const call = (name: string, index: number): Asked => [name, { index, resources: [] }];
    await session.reply([call('shy', 0), call('touch', 1), call('shy', 2), call('shy', 3), call('touch', 4)]);
    const running = session.run();
    await settled();
    assert.deepEqual([...ends.keys()], [0, 1, 2]);
    ends.get(1)?.();
    await settled();
    assert.deepEqual([...ends.keys()], [0, 2], 'room for others is no room for this one');
    ends.get(2)?.();
    await settled();
    assert.deepEqual([...ends.keys()], [0, 3, 4]);
    for (const end of ends.values()) end();
    await running;
  });

  test('ten are at work at once in all, whatever their tools', async () => {
    const { tool, ends } = touching();
    await using session = await toolSession({ tools: [tool, { ...tool, name: 'other' }] });
    await session.reply(
      Array.from({ length: 12 }, (_, index) => [index % 2 ? 'touch' : 'other', { index, resources: [] }]),
    );
    const running = session.run();
    await settled();
    assert.equal(ends.size, 10);
    ends.get(0)?.();
    await settled();
    assert.deepEqual([...ends.keys()], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    while (ends.size > 0) {
      for (const end of ends.values()) end();
      await settled();
    }
    await running;
  });

  test('wait_for_previous waits for all before it, and those after it needn’t wait for it', async () => {
    const { tool, ends } = touching();
    await using session = await toolSession({ tools: [tool] });
    const [first, second, third] = asked([read('w/a'), read('w/b'), read('w/c')]);
    await session.reply([first!, ['touch', { ...(second![1] as JsonObject), wait_for_previous: true }], third!]);
    const running = session.run();
    await settled();
    assert.deepEqual([...ends.keys()], [0]);
    ends.get(0)?.();
    await settled();
    assert.deepEqual([...ends.keys()], [1, 2]);
    for (const end of ends.values()) end();
    await running;
    assert.deepEqual(
      session.verdicts().map(({ arguments: args }) => Object.keys(args)),
      Array.from({ length: 3 }, () => ['index', 'resources']),
    );
  });

  test('wait_for_previous holds a call back behind one that waits for an answer, whatever it touches', async () => {
    const approver = recordingApprover(['later', 'yes']);
    await using session = await toolSession({ files: { b: 'y\n' }, approver, policy: { mode: 'ask' } });
    await session.reply([
      ['write', { path: 'a', content: '1' }],
      ['read', { path: 'b', wait_for_previous: true }],
      ['read', { path: 'b' }],
    ]);
    await session.run();
    assert.deepEqual(
      session.open().map(({ name }) => name),
      ['write', 'read'],
    );
    await session.run();
    assert.deepEqual(session.open(), []);
    assert.deepEqual(
      session.results().map(({ tool }) => tool),
      ['read', 'write', 'read'],
    );
  });

  test('the verdict on a call comes after the end of the one that it conflicts with, and sees what that did', async () => {
    await using session = await toolSession({ files: { 'real/a': 'x\n', b: 'y\n' } });
    const results = await session.callAll([
      ['shell', { command: 'mkdir new && echo z > new/a && ln -s ../outside out && ln -s real link' }],
      ['read', { path: 'link/a' }],
      ['read', { path: 'out' }],
      ['read', { path: 'b' }],
    ]);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['ok', 'ok', 'denied', 'ok'],
    );
    const kinds = session.kinds();
    assert.deepEqual(kinds.slice(0, 4), ['verdict', 'start', 'result', 'verdict']);
    assert.deepEqual(session.verdicts()[1]?.resources, [{ access: 'read', path: `${session.workspace.path}/real/a` }]);
  });

  test('results are recorded as they come', async () => {
    const { tool, ends } = touching();
    await using session = await toolSession({ tools: [tool] });
    await session.reply(asked([read('w/a'), read('w/b')]));
    const running = session.run();
    await settled();
    ends.get(1)?.();
    await settled();
    assert.deepEqual(
      session.results().map(({ text }) => text),
      ['1'],
    );
    ends.get(0)?.();
    await running;
    assert.deepEqual(
      session.results().map(({ text }) => text),
      ['1', '0'],
    );
  });

  test('questions are put one at a time, in the order of the calls', async () => {
    let open = 0;
    const approver = recordingApprover(async () => {
      open += 1;
      assert.equal(open, 1);
      await settled();
      open -= 1;
      return 'yes' as const;
    });
    await using session = await toolSession({ files: {}, approver, policy: { mode: 'ask' } });
    await session.callAll([
      ['write', { path: 'a', content: '1' }],
      ['write', { path: 'b', content: '2' }],
    ]);
    assert.deepEqual(
      approver.questions.map(({ question }) => question),
      ['write a (1 byte)\n1', 'write b (1 byte)\n2'],
    );
    assert.deepEqual(await session.workspace.tree(), { a: '1', b: '2' });
  });
});

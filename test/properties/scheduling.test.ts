/** Calls at work at once against the plainest model there is: one after another, each whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject, Resource } from '../../src/core/index.ts';
import { defineTool } from '../../src/tools/index.ts';
import { toolSession, type Asked } from '../tools/session.ts';

type Resources = Resource[] | 'unknown';

interface Planned {
  resources: Resources;
  waits: boolean;
  tool: 'wide' | 'narrow';
}

/** What there is to read and write: a few files in folders, and named things. */
const cells = ['w/a', 'w/src/x.ts', 'w/src/y.ts', 'w/src/deep/z.md', 'w/docs/a', 'job:1', 'job:2'];
const places = [...cells, 'w', 'w/src', 'w/src/deep', 'w/src/*.ts', 'w/src/**/*.md', 'w/docs/*', 'job:*'];

/** The cells that a resource may stand for, by what it means and not by how it is compared. */
function cellsOf(path: string): string[] {
  if (path === 'w/src/*.ts') return ['w/src/x.ts', 'w/src/y.ts'];
  if (path === 'w/src/**/*.md') return ['w/src/deep/z.md'];
  if (path === 'w/docs/*') return ['w/docs/a'];
  if (path === 'job:*') return ['job:1', 'job:2'];
  return cells.filter((cell) => cell === path || cell.startsWith(`${path}/`));
}

function touched(resources: Resources): { read: string[]; written: string[] } {
  if (resources === 'unknown') return { read: cells, written: cells };
  const of = (access: Resource['access']) => resources.filter((one) => one.access === access);
  return {
    read: of('read').flatMap(({ path }) => cellsOf(path)),
    written: of('write').flatMap(({ path }) => cellsOf(path)),
  };
}

/** A world in which every call leaves what it has read, and so what came before it. */
class World {
  readonly cells = new Map<string, string>();

  look(read: readonly string[]): string {
    return read.map((cell) => `${cell}=${this.cells.get(cell) ?? ''}`).join(';');
  }

  leave(call: number, written: readonly string[], seen: string): void {
    for (const cell of written) this.cells.set(cell, hash(`${call}(${cell}:${this.cells.get(cell) ?? ''};${seen})`));
  }
}

/** Short, so that what is left on what is left doesn't grow. */
function hash(text: string): string {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_000_007;
  return String(sum);
}

/** Calls that read when they start and write when they are let go, which shows every order that isn't kept. */
function playing(world: World, planned: readonly Planned[]) {
  const open = new Map<number, () => void>();
  const started: number[] = [];
  const seen = new Map<number, string>();
  let most = { all: 0, narrow: 0 };
  const tool = (name: 'wide' | 'narrow', atOnce: number) =>
    defineTool({
      name,
      description: 'Touches.',
      input: { type: 'object', properties: { index: { type: 'integer' } }, required: ['index'] },
      atOnce,
      effects: ({ index }) => ({ effects: ['read'], resources: planned[index]?.resources ?? 'unknown' }),
      execute: ({ index }) => {
        const { read, written } = touched(planned[index]?.resources ?? 'unknown');
        started.push(index);
        const looked = world.look(read);
        seen.set(index, looked);
        const narrow = [...open.keys(), index].filter((at) => planned[at]?.tool === 'narrow').length;
        most = { all: Math.max(most.all, open.size + 1), narrow: Math.max(most.narrow, narrow) };
        return new Promise<string>((resolve) => {
          open.set(index, () => {
            open.delete(index);
            world.leave(index, written, looked);
            resolve('done');
          });
        });
      },
    });
  return { tools: [tool('wide', 10), tool('narrow', 2)], open, started, seen, most: () => most };
}

const asked = (planned: readonly Planned[]): Asked[] =>
  planned.map(({ tool, waits }, index): Asked => {
    const args: JsonObject = waits ? { index, wait_for_previous: true } : { index };
    return [tool, args];
  });

const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const resource = fc.record({
  access: fc.constantFrom('read' as const, 'read' as const, 'write' as const),
  path: fc.constantFrom(...places),
});
const plan = fc.record({
  resources: fc.oneof(
    { weight: 9, arbitrary: fc.array(resource, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant('unknown' as const) },
  ),
  waits: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  tool: fc.constantFrom('wide' as const, 'wide' as const, 'narrow' as const),
});

/** Runs the calls and lets go of them in any order. */
async function play(planned: Planned[], picks: Iterator<number>) {
  const world = new World();
  const game = playing(world, planned);
  await using session = await toolSession({ tools: game.tools });
  await session.reply(asked(planned));
  const state = { over: false };
  const running = session.run().finally(() => (state.over = true));
  const moments: number[][] = [];
  for (;;) {
    await settled();
    if (state.over) break;
    const open = [...game.open.keys()];
    moments.push(open);
    game.open.get(open[(picks.next().value as number) % open.length] ?? -1)?.();
  }
  await running;
  return { world, game, moments, results: session.results() };
}

test('what calls leave behind, and what each has seen, is as if they had run one after another', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(plan, { minLength: 1, maxLength: 14 }),
      fc.infiniteStream(fc.nat()),
      async (planned, picks) => {
        const { world, game, results } = await play(planned, picks);
        const plain = new World();
        for (const [index, { resources }] of planned.entries()) {
          const { read, written } = touched(resources);
          const looked = plain.look(read);
          assert.equal(game.seen.get(index), looked, `call ${index} saw what it would have seen`);
          plain.leave(index, written, looked);
        }
        assert.deepEqual(new Map(world.cells), new Map(plain.cells));
        assert.equal(results.length, planned.length);
        assert.deepEqual(
          game.started,
          planned.map((_, index) => index),
          'none overtakes another',
        );
        assert.ok(game.most().all <= 10 && game.most().narrow <= 2);
      },
    ),
    { numRuns: 150 },
  );
});

test('a call that waits for all before it starts alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(plan, { minLength: 2, maxLength: 8 }),
      fc.infiniteStream(fc.nat()),
      async (planned, picks) => {
        const { moments } = await play(planned, picks);
        for (const open of moments) {
          const last = open.findLastIndex((index) => planned[index]?.waits === true);
          assert.ok(last <= 0, `${open.join()}: nothing earlier is at work beside call ${open[last] ?? ''}`);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('reads all overlap, whatever they read, as far as there is room', async () => {
  const reads = fc.array(
    fc.array(
      resource.map((one) => ({ ...one, access: 'read' as const })),
      { maxLength: 3 },
    ),
    {
      minLength: 1,
      maxLength: 14,
    },
  );
  await fc.assert(
    fc.asyncProperty(reads, async (all) => {
      const planned = all.map((resources): Planned => ({ resources, waits: false, tool: 'wide' }));
      const { moments } = await play(planned, fc.sample(fc.infiniteStream(fc.nat()), 1)[0]!);
      assert.equal(moments[0]?.length, Math.min(10, planned.length));
    }),
    { numRuns: 40 },
  );
});

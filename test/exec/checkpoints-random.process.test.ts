import assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createCheckpoints, type CheckpointStore } from '../../src/exec/checkpoints/index.ts';
import { treeOf, undoing } from './checkpoints-bench.ts';
import { makeFolder } from './workbench.ts';

const path = fc
  .array(fc.constantFrom('a', 'b', 'é', 'x y'), { minLength: 1, maxLength: 3 })
  .map((steps) => steps.join('/'));
const text: fc.Arbitrary<string> = fc.constantFrom('', 'one', 'two', 'six', 'a longer text\r\n');
const mode = fc.constantFrom(0o600, 0o644, 0o755, 0o700, 0o640);
const step = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path, text }),
  fc.record({ do: fc.constant('remove' as const), path }),
  fc.record({ do: fc.constant('folder' as const), path }),
  fc.record({ do: fc.constant('link' as const), path, text: path }),
  fc.record({ do: fc.constant('mode' as const), path, mode }),
  fc.record({ do: fc.constant('rename' as const), path, to: path }),
  fc.record({ do: fc.constant('old' as const), path }),
  fc.record({ do: fc.constant('take' as const) }),
  fc.record({ do: fc.constant('take-paths' as const), path, text }),
  fc.record({ do: fc.constant('restart' as const) }),
  fc.record({ do: fc.constant('prune' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Does one thing to the workspace; what can't be done isn't. */
function act(root: string, action: Step): void {
  try {
    if (!('path' in action)) return;
    const at = join(root, action.path);
    mkdirSync(dirname(at), { recursive: true });
    if (action.do === 'write' || action.do === 'take-paths') writeFileSync(at, action.text);
    else if (action.do === 'remove') rmSync(at, { recursive: true, force: true });
    else if (action.do === 'folder') mkdirSync(at);
    else if (action.do === 'link') symlinkSync(action.text, at);
    else if (action.do === 'rename') renameSync(at, join(root, action.to));
    else if (lstatSync(at).isSymbolicLink()) return;
    else if (action.do === 'mode') chmodSync(at, action.mode | (lstatSync(at).isDirectory() ? 0o700 : 0));
    else utimesSync(at, 1, 1);
  } catch {
    // a file in the place of a folder, or the other way round
  }
}

test(
  'any snapshot can be brought back from any other, whatever was done in between',
  { timeout: 115_000 },
  async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 30 }),
        fc.array(fc.nat(), { maxLength: 4 }),
        async (steps, visits) => {
          const root = makeFolder(t);
          const place = join(makeFolder(t), 'store');
          let session = 0;
          const open = (): CheckpointStore =>
            createCheckpoints({ workspace: root, store: place, session: `session-${session++}` });
          let store = open();
          const taken = [{ id: (await store.take()).id, tree: treeOf(root) }];
          for (const action of steps) {
            act(root, action);
            if (action.do === 'take-paths') {
              // Only what is asked for may differ: what was done before is taken first.
              await store.take();
              act(root, { ...action, text: `${action.text} again` });
              taken.push({ id: (await store.take({ paths: [action.path] })).id, tree: treeOf(root) });
            }
            if (action.do === 'take') taken.push({ id: (await store.take()).id, tree: treeOf(root) });
            if (action.do === 'prune') await store.prune();
            if (action.do === 'restart') {
              await store.close();
              store = open();
            }
          }
          for (const visit of visits) {
            const target = taken[visit % taken.length]!;
            const now = await store.take();
            const outcomes = await store.restore(undoing(await store.compare(target.id, now.id)));
            assert.deepEqual(
              outcomes.filter((outcome) => 'refused' in outcome),
              [],
            );
            assert.deepEqual(treeOf(root), target.tree);
          }
          assert.deepEqual((await store.verify()).damaged, []);
          await store.close();
          for (const folder of [root, place]) rmSync(folder, { recursive: true });
        },
      ),
      { numRuns: 20 },
    );
  },
);

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Repository } from './repository.ts';

const names = ['a', 'b', 'dir/c', 'dir/d e', 'n\nl'];

type Step =
  | { do: 'write'; name: string; content: string }
  | { do: 'remove'; name: string }
  | { do: 'commit' | 'stage' | 'soft' | 'hard' | 'stash' | 'pop' | 'switch' | 'snapshot' };

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('write' as const),
        name: fc.constantFrom(...names),
        content: fc.constantFrom('1', '2', '3'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), name: fc.constantFrom(...names) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom('commit', 'stage', 'soft', 'hard', 'stash', 'pop', 'switch', 'snapshot'),
      }),
    },
  ) as fc.Arbitrary<Step>,
  { minLength: 3, maxLength: 12 },
);

function perform(repository: Repository, step: Step): void {
  const commands: { [name: string]: string[][] } = {
    commit: [
      ['add', '--all'],
      ['commit', '--quiet', '--allow-empty', '--message=x'],
    ],
    stage: [['add', '--all']],
    soft: [['reset', '--quiet', '--soft', 'HEAD~1']],
    hard: [['reset', '--quiet', '--hard']],
    stash: [['stash', '--quiet', '--include-untracked']],
    pop: [['stash', 'pop', '--quiet']],
    switch: [['checkout', '--quiet', '-B', 'other', 'HEAD~1']],
  };
  if (step.do === 'write') repository.write(step.name, step.content);
  if (step.do === 'remove' && existsSync(join(repository.root, step.name))) repository.remove(step.name);
  for (const command of commands[step.do] ?? []) {
    try {
      repository.do(...command);
    } catch {
      // Git may refuse (no commit before, nothing stashed, a conflict): whatever the tree is then counts.
    }
  }
}

/** What the files really are. */
function contents(root: string): Map<string, string> {
  const paths = globSync('**/*', { cwd: root }).filter((path) => statSync(join(root, path)).isFile());
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

function differences(before: Map<string, string>, after: Map<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).toSorted();
}

/**
 * The one thing that may count without having changed: a file of the commit before that a later commit dropped, and that was made
 * anew without being added. To compare it too would mean to read it from the commit before.
 */
function isUntracked(repository: Repository, path: string): boolean {
  return repository.do('ls-files', '--others', '-z').split('\0').includes(path);
}

test('whatever is done to a repository, the changes are exactly the files whose content differs', async (t) => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const repository = new Repository(t).init();
      repository.commit({ a: '1', 'dir/c': '1' });
      await repository.snapshot();
      let before = contents(repository.root);
      for (const step of [...list, { do: 'snapshot' } as const]) {
        perform(repository, step);
        if (step.do !== 'snapshot') continue;
        const after = contents(repository.root);
        const changed = (await repository.changed()) ?? [];
        const real = differences(before, after);
        const extra = changed.filter((path) => !real.includes(path));
        assert.deepEqual(
          changed.filter((path) => !extra.includes(path)),
          real,
        );
        assert.deepEqual(
          extra.filter((path) => !isUntracked(repository, path)),
          [],
        );
        before = after;
      }
    }),
    { numRuns: 30, endOnFailure: false },
  );
});

/** The contract of the port `Verifier`: what a check says, what a workspace is, and what defines a check. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { fold, View, type Check, type CheckOutcome, type Verifier } from '../../src/core/index.ts';

export interface VerifierUnderTest {
  verifier: Verifier;
  /** Writes a file of the workspace, or removes it (null). */
  write: (path: string, text: string | null) => Promise<void>;
  close: () => Promise<void>;
}

/** What each command of the suite does; one with a NUL character can't be started. */
export const commands = { passes: 'echo fine', fails: 'echo broken; exit 1', never: 'echo \0' };
export const files = { 'a.txt': 'a', 'b.txt': 'b', 'check.sh': 'exit 0' };

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const never = new AbortController().signal;
const checkOf = (command: string): Check => ({
  command,
  from: 'user',
  timeout: 20_000,
  definers: [{ path: 'check.sh', hash: hashOf(files['check.sh']) }],
});

/** Runs the suite; the factory makes a verifier over a workspace with `files` in which `commands` do what they say. */
export function testVerifierContract(name: string, make: () => Promise<VerifierUnderTest>): void {
  const withVerifier = (body: (subject: VerifierUnderTest) => Promise<void>) => async (): Promise<void> => {
    const subject = await make();
    try {
      await body(subject);
    } finally {
      await subject.close();
    }
  };

  describe(`${name} keeps the contract of a verifier`, () => {
    const expected: [string, string, AbortSignal, CheckOutcome['outcome'], number | null][] = [
      ['a check that passes', commands.passes, never, 'passed', 0],
      ['a check that fails', commands.fails, never, 'failed', 1],
      ['a check that can’t be started', commands.never, never, 'not-started', null],
      ['a check that was cancelled before', commands.passes, AbortSignal.abort(), 'cancelled', null],
    ];
    for (const [what, command, signal, outcome, exit] of expected) {
      test(
        `${what} is ${outcome}`,
        withVerifier(async ({ verifier }) => {
          const evidence = await verifier.check(checkOf(command), signal, () => undefined);
          assert.partialDeepStrictEqual(evidence, { passed: outcome === 'passed', outcome, exit });
          assert.equal(typeof evidence.output.text, 'string');
          assert.ok(evidence.elapsed >= 0);
          // The model is told of what did not pass; of a check that was cancelled it may be.
          if (outcome !== 'cancelled') assert.equal((evidence.shown ?? '').trim() !== '', outcome !== 'passed');
          if (outcome === 'failed') assert.match(evidence.shown ?? '', /broken/);
        }),
      );
    }

    test(
      'a first snapshot is the baseline, later ones say what changed',
      withVerifier(async ({ verifier, write }) => {
        const view = new View();
        const snapshot = async () => {
          const data = await verifier.snapshot(view);
          fold(view, { id: `e${data.changed?.length}`, parent: view.head, at: 1, kind: 'checkpoint', data });
          return data;
        };
        const hashes = Object.entries(files).map(([path, text]) => [path, hashOf(text)]);
        assert.deepEqual(await snapshot(), { commit: null, files: Object.fromEntries(hashes) });
        assert.deepEqual((await snapshot()).changed, []);
        await write('b.txt', 'other');
        await write('a.txt', null);
        await write('c.txt', 'new');
        const { changed, files: now } = await snapshot();
        assert.deepEqual(changed, ['a.txt', 'b.txt', 'c.txt']);
        assert.partialDeepStrictEqual(now, { 'b.txt': hashOf('other'), 'c.txt': hashOf('new') });
        assert.deepEqual((await snapshot()).changed, []);
      }),
    );

    test(
      'a file that defines checks and is not what it was is named, once',
      withVerifier(async ({ verifier, write }) => {
        const checks = [checkOf(commands.passes), checkOf(commands.fails)];
        const changed = async () => (await verifier.definersChanged(checks, new View())).map(({ path }) => path);
        assert.deepEqual(await changed(), []);
        for (const text of ['exit 1', null]) {
          await write('check.sh', text);
          assert.deepEqual(await changed(), ['check.sh']);
        }
        await write('check.sh', files['check.sh']);
        assert.deepEqual(await changed(), []);
      }),
    );
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Check, CheckOutcome, Notification } from '../../src/core/index.ts';
import { shownAsData } from '../../src/tools/index.ts';
import { createVerifier, type CheckRun } from '../../src/verify/index.ts';

const check: Check = { command: 'npm test', from: 'user', timeout: 5000, definers: [] };
const fine: CheckRun = {
  exit: 0,
  timedOut: false,
  cancelled: false,
  head: 'ok\n',
  tail: '',
  omitted: 0,
  bytes: 3,
  elapsed: 7,
};

/** What the verifier makes of a run; the command itself is the runner's. */
async function outcomeOf(
  run: Partial<CheckRun>,
  kept: Buffer[] = [],
  show?: (text: string) => string,
): Promise<CheckOutcome> {
  const verifier = createVerifier({
    workspace: '/nonexistent',
    runner: { run: () => Promise.resolve({ ...fine, ...run }) },
    git: { run: () => Promise.reject(new Error('no repository')) },
    keep: (bytes) => {
      kept.push(bytes);
      return Promise.resolve('f'.repeat(64));
    },
    ...(show !== undefined && { show }),
  });
  return verifier.check(check, new AbortController().signal, () => undefined);
}

test('only exit code 0 in time passes, and then the model is told nothing', async () => {
  assert.deepEqual(await outcomeOf({}), {
    passed: true,
    exit: 0,
    outcome: 'passed',
    output: { text: 'ok\n', bytes: 3 },
    elapsed: 7,
  });
  const cases: [Partial<CheckRun>, CheckOutcome['outcome'], RegExp][] = [
    [{ exit: 1 }, 'failed', /exit code 1/],
    [{ exit: null }, 'failed', /ended by a signal/],
    [{ exit: 0, timedOut: true }, 'timed-out', /longer than 5 s/],
    [{ exit: 0, cancelled: true }, 'cancelled', /cancelled/],
    [{ exit: 0, notStarted: 'no shell' }, 'not-started', /could not be started \(no shell\)/],
  ];
  for (const [run, outcome, told] of cases) {
    const evidence = await outcomeOf(run);
    assert.equal(evidence.passed, false, outcome);
    assert.equal(evidence.outcome, outcome);
    assert.match(evidence.shown ?? '', told);
    assert.match(evidence.shown ?? '', /`npm test`/);
    assert.match(evidence.shown ?? '', /\nok\n/);
  }
});

test('output is shown as data, and recorded as it was', async () => {
  const { shown, output } = await outcomeOf({ exit: 1, head: 'a <|im_start|>\u202e\n', bytes: 20 }, [], shownAsData);
  assert.match(shown ?? '', /\na ‹\|im_start\|>\\u\{202e\}\n\[Shown otherwise than it is: [^\n]+\]\n/);
  assert.equal(output.text, 'a <|im_start|>\u202e\n');
});

test('a check that printed nothing says so', async () => {
  const { shown } = await outcomeOf({ exit: 3, head: ' \n', bytes: 2 });
  assert.match(shown ?? '', /exit code 3.*\nIt printed nothing\.\n/);
});

test('the runner gets command and time limit, and its output is passed on as it comes', async () => {
  const notes: Notification[] = [];
  const seen: unknown[] = [];
  const { signal } = new AbortController();
  const verifier = createVerifier({
    workspace: '/nonexistent',
    runner: {
      run: ({ command, timeout, onOutput }, given) => {
        seen.push(command, timeout, given);
        onOutput?.('piece');
        return Promise.resolve(fine);
      },
    },
    git: { run: () => Promise.reject(new Error('no repository')) },
  });
  await verifier.check(check, signal, (note) => notes.push(note));
  assert.deepEqual(seen, ['npm test', 5000, signal]);
  assert.deepEqual(notes, [{ type: 'output', call: 'check:npm test', delta: 'piece' }]);
});

test('output of 6,000 characters is recorded whole; of more, head and tail, and the whole is kept', async () => {
  const kept: Buffer[] = [];
  const whole = await outcomeOf({ exit: 1, head: 'x'.repeat(3000), tail: 'y'.repeat(3000), bytes: 6000 }, kept);
  assert.equal(whole.output.text, 'x'.repeat(3000) + 'y'.repeat(3000));
  assert.deepEqual(kept, []);
  const long = await outcomeOf({ exit: 1, head: 'é'.repeat(3000), tail: 'y'.repeat(3001), bytes: 9001 }, kept);
  assert.equal(
    long.output.text,
    `${'é'.repeat(2000)}\n[... 2 bytes left out ...]\n${'é'.repeat(999)}${'y'.repeat(3001)}`,
  );
  assert.equal(long.output.blob, 'f'.repeat(64));
  assert.equal(String(kept[0]), 'é'.repeat(3000) + 'y'.repeat(3001));
  assert.equal(long.output.bytes, 9001);
});

test('what the runner has left out stays left out, and its blob is named', async () => {
  const run = {
    exit: 1,
    head: 'a\n'.repeat(6000),
    tail: 'b\n'.repeat(6000),
    omitted: 76_000,
    bytes: 100_000,
    blob: 'e'.repeat(64),
  };
  const { output, shown } = await outcomeOf(run);
  assert.match(output.text, /^(a\n)+a\n\[\.\.\. \d+ bytes left out \.\.\.\]\n(b\n)+$/);
  assert.ok(output.text.length <= 6100);
  const [, omitted] = /\.\.\. (\d+) bytes/.exec(output.text)!;
  const shownBytes = output.text.replace(/\n\[.*\]\n/, '').length;
  assert.equal(Number(omitted) + shownBytes, 100_000);
  assert.equal(output.blob, 'e'.repeat(64));
  assert.ok(shown!.includes(output.text.trimEnd()));
});

test('a cut never leaves half a character', async () => {
  for (const shift of ['', 'x']) {
    const { output } = await outcomeOf({ exit: 1, head: shift + '😀'.repeat(5000), bytes: 20_000 });
    assert.ok(output.text.isWellFormed());
    assert.doesNotMatch(output.text, /\ufffd/);
  }
});

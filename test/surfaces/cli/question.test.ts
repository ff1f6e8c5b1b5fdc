import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EventData } from '../../../src/harness/index.ts';
import { never, openTerminal } from './stream-terminal.ts';

const withShape: EventData['ask'] = {
  call: 'c/0',
  tool: 'shell',
  question: 'shell: rm -rf build',
  shape: 'shell(rm -rf build)',
};
const { shape: _shape, ...withoutShape } = withShape;

describe('a question on the terminal', () => {
  const answers: [string, string, object][] = [
    ['y', 'y\n', { by: 'terminal', decision: 'yes', scope: 'once' }],
    ['YES, with a carriage return', 'YES\r\n', { by: 'terminal', decision: 'yes', scope: 'once' }],
    ['n', 'n\n', { by: 'terminal', decision: 'no', scope: 'once' }],
    ['a', 'a\n', { by: 'terminal', decision: 'yes', scope: 'always' }],
    [
      'r with a reason',
      'r\ntoo wide, use trash\n',
      { by: 'terminal', decision: 'no', scope: 'once', reason: 'too wide, use trash' },
    ],
    ['r without one', 'r\n\n', { by: 'terminal', decision: 'no', scope: 'once' }],
    ['anything else, then n', '\nok\nyess\nn\n', { by: 'terminal', decision: 'no', scope: 'once' }],
  ];
  for (const [name, typed, expected] of answers) {
    test(`takes ${name}`, async () => {
      const { approver, typeWhen, shown } = openTerminal();
      const [answer] = await Promise.all([approver.ask(withShape, never), typeWhen(/> $/, typed)]);
      assert.deepEqual(answer, expected);
      assert.match(
        shown(),
        /^\? shell: rm -rf build\n {2}y: yes, once {2}n: no {2}a: always shell\(rm -rf build\) {2}r: no, and say why > /,
      );
    });
  }

  test('offers no "always" where there is no shape, and takes none', async () => {
    const { approver, typeWhen, shown } = openTerminal();
    const [answer] = await Promise.all([approver.ask(withoutShape, never), typeWhen(/> $/, 'a\ny\n')]);
    assert.deepEqual(answer, { by: 'terminal', decision: 'yes', scope: 'once' });
    assert.doesNotMatch(shown(), /always/);
  });

  test('what was typed before it is no answer to it', async () => {
    const { keyboard, approver, typeWhen } = openTerminal();
    keyboard.write('y\ny\n');
    const [answer] = await Promise.all([approver.ask(withShape, never), typeWhen(/> $/, 'n\n')]);
    assert.equal(typeof answer === 'object' && answer.decision, 'no');
  });

  test('is withdrawn when it is answered elsewhere, and the next one is asked', async () => {
    const { approver, until, typeWhen, shown } = openTerminal();
    const elsewhere = new AbortController();
    const first = approver.ask(withShape, elsewhere.signal);
    const second = approver.ask({ ...withoutShape, tool: 'write', question: 'b.txt' }, never);
    await until(/> $/);
    assert.doesNotMatch(shown(), /b\.txt/);
    elsewhere.abort();
    assert.equal(await first, 'later');
    await typeWhen(/\? write: b\.txt\n.*> $/, 'y\n');
    assert.deepEqual(await second, { by: 'terminal', decision: 'yes', scope: 'once' });
  });

  test('answered elsewhere before its turn is not shown at all', async () => {
    const { approver, shown } = openTerminal();
    assert.equal(await approver.ask(withShape, AbortSignal.abort()), 'later');
    assert.equal(shown(), '');
  });

  test('is left open when the input ends', async () => {
    const { keyboard, approver, until } = openTerminal();
    const answer = approver.ask(withShape, never);
    await until(/> $/);
    keyboard.end();
    assert.equal(await answer, 'later');
    assert.equal(await approver.ask(withShape, never), 'later');
  });

  test('shows every line of a command, and obeys none', async () => {
    const { approver, typeWhen, shown } = openTerminal();
    const question = { ...withoutShape, question: `shell: one\n${'x'.repeat(500)}\n\u001b[2Jtwo` };
    await Promise.all([approver.ask(question, never), typeWhen(/> $/, 'n\n')]);
    assert.ok(shown().startsWith(`? shell: one\n  ${'x'.repeat(500)}\n  \\x1b[2Jtwo\n`));
  });
});

describe('a question about a command or a file', () => {
  const command: EventData['ask'] = {
    ...withShape,
    command: 'rm -rf build',
    effects: ['destroy'],
    by: 'mode:ask',
    part: 'rm -rf \u001b[2Jbuild',
    because: 'the mode asks.',
  };

  test('names effects, part and cause, and takes another command instead', async () => {
    const { approver, typeWhen, shown } = openTerminal();
    const [answer] = await Promise.all([
      approver.ask(command, never),
      typeWhen(/> $/, 'e\n').then(() => typeWhen(/instead > $/, 'rm -r build/old\n')),
    ]);
    assert.deepEqual(answer, {
      by: 'terminal',
      decision: 'yes',
      scope: 'once',
      arguments: { command: 'rm -r build/old' },
    });
    assert.match(
      shown(),
      /would: destroy\n {2}part: rm -rf \\x1b\[2Jbuild\n {2}asked because the mode asks\. \(mode:ask\)/,
    );
    assert.match(shown(), /it is: rm -rf build\n/);
  });

  test('is asked again where nothing is typed instead', async () => {
    const { approver, typeWhen } = openTerminal();
    const [answer] = await Promise.all([
      approver.ask(command, never),
      typeWhen(/> $/, 'e\n')
        .then(() => typeWhen(/instead > $/, '\n'))
        .then(() => typeWhen(/say why > $/, 'n\n')),
    ]);
    assert.equal(typeof answer === 'object' && answer.decision, 'no');
  });

  test('shows the diff in the place of the whole content', async () => {
    const { approver, typeWhen, shown } = openTerminal();
    const question = {
      call: 'c/0',
      tool: 'write',
      question: 'write a.txt (2 bytes)\nb',
      diff: '--- a/a.txt\n+++ b/a.txt\n-a\n+b\n',
    };
    await Promise.all([approver.ask(question, never), typeWhen(/> $/, 'n\n')]);
    assert.match(
      shown(),
      /^\? write a\.txt \(2 bytes\)\n {2}--- a\/a\.txt\n {2}\+\+\+ b\/a\.txt\n {2}-a\n {2}\+b\n {2}y: yes/,
    );
  });
});

describe('the review of a plan on the terminal', () => {
  const plan = {
    file: '/s/plan.md',
    text: '1. Do it.\x1b[2J\n2. Check it.',
    modes: ['ask' as const, 'edit' as const, 'auto' as const],
  };
  const question: EventData['ask'] = { call: 'r/plan', tool: 'plan', question: 'Accept this plan?', plan };
  const yes = { by: 'terminal', decision: 'yes', scope: 'once' };
  const no = { by: 'terminal', decision: 'no', scope: 'once' };
  const answers: [string, string, object][] = [
    ['y for the careful mode', 'y\n', { ...yes, mode: 'ask' }],
    ['e for another', 'e\n', { ...yes, mode: 'edit' }],
    ['a mode by its name', 'auto\n', { ...yes, mode: 'auto' }],
    ['n for a rejection', 'n\n', no],
    ['c for a change', 'c\nuse c.txt\n', { ...no, reason: 'use c.txt' }],
    ['c without words as no answer yet', 'c\n\nn\n', no],
    ['a mode that isn’t offered as none', 'unsafe\nplan\nn\n', no],
  ];
  for (const [name, typed, expected] of answers) {
    test(`takes ${name}`, async () => {
      const { approver, typeWhen, shown } = openTerminal();
      const [answer] = await Promise.all([approver.ask(question, never), typeWhen(/> $/, typed)]);
      assert.deepEqual(answer, expected);
      assert.match(
        shown(),
        /^\? plan: Accept this plan\?\n[^]*1\. Do it\.\\x1b\[2J\n {2}2\. Check it\.\n[^]*y: accept, mode ask/,
      );
    });
  }
});

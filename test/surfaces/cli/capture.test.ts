import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { parseArguments, UsageError } from '../../../src/surfaces/cli/arguments.ts';
import { command, optionsFrom } from '../../../src/surfaces/cli/commands/capture.ts';
import { command as log } from '../../../src/surfaces/cli/commands/log.ts';

const asked = (...words: string[]) => optionsFrom(parseArguments(command, words));

describe('what `capture` understands', () => {
  test('everything after two dashes is the program’s, as it is', () => {
    const words = ['claude', '-p', '--out', '--', '-h', '--json', ''];
    assert.deepEqual(asked('--', ...words).command, words);
    assert.deepEqual(asked('--refuse', '--', 'claude', '--refuse').answer, 'refuse');
    assert.deepEqual(asked('--', 'claude', '--refuse').answer, 'done');
  });

  test('its own options stand before', () => {
    const options = asked('--out', 'here', '--script=s.json', '--', 'true');
    assert.deepEqual([options.out, options.answer], [resolve('here'), { scenario: 's.json' }]);
    assert.equal(asked('--', 'true').out, undefined);
  });

  test('an option that lacks its value does not take the dashes for it', () => {
    assert.throws(() => asked('--out', '--', 'true'), UsageError);
  });

  test('without a program there is nothing to capture', () => {
    for (const words of [[], ['--'], ['--', ''], ['--refuse']]) assert.throws(() => asked(...words), UsageError);
    assert.throws(() => asked('claude', '-p'), UsageError);
    assert.throws(() => asked('claude', '--', 'x'), UsageError);
  });

  test('for other commands two dashes only end the options', () => {
    const { positionals, rest } = parseArguments(log, ['--', '--json']);
    assert.deepEqual([positionals, rest], [['--json'], []]);
  });
});

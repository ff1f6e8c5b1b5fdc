import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isProvenRead } from '../../src/safety/index.ts';

describe('a command line that surely changes nothing', () => {
  const reads = [
    'true',
    'true 7',
    'ls -la src',
    'cat a.txt b.txt',
    "grep -rn 'x y' src",
    'find . -name a.ts',
    'wc -l a',
  ];
  for (const command of reads) {
    test(command, () => assert.equal(isProvenRead(command), true));
  }
});

describe('a command line of which that can’t be told', () => {
  const others = [
    '',
    'rm a',
    'git status',
    './ls',
    '/bin/ls',
    'ls; rm a',
    'ls && rm a',
    'cat a > b',
    'echo $(rm a)',
    'find . -delete',
    'find . -exec rm a',
    'find . -fprintf out x',
    'date -s 2020-01-01',
    'date -us2020-01-01',
    'date --set=2020-01-01',
    'sort -o a a',
    'sed -i s/a/b/ c',
    'tee a',
    'X=1 ls',
    'if ls',
    'sh -c ls',
    'constructor',
  ];
  for (const command of others) test(command || '(nothing)', () => assert.equal(isProvenRead(command), false));
});

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { classOf } from '../../src/safety/index.ts';
import { analyserOf } from './analyser.ts';

const analyser = analyserOf();
const classOfLine = async (command: string) => classOf(await analyser.analyse(command, '/work'));
after(() => analyser.close());

describe('a command line that surely changes nothing', () => {
  const reads = [
    'true',
    'true 7',
    'ls -la src',
    'cat a.txt b.txt',
    "grep -rn 'x y' src",
    'find . -name a.ts',
    'wc -l a',
    '',
    '/bin/ls',
    'git status',
  ];
  for (const command of reads) {
    test(command, async () => assert.equal(await classOfLine(command), 'read'));
  }
});

describe('a command line of which that can’t be told', () => {
  const others = [
    'rm a',
    './ls',
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
    'PATH=. ls',
    'if ls',
    'constructor',
  ];
  for (const command of others) test(command, async () => assert.notEqual(await classOfLine(command), 'read'));
});

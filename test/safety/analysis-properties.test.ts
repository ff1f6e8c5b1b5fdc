import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { CommandPart } from '../../src/core/index.ts';
import { analyserOf } from './analyser.ts';

const analyser = analyserOf();
after(() => analyser.close());

const analyse = (line: string) => analyser.analyse(line, '/work');

const plainWord = fc
  .stringMatching(/^[a-z0-9_./-]{1,8}$/)
  .filter((word) => !word.startsWith('-') && !word.includes('..'));
const programs = ['ls', 'cat', 'rm', 'cp', 'mv', 'touch', 'mkdir', 'git', 'curl', 'tee', 'nothing-known'];
const command = fc
  .tuple(fc.constantFrom(...programs), fc.array(plainWord, { maxLength: 3 }))
  .map(([program, words]) => [program, ...words]);

type Spelling = (word: string) => string;
/** Ways to write a word that mean the same. */
const spellings: Spelling[] = [
  (word) => word,
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => `\\${word}`,
  (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
  (word) => `$'\\x${word.charCodeAt(0).toString(16)}'${word.slice(1)}`,
];

/** Ways to put a line into another one that runs it, in the same folder. */
const wrappings: ((line: string) => string)[] = [
  (line) => `{ pwd; ${line}; }`,
  (line) => `{ pwd && ${line} || pwd; }`,
  (line) => `${line} | wc`,
  (line) => `pwd | ${line}`,
  (line) => `( ${line} )`,
  (line) => `{ ${line}; }`,
  (line) => `{ ${line} & }`,
  (line) => `{ ! ${line}; }`,
  (line) => `{ time ${line}; }`,
  (line) => `echo "$( ${line} )"`,
  (line) => `X=$( ${line} )`,
  (line) => `if pwd; then ${line}; fi`,
  (line) => `for i in 1; do ${line}; done`,
  (line) => `while ${line}; do break; done`,
  (line) => `case a in a) ${line};; esac`,
  (line) => `{ f() { ${line}; }; f; }`,
  (line) => `cat <( ${line} )`,
  (line) => `{ cd sub; cd ..; ${line}; }`,
  (line) => `cat <<< "$( ${line} )"`,
];

const found = ({ words, effects, paths, hosts }: CommandPart) => ({ words, effects, paths, hosts });

describe('a command is the same wherever it stands and however it is spelt', () => {
  test('its part has the same words, effects, paths and hosts', async () => {
    const wrapped = fc.array(fc.constantFrom(...wrappings), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        command,
        fc.array(fc.constantFrom(...spellings), { minLength: 4, maxLength: 4 }),
        wrapped,
        async (words, spelt, wraps) => {
          const plain = await analyse(words.map((word) => `'${word}'`).join(' '));
          assert.equal(plain.unclear, undefined);
          const [part] = plain.parts.slice(-1);
          const written = words.map((word, at) => (spelt[at] ?? spellings[0]!)(word)).join(' ');
          const line = wraps.reduce((inner, wrap) => wrap(inner), written);
          const { parts, unclear } = await analyse(line);
          // A line that two grammars see differently is never let through; it needn't be taken apart.
          if (unclear !== undefined) return assert.match(unclear, /grammar/);
          assert.ok(
            parts.some((each) => JSON.stringify(found(each)) === JSON.stringify(found(part!))),
            `${line}\n${JSON.stringify(parts.map(found))}\n${JSON.stringify(found(part!))}`,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a script in quotes has the parts that it has without them', async () => {
    const quoted: ((line: string) => string)[] = [
      (line) => `sh -c '${line}'`,
      (line) => `eval '${line}'`,
      (line) => `bash <<'EOF'\n${line}\nEOF`,
      (line) => `echo '${line}' | sh`,
      (line) => `env sh -c '${line}'`,
      (line) => `timeout 5 bash -c '${line}'`,
      (line) => `trap '${line}' EXIT`,
      (line) => `xargs sh -c '${line}' < a`,
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...quoted),
        async (commands, quote) => {
          const line = commands.map((words) => words.join(' ')).join('; ');
          const plain = await analyse(line);
          const { parts, unclear } = await analyse(quote(line));
          assert.equal(unclear, undefined);
          const all = parts.map((part) => JSON.stringify(found(part)));
          for (const part of plain.parts) assert.ok(all.includes(JSON.stringify(found(part))), quote(line));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('odd input', () => {
  const pieces = [
    ...'ls rm -rf / a $X ${X} ${X:-a} $(rm_a) `ls` "a" \'b\' "$(" \'"\' \\ \\\\ ; ;; & && | || ( ) { } [ ]] [[ < > >> << <<< 2>&1 <( >( EOF # ! = X= X=1 ~ * ? {a,b} {1..9} $(( )) (( if then fi for in do done case esac while function f() eval sh -c exec cd .. trap'.split(
      ' ',
    ),
    ' ',
    '\n',
    '\t',
    '\r',
    '\0',
    'é',
    '\u{1f600}',
    '\u202e',
    '<<EOF\n',
    '\nEOF\n',
    "$'\\x",
    '${',
    '$((',
    '}',
    '@(a|b)',
    'time ',
    'coproc ',
  ];
  const odd = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 60 }).map((all) => all.join(''));
  const spaced = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 60 }).map((all) => all.join(' '));

  test('is taken apart or unclear, in time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(odd, spaced, fc.string({ unit: 'binary', maxLength: 200 })), async (line) => {
        const analysis = await analyse(line);
        assert.equal(Array.isArray(analysis.parts), true);
        for (const { effects } of analysis.parts) assert.ok(effects.length > 0);
      }),
      { numRuns: 1_500 },
    );
  });

  test('of great length ends, and what comes after it is taken apart again', async () => {
    const long = [
      'a'.repeat(900_000),
      'ls;'.repeat(30_000),
      '('.repeat(50_000),
      '$('.repeat(20_000),
      '{a,b}'.repeat(2_000),
      `echo ${'{a,{b,'.repeat(500)}${'}}'.repeat(500)}`,
      `${'if a; then '.repeat(1_000)}b; ${'fi; '.repeat(1_000)}`,
      `cat <<'EOF'\n${'text\n'.repeat(20_000)}EOF\n`,
      `${'f() { f; f; }; '.repeat(100)}f`,
      `${'for a in 1 2 3 4 5 6 7 8; do '.repeat(8)}ls; ${'done; '.repeat(8)}`,
      `${'while a; do '.repeat(30)}ls; ${'done; '.repeat(30)}`,
    ];
    assert.ok(long.join('').length > 1_000_000);
    for (const line of long) {
      const began = performance.now();
      await analyse(line);
      // The limits are of time that is computed; a busy machine may take a multiple.
      assert.ok(performance.now() - began < 30_000);
      const after = await analyse('ls $(pwd)');
      assert.equal(after.unclear, undefined, line.slice(0, 40));
    }
  });
});

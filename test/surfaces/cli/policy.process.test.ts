import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commandLine, openBench } from './command-line.ts';

interface Answer {
  command: string;
  class: string;
  verdict: string;
  rule: string;
  reason: string;
  part?: string;
  parts: { text: string; class: string; effects: string[]; paths: { access: string; path: string }[] }[];
}

describe('reins policy', () => {
  test('explains a command without running it, naming the part that decided', async (t) => {
    const bench = openBench(t);
    const { exit, out } = await bench.reins(['policy', 'explain', '--mode', 'auto', 'ls && git push -f origin main']);
    assert.equal(exit, 0);
    assert.match(out, /^deny \(destroy\) in mode auto$/m);
    assert.match(out, /by {7}pack:no-force-push/);
    assert.match(out, /part {5}git push -f origin main/);
    assert.match(out, /- ls: read$/m);
    const opaque = await bench.reins(['policy', 'explain', '--json', "python3 -c 'x'"]);
    const answer = JSON.parse(opaque.out) as Answer;
    assert.deepEqual([answer.class, answer.verdict, answer.rule], ['unknown', 'ask', 'mode:ask']);
  });

  test('answers one JSON object for each JSON string, in order, and goes on after what is none', async (t) => {
    const bench = openBench(t);
    bench.file('in', ['"ls -l"', '', 'no JSON', '"echo a > b"', '"a\\nrm b"'].join('\n'));
    const { exit, out } = await bench.reins(['policy', 'explain', '--json', '--stdin'], {
      through: ['sh', '-c', 'exec "$0" "$@" <in', process.execPath, commandLine],
    });
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer & { line?: number; error?: string });
    assert.equal(exit, 2);
    assert.deepEqual(
      lines.map(({ command, class: of, verdict, line }) => [command ?? line, of, verdict]),
      [
        ['ls -l', 'read', 'allow'],
        [3, undefined, undefined],
        ['echo a > b', 'write', 'ask'],
        ['a\nrm b', 'unknown', 'ask'],
      ],
    );
    const [, , write] = lines;
    assert.deepEqual(write?.parts[0]?.paths, [{ access: 'write', path: `${bench.workspace}/b` }]);
  });

  test('tries the examples of the rules, or a file of expectations', async (t) => {
    const bench = openBench(t);
    const shipped = await bench.reins(['policy', 'test']);
    assert.deepEqual([shipped.exit, /^\d+ as expected\.\n$/.test(shipped.out)], [0, true], shipped.out);
    bench.file('tests', '{"command":"ls","verdict":"allow","class":"read"}\n{"command":"sudo ls","verdict":"allow"}\n');
    const tried = await bench.reins(['policy', 'test', 'tests']);
    assert.equal(tried.exit, 1);
    assert.match(tried.out, /✗ tests:2: sudo ls\n {4}deny by pack:no-sudo/);
    assert.match(tried.out, /1 of 2 are not as expected/);
    bench.file('tests', '{"command":"ls","klass":"read"}\n');
    const empty = await bench.reins(['policy', 'test', 'tests']);
    assert.equal(empty.exit, 2);
    assert.match(empty.err, /tests:1: expected an object with "command", and "verdict" or "class" or both/);
  });

  const mistakes: [string, string[], RegExp][] = [
    ['no word', [], /What is wanted.*policy explain COMMAND, or reins policy test/],
    ['another word', ['tell'], /The first word can’t be "tell"\. It is one of explain, test/],
    [
      'a command of several words',
      ['explain', 'git', 'push'],
      /too many: "push"\. A command is one argument: put it in/,
    ],
    ['no command', ['explain'], /Which command\?/],
    ['a stream that isn’t JSON', ['explain', '--stdin'], /--stdin goes with --json/],
    ['a stream and a command', ['explain', '--json', '--stdin', 'ls'], /from standard input/],
    ['a mode that is none', ['explain', '--mode', 'free', 'ls'], /plan, ask, edit, auto/],
    ['a file that isn’t there', ['test', 'nowhere'], /can’t be read/],
  ];
  for (const [name, words, said] of mistakes) {
    test(`${name} is a usage error`, async (t) => {
      const { exit, err } = await openBench(t).reins(['policy', ...words]);
      assert.equal(exit, 2);
      assert.match(err, said);
    });
  }
});

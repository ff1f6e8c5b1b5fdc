import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isInstalled, commandLine, openBench, type Bench, type Started } from './command-line.ts';

const skip = isInstalled('script', ['--version'], /util-linux/) ? false : 'script of util-linux is not installed';

/** Starts a conversation on a terminal of its own; standard output goes to the file `answers`. */
function converse(bench: Bench, words: string[]): Started {
  const command = [process.execPath, commandLine, ...words].map((word) => `'${word}'`).join(' ');
  return bench.start(['-qefc', `exec ${command} >> answers`, '/dev/null'], { through: ['script'], stdin: 'open' });
}

const answers = (bench: Bench): string => readFileSync(join(bench.workspace, 'answers'), 'utf8');

/** Types when the terminal shows what is waited for, after what it showed when something was typed last. */
function typist(started: Started) {
  const { child, text } = started;
  let seen = 0;
  return async (pattern: RegExp, words: string): Promise<void> => {
    await started.until('out', new RegExp(`^[^]{${seen}}[^]*?(?:${pattern.source})`));
    seen = text.out.length;
    child.stdin.write(words);
  };
}

describe('a conversation', { skip, concurrency: 2 }, () => {
  test('is one session: a task, a question, a steer, a follow-up, commands, and the next day', async (context) => {
    const bench = openBench(context);
    const write = { name: 'write', arguments: { path: 'a.txt', content: 'a\n' } };
    const model = bench.scenario({
      turns: [
        { calls: [write], wait: 400 },
        { text: 'Written.', expect: { contains: ['<user-message', 'mind this'] }, wait: 400 },
        { text: 'Told.', expect: { contains: 'then tell', lacks: '<user-message' } },
        { text: 'Still here.', expect: { contains: 'one\ntwo' } },
      ],
    });
    const talk = converse(bench, ['--mode', 'ask', '--check', 'none', '--model', model]);
    const type = typist(talk);
    await type(/> /, 'write it\r');
    await type(/the model works/, '/later then tell\r');
    await type(/follow-up: then tell/, 'mind this\r');
    await type(/say why > /, 'y\r');
    await type(/completed/, '/cost\r');
    await type(/left .*97 turns/, '/diff\r');
    await type(/> /, '/undo\r');
    await type(/remove a\.txt/, '/mode plan\r');
    await type(/mode plan/, '\u0004');
    const ended = await talk.ended;
    assert.equal(ended.exit, 0, ended.out);
    assert.match(ended.out, /go on: .* --resume \S+ --check none --mode plan --model script:/);
    assert.equal(ended.out.match(/session \S+ · /g)?.length, 1);
    assert.match(answers(bench), /^Told\.\ndiff --git a\/a\.txt b\/a\.txt\n[^]*\+a\n$/);

    const again = converse(bench, ['--continue', '--mode', 'plan', '--check', 'none', '--model', model]);
    const goOn = typist(again);
    await goOn(/mode plan/, '\u001b[200~one\ntwo\u001b[201~\r');
    await goOn(/completed/, '/quit\r');
    assert.equal((await again.ended).exit, 0);
    assert.match(answers(bench), /Still here\.\n$/);
  });

  test('goes on after an interrupt, and one in which nothing was said leaves nothing', async (context) => {
    const bench = openBench(context);
    const sleep = { name: 'shell', arguments: { command: 'sleep 60' } };
    const turns = [{ calls: [sleep] }, { text: 'Ready.', expect: { results: [{ error: true }] } }];
    const talk = converse(bench, ['--mode', 'unsafe', '--check', 'none', '--model', bench.scenario({ turns })]);
    const type = typist(talk);
    await type(/> /, 'sleep\r');
    // Nobody could bring it back here, so it must not stop to listen.
    await type(/shell sleep 60 \(/, '\u001a');
    await type(/shell sleep 60 \(/, '\u001b');
    await type(/cancelled.*: Cancelled/, 'and now?\r');
    await type(/completed/, '\u0003');
    await type(/once more/, '\u0003');
    const ended = await talk.ended;
    assert.equal(ended.exit, 0, ended.out);
    assert.equal(answers(bench), 'Ready.\n');
    assert.match(ended.out, /go on: .* --resume \S+/);

    const silent = converse(bench, ['--model', bench.scenario({ turns: [{ text: 'x' }] })]);
    await typist(silent)(/> /, '\u0004');
    assert.equal((await silent.ended).exit, 0);
    const sessions = readdirSync(join(bench.environment['XDG_STATE_HOME'] ?? '', 'reins', 'sessions'));
    assert.equal(sessions.filter((name) => /^\d{8}-/.test(name)).length, 1);
  });

  test('accepts a plan, carries it out, and lets a session be chosen afterwards', async (context) => {
    const bench = openBench(context);
    const write = (path: string) => ({ calls: [{ name: 'write', arguments: { path, content: 'one\n' } }] });
    const turns = [
      write('.reins/plan.md'),
      { text: 'Ready.' },
      write('effect'),
      { text: 'Built.' },
      { text: 'Again.' },
    ];
    const model = bench.scenario({ turns });
    const talk = converse(bench, ['--mode', 'plan', '--check', 'none', '--model', model]);
    const type = typist(talk);
    await type(/mode plan[^]*> /, 'plan the effect\r');
    await type(/n: reject > /, 'e\r');
    await type(/mode edit[^]*completed/, '\u0004');
    const ended = await talk.ended;
    assert.equal(ended.exit, 0, ended.out);
    assert.equal(readFileSync(join(bench.workspace, 'effect'), 'utf8'), 'one\n');
    assert.match(answers(bench), /Built\.\n$/);

    const again = converse(bench, ['resume', '--check', 'none', '--model', model]);
    const choose = typist(again);
    await choose(/1: .* plan the effect[^]*Enter for the first > /, '7\r');
    await choose(/no session 7[^]*Enter for the first > /, '\r');
    const resumed = await again.ended;
    assert.equal(resumed.exit, 0, resumed.out);
    assert.match(answers(bench), /^Built\.\nBuilt\.\n$/);
  });

  test('takes a terminal', async (context) => {
    const bench = openBench(context);
    const ended = await bench.reins(['--continue']);
    assert.deepEqual([ended.exit, ended.out], [2, '']);
    assert.match(ended.err, /takes a terminal/);
    assert.match((await bench.reins(['help'])).out, /a conversation, on a terminal/);
  });
});

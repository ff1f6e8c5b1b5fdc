import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CommandOutcome, CommandRequest } from '../../src/tools/index.ts';
import { commandOutcome } from './folder-shell.ts';
import { toolSession } from './session.ts';

/** A session whose shell gives this outcome and remembers what it was asked. */
async function fixedShell(outcome: Partial<CommandOutcome>) {
  const asked: CommandRequest[] = [];
  const session = await toolSession({
    shell: {
      run: async (request) => {
        asked.push(request);
        return { ...commandOutcome, ...outcome };
      },
    },
  });
  return { session, asked };
}

describe('shell', () => {
  test('gives output and exit code of a real command', async () => {
    await using session = await toolSession({ files: { 'a.txt': 'hello\n' } });
    const good = await session.call('shell', { command: 'cat a.txt' });
    assert.equal(good.outcome, 'ok');
    assert.equal(good.text, 'hello\nExit code: 0');
    assert.equal(good.exit, 0);
    assert.equal(good.mayHaveChanged, true);
    const bad = await session.call('shell', { command: 'echo no >&2; exit 3' });
    assert.equal(bad.outcome, 'error');
    assert.equal(bad.text, 'no\nExit code: 3');
    assert.equal(bad.exit, 3);
    assert.equal((await session.call('shell', { command: 'true' })).text, '(no output)\nExit code: 0');
  });

  test('the time limit is the default, or the one asked for, up to 600 seconds', async () => {
    const { session, asked } = await fixedShell({});
    await using _ = session;
    await session.call('shell', { command: 'a' });
    await session.call('shell', { command: 'a', timeout: 600 });
    assert.deepEqual(
      asked.map(({ timeout }) => timeout),
      [120_000, 600_000],
    );
    const beyond = await session.call('shell', { command: 'a', timeout: 601 });
    assert.equal(beyond.outcome, 'error');
    assert.match(beyond.text, /- timeout: must be <= 600, got 601/);
    assert.equal(asked.length, 2);
  });

  test('a time-out is an error with what came, what was ended, and an exit code line', async () => {
    await using session = await toolSession();
    const result = await session.call('shell', { command: 'echo start; sleep 60', timeout: 1 });
    assert.equal(result.outcome, 'error');
    assert.equal(
      result.text,
      'start\nTimed out after 1 second; the output above is what came until then.\nThe command was ended.\nExit code: none (killed by SIGKILL)',
    );
  });

  test('the exit code is the last line, after the hint of the sandbox and what was ended', async () => {
    const { session } = await fixedShell({
      exit: 6,
      head: 'curl: (6)\n',
      bytes: 10,
      hint: 'No network here.',
      ended: 'Ended: sleep.',
    });
    await using _ = session;
    const result = await session.call('shell', { command: 'curl x' });
    assert.equal(result.text, 'curl: (6)\nEnded: sleep.\nNo network here.\nExit code: 6');
  });

  test('a command that never started has changed nothing', async () => {
    const { session } = await fixedShell({ notStarted: 'bwrap is missing', exit: null, hint: 'See reins doctor.' });
    await using _ = session;
    const result = await session.call('shell', { command: 'x' });
    assert.equal(result.outcome, 'error');
    assert.equal(result.text, 'The command was not started: bwrap is missing\nSee reins doctor.');
    assert.equal(result.mayHaveChanged, undefined);
    assert.equal(result.exit, null);
  });

  test('long output: head and tail, the exact gap, the blob, and the exit code last', async () => {
    const outcome = {
      head: 'h'.repeat(20_000),
      tail: `${'t'.repeat(20_000)}\n`,
      omitted: 960_000,
      bytes: 1_000_001,
      blob: 'b10b',
      exit: 1,
    };
    const { session } = await fixedShell(outcome);
    await using _ = session;
    const result = await session.call('shell', { command: 'x' });
    assert.ok(result.text.length <= 25_000, String(result.text.length));
    assert.match(
      result.text,
      /^h+\n\[\.\.\. [\d,]+ bytes of 1,000,001 bytes left out here; kept in blob b10b \.\.\.\]\nt+\nExit code: 1$/,
    );
    const left = Number(/([\d,]+) bytes of/.exec(result.text)?.[1]?.replaceAll(',', ''));
    const shown = (result.text.match(/^h+|t+(?=\nExit)/gm) ?? []).join('').length;
    // The last line feed is left out of the text, not of the count.
    assert.equal(left + shown + 1, 1_000_001);
    assert.equal(result.blob, 'b10b');
    assert.equal(result.bytes, 1_000_001);
  });

  test('output that is whole but long goes to a blob and keeps its exit code in sight', async () => {
    await using session = await toolSession();
    const result = await session.call('shell', { command: 'seq 1 20000; exit 4' });
    assert.ok(result.text.length <= 25_000);
    assert.match(result.text, /^1\n2\n/);
    assert.match(result.text, /\n20000\nExit code: 4$/);
    assert.match(result.text, /left out here; all of it is kept in blob [0-9a-f]{64}/);
    assert.match(session.blobs.get(result.blob ?? '')?.toString() ?? '', /\n10000\n/);
  });

  test('colours are taken out, other controls made visible', async () => {
    await using session = await toolSession();
    const command = String.raw`printf '\033[31mred\033[0m\033]0;title\007 50%%\r100%% \033(B\000\233x\r\n'`;
    const result = await session.call('shell', { command });
    assert.doesNotMatch(result.text, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    assert.match(result.text, /^red 50%\u240d100% \u2400/);
  });

  test('live output goes to whoever watches, without anything a terminal would obey', async () => {
    await using session = await toolSession();
    await session.call('shell', { command: String.raw`printf 'a\033[2Jb\r\n'` });
    const deltas = session.notifications.flatMap((one) => (one.type === 'output' ? [one.delta] : []));
    assert.equal(deltas.join(''), 'a\u241b[2Jb\n');
  });

  test('cancel ends it at once with what came', async () => {
    await using session = await toolSession();
    await session.reply([['shell', { command: 'echo start; sleep 60' }]]);
    const running = session.run();
    const deadline = Date.now() + 10_000;
    while (session.notifications.length === 0 && Date.now() < deadline)
      await new Promise((resolve) => setImmediate(resolve));
    session.cancel();
    await running;
    const [result] = session.results();
    assert.equal(result?.outcome, 'cancelled');
    assert.match(result?.text ?? '', /start/);
  });

  test('a NUL in a command is refused', async () => {
    await using session = await toolSession();
    assert.match((await session.call('shell', { command: 'a\0b' })).text, /NUL/);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builtinTools, type CommandOutcome, type CommandRequest, type Shell } from '../../src/tools/index.ts';
import { commandOutcome } from './folder-shell.ts';
import { toolSession } from './session.ts';

/** A session whose shell gives this outcome and remembers what it was asked. */
async function fixedShell(outcome: Partial<CommandOutcome> | (() => Partial<CommandOutcome>)) {
  const asked: CommandRequest[] = [];
  const session = await toolSession({
    shell: {
      run: async (request) => {
        asked.push(request);
        return { ...commandOutcome, ...(typeof outcome === 'function' ? outcome() : outcome) };
      },
    },
  });
  return { session, asked };
}

/** Lets everything else go on until something holds. */
async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it never came to be');
    await new Promise((resolve) => setImmediate(resolve));
  }
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
    for (const timeout of [601, 0, -1]) {
      const beyond = await session.call('shell', { command: 'a', timeout });
      assert.equal(beyond.outcome, 'error');
      assert.match(beyond.text, /^timeout: must be 1 to 600 seconds, got .*Nothing was run\.$/);
      assert.equal(beyond.mayHaveChanged, undefined);
    }
    assert.equal((await session.call('shell', { command: 'a', timeout: 1.5 })).outcome, 'error');
    assert.equal(asked.length, 2);
  });

  test('calls at work at the same time start where their batch began; the last in the reply says where it goes on', async () => {
    const asked: CommandRequest[] = [];
    const gates = new Map<string, () => void>();
    const shell: Shell = {
      run: async (request) => {
        asked.push(request);
        await new Promise<void>((resolve) => gates.set(request.command, resolve));
        return { ...commandOutcome, folder: request.command === 'stay' ? request.folder! : `/${request.command}` };
      },
    };
    const [alone] = builtinTools({ shell }).filter(({ name }) => name === 'shell');
    const beside = { ...alone!, effects: async () => ({ effects: ['execute' as const], resources: [] }) };
    await using session = await toolSession({ tools: [beside] });
    const root = session.workspace.path;
    const running = session.callAll(['a', 'b', 'stay'].map((command) => ['shell', { command }]));
    await until(() => asked.length === 3);
    gates.get('stay')!();
    gates.get('b')!();
    await until(() => session.results().length === 2);
    gates.get('a')!();
    const results = await running;
    assert.deepEqual(
      asked.map(({ folder }) => folder),
      [root, root, root],
    );
    assert.deepEqual(
      results.map(({ facts }) => facts?.['folder']),
      ['/a', '/b', root],
    );
    const after = session.call('shell', { command: 'c' });
    await until(() => gates.has('c'));
    gates.get('c')!();
    await after;
    assert.equal(asked[3]?.folder, root, 'the call that stayed comes last in the reply');
    const last = session.call('shell', { command: 'stay' });
    await until(() => asked.length === 5);
    gates.get('stay')!();
    await last;
    assert.equal(asked[4]?.folder, '/c');
  });

  test('in the background the limit is a second, or the one asked for, and then it goes on as a job', async () => {
    const { session, asked } = await fixedShell({ exit: null, job: 'job-1', head: 'up\n', bytes: 3 });
    await using _ = session;
    const result = await session.call('shell', { command: 'serve', background: 'job' });
    assert.equal(result.outcome, 'ok');
    assert.equal(
      result.text,
      'up\nIt still runs, as job-1: the job tool shows what it prints, types to it and ends it.',
    );
    assert.equal(result.exit, undefined);
    assert.equal(result.mayHaveChanged, true);
    await session.call('shell', { command: 'serve', background: 'job', timeout: 30, terminal: true });
    assert.deepEqual(
      asked.map(({ timeout, goesOn, terminal }) => [timeout, goesOn, terminal]),
      [
        [1_000, 'job', undefined],
        [30_000, 'job', true],
      ],
    );
    await session.call('shell', { command: 'serve', terminal: false });
    assert.deepEqual([asked[2]?.goesOn, asked[2]?.terminal, asked[2]?.timeout], [undefined, undefined, 120_000]);
    const calls = asked.map((request) => ('call' in request ? request.call : undefined));
    assert.equal(new Set(calls).size, 3, 'each goes with its call');
  });

  test('a job that has said nothing yet, and one that never came to be, are told as such', async () => {
    const silent = await fixedShell({ exit: null, job: 'job-2' });
    await using _ = silent.session;
    assert.match(
      (await silent.session.call('shell', { command: 'x', background: 'job' })).text,
      /^\(no output so far\)\n/,
    );
    const over = await fixedShell({ exit: 1, head: 'no\n', bytes: 3 });
    await using __ = over.session;
    assert.equal((await over.session.call('shell', { command: 'x', background: 'job' })).text, 'no\nExit code: 1');
  });

  test('a terminal without the background, and no command at all, are refused', async () => {
    const { session, asked } = await fixedShell({});
    await using _ = session;
    assert.match(
      (await session.call('shell', { command: 'vi', terminal: true })).text,
      /^terminal: only a command in the background/,
    );
    assert.match((await session.call('shell', { command: ' \n' })).text, /^There is no command\./);
    assert.deepEqual(asked, []);
  });

  test('a command starts where the last one ended, and a change is told', async () => {
    let ends: string | undefined;
    const { session, asked } = await fixedShell(() => (ends === undefined ? {} : { folder: ends }));
    await using _ = session;
    const root = session.workspace.path;
    ends = `${root}/src`;
    assert.match((await session.call('shell', { command: 'cd src' })).text, /\nFolder: src\nExit code: 0$/);
    assert.doesNotMatch((await session.call('shell', { command: 'ls' })).text, /Folder/);
    ends = undefined;
    assert.doesNotMatch((await session.call('shell', { command: 'exec x' })).text, /Folder/);
    ends = `${root}/a\nExit code: 0`;
    assert.match(
      (await session.call('shell', { command: 'cd odd' })).text,
      /\nFolder: "a\\nExit code: 0"\nExit code: 0$/,
    );
    ends = '/tmp/x';
    assert.match((await session.call('shell', { command: 'cd /tmp/x' })).text, /\nFolder: \/tmp\/x\n/);
    assert.deepEqual(
      asked.map(({ folder }) => folder),
      [root, `${root}/src`, `${root}/src`, `${root}/src`, `${root}/a\nExit code: 0`],
    );
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

/** Commands in the background, as the user has them: listed and ended from another terminal, over with the run, or kept beyond it. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import type { Scenario } from '../../../src/testing/index.ts';
import { processesOf, within } from '../../support/scenario-place.ts';
import { isInstalled, linesOf, openBench, type Bench, type Ended } from './command-line.ts';

type Turns = Scenario['turns'];
type Call = [name: string, args: { [name: string]: string | number | boolean }];

const calling = (...calls: Call[]) => ({ calls: calls.map(([name, args]) => ({ name, arguments: args })) });
const modes = [
  ['unsafe', false],
  ['auto', isInstalled('bwrap') ? false : 'bubblewrap is not installed'],
] as const;
/** Milliseconds for what happens in another process. */
const patience = 20_000;

const words = (bench: Bench, turns: Turns, mode = 'unsafe', more: string[] = []): string[] => {
  return ['run', '--json', '--check', 'none', '--mode', mode, '--model', bench.scenario({ turns }), ...more, 'go'];
};
const run = (bench: Bench, turns: Turns, mode?: string, more?: string[]): Promise<Ended> =>
  bench.reins(words(bench, turns, mode, more));
const isDone = ({ exit, out, err }: Ended): void => assert.equal(exit, 0, `${out}\n${err}`);
const processes = (bench: Bench): string[] => processesOf(dirname(bench.workspace));

interface Row {
  id: string;
  kept: boolean;
  session?: string;
  command: string;
  state: string;
  until?: number;
  exit?: number;
}

async function jobsOf(bench: Bench): Promise<Row[]> {
  const { out, exit, err } = await bench.reins(['jobs', '--json']);
  assert.equal(exit, 0, err);
  return out === '' ? [] : (linesOf(out) as unknown as Row[]);
}

/** A process that was told to end, or was ended, needs a moment to be gone. */
async function nothingLives(bench: Bench): Promise<void> {
  await within(patience, () => processes(bench).length === 0);
  assert.deepEqual(processes(bench), []);
}

/** Whatever a test leaves. */
function openPlace(context: TestContext): Bench {
  const bench = openBench(context);
  context.after(() => {
    for (const line of processes(bench)) process.kill(Number(line.split(' ')[0]), 'SIGKILL');
  });
  return bench;
}

const beating = 'while :; do echo beat >> beat; sleep 0.05; done';

describe('a job of a running session', { concurrency: 2 }, () => {
  test('is listed and ended from another terminal, and the model is told', async (context) => {
    const bench = openPlace(context);
    const going = bench.start(
      words(bench, [
        calling(['shell', { command: `echo begun; ${beating}`, background: 'job' }]),
        calling(['job', { id: 'job-1', wait: 'never', timeout: 60 }]),
        { text: 'Done.', expect: { results: [{ contains: 'job-1 was ended', error: false }] } },
      ]),
    );
    await going.until('out', /"kind":"start".*"tool":"job"/);
    const [row, ...others] = await jobsOf(bench);
    assert.deepEqual(others, []);
    assert.deepEqual([row?.id, row?.kept, row?.state], ['job-1', false, 'running']);
    assert.match((await bench.reins(['jobs'])).out, /^job-1 .* running {2}of \S+ {2}echo begun; while/);
    const missing = await bench.reins(['jobs', '--end', 'job-2']);
    assert.notEqual(missing.exit, 0);
    assert.match(missing.err, /No job job-2 is running/);
    const other = await bench.reins(['jobs', '--end', 'job-1', '--session', 'another']);
    assert.notEqual(other.exit, 0);
    const ended = await bench.reins(['jobs', '--end', 'job-1', '--session', row?.session ?? '']);
    assert.equal(ended.exit, 0, ended.err);
    isDone(await going.ended);
    const told = linesOf(going.text.out).filter(({ kind }) => kind === 'job' || kind === 'job-end');
    // First that it is to end, then that it has.
    assert.deepEqual(
      told.map(({ kind, data }) => [kind, (data as { id: string }).id]),
      [
        ['job', 'job-1'],
        ['job-end', 'job-1'],
        ['job-end', 'job-1'],
      ],
    );
    assert.deepEqual(await jobsOf(bench), []);
    await nothingLives(bench);
  });

  for (const [mode, skip] of modes) {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
      test(`ends with the run that ${signal} ends, mode ${mode}`, { skip }, async (context) => {
        const bench = openPlace(context);
        const deaf = `trap '' INT TERM HUP; setsid sh -c 'trap "" INT TERM HUP; ${beating}' & ${beating}`;
        const going = bench.start(
          words(
            bench,
            [
              calling(
                ['shell', { command: deaf, background: 'job' }],
                ['shell', { command: 'sleep 600', background: 'job', terminal: true }],
              ),
              calling(['job', { id: 'job-1', wait: 'never', timeout: 60 }]),
            ],
            mode,
          ),
        );
        await going.until('out', /"kind":"start".*"tool":"job"/);
        assert.ok(await within(patience, () => existsSync(join(bench.workspace, 'beat'))));
        going.child.kill(signal);
        const { exit } = await going.ended;
        assert.equal(exit, { SIGINT: 130, SIGTERM: 143, SIGKILL: null }[signal]);
        await nothingLives(bench);
        assert.deepEqual(await jobsOf(bench), []);
      });
    }
  }

  test('isn’t there when the session is taken up again, and its id is not given twice', async (context) => {
    const bench = openPlace(context);
    const begin = calling(['shell', { command: 'echo $$; sleep 600', background: 'job' }]);
    const turns: Turns = [
      begin,
      { text: 'First.' },
      calling(['job', {}], ['job', { id: 'job-1' }], ['shell', { command: 'sleep 600', background: 'job' }]),
      {
        text: 'Second.',
        expect: {
          results: [
            { contains: 'There are no jobs' },
            { error: true, contains: 'There is no job "job-1"' },
            { contains: 'It still runs, as job-2', error: false },
          ],
        },
      },
    ];
    const first = await run(bench, turns);
    isDone(first);
    const session = linesOf(first.out).at(-1)?.['session'];
    isDone(await run(bench, turns, 'unsafe', ['--resume', String(session)]));
    await nothingLives(bench);
  });
});

describe('a kept job', { concurrency: 2 }, () => {
  for (const [mode, skip] of modes) {
    test(
      `outlives its run, is found by the next session of the workspace, and ended by it, mode ${mode}`,
      { skip },
      async (context) => {
        const bench = openPlace(context);
        const command = 'echo begun; while read x; do echo "got $x" | tee -a got; done';
        const begun = await run(bench, [calling(['shell', { command, background: 'kept' }]), { text: 'Done.' }], mode);
        isDone(begun);
        const [job] = linesOf(begun.out).filter((line) => line['kind'] === 'job');
        assert.equal((job?.['data'] as { kept?: boolean } | undefined)?.kept, true);
        const [row, ...others] = await jobsOf(bench);
        assert.deepEqual(others, []);
        const { id = '', until = 0 } = row ?? {};
        assert.match(id, /^kept-[0-9a-f]{8}$/);
        assert.deepEqual([row?.kept, row?.state, row?.session, row?.command], [true, 'running', undefined, command]);
        assert.ok(until > Date.now() && until <= Date.now() + 3_600_000);

        const elsewhere = join(dirname(bench.workspace), 'elsewhere');
        mkdirSync(elsewhere);
        const blind: Turns = [
          calling(['job', {}], ['job', { id, end: true }]),
          { text: 'Done.', expect: { results: [{ contains: 'There are no jobs' }, { error: true, contains: id }] } },
        ];
        isDone(await bench.reins(words(bench, blind), { folder: elsewhere }));

        const seeing: Turns = [
          calling(['job', {}]),
          {
            ...calling(['job', { id, input: 'one\n', wait: '^got one$' }]),
            expect: { results: [{ contains: [id, 'echo begun'], error: false }] },
          },
          {
            ...calling(['job', { id, end: true }], ['job', { id, input: 'two\n' }]),
            expect: { results: [{ contains: 'got one', error: false }] },
          },
          {
            text: 'Done.',
            expect: {
              results: [
                { contains: `${id} was ended`, error: false },
                { error: true, contains: 'ended' },
              ],
            },
          },
        ];
        isDone(await run(bench, seeing, mode));
        assert.equal(readFileSync(join(bench.workspace, 'got'), 'utf8'), 'got one\n');
        assert.deepEqual(
          (await jobsOf(bench)).map(({ state }) => state),
          ['ended'],
        );
        await nothingLives(bench);
      },
    );
  }

  test('outlives a run that was killed, and is ended by hand', async (context) => {
    const bench = openPlace(context);
    const going = bench.start(
      words(bench, [
        calling(['shell', { command: beating, background: 'kept' }]),
        calling(['shell', { command: 'sleep 60' }]),
      ]),
    );
    await going.until('out', /"kind":"start".*"tool":"shell".*"kind":"start".*"tool":"shell"/s);
    going.child.kill('SIGKILL');
    await going.ended;
    const [row] = await jobsOf(bench);
    assert.equal(row?.state, 'running');
    const ended = await bench.reins(['jobs', '--end', row?.id ?? '']);
    assert.deepEqual([ended.exit, ended.out], [0, `Job ${row?.id} is over (ended).\n`], ended.err);
    await nothingLives(bench);
    const again = await bench.reins(['jobs', '--end', row?.id ?? '']);
    assert.match(again.out, /is over/);
  });

  test('that is over keeps what nobody has seen, and no pattern over it holds anybody up', async (context) => {
    const bench = openPlace(context);
    const command = `sleep 1.2; printf '%050d!' 0 | tr 0 a`;
    isDone(await run(bench, [calling(['shell', { command, background: 'kept' }]), { text: 'Done.' }]));
    assert.ok(await within(patience, async () => (await jobsOf(bench))[0]?.state === 'exited'));
    const id = (await jobsOf(bench))[0]?.id ?? '';
    isDone(
      await run(bench, [
        calling(['job', { id, wait: '^(a+)+$' }], ['job', { id, wait: 'a!$' }]),
        {
          text: 'Done.',
          expect: {
            results: [
              { error: true, contains: 'takes too long' },
              { error: false, contains: ['aaa!', 'ended by itself'] },
            ],
          },
        },
      ]),
    );
  });

  test('that is over before its time is gives an ordinary result', async (context) => {
    const bench = openPlace(context);
    isDone(
      await run(bench, [
        calling(['shell', { command: 'echo no such server >&2; exit 7', background: 'kept', timeout: 15 }]),
        { text: 'Done.', expect: { results: [{ error: true, contains: ['xit code', '7', 'no such server'] }] } },
      ]),
    );
    assert.ok((await jobsOf(bench)).every(({ state }) => state !== 'running'));
    await nothingLives(bench);
  });
});

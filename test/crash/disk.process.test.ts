/** A disk that fails, is full or can't be written: a clear error, nothing that was recorded is lost, and it goes on later. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Scenario } from '../../src/testing/index.ts';
import { assertRebuilt } from '../support/rebuilt.ts';
import { linesOf, commandLine, type Ended } from '../surfaces/cli/command-line.ts';
import { assertExit, assertWhole, countLines, inLanes, logIn, openRounds, type Rounds } from './rounds.ts';

const append = (token: string) => ({ name: 'shell', arguments: { command: `echo ${token} >>tokens` } });
const working: Scenario = {
  turns: [
    { text: 'I begin.', calls: [append('one'), append('two')] },
    { text: 'I go on.', calls: [append('three')] },
    { text: 'Done.' },
  ],
};

/** An end by a disk that fails: exit 1, its code, and a way out in words. */
function assertDiskError(ended: Ended, code: RegExp): void {
  assertExit(ended, 1);
  const outcome = linesOf(ended.out).at(-1);
  assert.match(String(outcome?.['code']), code, ended.err);
  assert.match(ended.err, /^reins: .*(can’t be written|could not be written|can’t be read|can’t be kept)/m);
  assert.doesNotMatch(ended.err, /\n {4}at /, 'a stack is no message');
}

/** What was printed as recorded is in the log. A session that could not even be set up is none, and says so. */
function assertPrintedIsKept(ended: Ended, folder: string | undefined): void {
  const lines = linesOf(ended.out);
  const events = lines.filter(({ type }) => type === 'event');
  if (folder === undefined) {
    assert.ok(events.every(({ kind }) => kind === 'session' || kind === 'setup' || kind === 'notice'));
    assert.equal(lines.at(-1)?.['resumable'], false);
    return;
  }
  const ids = new Set(logIn(folder).map(({ id }) => id));
  const printed = events.map(({ id }) => String(id));
  assert.deepEqual(
    printed.filter((id) => !ids.has(id)),
    [],
    'printed, and not in the log',
  );
}

/** With room again the session comes to its end, and nothing is done twice. */
async function goOn(rounds: Rounds): Promise<void> {
  assertExit(await rounds.run('--mode', 'unsafe').ended, 0);
  const folder = rounds.session();
  assert.ok(folder !== undefined);
  assert.deepEqual(
    [...countLines(rounds.bench, 'tokens').values()].filter((times) => times > 1),
    [],
  );
  assert.deepEqual(rounds.server.refusals, []);
  await assertWhole(folder);
  await assertRebuilt(rounds.server, { folder });
}

describe('a file that can’t grow any more', () => {
  test('at any append: exit 1, and the session goes on when it can', { timeout: 110_000 }, async (context) => {
    const whole = await openRounds(context, working);
    assertExit(await whole.run('--mode', 'unsafe').ended, 0);
    const size = statSync(join(whole.session() ?? '', 'log.jsonl')).size;
    // The unit of the limit is 512 or 1,024 bytes, as the shell likes.
    const most = Math.floor(size / 1024) - 1;
    const limits = Array.from({ length: 12 }, (_, index) => 1 + Math.round((index * (most - 1)) / 11));
    let failed = 0;
    await inLanes(limits, 2, async (limit) => {
      const rounds = await openRounds(context, working);
      const narrow = `trap '' XFSZ; ulimit -f ${limit}; exec "$@"`;
      const ended = await rounds.run('--mode', 'unsafe', {
        through: ['/bin/sh', '-c', narrow, 'sh', process.execPath, commandLine],
      }).ended;
      assertPrintedIsKept(ended, rounds.session());
      assertDiskError(ended, /^(log-append-failed|state-unwritable)$/);
      failed += 1;
      await goOn(rounds);
    });
    assert.equal(failed, limits.length);
  });
});

/** Keeps the state on a file system of one megabyte as long as `work` takes. */
async function onSmallDisk({ bench }: Rounds, work: (state: string) => Promise<void>): Promise<void> {
  const state = bench.environment['XDG_STATE_HOME'] ?? '';
  mkdirSync(state, { recursive: true });
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', state], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  try {
    await work(state);
  } finally {
    spawnSync('umount', ['-l', state]);
  }
}

const cannotMount = (() => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can mount a file system';
  const { status } = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
  return status === 0 ? false : 'a file system can’t be mounted here';
})();

describe('a full disk', { skip: cannotMount }, () => {
  test('in the middle of a run: exit 1, and it goes on when there is room', { timeout: 60_000 }, async (context) => {
    for (const left of [0, 1, 3, 5]) {
      const turns = [...working.turns];
      const rounds = await openRounds(context, { turns });
      await onSmallDisk(rounds, async (state) => {
        const fill = join(state, 'fill');
        // All but so many pages of memory, of which a file system in memory is made.
        const command = `head -c 2000000 /dev/zero >${fill} 2>/dev/null; truncate -s -${left * 4096} ${fill}; echo filled >>tokens`;
        const talk = { calls: [{ name: 'shell', arguments: { command: "head -c 6000 /dev/zero | tr '\\0' y" } }] };
        turns.splice(1, 0, { calls: [{ name: 'shell', arguments: { command } }] }, talk, talk, talk, talk);
        const ended = await rounds.run('--mode', 'unsafe').ended;
        assertPrintedIsKept(ended, rounds.session());
        assertDiskError(ended, /^log-append-failed$/);
        assert.match(ended.err, /no space left/);
        rmSync(fill);
        await goOn(rounds);
      });
    }
  });

  test(
    'because of what a command put out: nothing half-made stays, and it goes on',
    { timeout: 60_000 },
    async (context) => {
      const command = `head -c 3000000 /dev/zero | tr '\\0' x`;
      const turns = [{ calls: [{ name: 'shell', arguments: { command } }] }, ...working.turns];
      const rounds = await openRounds(context, { turns });
      await onSmallDisk(rounds, async () => {
        const ended = await rounds.run('--mode', 'unsafe').ended;
        const folder = rounds.session() ?? '';
        assertPrintedIsKept(ended, folder);
        if (ended.exit !== 0) assertDiskError(ended, /^log-append-failed$/);
        assert.deepEqual(
          readdirSync(join(folder, 'blobs')).filter((name) => name.startsWith('.')),
          [],
        );
        await goOn(rounds);
      });
    },
  );
});

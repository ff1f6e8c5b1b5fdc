/** Folders and files that can't be read or written, are missing, or go away: clear errors, and nothing is lost. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import type { Scenario } from '../../src/testing/index.ts';
import { assertRebuilt } from '../support/rebuilt.ts';
import { linesOf, commandLine, type Ended, type StartOptions } from '../surfaces/cli/command-line.ts';
import { assertExit, assertWhole, logIn, openRounds, type Rounds } from './rounds.ts';

const once: Scenario = { turns: [{ text: 'Done.' }], after: { text: 'Done again.' } };
const asRoot = process.getuid?.() === 0;
const nobody = ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all'];

/** Root may do everything: then the program runs as an ordinary user. */
const through = asRoot ? [...nobody, process.execPath, commandLine] : [process.execPath, commandLine];
const skip = (() => {
  if (!asRoot) return false;
  const tried = spawnSync(nobody[0]!, [...nobody.slice(1), process.execPath, commandLine, '--version']);
  return tried.status === 0 ? false : 'no ordinary user can run the program here';
})();

/** Gives everything of the bench to whoever the program runs as. */
function handOver({ bench }: Rounds): void {
  if (asRoot) spawnSync('chown', ['-R', '65534:65534', dirname(bench.workspace)]);
}

function assertError(ended: Ended, exit: number, code: string): void {
  assertExit(ended, exit);
  assert.equal(linesOf(ended.out).at(-1)?.['code'], code, ended.err);
  if (exit < 3) assert.match(ended.err, /^reins: \S/m);
  assert.doesNotMatch(ended.err, /\n {4}at /, 'a stack is no message');
}

describe('what can’t be read or written', { skip }, () => {
  const asUser = (environment: { [name: string]: string } = {}): StartOptions => ({ through, environment });

  test('a state folder that is read-only: exit 1, and nothing is made', { timeout: 60_000 }, async (context) => {
    const rounds = await openRounds(context, once);
    handOver(rounds);
    const state = rounds.bench.environment['XDG_STATE_HOME'] ?? '';
    chmodSync(state, 0o500);
    assertError(await rounds.run(asUser()).ended, 1, 'state-unwritable');
    assert.deepEqual(readdirSync(state), []);
    chmodSync(state, 0o700);
    assertExit(await rounds.run(asUser()).ended, 0);
  });

  test(
    'a session that is read-only, or can’t be read, on resume: exit 1, and later it goes on',
    { timeout: 60_000 },
    async (context) => {
      const rounds = await openRounds(context, once);
      handOver(rounds);
      assertExit(await rounds.run(asUser()).ended, 0);
      const folder = rounds.session() ?? '';
      const file = join(folder, 'log.jsonl');
      const log = readFileSync(file);
      const again = ['--model', 'claude-sonnet-4-5', '--json', '--resume', basename(folder), 'More.'];
      const resume = () =>
        rounds.bench.reins(
          ['run', ...again],
          asUser({ ANTHROPIC_BASE_URL: rounds.server.url, ANTHROPIC_API_KEY: 'none' }),
        );
      const ways: [string, number, number, string][] = [
        [file, 0o400, 0o600, 'state-unwritable'],
        [file, 0o000, 0o600, 'log-unreadable'],
        [join(folder, 'lock'), 0o400, 0o600, 'state-unwritable'],
      ];
      for (const [path, mode, before, code] of ways) {
        chmodSync(path, mode);
        assertError(await resume(), 1, code);
        chmodSync(path, before);
        assert.deepEqual(readFileSync(file), log, path);
      }
      chmodSync(file, 0);
      const shown = await rounds.bench.reins(['log', basename(folder)], asUser());
      assertExit(shown, 1);
      assert.match(shown.err, /can’t be read: EACCES/);
      const listed = await rounds.bench.reins(['sessions', '--all'], asUser());
      assertExit(listed, 0);
      assert.match(listed.out, new RegExp(basename(folder)));
      chmodSync(file, 0o600);
      assertExit(await resume(), 0);
      await assertWhole(folder);
      await assertRebuilt(rounds.server, { folder });
    },
  );

  test(
    'files of the workspace that can’t be read: the model is told, and what changed is still proven',
    { timeout: 60_000 },
    async (context) => {
      const read = (path: string) => ({ name: 'read', arguments: { path } });
      const calls = [read('secret'), read('pipe'), read('loop'), read('dangling'), read('closed/inside')];
      const change = { name: 'write', arguments: { path: 'new.txt', content: 'new\n' } };
      const rounds = await openRounds(context, { turns: [{ calls }, { calls: [change] }, { text: 'Done.' }] });
      const { bench } = rounds;
      bench.file('secret', 'hidden\n');
      bench.file('closed/inside', 'hidden\n');
      spawnSync('mkfifo', [join(bench.workspace, 'pipe')]);
      symlinkSync('loop', join(bench.workspace, 'loop'));
      symlinkSync('nowhere', join(bench.workspace, 'dangling'));
      handOver(rounds);
      chmodSync(join(bench.workspace, 'secret'), 0);
      chmodSync(join(bench.workspace, 'closed'), 0);
      const ended = await rounds.run('--mode', 'edit', asUser()).ended;
      chmodSync(join(bench.workspace, 'closed'), 0o700);
      assertExit(ended, 0);
      const outcome = linesOf(ended.out).at(-1);
      assert.deepEqual(outcome?.['changed'], ['new.txt']);
      const results = logIn(rounds.session() ?? '').flatMap((event) => (event.kind === 'result' ? [event.data] : []));
      assert.deepEqual(
        results.map(({ outcome }) => outcome === 'ok'),
        [false, false, false, false, false, true],
      );
      for (const { text, outcome } of results) if (outcome !== 'ok') assert.doesNotMatch(text, /hidden/);
    },
  );

  test(
    'a workspace that can’t be entered, and settings that can’t be read: exit 2, and no session',
    { timeout: 60_000 },
    async (context) => {
      const rounds = await openRounds(context, once);
      handOver(rounds);
      chmodSync(rounds.bench.workspace, 0);
      const options = { ...asUser(), folder: '/' };
      assertError(await rounds.run('-C', rounds.bench.workspace, options).ended, 2, 'workspace-missing');
      chmodSync(rounds.bench.workspace, 0o700);
      const settings = join(rounds.bench.environment['XDG_CONFIG_HOME'] ?? '', 'reins', 'settings.json');
      mkdirSync(dirname(settings), { recursive: true });
      writeFileSync(settings, '{}');
      handOver(rounds);
      chmodSync(settings, 0);
      assertError(await rounds.run(asUser()).ended, 2, 'config-invalid');
      assert.equal(rounds.session(), undefined);
    },
  );
});

describe('what isn’t there', () => {
  test('a workspace: exit 2, and no session', { timeout: 60_000 }, async (context) => {
    const rounds = await openRounds(context, once);
    const file = rounds.bench.file('a-file', '');
    for (const folder of [join(rounds.bench.workspace, 'nowhere'), file]) {
      assertError(await rounds.run('-C', folder).ended, 2, 'workspace-missing');
    }
    assert.equal(rounds.session(), undefined);
  });

  test(
    'the folder that the program is started in: exit 2, unless another is named',
    { timeout: 60_000 },
    async (context) => {
      const rounds = await openRounds(context, once);
      const gone = join(rounds.bench.workspace, 'gone');
      mkdirSync(gone);
      const leaving = ['/bin/sh', '-c', 'rmdir "$PWD"; exec "$@"', 'sh', process.execPath, commandLine];
      assertError(await rounds.run({ folder: gone, through: leaving }).ended, 2, 'workspace-missing');
      mkdirSync(gone);
      assertExit(await rounds.run('-C', rounds.bench.workspace, { folder: gone, through: leaving }).ended, 0);
    },
  );

  test('the folders of state: they are made', { timeout: 60_000 }, async (context) => {
    const rounds = await openRounds(context, once);
    rmSync(rounds.bench.environment['XDG_STATE_HOME'] ?? '', { recursive: true });
    assertExit(await rounds.run().ended, 0);
    assert.ok(existsSync(join(rounds.session() ?? '', 'log.jsonl')));
  });

  test('a log that is a folder: exit 1', { timeout: 60_000 }, async (context) => {
    const rounds = await openRounds(context, once);
    assertExit(await rounds.run().ended, 0);
    const folder = rounds.session() ?? '';
    renameSync(join(folder, 'log.jsonl'), join(folder, 'aside'));
    mkdirSync(join(folder, 'log.jsonl'));
    const model = ['--model', rounds.bench.scenario(once), '--json'];
    assertError(
      await rounds.bench.reins(['run', ...model, '--resume', basename(folder), 'More.']),
      1,
      'log-unreadable',
    );
  });
});

test(
  'a workspace that goes away in the middle of a run ends it in order; with it back, the session goes on',
  { timeout: 60_000 },
  async (context) => {
    const calls = [
      { name: 'shell', arguments: { command: 'echo hello' } },
      { name: 'read', arguments: { path: 'a.txt' } },
      { name: 'edit', arguments: { path: 'a.txt', old: 'a', new: 'b' } },
    ];
    const scenario: Scenario = { turns: [{ calls }], after: { text: 'It is gone.' } };
    for (const mode of ['unsafe', 'edit']) {
      const rounds = await openRounds(context, scenario);
      rounds.bench.file('a.txt', 'alpha\n');
      const held = rounds.server.hold(1, 'before-end');
      const run = rounds.run('--mode', mode, '--check', 'true');
      await held.reached;
      // What still runs may write into it meanwhile.
      rmSync(rounds.bench.workspace, { recursive: true, maxRetries: 5 });
      held.release();
      const ended = await run.ended;
      const outcome = linesOf(ended.out).at(-1);
      assert.equal(outcome?.['exit'], ended.exit, ended.err);
      assert.notEqual(outcome?.['code'], 'defect', ended.err);
      assert.doesNotMatch(ended.err, /\n {4}at /);
      const folder = rounds.session() ?? '';
      assert.equal(logIn(folder).at(-1)?.kind, 'stop');
      await assertWhole(folder);
      assertError(await rounds.run('-C', rounds.bench.workspace, { folder: '/' }).ended, 2, 'workspace-missing');
      mkdirSync(rounds.bench.workspace);
      assertExit(await rounds.run('Go on.').ended, 0);
      assert.deepEqual(rounds.server.refusals, []);
      await assertRebuilt(rounds.server, { folder });
    }
  },
);

test(
  'a workspace that the work itself removes is a change that nothing proves: exit 3',
  { timeout: 60_000 },
  async (context) => {
    // Spelled so that nothing recognises it: mode unsafe stops what is recognised.
    const command = `node -e 'fs.rmSync(process.cwd(), { recursive: true })'`;
    const calls = [{ name: 'shell', arguments: { command } }];
    const rounds = await openRounds(context, { turns: [{ calls }], after: { text: 'It is done.' } });
    rounds.bench.file('a.txt', 'alpha\n');
    const ended = await rounds.run('--mode', 'unsafe', '--check', 'true').ended;
    assertError(ended, 3, 'checks-failed');
    assert.deepEqual(linesOf(ended.out).at(-1)?.['changed'], ['a.txt']);
  },
);

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { changeMemory, decideProposal, loadMemory, mostMemory, proposeMemory } from '../../src/config/index.ts';
import { createSetting } from './places.ts';

test('notes are the fold of their changes, for a workspace and for the user apart, and every version stays', (t) => {
  const { workspace, env, home } = createSetting(t);
  const place = { scope: 'project', workspace, env } as const;
  const user = { ...place, scope: 'user' } as const;
  const other = join(home, 'other');
  mkdirSync(other);
  assert.deepEqual(loadMemory(place), { text: '', versions: [], proposals: [] });
  changeMemory(place, { note: 'tests run with make check' }, 'model');
  changeMemory(place, { note: 'ports start at 9000' }, 'model');
  changeMemory(place, { old: 'make check', note: 'make $& test' }, 'model');
  changeMemory(place, { old: 'ports start at 9000' }, 'user');
  changeMemory(user, { set: 'prefers short answers\r\n' }, 'user');
  assert.equal(loadMemory(place).text, 'tests run with make $& test');
  assert.equal(loadMemory(user).text, 'prefers short answers');
  assert.equal(loadMemory({ ...user, workspace: other }).text, 'prefers short answers');
  assert.equal(loadMemory({ ...place, workspace: other }).text, '');
  const { versions } = loadMemory(place);
  assert.deepEqual(
    versions.map(({ number, by }) => [number, by]),
    [
      [1, 'model'],
      [2, 'model'],
      [3, 'model'],
      [4, 'user'],
    ],
  );
  assert.match(versions[1]?.text ?? '', /make check\nports/);
  const folder = join(home, '.local/state/reins/memory');
  assert.equal(readdirSync(folder).length, 2);
  for (const file of readdirSync(folder)) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600);
});

test('what doesn’t fit changes nothing and says why', (t) => {
  const { workspace, env } = createSetting(t);
  const place = { scope: 'project', workspace, env } as const;
  const full = 'x'.repeat(mostMemory);
  assert.ok('number' in changeMemory(place, { set: full }, 'user'));
  const refused = (change: Parameters<typeof changeMemory>[1], why: RegExp): void => {
    const made = changeMemory(place, change, 'model');
    assert.match('refused' in made ? made.refused : '', why);
  };
  refused({ note: 'y' }, /2202 characters, and 2200/);
  refused({ set: full }, /already/);
  refused({ note: full }, /already/);
  refused({ note: ' ' }, /needs a note/);
  refused({}, /needs a note/);
  refused({ old: 'absent', note: 'y' }, /don’t hold/);
  refused({ old: 'x', note: 'y' }, /more than once/);
  refused({ set: 'a\0b' }, /null/);
  assert.equal(loadMemory(place).versions.length, 1);
});

test('proposals wait, are decided once, and one that fits no longer goes on waiting', (t) => {
  const { workspace, env } = createSetting(t);
  const place = { scope: 'project', workspace, env } as const;
  changeMemory(place, { set: 'one\ntwo' }, 'user');
  const idOf = (change: Parameters<typeof proposeMemory>[1]): string => {
    const laid = proposeMemory(place, change);
    return 'id' in laid ? laid.id : assert.fail(laid.refused);
  };
  const [three, gone, other] = [idOf({ note: 'three' }), idOf({ old: 'two' }), idOf({ note: 'four' })];
  assert.equal(idOf({ note: 'three' }), three);
  assert.equal(loadMemory(place).text, 'one\ntwo');
  decideProposal(place, three, 'accept');
  decideProposal(place, other, 'reject');
  assert.equal(loadMemory(place).text, 'one\ntwo\nthree');
  assert.throws(() => decideProposal(place, three, 'accept'), { code: 'usage-arguments' });
  assert.throws(() => decideProposal(place, other, 'accept'), { code: 'usage-arguments' });
  changeMemory(place, { set: 'one' }, 'user');
  assert.ok('refused' in (decideProposal(place, gone, 'accept') ?? {}));
  assert.deepEqual(
    loadMemory(place).proposals.map(({ id }) => id),
    [gone],
  );
  for (let at = 1; at < 50; at += 1) idOf({ note: `note ${at}` });
  assert.ok('refused' in proposeMemory(place, { note: 'one too many' }));
});

test('a torn line costs nothing else; what others could have written, or came with the repository, doesn’t count', (t) => {
  const { workspace, env, home } = createSetting(t);
  const place = { scope: 'project', workspace, env } as const;
  changeMemory(place, { note: 'before' }, 'user');
  const folder = join(home, '.local/state/reins/memory');
  const file = join(folder, readdirSync(folder)[0]!);
  appendFileSync(file, '\n{"id":"x","cha');
  changeMemory(place, { note: 'after' }, 'user');
  assert.equal(loadMemory(place).text, 'before\nafter');
  assert.match(loadMemory(place).problem ?? '', /1 damaged line/);
  chmodSync(file, 0o666);
  assert.equal(loadMemory(place).text, '');
  assert.match(loadMemory(place).problem ?? '', /written by others/);
  // Nobody reads this pipe: whoever opened it as a file would wait for good.
  rmSync(file);
  execFileSync('mkfifo', [file]);
  assert.throws(() => changeMemory(place, { note: 'x' }, 'user'), { code: 'state-unwritable' });
  const inside = { ...place, env: { ...env, XDG_STATE_HOME: join(workspace, 'state') } };
  assert.throws(() => changeMemory(inside, { note: 'x' }, 'user'), { code: 'state-unwritable' });
});

test('past a size the newest versions and what waits stay, under their numbers; below it, or where others write, nothing goes', (t) => {
  const { workspace, env, home } = createSetting(t);
  const place = { scope: 'project', workspace, env } as const;
  proposeMemory(place, { note: 'waits' });
  const folder = join(home, '.local/state/reins/memory');
  const file = join(folder, readdirSync(folder)[0]!);
  const line = (number: number): string =>
    JSON.stringify({ id: `v${number}`, at: '', by: 'user', change: { set: `${number} ${'x'.repeat(2_000)}` } });
  appendFileSync(file, Array.from({ length: 500 }, (_, index) => line(index + 1)).join('\n'));
  assert.ok('number' in changeMemory(place, { set: 'below' }, 'user'));
  assert.equal(loadMemory(place).versions.length, 501);
  appendFileSync(file, `\n${line(600)}\n${line(601)}`.repeat(8));
  appendFileSync(file, `\n${line(1)}\n${'x'.repeat(40_000)}`);
  chmodSync(file, 0o666);
  const before = readFileSync(file, 'utf8');
  changeMemory(place, { set: 'foreign' }, 'user');
  assert.ok(readFileSync(file, 'utf8').startsWith(before));
  chmodSync(file, 0o600);
  writeFileSync(`${file}.trim`, '');
  changeMemory(place, { set: 'another shortens it' }, 'user');
  assert.equal(loadMemory(place).versions.at(-1)?.number, 505);
  assert.ok(statSync(file).size > 1_048_576);
  utimesSync(`${file}.trim`, 0, 0);
  assert.equal((changeMemory(place, { note: 'last' }, 'user') as { number?: number }).number, 506);
  const { versions, proposals, problem, text } = loadMemory(place);
  assert.deepEqual([versions[0]?.number, versions.at(-1)?.number, problem], [406, 506, undefined]);
  assert.deepEqual([text, proposals[0]?.change], ['another shortens it\nlast', { note: 'waits' }]);
  assert.ok(statSync(file).size < 400_000);
  assert.deepEqual([statSync(file).mode & 0o777, readdirSync(folder).length], [0o600, 1]);
});

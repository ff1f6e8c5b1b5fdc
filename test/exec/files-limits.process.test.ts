import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { makeFolder, whyNoSandbox, write } from './workbench.ts';

const door = JSON.stringify(new URL('../../src/exec/index.ts', import.meta.url).href);
const skip = await whyNoSandbox();

/** Runs a script that has `files` of a workspace, around which a program was put. */
function runAround(around: string[], workspace: string, script: string): unknown {
  const whole = `
    import { createFiles } from ${door};
    import { readdirSync, readFileSync, writeFileSync, mkdirSync, linkSync } from 'node:fs';
    const w = ${JSON.stringify(workspace)};
    const files = createFiles({ workspace: w });
    const put = async (name, bytes) => {
      const state = await files.read(w + '/' + name);
      const result = await files.write(w + '/' + name, bytes, state?.hash ?? null);
      return result.refused ?? 'written';
    };
    ${script}`;
  const [program, ...args] = [...around, process.execPath, '--input-type=module', '-e', whole];
  const result = spawnSync(program, args, { encoding: 'utf8', cwd: '/', timeout: 60_000 });
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

/** Shows a folder as a small file system, or as a read-only one. */
const inNamespace = (...mounts: string[]) => [
  'bwrap',
  '--bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  ...mounts,
  '--',
];

const makeSmall = (t: TestContext) => {
  const workspace = makeFolder(t);
  return { workspace, around: inNamespace('--size', '65536', '--tmpfs', workspace) };
};

test('a full disk refuses what doesn’t fit and keeps what was there', { skip }, (t) => {
  const { workspace, around } = makeSmall(t);
  const result = runAround(
    around,
    workspace,
    `
    writeFileSync(w + '/f', 'a'.repeat(20000));
    writeFileSync(w + '/g', 'b'.repeat(10000));
    linkSync(w + '/g', w + '/same');
    const said = [await put('new/deep', Buffer.alloc(100000)), await put('f', Buffer.alloc(100000)), await put('g', Buffer.alloc(100000, 'c'))];
    const whole = [readFileSync(w + '/f', 'utf8') === 'a'.repeat(20000), readFileSync(w + '/same', 'utf8') === 'b'.repeat(10000)];
    console.log(JSON.stringify({ said, whole, names: readdirSync(w).sort(), small: await put('s', Buffer.from('s')) }));`,
  );
  const full = 'there is no room left on the disk';
  assert.deepEqual(result, {
    said: [full, full, full],
    whole: [true, true],
    names: ['f', 'g', 'same'],
    small: 'written',
  });
});

test('a read-only disk refuses', { skip }, (t) => {
  const workspace = makeFolder(t, { f: 'x' });
  const result = runAround(
    inNamespace('--ro-bind', workspace, workspace),
    workspace,
    `console.log(JSON.stringify([await put('f', Buffer.from('y')), await put('new', Buffer.from('y')), await put('a/b', Buffer.from('y'))]));`,
  );
  const refused = 'its disk is read-only';
  assert.deepEqual(result, [refused, refused, refused]);
  assert.equal(readFileSync(join(workspace, 'f'), 'utf8'), 'x');
});

test(
  'another user’s file that may be written keeps its owner',
  { skip: process.getuid?.() !== 0 && 'needs two users' },
  (t) => {
    const workspace = makeFolder(t);
    write(join(workspace, 'f'), 'x');
    chmodSync(workspace, 0o777);
    chmodSync(join(workspace, 'f'), 0o666);
    const { ino } = statSync(join(workspace, 'f'));
    const other = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    assert.equal(
      runAround(other, workspace, `console.log(JSON.stringify(await put('f', Buffer.from('y'))));`),
      'written',
    );
    const status = statSync(join(workspace, 'f'));
    assert.deepEqual([status.uid, status.ino, readFileSync(join(workspace, 'f'), 'utf8')], [0, ino, 'y']);
  },
);

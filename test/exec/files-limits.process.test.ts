import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
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

test(
  'who may not write a folder changes no file in it, and is told why',
  { skip: process.getuid?.() !== 0 && 'needs two users' },
  (t) => {
    const workspace = makeFolder(t);
    write(join(workspace, 'shut/f'), 'x');
    chmodSync(workspace, 0o777);
    chmodSync(join(workspace, 'shut/f'), 0o666);
    chmodSync(join(workspace, 'shut'), 0o755);
    const other = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    const result = runAround(
      other,
      workspace,
      `
      const { hash } = await files.read(w + '/shut/f');
      const removed = await files.remove(w + '/shut/f', hash);
      console.log(JSON.stringify([await put('shut/f', Buffer.from('y')), await put('shut/new', Buffer.from('y')), await put('shut/deep/new', Buffer.from('y')), removed.refused]));`,
    );
    const closed = 'there is no permission for it: its folder may not be written, and a file is replaced as a whole';
    assert.deepEqual(result, [closed, closed, 'there is no permission for it', 'there is no permission for it']);
    assert.equal(readFileSync(join(workspace, 'shut/f'), 'utf8'), 'x');
    assert.deepEqual(readdirSync(join(workspace, 'shut')), ['f']);
  },
);

test(
  'a file that may not be written is refused where its folder may be',
  { skip: process.getuid?.() !== 0 && 'needs two users' },
  (t) => {
    const workspace = makeFolder(t);
    write(join(workspace, 'f'), 'x');
    write(join(workspace, 'blind'), 'x');
    chmodSync(workspace, 0o777);
    chmodSync(join(workspace, 'f'), 0o444);
    chmodSync(join(workspace, 'blind'), 0o222);
    const other = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    const result = runAround(
      other,
      workspace,
      `
      const seen = await files.read(w + '/blind');
      const written = await files.write(w + '/blind', Buffer.from('y'), '0'.repeat(64));
      console.log(JSON.stringify([await put('f', Buffer.from('y')), seen.refused, written.refused]));`,
    );
    const closed = 'there is no permission for it';
    assert.deepEqual(result, ['it is read-only (mode 444)', closed, closed]);
    assert.deepEqual(readdirSync(workspace).toSorted(), ['blind', 'f']);
  },
);

test('a disk that is full while a file with several names is filled keeps its bytes', { skip }, (t) => {
  const { workspace, around } = makeSmall(t);
  const result = runAround(
    around,
    workspace,
    `
    const old = Buffer.alloc(8000, 'g');
    writeFileSync(w + '/g', old);
    linkSync(w + '/g', w + '/same');
    writeFileSync(w + '/rest', Buffer.alloc(40000));
    const said = await put('g', Buffer.alloc(60000, 'c'));
    console.log(JSON.stringify({ said, kept: readFileSync(w + '/same').equals(old), names: readdirSync(w).sort() }));`,
  );
  assert.deepEqual(result, { said: 'there is no room left on the disk', kept: true, names: ['g', 'rest', 'same'] });
});

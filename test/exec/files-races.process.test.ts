/** Somebody who swaps what lies on the way, again and again, while files are read and written. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFiles } from '../../src/exec/index.ts';
import { makeFolder } from './workbench.ts';

/** Swaps a folder of the workspace with a link to one outside until its input ends. */
const swapper = String.raw`
import { existsSync, lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs';
const [w, outside] = process.argv.slice(1);
symlinkSync(outside, w + '/link');
let alive = true;
process.stdin.on('end', () => (alive = false)).resume();
process.stdout.write('ready\n');
function swap() {
  renameSync(w + '/d', w + '/kept'); renameSync(w + '/link', w + '/d');
  renameSync(w + '/d', w + '/link'); renameSync(w + '/kept', w + '/d');
}
// A folder d that was made while there was none stands in the way.
function mend() {
  if (!existsSync(w + '/kept')) return;
  if (lstatSync(w + '/d', { throwIfNoEntry: false })?.isSymbolicLink()) renameSync(w + '/d', w + '/link');
  rmSync(w + '/d', { recursive: true, force: true });
  renameSync(w + '/kept', w + '/d');
}
function turn() {
  for (let round = 0; round < 50; round++) {
    try { swap(); } catch { try { mend(); } catch {} }
  }
  if (alive) setImmediate(turn);
}
turn();`;

test('whatever is swapped meanwhile, nothing outside is read, written, made or removed', async (t) => {
  const w = makeFolder(t, { 'd/f': 'inside' });
  const outside = makeFolder(t, { f: 'outside', gone: 'stays' });
  const child = spawn(process.execPath, ['--input-type=module', '-e', swapper, w, outside], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const files = createFiles({ workspace: w });
  for (let round = 0; round < 150; round += 1) {
    const real = await files.resolve('d/f', 'write');
    if (typeof real !== 'string') continue;
    const state = await files.read(real);
    if (state === null || 'refused' in state) continue;
    assert.notEqual(state.bytes.toString(), 'outside');
    await files.write(real, Buffer.from(`inside ${round}`), state.hash);
    await files.write(join(w, `d/new-${round}/deeper/f`), Buffer.from('x'), null);
    await files.remove(join(w, 'd/gone'), state.hash);
  }
  child.stdin.end();
  if (child.exitCode === null) await once(child, 'exit');
  // As soon as nobody swaps any more, it is written.
  const real = await files.resolve('quiet/f', 'write');
  assert.equal(real, join(w, 'quiet/f'));
  assert.equal(typeof (await files.write(real, Buffer.from('written'), null)), 'string');
  assert.deepEqual(readdirSync(outside).toSorted(), ['f', 'gone']);
  assert.equal(readFileSync(join(outside, 'f'), 'utf8'), 'outside');
});

test('another name of Git’s or our own data is no way to write it', async (t) => {
  const w = makeFolder(t, { '.git/config': '[core]\n', '.reins/settings.json': '{}' });
  linkSync(join(w, '.git/config'), join(w, 'config'));
  linkSync(join(w, '.reins/settings.json'), join(w, 'settings'));
  const files = createFiles({ workspace: w });
  for (const [name, kept] of [
    ['config', '.git/config'],
    ['settings', '.reins/settings.json'],
  ] as const) {
    const before = readFileSync(join(w, kept), 'utf8');
    const state = await files.read(join(w, name));
    assert.ok(state !== null && 'hash' in state);
    await files.write(state.path, Buffer.from('evil'), state.hash);
    assert.equal(readFileSync(join(w, kept), 'utf8'), before);
  }
});

test('a workspace whose parent was renamed is not written elsewhere', async (t) => {
  const home = makeFolder(t);
  const w = join(home, 'p/w');
  mkdirSync(w, { recursive: true });
  writeFileSync(join(w, 'f'), 'old');
  const files = createFiles({ workspace: w });
  const state = await files.read(join(w, 'f'));
  assert.ok(state !== null && 'hash' in state);
  renameSync(join(home, 'p'), join(home, 'moved'));
  symlinkSync(join(home, 'moved'), join(home, 'p'));
  const written = await files.write(state.path, Buffer.from('new'), state.hash);
  assert.ok(typeof written !== 'string');
  assert.equal(readFileSync(join(home, 'moved/w/f'), 'utf8'), 'old');
  assert.equal(existsSync(join(home, 'moved/w/new')), false);
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { loadGrants, loadSettings } from '../../src/config/index.ts';
import { createSetting } from './places.ts';

const door = new URL('../../src/config/index.ts', import.meta.url).href;

/** Saves grants `<name>-0`, `<name>-1`, ... and prints each when it is saved. */
const writer = `
  const { saveGrant, trust } = await import(${JSON.stringify(door)});
  const [workspace, name, count] = process.argv.slice(1);
  for (let index = 0; index < Number(count); index += 1) {
    saveGrant({ workspace }, name + '-' + index);
    trust({ workspace, hash: name + '-' + index });
    process.stdout.write(name + '-' + index + '\\n');
  }`;

test('parallel writers lose no grant of each other, also when some are killed', async (t) => {
  const setting = createSetting(t);
  const { workspace, env, userFile } = setting;
  const settings = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`header-${index}`, String(index)]));
  setting.writeUser({ endpoint: { headers: settings } });
  const before = readFileSync(userFile, 'utf8');
  const changedAt = statSync(userFile).mtimeMs;

  const start = async (name: string, isKilled: boolean): Promise<string[]> => {
    const count = isKilled ? 1_000_000 : 20;
    const child = spawn(process.execPath, ['--input-type=module', '-e', writer, workspace, name, String(count)], {
      env: { ...env, PATH: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (isKilled && output.split('\n').length > 5) child.kill('SIGKILL');
    });
    await once(child, 'close');
    return output.split('\n').slice(0, -1);
  };
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const saved = (await Promise.all(names.map((name, index) => start(name, index < 2)))).flat();

  assert.ok(saved.length >= 4 * 20 + 2 * 5);
  const { shapes } = loadGrants({ workspace, env });
  assert.deepEqual(
    saved.filter((shape) => !shapes.includes(shape)),
    [],
  );
  assert.equal((await loadSettings({ workspace, env })).settings.endpoint.headers['header-29'], '29');
  assert.equal(readFileSync(userFile, 'utf8'), before);
  assert.equal(statSync(userFile).mtimeMs, changedAt);
});

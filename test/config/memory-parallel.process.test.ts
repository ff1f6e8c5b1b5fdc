import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { loadMemory } from '../../src/config/index.ts';
import { createSetting } from './places.ts';

const door = new URL('../../src/config/index.ts', import.meta.url).href;
const writer = `
  const { changeMemory, proposeMemory } = await import(${JSON.stringify(door)});
  const [workspace, name] = process.argv.slice(1);
  const place = { scope: 'project', workspace };
  for (let index = 0; index < 10; index += 1) {
    changeMemory(place, { note: name + '-' + index }, 'model');
    proposeMemory(place, { note: name + '-later-' + index });
  }`;

test('parallel sessions lose no note and no proposal of each other', async (t) => {
  const { workspace, env } = createSetting(t);
  const names = ['a', 'b', 'c'];
  const ends = names.map(async (name) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', writer, workspace, name], {
      env: { ...env, PATH: '' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return once(child, 'close');
  });
  for (const [exit] of await Promise.all(ends)) assert.equal(exit, 0);
  const { text, versions, proposals, problem } = loadMemory({ scope: 'project', workspace, env });
  const all = names.flatMap((name) => Array.from({ length: 10 }, (_, index) => `${name}-${index}`));
  assert.deepEqual(text.split('\n').toSorted(), all.toSorted());
  assert.deepEqual([versions.length, proposals.length, problem], [30, 30, undefined]);
});

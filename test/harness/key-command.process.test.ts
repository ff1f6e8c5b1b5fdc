import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { go, ground } from './ground.ts';

test('a command for a key that doesn’t end is ended, and all that it started', async (t) => {
  const marker = `31.${process.pid}`;
  const providers = { corp: { baseUrl: 'http://127.0.0.1:1', apiKeyCommand: `sleep ${marker} & sleep ${marker}` } };
  const began = performance.now();
  const { outcome } = await go(await ground(t, { user: { model: 'corp/any', providers } }));
  assert.deepEqual([outcome.outcome, outcome.code], ['error', 'key-missing']);
  assert.match(outcome.detail, /took longer than 30 s and was ended/);
  assert.ok(performance.now() - began < 31_000);
  const alive = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  assert.ok(!alive.includes(`sleep ${marker}`), alive);
});

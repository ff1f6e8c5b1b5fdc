import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test, type TestContext } from 'node:test';
import { placesOf, readKeyFile } from '../../src/config/index.ts';
import { ReinsError } from '../../src/core/index.ts';
import { createSetting } from './places.ts';

const secret = 'sk-very-secret-0123456789';

function keyFile(t: TestContext, content: string, mode = 0o600): string {
  const { env } = createSetting(t);
  const file = placesOf(env).keys;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

function refusal(file: string): string {
  try {
    readKeyFile(file);
  } catch (error) {
    assert.ok(error instanceof ReinsError, String(error));
    assert.equal(error.code, 'config-invalid');
    assert.ok(error.message.includes(file), error.message);
    assert.ok(!error.message.includes('secret'), error.message);
    return error.detail;
  }
  return 'none';
}

test('keys are read by provider; without a file there are none', (t) => {
  const content = JSON.stringify({ anthropic: secret, __proto__: 'x' });
  for (const mode of [0o600, 0o400, 0o700])
    assert.deepEqual(readKeyFile(keyFile(t, content, mode)), { anthropic: secret });
  const file = keyFile(t, '{"constructor":"x"}');
  assert.deepEqual(Object.entries(readKeyFile(file)), [['constructor', 'x']]);
  rmSync(file);
  assert.deepEqual(readKeyFile(file), {});
  assert.deepEqual(readKeyFile(`${file}/below`), {});
});

test('a file that others may read or write is refused with its path', (t) => {
  const content = JSON.stringify({ anthropic: secret });
  for (const mode of [0o640, 0o604, 0o620, 0o602, 0o610, 0o644, 0o666])
    assert.match(
      refusal(keyFile(t, content, mode)),
      new RegExp(`mode ${mode.toString(8)}\\), so it is not used\\. Make it .*chmod 600`),
    );
});

test('a link, a pipe, a folder, a huge file and one of another user are refused, and nothing waits', (t) => {
  const file = keyFile(t, JSON.stringify({ anthropic: secret }));
  symlinkSync(file, `${file}.link`);
  assert.match(refusal(`${file}.link`), /symbolic link/);
  execFileSync('mkfifo', ['-m', '600', `${file}.pipe`]);
  assert.match(refusal(`${file}.pipe`), /not a regular file/);
  mkdirSync(`${file}.folder`, { mode: 0o700 });
  assert.match(refusal(`${file}.folder`), /not a regular file/);
  assert.match(refusal(keyFile(t, `"${'x'.repeat(64 * 1024)}"`)), /more than 65536 bytes/);
  assert.equal(refusal(keyFile(t, `{"a":"${'x'.repeat(64 * 1024 - 8)}"}`)), 'none');
});

test(
  'a file of another user is refused',
  { skip: process.getuid?.() !== 0 && 'only root can give a file away' },
  (t) => {
    const file = keyFile(t, JSON.stringify({ anthropic: secret }));
    execFileSync('chown', ['12345', file]);
    assert.match(refusal(file), /belongs to another user/);
  },
);

test('what isn’t an object of texts is refused without showing what is in it', (t) => {
  for (const content of [secret, `{"a": "${secret}",}`, '', '{"a":'])
    assert.match(refusal(keyFile(t, content)), /isn’t JSON/);
  for (const content of ['[]', 'null', `"${secret}"`, '{"a":1}', `{"a":["${secret}"]}`])
    assert.match(refusal(keyFile(t, content)), /isn’t an object of provider names and keys/);
});

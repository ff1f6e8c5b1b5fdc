import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all'];

/** Why the tests can't be run again as another user; false when they can. */
function whyNot(): string | false {
  if (process.getuid?.() !== 0) return 'these tests run as an ordinary user already';
  if (!existsSync('/usr/bin/setpriv')) return 'setpriv is not installed';
  const tried = spawnSync('/usr/bin/setpriv', [...nobody, process.execPath, fileURLToPath(import.meta.url)], {
    env: { REINS_TRY: '1' },
  });
  return tried.status === 0 ? false : 'another user can’t read this folder';
}

const isTrial = process.env['REINS_TRY'] === '1';

if (!isTrial) {
  const skip = whyNot();
  for (const name of ['files', 'shell.process', 'sandbox.process', 'sandbox-escapes.process', 'checkpoints.process']) {
    test(`${name} as an ordinary user`, { skip }, () => {
      const file = fileURLToPath(new URL(`./${name}.test.ts`, import.meta.url));
      const result = spawnSync(
        '/usr/bin/setpriv',
        [...nobody, process.execPath, '--test', '--test-reporter=tap', file],
        { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: '/nonexistent' }, cwd: '/', timeout: 110_000 },
      );
      assert.equal(
        result.status,
        0,
        result.stdout
          .split('\n')
          .filter((line) => /^\s*not ok|error:|expected:|actual:/.test(line))
          .join('\n'),
      );
      assert.match(result.stdout, /^# pass [1-9]/m);
    });
  }
}

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { test } from 'node:test';
import type { CommandOutcome } from '../../src/exec/index.ts';
import { makeFolder, whyNoSandbox, type Kind } from './workbench.ts';

const skip = await whyNoSandbox();
const door = JSON.stringify(new URL('../../src/exec/index.ts', import.meta.url).href);

// A machine without bash: this one, with something that can't be run in its place.
const bash = realpathSync('/bin/bash');
const mount = 'mount --bind /dev/null "$0" && exec "$@"';
const around: { [kind in Kind]: [string, ...string[]] } = {
  none: ['bwrap', '--bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--ro-bind', '/dev/null', bash],
  // A sandbox in a sandbox can't mount /proc.
  bubblewrap: ['unshare', '--mount', 'sh', '-c', mount, bash],
};

for (const kind of ['none', 'bubblewrap'] as const) {
  const needsRoot = kind === 'bubblewrap' && process.getuid?.() !== 0 && 'needs root';
  test(`where there is only sh, commands run in it, sandbox ${kind}`, { skip: skip || needsRoot }, (t) => {
    const workspace = makeFolder(t);
    const text = 'é"\\'.repeat(3000);
    const commands = [
      'echo out; echo err >&2; echo "$BASH_VERSION|$0"; exit 3',
      `wc -c <<'END'\n${text}\nEND\n`,
      'sleep 1000 & echo begun',
      "printf '%s|' 'a\n\n'",
      'kill -9 $$',
      'cat; exit 0',
    ];
    const script = `
      import { createSandbox, createShell } from ${door};
      const workspace = ${JSON.stringify(workspace)};
      const sandbox = createSandbox({ kind: '${kind}', workspace, environment: { PATH: process.env.PATH } });
      const shell = createShell({ workspace, sandbox });
      const outcomes = [];
      for (const command of ${JSON.stringify(commands)}) {
        await shell.prepare();
        outcomes.push(await shell.run({ command, timeout: 20000 }, new AbortController().signal));
      }
      await shell.close();
      await sandbox.close();
      console.log(JSON.stringify(outcomes));`;
    const [program, ...args] = [...around[kind], process.execPath, '--input-type=module', '-e', script];
    const result = spawnSync(program, args, { encoding: 'utf8', timeout: 60_000, cwd: '/' });
    assert.equal(result.status, 0, result.stderr);
    const [plain, long, background, lines, killed, input] = JSON.parse(result.stdout) as CommandOutcome[];
    assert.deepEqual([plain?.head, plain?.exit, plain?.notStarted], ['out\nerr\n|sh\n', 3, undefined]);
    assert.equal(long?.head.trim(), String(Buffer.byteLength(text) + 1));
    assert.deepEqual([background?.head, background?.exit], ['begun\n', 0]);
    assert.match(background?.ended ?? '', /sleep/);
    assert.equal(lines?.head, 'a\n\n|');
    assert.deepEqual([killed?.exit, killed?.signal], [null, 'SIGKILL']);
    assert.equal(input?.exit, 0);
  });
}

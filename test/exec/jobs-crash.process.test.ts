import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { makeFolder, makeMark, processesIn, processesWith, until, whyNoSandbox, type Kind } from './workbench.ts';

const noSandbox = await whyNoSandbox();
const door = JSON.stringify(new URL('../../src/exec/index.ts', import.meta.url).href);

/** A process that starts jobs over a folder and says so; then it does what it is told. */
function program(kind: Kind, folder: string, mark: string, then: string): string {
  return `
    import { createSandbox, createShell } from ${door};
    const workspace = ${JSON.stringify(folder)};
    const environment = { PATH: process.env.PATH, HOME: process.env.HOME };
    const sandbox = createSandbox({ kind: '${kind}', workspace, environment });
    const shell = createShell({ workspace, sandbox });
    const start = (command, more) => shell.run({ command, timeout: 200, goesOn: 'job', ...more }, new AbortController().signal);
    await Promise.all([
      start("trap '' TERM INT HUP; while :; do sleep 0.0${mark}; done"),
      start("nohup sleep 3${mark} & cat"),
      start("exec sleep 4${mark}", { terminal: true }),
    ]);
    await shell.prepare();
    console.log('up');
    ${then}`;
}

for (const kind of ['none', 'bubblewrap'] as const) {
  const skip = kind === 'bubblewrap' && noSandbox;
  const ends: [how: string, then: string, signal: NodeJS.Signals | undefined][] = [
    ['is killed', 'setInterval(() => {}, 1000);', 'SIGKILL'],
    ['throws', 'throw new Error("a defect");', undefined],
    ['just ends', '', undefined],
    ['closes the shell', 'await shell.close(); await sandbox.close();', undefined],
  ];
  for (const [how, then, signal] of ends) {
    test(`when the process of Reins ${how}, its jobs end, sandbox ${kind}`, { skip }, async (t) => {
      const folder = makeFolder(t);
      const mark = makeMark();
      const child = spawn(process.execPath, ['--input-type=module', '-e', program(kind, folder, mark, then)], {
        stdio: ['ignore', 'pipe', 'ignore'],
        cwd: '/',
      });
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
      await until('the jobs run', () => said.includes('up'), 15_000);
      if (signal !== undefined) {
        assert.ok(processesWith(mark).length > 1, 'they run');
        child.kill(signal);
      }
      await until('it has ended', () => child.exitCode !== null || child.signalCode !== null, 15_000);
      await until('all are gone', () => processesWith(mark).length === 0 && processesIn(folder) === 0, 15_000);
      await ended;
    });
  }
}

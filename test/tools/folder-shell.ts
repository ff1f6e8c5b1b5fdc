/** A shell over a real folder, as small as the contract allows: what the tools are tried on. */
import { spawn } from 'node:child_process';
import type { CommandOutcome, Shell } from '../../src/tools/index.ts';

/** Runs `sh -c` in the folder, with both outputs in one, all of it in `head`. */
export function folderShell(root: string): Shell {
  return {
    run: ({ command, timeout, onOutput }, signal) =>
      new Promise((resolve) => {
        const started = performance.now();
        const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], {
          cwd: root,
          stdio: ['ignore', 'pipe', 'ignore'],
          detached: true,
        });
        const chunks: Buffer[] = [];
        let why: 'time' | 'cancel' | undefined;
        const end = (reason: 'time' | 'cancel') => {
          why ??= reason;
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        };
        const cancel = () => end('cancel');
        const timer = setTimeout(end, timeout, 'time');
        signal.addEventListener('abort', cancel);
        child.stdout.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          onOutput?.(chunk.toString());
        });
        child.on('close', (exit, bySignal) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', cancel);
          const output = Buffer.concat(chunks);
          resolve({
            ...commandOutcome,
            exit,
            signal: bySignal,
            timedOut: why === 'time',
            cancelled: why === 'cancel',
            head: output.toString(),
            bytes: output.length,
            elapsed: performance.now() - started,
            ...(why === undefined ? {} : { ended: 'The command was ended.' }),
          });
        });
      }),
  };
}

/** A command that did nothing and succeeded. */
export const commandOutcome: CommandOutcome = {
  exit: 0,
  signal: null,
  timedOut: false,
  cancelled: false,
  head: '',
  tail: '',
  omitted: 0,
  bytes: 0,
  dropped: 0,
  elapsed: 0,
  sandboxed: false,
};

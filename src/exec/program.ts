/** A program that goes on beside the session, with its input and output: it ends with the process of Reins. */
import { spawn } from 'node:child_process';
import { ReinsError } from '../core/index.ts';
import type { Sandbox } from './sandbox/index.ts';
import { sendSignal } from './process/index.ts';

export interface Program {
  write(bytes: Buffer): void;
  /** Called for each piece of its standard output. */
  onOutput(listener: (chunk: Buffer) => void): void;
  /** Resolves when it has ended, by itself or not. */
  readonly ended: Promise<void>;
  end(): Promise<void>;
}

/**
 * Starts a line for the shell in a sandbox. Refused where nothing holds it: what it starts could outlive the session, and see what
 * commands must not see.
 */
export async function startProgram(
  sandbox: Sandbox,
  workspace: string,
  command: string,
): Promise<Program | { refused: string }> {
  const plan = await sandbox.plan(['-c', command]);
  if ('refused' in plan) return plan;
  if (!plan.enclosed) return { refused: 'there is no sandbox that would hold it' };
  const child = spawn(plan.program, plan.arguments, {
    cwd: workspace,
    env: plan.environment,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const { stdin, stdout, pid } = child;
  if (stdin === null || stdout === null) throw new ReinsError('tool-failed', 'Too many files are open.');
  // It may end at any moment; that is told by `ended`.
  stdin.on('error', () => undefined);
  child.unref();
  return {
    write: (bytes) => void stdin.write(bytes),
    onOutput: (listener) => void stdout.on('data', listener),
    ended,
    async end() {
      if (pid !== undefined && child.exitCode === null && child.signalCode === null) sendSignal(-pid, 'SIGKILL');
      await ended;
    },
  };
}

/** No sandbox: commands run as the user, with the same care for processes, time and output. */
import { commandEnvironment } from '../environment.ts';
import type { Environment } from '../needs.ts';
import { findShell, supervisorArguments } from '../process/index.ts';
import type { Sandbox, SandboxPlan } from './sandbox.ts';

export interface NoSandboxOptions {
  workspace: string;
  environment: Environment;
  secretNames?: readonly string[] | undefined;
  /** Names of variables that are passed on although they hold secrets. */
  pass?: readonly string[] | undefined;
}

export function createNoSandbox({ workspace, environment, secretNames, pass }: NoSandboxOptions): Sandbox {
  const shell = findShell();
  const plan: SandboxPlan = {
    program: shell.path,
    arguments: supervisorArguments(shell, 'nothing'),
    environment: commandEnvironment(environment, workspace, { secretNames, pass }),
    enclosed: false,
    fingerprint: 'none',
  };
  return {
    name: 'none',
    probe: async () => ({
      sandbox: 'none',
      works: false,
      obstacle: 'not-asked-for',
      reason: 'commands run as you, with all your rights',
      enforced: [],
      notes: [],
    }),
    plan: async (shellArguments) => (shellArguments === undefined ? plan : { ...plan, arguments: [...shellArguments] }),
    began: () => {},
    inspect: () => undefined,
    explain: () => undefined,
    close: async () => {},
  };
}

/** The joint between settings and the hands: sandbox, commands, files and Git of a workspace. */
import { commandEnvironment, type LoadedSettings } from '../config/index.ts';
import { ReinsError } from '../core/index.ts';
import {
  createFiles,
  createGit,
  createSandbox,
  createShell,
  defaultOutputCaps,
  type Environment,
  type Files,
  type Git,
  type Sandbox,
  type SandboxReport,
  type Shell,
  type ShellOptions,
} from '../exec/index.ts';
import { credentialVariables, egressFor } from './egress.ts';
import { keyVariables } from './models/index.ts';

type ShellParts = Omit<ShellOptions, 'workspace' | 'sandbox' | 'caps' | 'egress'> & { used: number };

export interface Hands {
  sandbox: Sandbox;
  report: SandboxReport;
  files: Files;
  git: Git;
  /** Git for a folder inside the workspace. */
  gitAt(folder: string): Git;
  /** What commands are started with, before the sandbox takes from it. */
  environment: Environment;
  /** Names of variables that hold keys. */
  secretNames: readonly string[];
  /** `used`: bytes that the blobs of the session take already. */
  shell(parts: ShellParts): Shell;
}

/**
 * The hands for a workspace (its real path). Commands are held in the sandbox wherever it works, in every mode but unsafe. Rejects
 * with `mode-unavailable` when the mode is auto and the sandbox was not seen to hold.
 */
export async function prepareHands(
  loaded: LoadedSettings,
  workspace: string,
  env: { readonly [name: string]: string | undefined } | undefined,
): Promise<Hands> {
  const { settings, places } = loaded;
  const environment = commandEnvironment(env);
  const secretNames = [...keyVariables(settings), ...credentialVariables(settings)];
  const parts = { workspace, environment, secretNames, hide: [places.state] };
  const unsafe = settings.mode === 'unsafe';
  const egress = await egressFor(loaded, workspace, env);
  const wanted = createSandbox({ kind: unsafe ? 'none' : 'bubblewrap', ...parts });
  const report = await wanted.probe();
  if (settings.mode === 'auto' && !report.works) {
    await wanted.close();
    throw new ReinsError(
      'mode-unavailable',
      `Mode auto needs a sandbox, and there is none: ${report.reason ?? 'it does not work'}`,
    );
  }
  const sandbox = report.works || unsafe ? wanted : createSandbox({ kind: 'none', ...parts });
  return {
    sandbox,
    report,
    files: createFiles({ workspace }),
    git: createGit({ workspace, environment }),
    gitAt: (folder) => createGit({ workspace: folder, environment }),
    environment,
    secretNames,
    shell: ({ used, ...rest }) => {
      const { command, session } = defaultOutputCaps;
      const caps = { command, session: Math.max(0, session - used) };
      return createShell({ workspace, sandbox, caps, ...(egress !== undefined && { egress }), ...rest });
    },
  };
}

/** The joint between settings and the hands: sandbox, commands, files and Git of a workspace. */
import { commandEnvironment, type LoadedSettings } from '../config/index.ts';
import { ReinsError } from '../core/index.ts';
import {
  chooseSandbox,
  createFiles,
  createGit,
  createSandbox,
  createShell,
  defaultOutputCaps,
  type Environment,
  type Files,
  type Git,
  type Sandbox,
  type SandboxOptions,
  type SandboxReport,
  type Shell,
  type ShellOptions,
} from '../exec/index.ts';
import { credentialVariables, egressFor } from './egress.ts';
import { isSecretName, type Redactor } from '../safety/index.ts';
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
  /** Names of variables that commands get although they hold secrets. */
  pass: readonly string[];
  /** What is shown of files goes through it. */
  secrets: Pick<Redactor, 'bytes' | 'redact'>;
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
  secrets: Pick<Redactor, 'holdsKnown' | 'bytes' | 'redact'>,
): Promise<Hands> {
  const { settings, places } = loaded;
  const { pass } = settings.environment;
  const environment = withoutSecrets(commandEnvironment(env), pass, secrets);
  const secretNames = [...keyVariables(settings), ...credentialVariables(settings)];
  const { grants, limits } = sandboxSettings(settings);
  const parts = { workspace, environment, secretNames, pass, hide: [places.state], grants, limits };
  const unsafe = settings.mode === 'unsafe';
  const egress = await egressFor(loaded, workspace, env);
  const { sandbox, report } = unsafe ? await unheld(parts) : await chooseSandbox(parts);
  if (settings.mode === 'auto' && !report.works) {
    await sandbox.close();
    throw new ReinsError(
      'mode-unavailable',
      `Mode auto needs a sandbox, and there is none: ${report.reason ?? 'it does not work'}`,
    );
  }
  return {
    sandbox,
    report,
    files: createFiles({ workspace, hidden: [places.state] }),
    git: createGit({ workspace, environment }),
    gitAt: (folder) => createGit({ workspace: folder, environment }),
    environment,
    secretNames,
    pass,
    secrets,
    shell: ({ used, ...rest }) => {
      const { command, session } = defaultOutputCaps;
      const caps = { command, session: Math.max(0, session - used) };
      return createShell({ workspace, sandbox, caps, ...(egress !== undefined && { egress }), ...rest });
    },
  };
}

/** As it was asked for: nothing holds commands. */
async function unheld(parts: Omit<SandboxOptions, 'kind'>): Promise<{ sandbox: Sandbox; report: SandboxReport }> {
  const sandbox = createSandbox({ kind: 'none', ...parts });
  return { sandbox, report: await sandbox.probe() };
}

/** What the user's settings say of the sandbox, as it takes it. */
export function sandboxSettings({
  sandbox,
}: LoadedSettings['settings']): Required<Pick<SandboxOptions, 'grants' | 'limits'>> {
  const { read, write, ...limits } = sandbox;
  return { grants: { read, write }, limits };
}

/** No program that is started gets a secret, in whatever variable it is; but for those that the user grants by name. */
function withoutSecrets(
  environment: { [name: string]: string },
  pass: readonly string[],
  secrets: Pick<Redactor, 'holdsKnown'>,
): Environment {
  const kept = Object.entries(environment).filter(
    ([name, value]) => pass.includes(name) || (!isSecretName(name) && !secrets.holdsKnown(value)),
  );
  return Object.fromEntries(kept);
}

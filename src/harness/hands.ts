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
import { isSecretName, type Redactor } from '../safety/index.ts';
import { keyVariables } from './models/index.ts';

type ShellParts = Omit<ShellOptions, 'workspace' | 'sandbox' | 'caps'> & { used: number };

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
  secrets: Pick<Redactor, 'bytes'>;
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
  secrets: Pick<Redactor, 'holdsKnown' | 'bytes'>,
): Promise<Hands> {
  const { settings, places } = loaded;
  const { pass } = settings.environment;
  const environment = withoutSecrets(commandEnvironment(env), pass, secrets);
  const secretNames = keyVariables(settings);
  const parts = { workspace, environment, secretNames, pass, hide: [places.state] };
  const unsafe = settings.mode === 'unsafe';
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
    pass,
    secrets,
    shell: ({ used, ...rest }) => {
      const { command, session } = defaultOutputCaps;
      const caps = { command, session: Math.max(0, session - used) };
      return createShell({ workspace, sandbox, caps, ...rest });
    },
  };
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

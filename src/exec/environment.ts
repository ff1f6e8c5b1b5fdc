/** The environment that commands get: no secrets, no prompts, no pagers, no editors. */
import type { Environment } from './needs.ts';

/** Words that mark a secret anywhere in a name, and short ones that do as a whole word of it. */
const secretWord =
  /passw|passphrase|secret|credential|api[-_]?key|token\d*$|auth[-_]?token|access[-_]?key|private[-_]?key/i;
const secretPart =
  /(^|[-_.:])(keys?|tokens?|pass|pat|jwt|dsn|auth|cookie|bearer|webhook|headers|connection_?string)\d*($|[-_.:])|_pwd$/i;
/** A password inside an address, and the shapes of well-known keys. */
const secretValue =
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]+@|["']?(password|passwd|secret|token|api_?key)["']?\s*[:=]|^(sk-|sk_|rk_|gh[opsu]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|hf_|npm_[A-Za-z0-9]{30})|-----BEGIN /i;

/** Not secrets, though they are named like ones. The socket is hidden in the sandbox. */
const harmless = new Set(['SSH_AUTH_SOCK']);

/** What would change how a non-interactive command runs, or point it at another repository than the one it is in. */
const dropped = new Set(
  (
    'BASH_ENV CLICOLOR CLICOLOR_FORCE ENV FORCE_COLOR GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_DIR GIT_EXTERNAL_DIFF ' +
    'GIT_INDEX_FILE GIT_NAMESPACE GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_TRACE GIT_WORK_TREE INIT_CWD LESSOPEN LESSCLOSE ' +
    'NODE_TEST_CONTEXT OLDPWD PROMPT_COMMAND PS1 PS4 SHELLOPTS SHLVL _ npm_command npm_execpath npm_node_execpath ' +
    'npm_config_global_prefix npm_config_local_prefix npm_config_node_gyp npm_config_noproxy npm_config_npm_version ' +
    'npm_config_prefix npm_config_user_agent'
  ).split(' '),
);
const droppedPrefix = /^(REINS_|GIT_CONFIG|npm_lifecycle_|npm_package_|BASH_FUNC_)/;

const noEditor =
  "echo 'There is no editor: nobody can type here. Give the text as an option (-m) or in a file.' >&2; false";

const set = {
  DEBIAN_FRONTEND: 'noninteractive',
  EDITOR: noEditor,
  GIT_ASKPASS: '',
  GIT_EDITOR: noEditor,
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_PAGER: 'cat',
  GIT_SEQUENCE_EDITOR: noEditor,
  GIT_TERMINAL_PROMPT: '0',
  MANPAGER: 'cat',
  NO_COLOR: '1',
  // Where there is no network, looking for a newer version of itself makes a program wait for minutes.
  NO_UPDATE_NOTIFIER: '1',
  npm_config_update_notifier: 'false',
  PAGER: 'cat',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_INPUT: '1',
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  SYSTEMD_PAGER: 'cat',
  TERM: 'dumb',
  // This editor waits even where nobody can type. What it is told to do on its command line is done before this.
  VIMINIT: 'autocmd VimEnter * cquit',
  VISUAL: noEditor,
};

export interface EnvironmentOptions {
  /** Names of further variables that hold secrets (key variables of the user's settings). */
  secretNames?: readonly string[] | undefined;
  /** Names of variables that are passed on although they hold secrets: the user granted them. */
  pass?: readonly string[] | undefined;
}

/** The environment for commands, made from the user's. */
export function commandEnvironment(
  environment: Environment,
  folder: string,
  { secretNames = [], pass = [] }: EnvironmentOptions = {},
): { [name: string]: string } {
  const secrets = new Set(secretNames);
  const kept = Object.entries(environment).flatMap(([name, value]) => {
    const isOpen = value !== undefined && (pass.includes(name) || (!secrets.has(name) && !isSecret(name, value)));
    const isKept = isOpen && !isDropped(name);
    return isKept ? [[name, value] as const] : [];
  });
  return { PATH: '/usr/local/bin:/usr/bin:/bin', ...Object.fromEntries(kept), ...set, PWD: folder };
}

/** The environment for a command with a terminal of its own: there an editor can be typed to. */
export function terminalEnvironment(environment: { [name: string]: string }): { [name: string]: string } {
  const { VIMINIT: _, ...rest } = environment;
  // What a program does to the cursor is taken out of what is shown.
  return { ...rest, TERM: 'xterm' };
}

function isDropped(name: string): boolean {
  return dropped.has(name) || droppedPrefix.test(name);
}

function isSecret(name: string, value: string): boolean {
  if (harmless.has(name)) return false;
  return secretWord.test(name) || secretPart.test(name) || secretValue.test(value);
}

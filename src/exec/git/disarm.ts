/**
 * What makes Git harmless in a hostile repository: nothing that its configuration, attributes or hooks name is run. Written as
 * settings of the command line and the environment, which override those of a repository.
 */
import { join } from 'node:path';
import type { Environment } from '../needs.ts';
import { statusOf } from '../paths.ts';
import { readSmall, type GitPlace } from './place.ts';

/** The commands that the door lets through: they read, or write only where the environment points them. */
const allowed = new Set(
  (
    'status diff diff-files diff-index diff-tree ls-files ls-tree log show rev-parse rev-list cat-file hash-object merge-base ' +
    'symbolic-ref show-ref for-each-ref check-ignore check-attr describe name-rev'
  ).split(' '),
);

/** The commands that can show differences, and so could start a diff program or a text converter. */
const differences = new Set(['diff', 'diff-files', 'diff-index', 'diff-tree', 'log', 'show']);
/** The commands that would otherwise look into submodules, where another configuration is in force. */
const lookIntoSubmodules = new Set(['status', 'diff', 'diff-files', 'diff-index', 'diff-tree', 'log', 'show']);

const settings = [
  // With these a repository could keep a change from being seen.
  'core.checkStat=default',
  'core.trustctime=true',
  'core.ignoreStat=false',
  'core.untrackedCache=false',
  'core.quotePath=false',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.editor=false',
  'core.askPass=',
  'core.sshCommand=false',
  'core.gitProxy=',
  'core.attributesFile=/dev/null',
  'core.alternateRefsCommand=',
  'credential.helper=',
  'diff.external=',
  'diff.submodule=short',
  'gc.auto=0',
  'gpg.program=false',
  'gpg.ssh.program=false',
  'gpg.x509.program=false',
  'log.showSignature=false',
  'maintenance.auto=false',
  'protocol.allow=never',
  'safe.bareRepository=explicit',
  'status.submoduleSummary=false',
  'submodule.recurse=false',
];

/** Options that write, read outside, start programs, or go into submodules, where another configuration is in force. */
const forbidden =
  '--ext-diff --filters --no-index --output --output-directory --recurse-submodules --show-signature --submodule --textconv'.split(
    ' ',
  );

/** Why a command isn't let through; undefined when it is. */
export function refusal(args: string[]): string | undefined {
  const [command = ''] = args;
  if (!allowed.has(command)) return `git ${command} isn't among the commands that Reins runs itself`;
  const end = args.indexOf('--');
  const options = args.slice(1, end < 0 ? undefined : end).filter((argument) => argument.startsWith('--'));
  // Git takes the beginning of an option's name for the whole.
  const bad = options.find((option) => forbidden.some((name) => name.startsWith(option.replace(/=.*/s, ''))));
  return bad === undefined ? undefined : `the option ${bad} isn't allowed`;
}

/** The full arguments for a command that isn't refused. */
export function disarmedArguments(args: string[], drivers: string[]): string[] {
  const [command = '', ...rest] = args;
  const overrides = [...settings, ...drivers.flatMap(withoutDriver)].flatMap((setting) => ['-c', setting]);
  const options = [
    ...(differences.has(command) ? ['--no-ext-diff', '--no-textconv'] : []),
    ...(lookIntoSubmodules.has(command) ? ['--ignore-submodules=dirty'] : []),
  ];
  return ['--no-pager', '--no-optional-locks', ...overrides, command, ...options, ...rest];
}

/** An environment in which only the repository's own configuration is read, and its place is fixed. */
export function disarmedEnvironment(environment: Environment, place: GitPlace): { [name: string]: string } {
  return {
    PATH: environment['PATH'] ?? '/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    // Given outright, so that neither core.worktree nor a pointer file leads anywhere else.
    GIT_DIR: place.gitDir,
    GIT_COMMON_DIR: place.commonDir,
    GIT_WORK_TREE: place.topLevel,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    // Present and empty: no protocol is allowed, whatever the repository's configuration says of single ones.
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_LAZY_FETCH: '1',
    // Replaced objects and grafts would show another history than the one that is there.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_EDITOR: 'false',
    GIT_SSH_COMMAND: 'false',
    GIT_OPTIONAL_LOCKS: '0',
  };
}

/** Whether the repository's configuration can name filters or diff programs, by itself or through a file that it includes. */
export function mayHaveDrivers(place: GitPlace): boolean {
  const files = [join(place.commonDir, 'config'), join(place.gitDir, 'config.worktree')];
  return files.some((file) => {
    if (statusOf(file) === undefined) return false;
    const text = readSmall(file);
    return text === undefined || /\[\s*(filter|diff|merge|include)/i.test(text);
  });
}

/** The arguments that list the drivers which a repository's configuration defines. */
export const listDrivers = [
  'config',
  '--includes',
  '--name-only',
  '-z',
  '--get-regexp',
  '^(filter|diff|merge)\\..*\\.',
];

/** `filter.<name>`, `diff.<name>` and `merge.<name>`, from the output of `listDrivers`. */
export function parseDrivers(output: string): string[] {
  const names = output.split('\0').filter((key) => key !== '');
  return [...new Set(names.map((key) => key.slice(0, key.lastIndexOf('.'))))];
}

/** Empty commands mean that content passes unchanged; a filter that is required would fail instead. */
function withoutDriver(driver: string): string[] {
  if (driver.startsWith('filter.'))
    return [`${driver}.clean=`, `${driver}.smudge=`, `${driver}.process=`, `${driver}.required=false`];
  return driver.startsWith('diff.') ? [`${driver}.command=`, `${driver}.textconv=`] : [`${driver}.driver=`];
}

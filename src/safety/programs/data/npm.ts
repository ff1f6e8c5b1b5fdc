/** Package managers of JavaScript: what they tell, what they install, what they run and publish. */
import type { Program, Programs } from '../table.ts';
import { acts, asks, installs, list, publishes } from './kinds.ts';

const npmHost = ['registry.npmjs.org'];
const runsFetched = (hosts: readonly string[]): Program => ({
  effects: ['network', 'execute', 'write'],
  why: 'may fetch and run a package',
  hosts,
  flags: '-y -q --yes --no --no-install --quiet --silent -s --ignore-existing --bun --prefer-offline',
  values: { text: '-p -w --package --workspace', script: '-c --call' },
  stops: true,
  words: 'command',
});

const npmTells: Program = {
  flags:
    '-a -g -l -p -s -q --all --global --json --long --parseable --silent --quiet --production --prod --dev --only-prod --link --unicode --no-unicode --package-lock-only --no-color --workspaces --include-workspace-root -ws',
  values: { text: '-w --depth --omit --include --workspace --prefix --loglevel --location -L --filter' },
  words: '...text',
};
const script: Program = {
  logic: 'npmScript',
  flags:
    '-s -q -ws -r --silent --quiet --if-present --workspaces --include-workspace-root --ignore-scripts --parallel --recursive --json --no-color --bun --watch --hot --stream --aggregate-output',
  values: { text: '-w --workspace --filter --loglevel -F', unknown: '--script-shell --shell-emulator' },
  stops: true,
};

const npm: Program = {
  flags:
    '-s -q -d -dd -g -a -l --silent --quiet --verbose --no-color --json --global --workspaces --include-workspace-root --yes -y --no-audit --no-fund --offline --prefer-offline --long --all',
  values: {
    text: '-w -L --workspace --loglevel --color --location --filter',
    unknown: '--prefix -C --userconfig --globalconfig --cache --script-shell --registry --dir',
  },
  helps: '-v --version -h --help',
  hosts: npmHost,
  commands: {
    ...list('ls list ll la root prefix bin', npmTells),
    ...list('explain why query', { ...npmTells }),
    help: { words: '...unknown' },
    config: { commands: { ...list('get list ls', npmTells) }, other: acts(['write'], 'changes settings'), alone: {} },
    get: { words: '...text' },
    c: { commands: { ...list('get list ls', npmTells) }, other: acts(['write'], 'changes settings') },
    set: acts(['write'], 'changes settings'),
    pkg: { commands: { get: npmTells }, other: acts(['write'], 'changes package.json') },
    ...list(
      'view v info show outdated search audit ping whoami doctor fund owner access team token profile',
      asks(npmHost),
    ),
    audit: { ...asks(npmHost), commands: { fix: installs(npmHost), signatures: asks(npmHost) }, other: asks(npmHost) },
    ...list(
      'install i add ci update up upgrade install-test it link ln rebuild rb dedupe ddp import install-ci-test cit approve-builds',
      installs(npmHost),
    ),
    ...list(
      'uninstall remove rm r un unlink prune',
      acts(['write', 'execute', 'network'], 'removes packages', { hosts: npmHost }),
    ),
    ...list('publish unpublish deprecate dist-tag star unstar', publishes(npmHost)),
    ...list('login logout adduser add-user', acts(['network', 'write'], 'keeps credentials', { hosts: npmHost })),
    ...list('init create innit', acts(['network', 'execute', 'write'], 'makes a package', { hosts: npmHost })),
    ...list('run run-script rum urn', script),
    ...list('test t tst start stop restart', { ...script, logic: 'npmNamed' }),
    ...list('exec x', runsFetched(npmHost)),
    dlx: runsFetched(npmHost),
    pack: acts(['write', 'execute'], 'packs, and runs scripts'),
    version: {
      alone: npmTells,
      commands: {},
      other: acts(['write', 'execute'], 'sets the version, commits and runs scripts'),
    },
    cache: acts(['write', 'network'], 'changes the cache'),
    shrinkwrap: acts(['write'], 'writes the lock file'),
    edit: acts(['execute', 'write'], 'opens an editor'),
    explore: acts(['execute'], 'opens a shell'),
    licenses: npmTells,
    store: acts(['write'], 'changes the store'),
    fetch: installs(npmHost),
    env: acts(['network', 'write', 'cannot-tell'], 'manages versions of Node'),
    patch: acts(['write'], 'changes packages'),
    deploy: acts(['write', 'execute'], 'copies a package'),
  },
};

const yarn: Program = {
  ...npm,
  effects: ['execute'],
  why: 'may run the yarn that the folder names',
  helps: '',
  commandHelps: '',
  alone: installs(npmHost),
  other: { ...script },
  commands: {
    ...npm.commands,
    versions: npmTells,
    global: installs(npmHost),
    workspaces: acts(['execute', 'cannot-tell'], 'runs scripts'),
    workspace: acts(['execute', 'cannot-tell'], 'runs scripts'),
    node: acts(['execute', 'cannot-tell'], 'runs code'),
    cache: acts(['write'], 'changes the cache'),
  },
};
/** Sub-commands of npm that bun has, too. */
const bunShares = new Set(
  'install i add a ci update up audit outdated link unlink publish patch info why init create c remove rm run exec x'.split(
    ' ',
  ),
);
/** A name that it has no sub-command for is a script, a file or an installed program. */
const bun: Program = {
  ...npm,
  other: acts(['execute'], 'runs a file or a script', {
    words: 'program ...text',
    stops: true,
    values: { code: '-e -p --eval --print -r --preload', unknown: '--cwd --config' },
  }),
  commands: {
    ...Object.fromEntries(Object.entries(npm.commands ?? {}).filter(([name]) => bunShares.has(name))),
    test: acts(['execute'], 'runs tests'),
    build: acts(['execute', 'write'], 'builds'),
    pm: {
      commands: { ls: npmTells, bin: npmTells, hash: {}, 'hash-string': {} },
      other: acts(['write', 'execute'], 'manages packages'),
    },
    upgrade: installs(npmHost),
    repl: acts(['execute'], 'runs code'),
  },
};

export const npmPrograms: Programs = {
  npm,
  pnpm: {
    ...npm,
    effects: ['execute'],
    why: 'runs the .pnpmfile of the folder',
    helps: '',
    commandHelps: '',
    other: { ...script, effects: ['execute', 'cannot-tell'] },
    commands: { ...npm.commands, env: acts(['network', 'write'], 'manages versions of Node') },
  },
  yarn,
  yarnpkg: yarn,
  bun,
  npx: { ...runsFetched(npmHost), helps: '-v --version -h --help' },
  pnpx: runsFetched(npmHost),
  bunx: runsFetched(npmHost),
  corepack: installs(npmHost, { stops: true, words: 'command' }),
  nvm: {
    commands: {
      ...list('current ls list version', { words: '...text', anyOption: true }),
      which: { words: '...text' },
    },
    other: installs(['nodejs.org']),
  },
  fnm: { commands: { ...list('list ls current', { anyOption: true }) }, other: installs(['nodejs.org']) },
  volta: {
    commands: {
      list: { anyOption: true, words: '...text' },
      which: { words: 'text' },
      run: installs(npmHost, { stops: true, words: 'command' }),
    },
    other: installs(npmHost),
  },
  lerna: acts(['execute', 'network', 'write', 'cannot-tell'], 'runs scripts', { helps: '' }),
  nx: acts(['execute', 'write', 'cannot-tell'], 'runs scripts', { helps: '' }),
  turbo: acts(['execute', 'write', 'cannot-tell'], 'runs scripts', { helps: '' }),
};

/** Sub-commands of Git that list or change its own store, by form: branches, tags, remotes, stashes, settings, notes, trees. */
import type { Program, Programs } from '../table.ts';

const listing = '--contains --no-contains --merged --no-merged --points-at -l --list';
const destroys = (why: string, more: Program = {}): Program => ({
  effects: ['destroy'],
  why,
  anyOption: true,
  words: '...text',
  ...more,
});
const writes = (why: string, more: Program = {}): Program => ({
  effects: ['write'],
  why,
  anyOption: true,
  words: '...text',
  ...more,
});

export const gitStores: Programs = {
  branch: {
    flags:
      '-a -r -v -i -q -f -t --all --remotes --verbose --quiet --ignore-case --no-color --no-column --no-abbrev --omit-empty --no-track --show-current --list -l --create-reflog --no-contains --no-merged --force --recurse-submodules',
    values: { text: '--sort --format --points-at' },
    attached: { text: '--color --column --abbrev --contains --no-contains --merged --no-merged --track' },
    acts: {
      write:
        '-m -M -c -C -d -u -t --move --copy --delete --edit-description --set-upstream-to --unset-upstream --create-reflog --set-upstream --track',
      destroy: '-D',
      execute: '--edit-description',
    },
    words: '...made',
    wordsWith: { [listing]: '...text', '-d -D --delete': '...text' },
  },
  tag: {
    flags:
      '-l -n -i -a -s -f -v --list --annotate --sign --no-sign --force --ignore-case --omit-empty --no-column --no-color --create-reflog --edit',
    values: { text: '-m -u --message --local-user --sort --format --points-at --cleanup --trailer', read: '-F --file' },
    attached: { text: '-n --column --color --contains --no-contains --merged --no-merged' },
    acts: {
      destroy: '-d --delete',
      execute: '-v --verify -e --edit -s -u --sign --local-user',
      write: '-a -s -u -f -m -F --annotate --sign --local-user --force --message --file',
    },
    words: '...made',
    wordsWith: { [`${listing} -n`]: '...text', '-d --delete -v --verify': '...text' },
  },
  remote: {
    flags: '-v --verbose',
    commands: {
      show: {
        effects: ['network'],
        why: 'asks the remote',
        words: '...place',
        flags: '-n',
        looks: { '-n': { flags: '-n', acts: { network: '--query' }, words: '...text' } },
      },
      'get-url': { flags: '--push --all', words: 'text' },
      add: {
        flags: '-f --fetch --tags --no-tags',
        values: { text: '-t -m --track --master' },
        attached: { text: '--mirror' },
        acts: { network: '-f --fetch' },
        effects: ['write'],
        words: 'made text',
      },
      rename: writes('changes the settings of Git'),
      remove: destroys('forgets a remote'),
      rm: destroys('forgets a remote'),
      'set-url': writes('changes the settings of Git'),
      'set-head': { effects: ['write', 'network'], anyOption: true, words: '...text' },
      'set-branches': writes('changes the settings of Git'),
      prune: destroys('deletes refs', { effects: ['network', 'destroy'] }),
      update: { effects: ['network', 'write'], anyOption: true, words: '...text' },
    },
  },
  stash: {
    anyOption: true,
    alone: { effects: ['write'], why: 'puts changes away' },
    other: { effects: ['write'], why: 'puts changes away', anyOption: true, words: '...text' },
    commands: {
      list: {
        flags: '-p -n -q --oneline --stat --name-only --patch --no-patch --name-status -#',
        values: { text: '--date --since' },
        attached: { text: '--format --pretty --stat' },
        words: '...text',
      },
      show: {
        flags:
          '-p -u --patch --stat --name-only --name-status --numstat --shortstat --no-color --include-untracked --only-untracked --no-ext-diff --no-textconv --no-patch',
        attached: { text: '--stat --color -U --unified --word-diff' },
        words: '...text',
        acts: { execute: '--ext-diff', 'cannot-tell': '--textconv' },
        values: { write: '--output' },
      },
      push: writes('puts changes away'),
      save: writes('puts changes away'),
      pop: writes('changes files'),
      apply: writes('changes files'),
      branch: writes('changes files'),
      create: writes('makes a commit'),
      store: writes('keeps a commit'),
      export: writes('makes a commit'),
      import: writes('keeps a commit'),
      drop: destroys('drops changes'),
      clear: destroys('drops changes'),
    },
  },
  config: {
    logic: 'gitConfig',
    flags:
      '-l -z --list --global --system --local --worktree --null --name-only --show-origin --show-scope --includes --no-includes --bool --int --bool-or-int --bool-or-str --path --expiry-date --no-type --all --regexp --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --show-names --no-show-names --fixed-value',
    values: { text: '-t --type --default --value --url --comment', read: '-f --file', unknown: '--blob' },
    acts: {
      write: '--add --replace-all --unset --unset-all --rename-section --remove-section',
      execute: '-e --edit',
    },
  },
  notes: {
    values: { text: '--ref' },
    commands: {
      list: { words: '...text' },
      show: { words: '...text' },
      'get-ref': {},
      add: writes('writes notes'),
      append: writes('writes notes'),
      copy: writes('writes notes'),
      edit: writes('writes notes', { effects: ['write', 'execute'] }),
      merge: writes('writes notes'),
      remove: destroys('deletes notes'),
      prune: destroys('deletes notes'),
    },
  },
  worktree: {
    commands: {
      list: { flags: '-v -z --verbose --porcelain', values: { text: '--expire' } },
      add: {
        flags:
          '-f -d -q --force --detach --checkout --no-checkout --guess-remote --no-guess-remote --lock --quiet --track --no-track --orphan',
        values: { text: '-b -B --reason' },
        effects: ['write', 'execute'],
        words: 'change text',
      },
      move: writes('moves a working tree', { words: '...change' }),
      lock: writes('locks a working tree'),
      unlock: writes('unlocks a working tree'),
      repair: writes('repairs working trees'),
      remove: destroys('deletes a working tree', { words: '...raze' }),
      prune: destroys('forgets working trees'),
    },
  },
  submodule: {
    flags: '-q --quiet --cached',
    commands: {
      status: { flags: '--cached --recursive -q --quiet', words: '...text' },
      summary: { flags: '--cached --files', values: { text: '-n --summary-limit' }, words: '...text' },
      foreach: {
        flags: '-q --quiet --recursive',
        stops: true,
        effects: ['execute'],
        words: '...shell',
        logic: 'gitForeach',
      },
      add: {
        effects: ['network', 'write', 'execute'],
        flags: '-f --force --progress',
        values: { text: '-b --branch --name --depth --reference' },
        words: 'place change',
      },
      init: writes('changes the settings of Git'),
      deinit: destroys('empties working trees'),
      update: { effects: ['network', 'write', 'execute'], anyOption: true, words: '...text' },
      'set-branch': writes('changes settings'),
      'set-url': writes('changes settings'),
      sync: writes('changes settings'),
      absorbgitdirs: writes('moves folders of Git'),
    },
  },
  'filter-branch': {
    effects: ['write', 'execute', 'destroy'],
    why: 'rewrites history with scripts',
    anyOption: true,
    values: {
      script:
        '--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter',
    },
    words: '...text',
  },
  bisect: {
    commands: {
      log: {},
      terms: { flags: '--term-good --term-bad --term-old --term-new' },
      view: { effects: ['execute'], anyOption: true, words: '...text' },
      visualize: { effects: ['execute'], anyOption: true, words: '...text' },
      run: { style: 'none', effects: ['execute', 'write'], words: '...command', logic: 'command' },
      start: writes('checks commits out'),
      good: writes('checks commits out'),
      bad: writes('checks commits out'),
      old: writes('checks commits out'),
      new: writes('checks commits out'),
      skip: writes('checks commits out'),
      reset: writes('checks commits out'),
      replay: writes('checks commits out'),
    },
  },
  'symbolic-ref': {
    flags: '-q --quiet --short --recurse --no-recurse',
    values: { text: '-m' },
    acts: { destroy: '-d --delete' },
    words: 'text made',
  },
  replace: {
    flags: '-l --list',
    values: { text: '--format' },
    acts: { write: '-f --force -g --graft', destroy: '-d --delete', execute: '-e --edit' },
    words: '...made',
    wordsWith: { '-l --list': '...text' },
  },
  'sparse-checkout': {
    commands: {
      list: {},
      init: writes('changes files'),
      set: writes('changes files'),
      add: writes('changes files'),
      reapply: writes('changes files'),
      disable: writes('changes files'),
      'check-rules': { flags: '-z --cone --no-cone' },
    },
  },
  bundle: {
    commands: {
      verify: { flags: '-q --quiet', words: 'read' },
      'list-heads': { words: 'read ...text' },
      create: { anyOption: true, effects: ['write'], words: 'write ...text' },
      unbundle: writes('writes objects'),
    },
  },
  rerere: {
    alone: writes('writes resolutions'),
    commands: {
      status: {},
      diff: { effects: ['execute'] },
      remaining: {},
      clear: destroys('forgets resolutions'),
      forget: destroys('forgets resolutions'),
      gc: destroys('forgets resolutions'),
    },
  },
  lfs: {
    commands: {
      'ls-files': {
        flags: '-l -s -d -a -n --long --size --debug --all --name-only --deleted --json',
        values: { text: '-I -X --include --exclude' },
        words: '...text',
      },
      status: { flags: '-p -j --porcelain --json' },
      env: {},
      version: {},
      track: writes('changes .gitattributes'),
      untrack: writes('changes .gitattributes'),
      pull: { effects: ['network', 'write'], anyOption: true, words: '...text' },
      fetch: { effects: ['network', 'write'], anyOption: true, words: '...text' },
      push: { effects: ['network'], anyOption: true, words: '...text' },
      install: writes('changes settings and hooks'),
    },
  },
};

/** Sub-commands of Git that change files, history or what is elsewhere. */
import type { Program, Programs } from '../table.ts';
import { list } from './kinds.ts';

const writes = (why: string, more: Program = {}): Program => ({
  effects: ['write'],
  why,
  anyOption: true,
  words: '...text',
  ...more,
});
const running = (why: string): Program => ({ effects: ['write', 'execute'], why, anyOption: true, words: '...text' });
const destroys = (why: string, more: Program = {}): Program => ({
  effects: ['destroy'],
  why,
  anyOption: true,
  words: '...text',
  ...more,
});

/** `-n`: they tell what they would do. Options that ask or change more are not among them. */
const pretended = (flags: string): Programs => ({
  '-n --dry-run': { flags: `-n --dry-run ${flags}`, acts: { write: '--no-dry-run' }, words: '...read' },
});

const fetching = {
  flags:
    '-# -a -f -k -n -p -P -q -t -u -v -4 -6 --all --append --atomic --force --keep --multiple --prune --prune-tags --no-tags --tags --quiet --verbose --progress --no-progress --ipv4 --ipv6 --unshallow ' +
    '--update-shallow --dry-run --porcelain --no-auto-maintenance --no-auto-gc --write-commit-graph --no-write-fetch-head --write-fetch-head --refetch --stdin --update-head-ok --no-recurse-submodules --no-prune --no-show-forced-updates',
  values: {
    text: '-j -o --jobs --depth --deepen --shallow-since --shallow-exclude --refmap --negotiation-tip --server-option --filter',
    code: '--upload-pack',
  },
  attached: { text: '--recurse-submodules --set-upstream --show-forced-updates' },
  effects: ['network', 'write', 'execute'],
  why: 'fetches from the remote',
  words: 'place ...text',
  wordsWith: { '--all --multiple': '...text' },
} as const;

export const gitWrites: Programs = {
  ...list(
    'add stage',
    writes('stages changes', {
      values: { read: '--pathspec-from-file' },
      looks: pretended('-f -v -A -u --all --update --force --verbose --ignore-missing --ignore-errors'),
    }),
  ),
  mv: writes('moves files', { words: '...change', looks: pretended('-f -k -v --force --verbose') }),
  rm: {
    effects: ['destroy'],
    why: 'deletes files',
    flags: '-f -n -r -q --force --dry-run --cached --ignore-unmatch --quiet --sparse',
    recursive: '-r',
    looks: pretended('-f -r -q --force --cached --ignore-unmatch --quiet'),
    words: '...destroy',
    values: { read: '--pathspec-from-file' },
  },
  commit: running('commits and runs hooks'),
  merge: running('merges and runs hooks'),
  rebase: {
    ...running('rewrites commits and runs hooks'),
    values: { script: '-x --exec', text: '-s -X --strategy --strategy-option --onto -C --whitespace' },
    attached: { text: '-S --gpg-sign' },
    flags: '-i -v -q -n -f -r -m --interactive --continue --abort --skip --quit --autostash --autosquash --root',
  },
  'cherry-pick': running('commits and runs hooks'),
  revert: running('commits and runs hooks'),
  am: running('applies patches and runs hooks'),
  apply: {
    anyOption: true,
    flags: '--check --stat --numstat --summary -v --verbose -R --reverse -p -3 --3way --index --cached --apply',
    effects: ['write'],
    why: 'applies patches',
    words: '...read',
    looks: {
      '--check --stat --numstat --summary': {
        flags:
          '--check --stat --numstat --summary -v -R -z -q --verbose --quiet --reverse --index --cached --recount --unidiff-zero --allow-empty',
        values: { text: '-p -C --directory --include --exclude --whitespace' },
        acts: {
          write: '--apply --no-check --no-stat --no-numstat --no-summary --build-fake-ancestor --reject -3 --3way',
        },
        words: '...read',
      },
    },
  },
  checkout: {
    logic: 'gitCheckout',
    effects: ['write', 'execute'],
    why: 'changes files and runs hooks',
    anyOption: true,
    flags:
      '-q -d -l -m -p -t --quiet --detach --guess --no-guess --track --no-track --ours --theirs --merge --patch --progress --no-progress',
    values: { text: '-b -B --orphan --conflict --pathspec-from-file' },
    acts: { destroy: '-f -B --force' },
    words: '...text',
  },
  switch: {
    effects: ['write', 'execute'],
    why: 'changes files',
    anyOption: true,
    flags: '-q -c -d -t -m --quiet --create --detach --track --merge --guess',
    acts: { destroy: '-f -C --force --discard-changes --force-create' },
    words: '...text',
  },
  restore: {
    effects: ['destroy'],
    why: 'overwrites changes that aren’t committed',
    anyOption: true,
    flags: '-S -W -p --staged --worktree',
    values: { text: '-s --source' },
    words: '...destroy',
  },
  reset: {
    effects: ['write'],
    why: 'moves the branch or the index',
    anyOption: true,
    flags: '-q -N -p --soft --mixed --quiet --keep --patch',
    acts: { destroy: '--hard --merge' },
    words: '...text',
  },
  clean: {
    effects: ['destroy'],
    why: 'deletes files that Git doesn’t know',
    flags: '-d -f -i -n -q -x -X --force --interactive --dry-run --quiet',
    values: { text: '-e --exclude' },
    words: '...destroy',
    looks: {
      '-n --dry-run': {
        flags: '-n -d -f -q -x -X --dry-run --force --quiet',
        values: { text: '-e --exclude' },
        acts: { destroy: '-i --interactive --no-dry-run' },
        words: '...read',
      },
    },
  },
  gc: destroys('cleans its store up'),
  prune: destroys('deletes objects'),
  'prune-packed': destroys('deletes objects'),
  repack: destroys('rewrites its store'),
  maintenance: running('maintains its store'),
  'filter-repo': {
    effects: ['write', 'execute', 'destroy'],
    why: 'rewrites history',
    anyOption: true,
    words: '...text',
  },
  'update-ref': {
    effects: ['write'],
    why: 'moves refs',
    flags: '-m -z --no-deref --stdin --create-reflog',
    acts: { destroy: '-d --delete' },
    words: '...text',
    anyOption: true,
  },
  'update-index': writes('changes the index'),
  'update-server-info': writes('writes its store'),
  'read-tree': {
    effects: ['write'],
    why: 'changes the index',
    anyOption: true,
    words: '...text',
    acts: { destroy: '-u --reset' },
    flags: '-m',
  },
  'write-tree': writes('writes objects'),
  'commit-tree': writes('writes objects'),
  'commit-graph': writes('writes its store'),
  mktree: writes('writes objects'),
  mktag: writes('writes objects'),
  'merge-tree': writes('writes objects'),
  'merge-file': {
    anyOption: true,
    flags: '-p --stdout --diff3 --ours --theirs --union -q',
    values: { text: '-L' },
    effects: ['write'],
    words: 'write read read',
    looks: {
      '-p --stdout': {
        flags: '-p -q --stdout --quiet --diff3 --zdiff3 --ours --theirs --union',
        values: { text: '-L --marker-size' },
        acts: { write: '--no-stdout --object-id' },
        words: 'read read read',
      },
    },
  },
  'checkout-index': writes('writes files'),
  'pack-objects': writes('writes its store'),
  'pack-refs': writes('writes its store'),
  'unpack-objects': writes('writes objects'),
  'index-pack': writes('writes its store'),
  'fast-import': writes('writes objects'),
  'format-patch': {
    anyOption: true,
    flags: '-# -n -N -k -s --stdout --cover-letter --numbered',
    values: { change: '-o --output-directory', write: '--output' },
    effects: ['write'],
    why: 'writes patches',
    words: '...text',
    looks: {
      '--stdout': {
        flags:
          '-# -n -N -k -s -p --stdout --numbered --no-numbered --keep-subject --signoff --no-stat --stat --root --no-signature',
        values: { text: '--subject-prefix --start-number' },
        acts: { write: '-o --output-directory --output --no-stdout' },
        words: '...text',
      },
    },
  },
  init: {
    effects: ['write'],
    why: 'makes a repository',
    flags: '-q --quiet --bare',
    values: {
      text: '-b --initial-branch --object-format --ref-format',
      change: '--separate-git-dir',
      code: '--template',
    },
    attached: { text: '--shared' },
    words: 'change',
  },
  clone: {
    effects: ['network', 'write', 'execute'],
    why: 'clones a repository',
    flags:
      '-l -n -q -s -v --local --no-checkout --quiet --shared --verbose --bare --mirror --progress --no-hardlinks --single-branch --no-single-branch --no-tags --dissociate --sparse --also-filter-submodules --remote-submodules --shallow-submodules --no-shallow-submodules --reject-shallow',
    values: {
      text: '-b -j -o --branch --jobs --origin --depth --shallow-since --shallow-exclude --reference --reference-if-able --server-option --filter',
      code: '-u -c --upload-pack --config --template',
      change: '--separate-git-dir',
    },
    attached: { text: '--recurse-submodules --recursive --bundle-uri' },
    words: 'place change',
  },
  fetch: fetching,
  pull: {
    ...fetching,
    anyOption: true,
    values: { ...fetching.values, text: `${fetching.values.text} -s -X --strategy --strategy-option` },
    why: 'fetches and merges',
  },
  push: {
    logic: 'gitPush',
    effects: ['network', 'execute'],
    why: 'sends commits to the remote',
    flags:
      '-4 -6 -n -q -u -v --all --branches --atomic --dry-run --follow-tags --ipv4 --ipv6 --no-signed --no-verify --porcelain --progress --no-progress --quiet --set-upstream --tags --thin --no-thin --verify --verbose --no-force-with-lease --no-recurse-submodules --force-if-includes --no-force-if-includes',
    values: { text: '-o --push-option --repo', code: '--receive-pack --exec' },
    attached: { text: '--recurse-submodules --signed --force-with-lease' },
    acts: { destroy: '-f -d --force --force-with-lease --mirror --delete --prune' },
    words: 'place ...text',
  },
  'send-email': { effects: ['network', 'execute'], why: 'sends mail', anyOption: true, words: '...text' },
  'request-pull': { effects: ['network'], why: 'asks the remote', flags: '-p', words: 'text place text' },
  'send-pack': {
    effects: ['network', 'destroy'],
    why: 'sends commits to the remote',
    anyOption: true,
    words: '...text',
  },
  'http-push': {
    effects: ['network', 'destroy'],
    why: 'sends commits to the remote',
    anyOption: true,
    words: '...text',
  },
  'upload-pack': { effects: ['execute'], why: 'serves a repository', anyOption: true, words: '...read' },
  'receive-pack': { effects: ['write', 'execute'], why: 'serves a repository', anyOption: true, words: '...change' },
  daemon: { effects: ['network', 'execute'], why: 'serves repositories', anyOption: true, words: '...read' },
  difftool: {
    effects: ['execute'],
    why: 'shows differences',
    anyOption: true,
    values: { script: '-x --extcmd' },
    words: '...text',
  },
  mergetool: { effects: ['execute', 'write'], why: 'runs a program to merge', anyOption: true, words: '...text' },
  citool: { effects: ['execute', 'write'], why: 'opens a window', anyOption: true, words: '...text' },
  gui: { effects: ['execute'], why: 'opens a window', anyOption: true, words: '...text' },
  instaweb: { effects: ['execute', 'network'], why: 'starts a server', anyOption: true, words: '...text' },
  hook: { effects: ['execute'], why: 'runs hooks', anyOption: true, words: '...text' },
  subtree: {
    effects: ['network', 'write', 'execute'],
    why: 'merges or splits trees',
    anyOption: true,
    words: '...text',
  },
  svn: { effects: ['network', 'write', 'execute'], why: 'works with Subversion', anyOption: true, words: '...text' },
  credential: { effects: ['execute', 'cannot-tell'], why: 'asks for credentials', anyOption: true, words: '...text' },
};

/** Sub-commands of Git that only look, each in its forms that do. */
import type { Program, Programs } from '../table.ts';
import { acts, list } from './kinds.ts';

const diffFlags =
  '-p -u -s -z -R -a -b -w -B -D -W -1 -2 -3 --patch --no-patch --raw --patch-with-raw --indent-heuristic --no-indent-heuristic --minimal --patience --histogram --compact-summary ' +
  '--numstat --shortstat --cumulative --summary --patch-with-stat --name-only --name-status --no-color --no-color-moved ' +
  '--no-color-moved-ws --no-renames --rename-empty --no-rename-empty --check --full-index --binary --find-copies-harder --irreversible-delete --pickaxe-all ' +
  '--pickaxe-regex --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines ' +
  '--function-context --exit-code --quiet --no-ext-diff --no-textconv --no-prefix --default-prefix --ita-invisible-in-index --ita-visible-in-index ' +
  '--no-relative --follow --no-indent-heuristic --cc -c -t -r -m --combined-all-paths --no-rename-empty';
const diffText =
  '-S -G -O -l --diff-algorithm --anchored --ws-error-highlight --diff-filter --inter-hunk-context --line-prefix --src-prefix --dst-prefix ' +
  '--output-indicator-new --output-indicator-old --output-indicator-context --skip-to --rotate-to --find-object';
const diffAttached =
  '-U -M -C -X --unified --stat --dirstat --dirstat-by-file --submodule --color --color-moved --color-moved-ws --word-diff --word-diff-regex --color-words --abbrev ' +
  '--break-rewrites --find-renames --find-copies --relative --ignore-submodules --stat-width --stat-name-width --stat-count --stat-graph-width --ignore-matching-lines -I --diff-merges';
const diffActs = { execute: '--ext-diff', 'cannot-tell': '--textconv' } as const;

const revisionFlags =
  '-# -i -E -F -P -g -q --all --not --merges --no-merges --first-parent --no-min-parents --no-max-parents --boundary --left-only --right-only --left-right ' +
  '--cherry --cherry-mark --cherry-pick --walk-reflogs --merge --full-history --dense --sparse --simplify-merges --simplify-by-decoration --ancestry-path ' +
  '--topo-order --date-order --author-date-order --reverse --no-walk --do-walk --oneline --no-abbrev-commit --abbrev-commit --no-notes --no-expand-tabs ' +
  '--relative-date --parents --children --graph --no-graph --regexp-ignore-case --extended-regexp --fixed-strings --basic-regexp ' +
  '--perl-regexp --all-match --invert-grep --remove-empty --reflog --alternate-refs --single-worktree --ignore-missing --bisect --stdin ' +
  '--log-size --source --use-mailmap --no-use-mailmap --mailmap --no-mailmap --no-decorate --clear-decorations --show-pulls --header --timestamp --show-linear-break';
const revisionText =
  '-n --max-count --skip --since --after --until --before --since-as-filter --author --committer --grep --grep-reflog --min-parents --max-parents --exclude --exclude-hidden --date --encoding ' +
  '--decorate-refs --decorate-refs-exclude -L';
const revisionAttached =
  '--branches --tags --remotes --glob --pretty --format --decorate --notes --show-notes --expand-tabs --no-walk --ancestry-path';

const log: Program = {
  flags: `${diffFlags} ${revisionFlags}`,
  values: { text: `${diffText} ${revisionText}`, write: '--output' },
  attached: { text: `${diffAttached} ${revisionAttached}` },
  acts: { ...diffActs, execute: '--ext-diff --show-signature' },
  words: '...text',
};

const diff: Program = {
  flags: `${diffFlags} --cached --staged --merge-base --no-index --ours --theirs --base -0 -q -g --root --no-commit-id --pretty --stdin -v --always --oneline -i`,
  values: { text: diffText, write: '--output' },
  attached: { text: `${diffAttached} --pretty --format` },
  acts: diffActs,
  words: '...read',
};

const blame: Program = {
  flags:
    '-b -l -t -f -n -p -s -e -w -c -h --root --show-stats --porcelain --line-porcelain --incremental --show-name --show-number --show-email --reverse --progress --no-progress --score-debug --color-lines --color-by-age --first-parent',
  values: { text: '-L -S --date --ignore-rev --ignore-revs-file --since --contents' },
  attached: { text: '-M -C --abbrev' },
  words: '...read',
};

const refFormat = '--sort --format --count --exclude';

export const gitReads: Programs = {
  log,
  show: log,
  whatchanged: log,
  reflog: {
    ...log,
    commands: {
      show: log,
      list: {},
      exists: { words: 'text' },
      ...list('expire delete drop', acts(['destroy'], 'forgets old states')),
      write: acts(['write'], 'adds a state'),
    },
    other: log,
  },
  shortlog: {
    ...log,
    flags: `${log.flags} -s -e -c --summary --numbered --email`,
    values: { text: `${diffText} ${revisionText.replace('-n ', '')} --group`, write: '--output' },
    attached: { text: `${diffAttached} ${revisionAttached} -w -n` },
  },
  diff,
  'diff-tree': diff,
  'diff-index': diff,
  'diff-files': diff,
  'range-diff': {
    ...log,
    flags: `${log.flags} --no-dual-color --left-only --right-only`,
    values: { text: `${diffText} --creation-factor`, write: '--output' },
  },
  status: {
    flags:
      '-s -b -v -z --short --branch --show-stash --long --verbose --ahead-behind --no-ahead-behind --renames --no-renames --no-column --null',
    attached: { text: '--porcelain -u --untracked-files --ignored --ignore-submodules --column -M --find-renames' },
    words: '...text',
  },
  blame,
  annotate: blame,
  describe: {
    flags: '--all --tags --contains --long --always --first-parent --exact-match --debug --no-exact-match',
    values: { text: '--candidates --match --exclude' },
    attached: { text: '--dirty --broken --abbrev' },
    words: '...text',
  },
  'rev-parse': {
    flags:
      '-q --quiet --verify --symbolic --symbolic-full-name --abbrev-ref --all --git-dir --absolute-git-dir --git-common-dir --show-toplevel --show-cdup --show-prefix ' +
      '--is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-superproject-working-tree --local-env-vars --revs-only --no-revs --flags --no-flags ' +
      '--not --sq --shared-index-path --end-of-options --stop-at-non-option --keep-dashdash --show-ref-format',
    values: { text: '--git-path --default --prefix --resolve-git-dir' },
    attached: {
      text: '--short --abbrev-ref --branches --tags --remotes --glob --exclude --since --until --after --before --disambiguate --show-object-format --path-format --output-object-format',
    },
    words: '...text',
  },
  'rev-list': {
    ...log,
    flags: `${log.flags} --objects --objects-edge --count --disk-usage --use-bitmap-index --quiet --bisect-vars --bisect-all --no-commit-header --commit-header --no-object-names --in-commit-order --unpacked --progress`,
    attached: { text: `${diffAttached} ${revisionAttached} --filter --missing --objects --disk-usage` },
  },
  'ls-files': {
    flags:
      '-c -d -m -o -i -s -u -k -t -v -f -z -r --cached --deleted --modified --others --ignored --stage --unmerged --killed --directory --no-empty-directory --eol --deduplicate ' +
      '--exclude-standard --error-unmatch --full-name --recurse-submodules --debug --sparse --resolve-undo',
    values: { text: '-x --exclude --exclude-per-directory --with-tree --format', read: '-X --exclude-from' },
    attached: { text: '--abbrev' },
    words: '...text',
  },
  'ls-tree': {
    flags: '-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree',
    values: { text: '--format' },
    attached: { text: '--abbrev' },
    words: '...text',
  },
  'cat-file': {
    flags:
      '-t -s -e -p -Z -z --allow-unknown-type --follow-symlinks --batch-all-objects --buffer --unordered --use-mailmap --mailmap',
    attached: { text: '--batch --batch-check --batch-command --filter' },
    acts: { 'cannot-tell': '--textconv --filters --path' },
    words: '...text',
  },
  grep: {
    flags:
      '-a -c -E -F -G -h -H -i -I -l -L -n -o -p -P -q -r -v -w -W -z -# --text --count --extended-regexp --fixed-strings --basic-regexp --perl-regexp --full-name --ignore-case ' +
      '--files-with-matches --name-only --files-without-match --line-number --column --only-matching --show-function --function-context --quiet --recursive --no-recursive ' +
      '--invert-match --word-regexp --cached --no-index --untracked --no-exclude-standard --exclude-standard --recurse-submodules --all-match --and --or --not ( ) --break --heading --null --no-color --no-textconv',
    values: {
      text: '-A -B -C -e -m --max-depth --threads --after-context --before-context --context --max-count',
      read: '-f',
    },
    attached: { text: '--color', code: '-O --open-files-in-pager' },
    acts: { execute: '-O --open-files-in-pager', 'cannot-tell': '--textconv --ext-grep' },
    words: '...text',
  },
  'for-each-ref': {
    flags: '--shell --perl --python --tcl --ignore-case --omit-empty --include-root-refs --stdin',
    values: { text: `${refFormat} --points-at` },
    attached: { text: '--color --merged --no-merged --contains --no-contains' },
    words: '...text',
  },
  'show-ref': {
    flags: '-q -d -s --heads --branches --tags --head --verify --quiet --dereference --exists',
    attached: { text: '--hash --abbrev --exclude-existing' },
    words: '...text',
  },
  'show-branch': {
    flags:
      '-a -r --all --remotes --current --list --topo-order --date-order --sha1-name --no-name --independent --merge-base --sparse --topics --no-color',
    attached: { text: '--color --more -g --reflog' },
    words: '...text',
  },
  'name-rev': {
    flags: '--tags --all --name-only --always --no-undefined --annotate-stdin --stdin',
    values: { text: '--refs --exclude' },
    words: '...text',
  },
  'merge-base': { flags: '-a --all --octopus --independent --is-ancestor --fork-point', words: '...text' },
  'count-objects': { flags: '-v -H --verbose --human-readable' },
  'check-ignore': { flags: '-q -v -z -n --quiet --verbose --stdin --non-matching --no-index', words: '...text' },
  'check-attr': { flags: '-a -z --all --stdin --cached', values: { text: '--source' }, words: '...text' },
  'check-mailmap': { flags: '--stdin', words: '...text' },
  column: { flags: '--raw-mode', values: { text: '--mode --width --indent --nl --padding --command' } },
  'interpret-trailers': {
    ...acts(['execute', 'write'], 'may run what the settings name for a trailer'),
    looks: {
      '--parse --only-input': {
        flags: '--parse --only-input --only-trailers --unfold --no-divider',
        acts: { execute: '--no-only-input --no-parse --trailer', write: '--in-place' },
        words: '...read',
      },
    },
  },
  'check-ref-format': {
    flags: '--branch --allow-onelevel --refspec-pattern --normalize --no-allow-onelevel',
    words: '...text',
  },
  'verify-pack': { flags: '-v -s --verbose --stat-only', words: '...read' },
  'ls-remote': {
    effects: ['network'],
    flags: '-q -h -t --heads --branches --tags --refs --quiet --exit-code --get-url --symref',
    values: { text: '--sort -o --server-option', code: '--upload-pack --exec' },
    words: 'place ...text',
  },
  var: { flags: '-l', words: 'text' },
  version: { flags: '--build-options' },
  cherry: { flags: '-v --verbose', attached: { text: '--abbrev' }, words: '...text' },
  fsck: {
    flags:
      '--tags --root --unreachable --cache --no-reflogs --full --no-full --connectivity-only --strict --verbose -v --no-dangling --dangling --progress --no-progress --name-objects --references --no-references',
    acts: { write: '--lost-found' },
    words: '...text',
  },
  'get-tar-commit-id': {},
  'patch-id': { flags: '--stable --unstable --verbatim' },
  stripspace: { flags: '-s -c --strip-comments --comment-lines' },
  'hash-object': {
    flags: '--stdin --stdin-paths --no-filters --literally',
    values: { text: '-t', unknown: '--path' },
    acts: { write: '-w' },
    words: '...read',
  },
  'diff-pairs': diff,
  archive: {
    flags: '-v -l --list --verbose -# --worktree-attributes',
    values: {
      text: '--prefix --mtime --remote',
      unknown: '--format',
      read: '--add-file',
      code: '--exec',
      write: '-o --output',
    },
    acts: { network: '--remote' },
    words: '...text',
  },
  help: { flags: '-a -g -c --all --guides --config', words: '...unknown' },
};

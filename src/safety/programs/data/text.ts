/** Text: programs that read files or their input and print something else. */
import type { Program, Programs } from '../table.ts';

const grep = {
  flags:
    '-a -b -c -E -F -G -H -h -I -i -L -l -n -o -P -q -R -r -s -T -U -u -V -v -w -x -y -Z -z -# --text --byte-offset --count --extended-regexp --fixed-strings ' +
    '--basic-regexp --perl-regexp --with-filename --no-filename --ignore-case --no-ignore-case --files-without-match --files-with-matches ' +
    '--line-number --only-matching --quiet --silent --recursive --dereference-recursive --no-messages --initial-tab --binary ' +
    '--unix-byte-offsets --invert-match --word-regexp --line-regexp --null --null-data --line-buffered --help --version',
  values: {
    text:
      '-A -B -C -D -d -e -m --after-context --before-context --binary-files --context --devices --directories --regexp --exclude --exclude-dir ' +
      '--include --include-dir --label --max-count --group-separator',
    read: '-f --file --exclude-from',
  },
  attached: { text: '--color --colour --no-group-separator' },
  recursive: '-r -R --recursive --dereference-recursive',
  words: 'text ...read',
  wordsWith: { '-e -f --regexp --file': '...read' },
} as const;

const headAndTail = {
  flags: '-q -v -z -r -# -F -f --quiet --silent --verbose --zero-terminated --retry --help --version',
  values: { text: '-n -c -s -b --bytes --lines --pid --sleep-interval --max-unchanged-stats' },
  attached: { text: '--follow' },
  words: '...read',
} as const;

const zgrep = { ...grep, effects: ['read'] } as const;

const awk: Program = {
  flags:
    '-b -c -C -g -h -M -n -N -O -P -r -s -S -t -V --characters-as-bytes --traditional --copyright --gen-pot --help --bignum --non-decimal-data ' +
    '--use-lc-numeric --optimize --posix --re-interval --no-optimize --sandbox --version --csv -k',
  values: {
    text: '-v -F -e --assign --field-separator --source',
    code: '-f -E -i -l -D --file --exec --include --load --debug -W',
  },
  attached: { text: '-L --lint', write: '-d -o -p --dump-variables --pretty-print --profile' },
  // Without a value they write a file of a name of their own.
  acts: { write: '-d -o -p --dump-variables --pretty-print --profile' },
  logic: 'awk',
};

export const text: Programs = {
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep,
  zegrep: zgrep,
  zfgrep: zgrep,
  bzgrep: zgrep,
  xzgrep: zgrep,
  rg: {
    flags:
      '-# -a -b -c -F -h -H -i -I -l -L -n -N -o -p -P -q -s -S -u -U -v -w -x -z -0 -. -V --text --binary --block-buffered --byte-offset --case-sensitive ' +
      '--column --count --count-matches --crlf --debug --files --files-with-matches --files-without-match --fixed-strings --follow ' +
      '--glob-case-insensitive --heading --hidden --ignore-case --include-zero --invert-match --json --line-buffered --line-number ' +
      '--line-regexp --max-columns-preview --mmap --multiline --multiline-dotall --no-binary --no-column --no-config --no-filename --no-heading ' +
      '--no-hidden --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages ' +
      '--no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --no-mmap --no-require-git --no-unicode --null --null-data ' +
      '--one-file-system --only-matching --passthru --pcre2 --pcre2-version --pretty --quiet --smart-case --sort-files --stats --stop-on-nonmatch ' +
      '--trace --trim --type-list --unrestricted --vimgrep --with-filename --word-regexp --auto-hybrid-regex --no-pre --version',
    values: {
      text:
        '-A -B -C -d -E -e -g -j -m -M -r -t -T --after-context --before-context --color --colors --context --context-separator --dfa-size-limit ' +
        '--encoding --engine --field-context-separator --field-match-separator --generate --glob --hyperlink-format --iglob --max-columns ' +
        '--max-count --max-depth --maxdepth --max-filesize --path-separator --pre-glob --regex-size-limit --regexp --replace --sort --sortr ' +
        '--threads --type --type-add --type-clear --type-not',
      read: '-f --file --ignore-file',
      code: '--pre --hostname-bin',
    },
    acts: { execute: '-z --search-zip' },
    words: 'text ...tree',
    wordsWith: { '-e -f --regexp --file --files --type-list': '...tree' },
  },
  head: headAndTail,
  tail: headAndTail,
  wc: {
    flags: '-c -m -l -L -w --bytes --chars --lines --max-line-length --words --help --version',
    values: { text: '--total', read: '--files0-from' },
    words: '...read',
  },
  sort: {
    flags:
      '-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort ' +
      '--ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --debug --merge --stable --unique ' +
      '--zero-terminated',
    values: {
      text: '-k -S -t --key --buffer-size --field-separator --batch-size --parallel --sort',
      read: '--files0-from --random-source',
      write: '-o -T --output --temporary-directory',
      code: '--compress-program',
    },
    attached: { text: '--check' },
    words: '...read',
  },
  uniq: {
    flags: '-c -d -D -i -u -z --count --repeated --ignore-case --unique --zero-terminated',
    values: { text: '-f -s -w --skip-fields --skip-chars --check-chars' },
    attached: { text: '--all-repeated --group' },
    words: 'read write',
  },
  cut: {
    flags: '-n -s -z -w --complement --only-delimited --zero-terminated',
    values: { text: '-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter' },
    words: '...read',
  },
  tr: { flags: '-c -C -d -s -t -u --complement --delete --squeeze-repeats --truncate-set1', words: '...text' },
  comm: {
    flags: '-1 -2 -3 -i -z --check-order --nocheck-order --total --zero-terminated',
    values: { text: '--output-delimiter' },
    words: '...read',
  },
  join: {
    flags: '-i -z --check-order --nocheck-order --header --ignore-case --zero-terminated',
    values: { text: '-1 -2 -a -e -j -o -t -v' },
    words: '...read',
  },
  paste: { flags: '-s -z --serial --zero-terminated', values: { text: '-d --delimiters' }, words: '...read' },
  fold: { flags: '-b -s -c --bytes --spaces --characters', values: { text: '-w --width' }, words: '...read' },
  fmt: {
    flags: '-c -s -t -u -# --crown-margin --split-only --tagged-paragraph --uniform-spacing',
    values: { text: '-p -w -g --prefix --width --goal' },
    words: '...read',
  },
  column: {
    flags: '-t -e -d -J -L -n -x --table --table-noheadings --json --keep-empty-lines --fillrows --table-noextreme',
    values: {
      text:
        '-c -s -o -N -R -T -H -O -W -l -E -C -r -i -p -n --output-width --separator --output-separator --table-columns --table-right ' +
        '--table-truncate --table-hide --table-order --table-wrap --table-columns-limit --table-name --tree --tree-id --tree-parent --table-column',
    },
    words: '...read',
  },
  nl: {
    flags: '-p --no-renumber',
    values: {
      text:
        '-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering --header-numbering --line-increment ' +
        '--join-blank-lines --number-format --number-separator --starting-line-number --number-width',
    },
    words: '...read',
  },
  tac: { flags: '-b -r --before --regex', values: { text: '-s --separator' }, words: '...read' },
  rev: { flags: '-0 --zero', words: '...read' },
  expand: { flags: '-i --initial', values: { text: '-t --tabs' }, words: '...read' },
  unexpand: { flags: '-a --all --first-only', values: { text: '-t --tabs' }, words: '...read' },
  od: {
    flags: '-a -b -c -d -f -i -l -o -s -x -v --output-duplicates --traditional',
    values: { text: '-A -j -N -t --address-radix --skip-bytes --read-bytes --format --endian' },
    attached: { text: '-S -w --strings --width' },
    words: '...read',
  },
  xxd: {
    flags: '-a -b -C -d -e -E -i -p -u -v -r -ps -plain -postscript -autoskip',
    values: { text: '-c -g -l -n -o -s -R' },
    logic: 'xxd',
    words: 'read write',
  },
  hexdump: {
    flags:
      '-b -c -C -d -o -v -x --one-byte-octal --one-byte-char --canonical --two-bytes-decimal --two-bytes-octal --no-squeezing --two-bytes-hex',
    values: { text: '-e -n -s --format --length --skip', read: '-f --format-file' },
    attached: { text: '-L --color' },
    words: '...read',
  },
  strings: {
    flags: '-a -f -o -w -d -# --all --data --print-file-name --include-all-whitespace',
    values: { text: '-n -t -e -T -s -U --bytes --radix --encoding --target --output-separator --unicode' },
    words: '...read',
  },
  base64: {
    flags: '-d -D -i --decode --ignore-garbage',
    values: { text: '-w -b --wrap --break', read: '--input', write: '-o --output' },
    words: 'read',
  },
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  sed: {
    flags:
      '-n -E -r -s -u -z --quiet --silent --debug --follow-symlinks --posix --regexp-extended --separate --sandbox --unbuffered --null-data ' +
      '--zero-terminated',
    values: { text: '-e -l --expression --line-length', code: '-f --file' },
    attached: { text: '-i --in-place' },
    acts: { write: '-i --in-place -I' },
    logic: 'sed',
  },
  find: { logic: 'find', helps: '-help --help -version --version' },
};

/** Files again: comparing, showing, searching, converting, and programs that put data into files. */
import type { Program, Programs } from '../table.ts';

const acts = (effects: Program['effects'], why: string, more: Program = {}): Program => ({
  effects: effects ?? [],
  why,
  anyOption: true,
  words: '...text',
  ...more,
});

const diff = {
  flags:
    '-q -s -c -u -e -n -y -p -l -t -T -r -N -i -E -b -w -B -a -d -H -Z -v -# --normal --brief --report-identical-files --ed --rcs --side-by-side --left-column --suppress-common-lines --show-c-function ' +
    '--expand-tabs --initial-tab --paginate --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --ignore-case --ignore-tab-expansion ' +
    '--ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --strip-trailing-cr --text --minimal --speed-large-files --suppress-blank-empty',
  values: {
    text: '-C -D -F -I -L -S -U -W -x --tabsize --show-function-line --label --exclude --starting-file --ignore-matching-lines --ifdef --GTYPE-group-format --line-format --old-line-format --new-line-format --unchanged-line-format --old-group-format --new-group-format --unchanged-group-format --changed-group-format --horizon-lines --width --palette',
    read: '-X --exclude-from --from-file --to-file',
  },
  attached: { text: '--context --unified --color' },
  acts: { execute: '-l --paginate' },
  recursive: '-r --recursive',
  words: '...read',
} as const;

const json = {
  flags:
    '-a -c -C -e -g -j -M -n -r -R -s -S -h -V --ascii-output --compact-output --color-output --exit-status --join-output --monochrome-output --null-input --raw-output --raw-output0 --raw-input --slurp --sort-keys --seq --stream --stream-errors --tab --unbuffered --args --jsonargs --help --version',
  values: { text: '--indent', read: '-f -L --from-file' },
} as const;

const bat: Program = {
  flags:
    '-A -p -n -f -u -l -s -r -P -S -# --show-all --plain --number --list-themes --list-languages --no-config --diff --decorations --no-custom-assets --squeeze-blank',
  values: {
    text: '-l -H -r -m --language --highlight-line --file-name --tabs --wrap --terminal-width --color --italic-text --decorations --paging --map-syntax --theme --style --line-range --diff-context --squeeze-limit',
    code: '--pager',
  },
  words: '...read',
};

const fdFlags =
  '-H -I -u -s -i -g -F -a -l -L -p -0 -1 -q -# --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-global-ignore-file --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --list-details --follow --full-path --print0 --prune --quiet --show-errors --strip-cwd-prefix --one-file-system --no-require-git --no-follow --relative-path';

const fd: Program = {
  flags: fdFlags,
  values: {
    text: '-d -e -E -t -S -c -j -o --max-depth --min-depth --exact-depth --extension --exclude --type --size --changed-within --changed-before --owner --color --threads --max-results --max-buffer-time --and --format --path-separator --newer --older',
    tree: '--search-path -C --base-directory',
    read: '--ignore-file',
    code: '-x -X --exec --exec-batch',
  },
  attached: { text: '--hyperlink' },
  words: 'text ...tree',
  logic: 'fd',
};

export const files: Programs = {
  diff,
  sdiff: { anyOption: true, values: { write: '-o --output', code: '--diff-program' }, words: 'read read' },
  diff3: { anyOption: true, values: { code: '--diff-program', text: '-L --label' }, words: 'read read read' },
  colordiff: diff,
  cmp: {
    flags: '-b -l -s -# --print-bytes --verbose --quiet --silent',
    values: { text: '-i -n --ignore-initial --bytes' },
    words: 'read read text text',
  },
  wdiff: { anyOption: true, acts: { execute: '-a --auto-pager -t --terminal' }, words: '...read' },
  delta: { effects: ['cannot-tell'], why: 'opens a pager', anyOption: true, words: '...read' },
  diffstat: {
    flags: '-b -c -C -f -k -K -l -m -q -r -R -s -t -u -v',
    values: { text: '-e -n -N -p -w', write: '-o', tree: '-D -S' },
    words: '...read',
  },
  tree: {
    flags:
      '-a -d -l -f -x -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -i -A -S -n -C -X -J -# --noreport --matchdirs --ignore-case --prune --inodes --device --dirsfirst --filesfirst --si --du --gitignore --info --nolinks --fromfile --hintro --houtro --metafirst --fflinks',
    values: { text: '-L -P -I -H -T --charset --filelimit --sort --timefmt --gitfile --infofile', write: '-o' },
    acts: { write: '-R' },
    words: '...tree',
  },
  file: {
    flags:
      '-b -c -d -E -h -i -I -k -l -L -n -N -p -r -s -S -v -0 --brief --mime --mime-type --mime-encoding --extension --dereference --no-dereference --keep-going --raw --print0 --no-buffer --no-pad --special-files --apple --checking-printout --exclude-quiet',
    values: { text: '-e -F -P --exclude --separator --parameter', read: '-f -m --files-from --magic-file' },
    acts: { write: '-C --compile', execute: '-z -Z --uncompress --uncompress-noreport' },
    words: '...read',
  },
  fd,
  fdfind: fd,
  ag: {
    flags:
      '-a -c -D -F -f -g -G -H -h -i -L -l -m -n -o -Q -r -R -s -S -t -u -U -v -w -W -z -0 -# --ackmate --all-text --all-types --break --nobreak --case-sensitive --color --nocolor --column --count --debug --filename --nofilename --files-with-matches --files-without-matches --fixed-strings --follow --group --nogroup --heading --noheading --hidden --ignore-case --invert-match --line-numbers --literal --list-file-types --mmap --multiline --no-numbers --null --numbers --only-matching --print-long-lines --print-all-files --recurse --norecurse --search-binary --search-files --search-zip --silent --skip-vcs-ignores --smart-case --stats --stats-only --unrestricted --vimgrep --word-regexp --parallel --one-device -p --js --ts --py --go --rust --html --css --java --json --cpp --cc --ruby --md',
    values: {
      text: '-A -B -C -m -G --after --before --context --depth --file-search-regex --ignore --ignore-dir --max-count --width --workers',
      code: '--pager',
      read: '-p --path-to-ignore',
    },
    words: 'text ...tree',
  },
  ack: {
    anyOption: true,
    values: { code: '--pager --ackrc', text: '-A -B -C -m --type' },
    // Its options may have one dash.
    acts: { 'cannot-tell': '--output -p -o' },
    words: 'text ...tree',
  },
  bat,
  batcat: bat,
  less: {
    flags:
      '-R -S -X -F -N -i -I -n -e -E -M -m -r -s -c -g -G -Q -q -# -w -J -u -U --RAW-CONTROL-CHARS --chop-long-lines --no-init --quit-if-one-screen --LINE-NUMBERS --ignore-case --QUIT-AT-EOF',
    values: {
      text: '-P -b -h -j -x -y -z',
      // What is searched for is typed, with the keys behind a line end in it.
      unknown: '-p -t -T -k --pattern --tag-file --lesskey-file',
      write: '-o -O --log-file --LOG-FILE',
    },
    logic: 'pager',
  },
  more: { flags: '-d -f -l -p -c -s -u -e -# --silent', values: { text: '-n --lines' }, logic: 'pager' },
  most: { effects: ['cannot-tell'], why: 'opens a pager', anyOption: true, words: '...read' },
  man: {
    flags: '-f -k -w -W -a -i -I --where --path --whatis --apropos --all --where-cat',
    values: {
      text: '-s -S -e --sections',
      unknown: '-L -l -m -M',
      code: '-P -C -r -H -T -X -Z --pager --config-file --html',
    },
    logic: 'man',
    helps: '--version --help -V',
  },
  apropos: { flags: '-e -l -w -r --exact --long --wildcard --regex', values: { text: '-s' }, words: '...text' },
  whatis: { flags: '-l -r -w --long --regex --wildcard', values: { text: '-s' }, words: '...text' },
  info: acts(['execute'], 'opens a screen'),
  jq: { ...json, flags: `${json.flags} --arg --argjson --slurpfile --rawfile --argfile -#`, isMild: true, logic: 'jq' },
  gojq: {
    ...json,
    flags: `${json.flags} --arg --argjson --slurpfile --rawfile -y --yaml-input --yaml-output`,
    logic: 'jq',
  },
  jaq: { ...json, acts: { write: '-i --in-place' }, logic: 'jq' },
  yq: {
    flags:
      '-C -M -N -P -e -n -r -j -v -0 -y -Y -c -S --colors --no-colors --no-doc --prettyPrint --exit-status --null-input --unwrapScalar --tojson --verbose --raw-output --yaml-output --compact-output --sort-keys --slurp',
    values: {
      text: '-I -o -p --indent --output-format --input-format --header-preprocess --xml-attribute-prefix --csv-separator --arg --argjson',
      unknown: '--from-file',
      write: '-s --split-exp',
    },
    attached: { text: '--unwrapScalar' },
    acts: { write: '-i -s --inplace --in-place' },
    wordsWith: { '-i --inplace --in-place': 'text ...write' },
    logic: 'yq',
  },
  xq: { anyOption: true, acts: { write: '-i --in-place --xml-output' }, words: 'text ...read' },
  tomlq: { anyOption: true, acts: { write: '-i --in-place' }, words: 'text ...read' },
  dasel: { anyOption: true, effects: ['cannot-tell'], words: '...text' },
  gron: {
    flags: '-u -c -m -s -j -v --ungron --colorize --monochrome --stream --no-sort --json --values',
    acts: { network: '-k --insecure' },
    words: 'place',
  },
  xmllint: {
    flags:
      '--format --noout --html --recover --huge --nonet --nocdata --noblanks --debug --copy --quiet --timing --version --noenc --xmlout --push --sax --walker --nowarning --pedantic --strict',
    values: {
      text: '--xpath --encode --pretty --maxmem',
      remote: '--dtdvalid --schema --relaxng --schematron --pattern --path',
      write: '-o --output',
    },
    style: 'single',
    acts: {
      network: '--valid --noent --postvalid --dtdattr --loaddtd --xinclude --c14n --c14n11 --exc-c14n',
      execute: '--shell',
    },
    words: '...remote',
  },
  xsltproc: acts(['cannot-tell'], 'runs a style sheet', { values: { write: '-o --output' }, words: '...read' }),
  csvtool: { effects: ['cannot-tell'], anyOption: true, words: '...read' },
  dd: { logic: 'dd' },
  tee: { flags: '-a -i -p --append --ignore-interrupts', attached: { text: '--output-error' }, words: '...write' },
  sponge: { flags: '-a', words: 'write' },
  split: {
    flags: '-d -e -u -x --elide-empty-files --unbuffered --verbose',
    values: {
      text: '-a -b -C -l -n -t --suffix-length --bytes --line-bytes --lines --number --separator --additional-suffix',
      script: '--filter',
    },
    attached: { text: '--numeric-suffixes --hex-suffixes' },
    effects: ['write'],
    why: 'writes the parts',
    words: 'read text',
  },
  csplit: {
    flags: '-k -q -s -z --keep-files --quiet --silent --elide-empty-files --suppress-matched',
    values: { text: '-b -f -n --suffix-format --prefix --digits' },
    effects: ['write'],
    why: 'writes the parts',
    words: 'read ...text',
  },
  shuf: {
    flags: '-e -r -z --echo --repeat --zero-terminated',
    values: { text: '-i -n --input-range --head-count', read: '--random-source', write: '-o --output' },
    words: '...read',
  },
  pr: { anyOption: true, words: '...read' },
  tsort: { words: 'read' },
  ptx: { anyOption: true, words: 'read write', flags: '-A -G -f' },
  look: { flags: '-a -d -f', values: { text: '-t' }, words: 'text read' },
  iconv: {
    flags: '-c -l -s --list --silent --verbose',
    values: { text: '-f -t --from-code --to-code', write: '-o --output' },
    words: '...read',
  },
  dos2unix: acts(['write'], 'changes files', { words: '...write' }),
  unix2dos: acts(['write'], 'changes files', { words: '...write' }),
  base32: { flags: '-d -i --decode --ignore-garbage', values: { text: '-w --wrap' }, words: 'read' },
  basenc: {
    flags:
      '-d -i --decode --ignore-garbage --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85',
    values: { text: '-w --wrap' },
    words: 'read',
  },
  uuencode: { flags: '-m', words: 'read text' },
  uudecode: acts(['write'], 'writes what it decodes'),
  hd: { anyOption: true, words: '...read' },
  colrm: { words: '...text' },
  col: { flags: '-b -f -h -p -x', values: { text: '-l' } },
  // Its options may have one dash or two.
  cloc: {
    style: 'single',
    flags:
      '-autoconf -by-file -by-file-by-lang -by-percent -count-and-diff -csv -docstring-as-code -follow-links -force-git -fullpath -hide-rate -ignore-whitespace -ignore-case ' +
      '-json -md -no-autogen -no3 -quiet -show-ext -show-lang -skip-uniqueness -sum-one -3 -v -xml -yaml -skip-win-hidden -read-binary-files -show-os',
    values: {
      text: '-exclude-dir -exclude-ext -exclude-lang -include-ext -include-lang -match-d -not-match-d -match-f -not-match-f -csv-delimiter -max-file-size -processes -timeout -lang-no-ext -force-lang -fmt -diff-timeout',
      read: '-list-file -exclude-list-file',
    },
    acts: {
      'cannot-tell':
        '-extract-with -config -read-lang-def -force-lang-def -use-sloccount -strip-code -strip-comments -strip-str-comments',
      write:
        '-o -report-file -out -write-lang-def -ignored -counted -found -categorized -sql -diff-alignment -unicode-by-file -stat -progress-rate -xsl',
      execute: '-vcs -git -diff -git-diff-rel -git-diff-all',
    },
    words: '...tree',
  },
  tokei: {
    flags: '-f -C -c -h -V --files --hidden --no-ignore --compact',
    values: { text: '-e -s -o -t -n --exclude --sort --output --type --types --columns' },
    words: '...tree',
  },
  scc: { anyOption: true, acts: { write: '-o --output --format-multi' }, words: '...tree' },
  identify: acts(['cannot-tell'], 'may run delegates', { words: '...read' }),
  patch: {
    anyOption: true,
    flags: '-b -c -e -E -f -l -n -N -R -s -t -T -u -Z --dry-run --verbose',
    values: { text: '-D -F -g -p -V -x -Y -z -B', write: '-o -r', read: '-i --input', change: '-d --directory' },
    effects: ['write'],
    why: 'changes files',
    words: 'write read',
  },
  ed: acts(['cannot-tell', 'write', 'execute'], 'edits files', { words: '...write' }),
  ex: acts(['cannot-tell', 'write', 'execute'], 'edits files', { words: '...write' }),
  vi: acts(['cannot-tell', 'write', 'execute'], 'edits files', { words: '...write' }),
  vim: acts(['cannot-tell', 'write', 'execute'], 'edits files', { words: '...write' }),
  nvim: acts(['cannot-tell', 'write', 'execute'], 'edits files', { words: '...write' }),
  view: acts(['cannot-tell', 'execute'], 'opens an editor', { words: '...read' }),
  nano: acts(['write', 'execute'], 'edits files', { words: '...write' }),
  emacs: acts(['cannot-tell', 'write', 'execute'], 'edits files', { words: '...write' }),
  code: acts(['execute'], 'opens an editor', { words: '...text' }),
  pandoc: acts(['cannot-tell'], 'may run filters', {
    values: { write: '-o --output', code: '-F -L --filter --lua-filter', text: '-f -t --from --to' },
    words: '...read',
  }),
};

/** Files and folders: the programs of GNU coreutils and their kin. */
import type { Programs } from '../table.ts';

const checksum = {
  flags:
    '-b -t -z -w --binary --text --tag --zero --quiet --status --strict --warn --ignore-missing -a --raw --base64 --untagged --debug',
  values: { text: '-l --length --algorithm' },
  wordsWith: { '-c --check': '...read' },
  acts: { read: '-c --check' },
  words: '...read',
} as const;

const copying = {
  flags:
    '-a -f -i -n -l -L -P -H -p -R -r -s -u -v -x -Z -T -b -d -D --archive --attributes-only --copy-contents --force --interactive --link --dereference ' +
    '--no-clobber --no-dereference --parents --recursive --remove-destination --strip-trailing-slashes --symbolic-link --no-target-directory ' +
    '--verbose --one-file-system --debug --keep-directory-symlink --exchange --no-copy',
  values: { text: '-S --suffix --no-preserve --sparse', change: '-t --target-directory' },
  attached: { text: '--backup --preserve --reflink --update --context' },
  effects: ['write'],
  recursive: '-r -R -a --recursive --archive',
} as const;

export const coreutils: Programs = {
  ls: {
    flags:
      '-a -A -b -B -c -C -d -D -e -f -F -g -G -h -H -i -k -l -L -m -n -N -o -O -p -P -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 -@ -% -W --all --almost-all ' +
      '--author --escape --ignore-backups --directory --dired --full-time --group-directories-first --no-group --human-readable --si ' +
      '--dereference-command-line --dereference-command-line-symlink-to-dir --inode --kibibytes --dereference --numeric-uid-gid --literal ' +
      '--file-type --hide-control-chars --show-control-chars --quote-name --reverse --recursive --size --context --zero --help --version',
    values: {
      text: '-I -w -T --block-size --format --hide --indicator-style --ignore --quoting-style --sort --time --time-style --tabsize --width',
    },
    attached: { text: '--color --classify --hyperlink' },
    recursive: '-R --recursive',
    words: '...read',
  },
  cat: {
    flags:
      '-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting --help --version',
    words: '...read',
  },
  stat: {
    flags: '-L -f -t -x -r -s -l -n -q -F --dereference --file-system --terse --help --version',
    values: { text: '-c --format --printf --cached' },
    words: '...read',
  },
  du: {
    flags:
      '-0 -a -b -c -D -g -h -H -k -l -L -m -P -S -s -x -A --null --all --apparent-size --bytes --total --dereference-args --human-readable --count-links ' +
      '--dereference --no-dereference --separate-dirs --si --summarize --one-file-system --inodes --help --version',
    values: {
      text: '-B -d -t -I --block-size --max-depth --threshold --exclude --time-style',
      read: '-X --exclude-from --files0-from',
    },
    attached: { text: '--time' },
    words: '...tree',
  },
  df: {
    flags:
      '-a -h -H -i -k -l -P -T -v -m -g -b -c -Y --all --human-readable --si --inodes --local --no-sync --portability --print-type --total --help --version',
    values: { text: '-B -t -x --block-size --type --exclude-type' },
    attached: { text: '--output' },
    acts: { write: '--sync' },
    words: '...read',
  },
  basename: { flags: '-a -z --multiple --zero', values: { text: '-s --suffix' }, words: '...text' },
  dirname: { flags: '-z --zero', words: '...text' },
  realpath: {
    flags:
      '-e -m -L -P -q -s -z -E --canonicalize-existing --canonicalize-missing --canonicalize --logical --physical --quiet --strip --no-symlinks --zero',
    values: { text: '--relative-to --relative-base' },
    words: '...read',
  },
  readlink: {
    flags:
      '-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero',
    words: '...read',
  },
  pwd: { flags: '-L -P --logical --physical' },
  pathchk: { flags: '-p -P --portability', words: '...text' },
  cksum: checksum,
  md5sum: checksum,
  sha1sum: checksum,
  sha224sum: checksum,
  sha256sum: checksum,
  sha384sum: checksum,
  sha512sum: checksum,
  b2sum: checksum,
  b3sum: {
    flags: '-c --check --no-mmap --no-names --raw --quiet --keyed --tag',
    values: { text: '-l --length --num-threads --seek --derive-key' },
    words: '...read',
  },
  shasum: {
    flags:
      '-b -c -t -U -0 -s -q -w --binary --check --tag --text --UNIVERSAL --01 --ignore-missing --quiet --status --strict --warn',
    values: { text: '-a --algorithm' },
    words: '...read',
  },
  sum: { flags: '-r -s --sysv', words: '...read' },
  md5: { flags: '-q -r -p', values: { text: '-s' }, words: '...read' },
  cp: { ...copying, words: '...tree change', wordsWith: { '-t --target-directory': '...tree' } },
  mv: { ...copying, words: '...change change', wordsWith: { '-t --target-directory': '...change' } },
  ln: {
    ...copying,
    flags: `${copying.flags} -F -h --directory --logical --physical --relative --symbolic`,
    words: '...write',
  },
  install: {
    flags:
      '-b -c -C -d -D -p -s -T -v -Z --compare --directory --preserve-timestamps --strip --no-target-directory --verbose --preserve-context',
    values: {
      text: '-g -m -o -S --group --mode --owner --suffix',
      code: '--strip-program',
      change: '-t --target-directory',
    },
    attached: { text: '--backup --context' },
    effects: ['write'],
    words: '...tree change',
    wordsWith: { '-d --directory': '...change', '-t --target-directory': '...tree' },
  },
  rm: {
    flags: '-f -i -I -r -R -d -v -P -x -W --force --recursive --dir --verbose --one-file-system --no-preserve-root',
    attached: { text: '--interactive --preserve-root' },
    effects: ['destroy'],
    why: 'deletes files',
    recursive: '-r -R --recursive',
    words: '...destroy',
  },
  rmdir: {
    flags: '-p -v --parents --verbose --ignore-fail-on-non-empty',
    effects: ['destroy'],
    why: 'deletes folders',
    words: '...destroy',
  },
  unlink: { effects: ['destroy'], why: 'deletes files', words: 'destroy' },
  shred: {
    flags: '-f -u -v -x -z --force --verbose --exact --zero',
    values: { text: '-n -s --iterations --size', read: '--random-source' },
    attached: { text: '--remove' },
    effects: ['destroy'],
    why: 'overwrites files',
    words: '...destroy',
  },
  trash: { flags: '-v -F -s -y', effects: ['destroy'], why: 'moves files to the trash', words: '...raze' },
  mkdir: {
    flags: '-p -v -Z --parents --verbose',
    values: { text: '-m --mode' },
    attached: { text: '--context' },
    effects: ['write'],
    why: 'makes folders',
    words: '...write',
  },
  mkfifo: {
    flags: '-Z',
    values: { text: '-m --mode' },
    attached: { text: '--context' },
    effects: ['write'],
    words: '...write',
  },
  mknod: { flags: '-Z', values: { text: '-m --mode' }, effects: ['write'], words: 'write text text text' },
  mktemp: {
    flags: '-d -q -t --directory --quiet',
    values: { text: '--suffix', write: '-p' },
    attached: { write: '--tmpdir' },
    acts: { 'cannot-tell': '-u --dry-run' },
    effects: ['write'],
    why: 'makes a file',
    words: 'write',
  },
  touch: {
    flags: '-a -c -f -h -m --no-create --no-dereference',
    values: { text: '-A -d -t --date --time', read: '-r --reference' },
    effects: ['write'],
    words: '...write',
  },
  truncate: {
    flags: '-c -o --no-create --io-blocks',
    values: { text: '-s --size', read: '-r --reference' },
    effects: ['destroy'],
    why: 'cuts files',
    words: '...destroy',
  },
  chmod: {
    flags:
      '-c -f -v -R -h -H -L -P --changes --quiet --silent --verbose --recursive --preserve-root --no-preserve-root --dereference --no-dereference -x -w -r -X',
    values: { read: '--reference' },
    effects: ['write'],
    why: 'changes modes',
    recursive: '-R --recursive',
    words: 'text ...write',
    wordsWith: { '--reference -x -w -r -X': '...write' },
  },
  chown: {
    flags:
      '-c -f -v -R -h -H -L -P --changes --quiet --silent --verbose --recursive --preserve-root --no-preserve-root --dereference --no-dereference',
    values: { text: '--from', read: '--reference' },
    effects: ['write'],
    why: 'changes owners',
    recursive: '-R --recursive',
    words: 'text ...write',
    wordsWith: { '--reference': '...write' },
  },
  sync: { flags: '-d -f --data --file-system', effects: ['write'], why: 'flushes caches to disk', words: '...read' },
};
export const moreCoreutils: Programs = {
  chgrp: coreutils['chown'] ?? {},
  vdir: coreutils['ls'] ?? {},
  dir: coreutils['ls'] ?? {},
};

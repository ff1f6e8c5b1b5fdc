/** Archives and compressed files. */
import type { Programs } from '../table.ts';
import { list } from './kinds.ts';

const pack = {
  flags:
    '-# -c -d -f -h -k -L -n -N -q -r -S -v -l -t -a --stdout --to-stdout --decompress --uncompress --force --help --keep --list --license --no-name --name --quiet --recursive --synchronous --test --verbose --fast --best --rsyncable --ascii -z -e -1 -T0 --compress --small --extreme --no-sparse --robot --single-stream --rm',
  values: { text: '-S --suffix -T -M -F -C --threads --memory --memlimit --format --check' },
  logic: 'pack',
} as const;

const cats = { flags: '-f -h -L -q -v -V -k --help', words: '...read' } as const;

export const archives: Programs = {
  tar: { logic: 'tar' },
  gtar: { logic: 'tar' },
  bsdtar: { logic: 'tar' },
  gzip: pack,
  gunzip: pack,
  pigz: pack,
  unpigz: pack,
  bzip2: pack,
  bunzip2: pack,
  xz: pack,
  unxz: pack,
  lzma: pack,
  unlzma: pack,
  zstd: { ...pack, flags: `${pack.flags} --ultra`, values: { ...pack.values, write: '-o' }, acts: { write: '--rm' } },
  unzstd: { ...pack, values: { ...pack.values, write: '-o' } },
  lz4: {
    effects: ['write'],
    anyOption: true,
    words: 'read write',
    looks: {
      '-c -t --stdout --test --list': {
        flags: '-d -c -t -q -v --decompress --stdout --test --list',
        acts: { write: '-m -r --rm --multiple' },
        words: 'read',
      },
    },
  },
  lz4cat: { words: 'read' },
  brotli: {
    effects: ['write'],
    anyOption: true,
    values: { write: '-o --output' },
    words: '...change',
    looks: {
      '-c -t --stdout --test': {
        flags: '-d -c -t -v -k --decompress --stdout --test --verbose --keep',
        acts: { write: '-o -j --output --rm' },
        words: '...read',
      },
    },
  },
  compress: { effects: ['write'], anyOption: true, words: '...write' },
  uncompress: { effects: ['write'], anyOption: true, words: '...write' },
  zcat: cats,
  gzcat: cats,
  bzcat: cats,
  xzcat: cats,
  lzcat: cats,
  zstdcat: cats,
  zcmp: { flags: '-s -l -b', words: '...read' },
  zdiff: { flags: '-u -q -s -c -i -w -b -y', words: '...read' },
  zless: { logic: 'pager', flags: '-R -S -X -F -N -i -n -e -E' },
  zmore: { effects: ['cannot-tell'], why: 'opens a pager', words: '...read' },
  zip: {
    effects: ['write'],
    anyOption: true,
    values: { change: '-b' },
    acts: { execute: '-T -TT', destroy: '-m --move' },
    wordsWith: { '-m --move': 'write ...raze' },
    words: 'write ...tree',
  },
  unzip: {
    flags: '-l -v -Z -z -t -q -qq -p -c -a -aa -n -o -u -j -C -L -f -B -D -K -M -U -V -W -X -1 -2 -s -m -h -T',
    values: { text: '-P -x', change: '-d' },
    logic: 'unzip',
  },
  zipinfo: { flags: '-1 -2 -s -m -l -v -h -M -t -T -z -C', words: 'read ...text' },
  zipdetails: { anyOption: true, words: '...read' },
  zipgrep: { effects: ['execute'], anyOption: true, words: '...read' },
  ...list('7z 7za 7zr 7zz', {
    commands: { l: { anyOption: true, words: '...read' }, t: { anyOption: true, words: '...read' }, i: {}, b: {} },
    other: {
      effects: ['write'],
      style: 'single',
      anyOption: true,
      wordsWith: { '-sdel': 'text write ...raze' },
      words: 'text ...change',
      flags: '-sdel',
    },
  }),
  unrar: {
    commands: {
      ...list('l v t', { anyOption: true, acts: { 'cannot-tell': '-i' }, words: '...read' }),
      lb: { words: '...read' },
    },
    other: { effects: ['write'], anyOption: true, words: 'text ...change' },
  },
  ar: { style: 'none', logic: 'ar' },
  cpio: {
    effects: ['write'],
    anyOption: true,
    acts: { execute: '--rsh-command' },
    words: '...change',
    looks: {
      '-t --list': { flags: '-t -i -v --list --verbose --quiet', acts: { write: '-o -p -F --file' }, words: '...text' },
    },
  },
  pax: { effects: ['write'], anyOption: true, words: '...change' },
  rpm2cpio: { words: 'read' },
};

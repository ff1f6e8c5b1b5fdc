/** Interpreters of languages: code as an option, a file, or what they read. */
import type { Program, Programs } from '../table.ts';
import { acts, list } from './kinds.ts';

const python: Program = {
  flags: '-B -b -d -E -i -I -O -P -q -s -S -u -v -x -OO',
  values: { code: '-c', text: '-m -W -X --check-hash-based-pycs' },
  stops: true,
  logic: 'python',
  words: 'program ...text',
  helps: '-V -VV --version --help -h',
};
const node: Program = {
  effects: ['execute'],
  why: 'runs code',
  anyOption: true,
  values: {
    code: '-e -p --eval --print --input-type',
    program: '-r --require --import --loader --experimental-loader',
    read: '--env-file',
  },
  stops: true,
  looks: {
    '-c --check': {
      flags: '-c --check',
      acts: { execute: '-e -p -r --eval --print --require --import --loader --experimental-loader' },
      stops: true,
      words: '...read',
    },
  },
  logic: 'node',
  words: 'program ...text',
  helps: '-v --version -h --help --v8-options',
};
const perl: Program = {
  effects: ['execute'],
  why: 'runs code',
  anyOption: true,
  values: { code: '-e -E', text: '-I -M -m' },
  stops: true,
  logic: 'interpreter',
  words: 'program ...text',
  helps: '-v -V --version --help -h',
};

export const interpreters: Programs = {
  ...list(
    'python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3 ipython',
    python,
  ),
  py: python,
  node,
  nodejs: node,
  deno: {
    effects: ['execute'],
    why: 'runs code',
    anyOption: true,
    stops: true,
    commands: {
      ...list('run serve', acts(['execute'], 'runs code', { stops: true, words: 'program ...text' })),
      eval: acts(['execute'], 'runs code', { words: 'code ...text' }),
      ...list(
        'add bench bundle cache check clean compile coverage doc fmt init install jupyter lint lsp outdated publish remove repl task test types uninstall update upgrade',
        acts(['execute'], 'runs code'),
      ),
    },
    alone: { logic: 'interpreter' },
    other: acts(['execute'], 'runs code', { words: 'program ...text' }),
    helps: '-V --version --help -h info',
  },
  ...list(
    'tsx ts-node',
    acts(['execute'], 'runs code', {
      logic: 'interpreter',
      stops: true,
      values: { code: '-e -p --eval --print' },
      helps: '--version --help -v -h',
    }),
  ),
  perl,
  ruby: { ...perl, helps: '-v --version --help -h' },
  irb: perl,
  php: {
    effects: ['execute'],
    why: 'runs code',
    anyOption: true,
    values: { code: '-r -R -B -E -F -z -d', program: '-f' },
    acts: { network: '-S' },
    stops: true,
    looks: {
      '-l --syntax-check': {
        flags: '-l -n --syntax-check',
        acts: { execute: '-r -d -z' },
        stops: true,
        words: '...read',
      },
    },
    words: 'program ...text',
    logic: 'php',
    helps: '-v --version -h --help -m -i --ini',
  },
  lua: { ...perl, helps: '-v' },
  luajit: { ...perl, helps: '-v' },
  R: { ...perl, helps: '--version --help' },
  Rscript: { ...perl, helps: '--version --help' },
  julia: { ...perl, helps: '-v --version --help -h' },
  elixir: { ...perl, helps: '--version --help -v -h' },
  // Options that these don’t know leave them with code to read.
  erl: { ...perl, helps: '-version' },
  escript: { ...perl, helps: '' },
  groovy: { ...perl, helps: '-v --version -h --help' },
  scala: { ...perl, helps: '-version --version -help --help' },
  kotlin: { ...perl, helps: '-version -help' },
  swift: acts(['execute', 'write'], 'runs code'),
  tclsh: acts(['execute', 'cannot-tell'], 'runs code', { logic: 'interpreter', stops: true, helps: '' }),
};

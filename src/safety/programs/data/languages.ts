/** Interpreters, compilers, builders, checkers and test runners: what they are given is code, and so is what configures them. */
import type { Program, Programs } from '../table.ts';
import { acts, list } from './kinds.ts';

const tells: Program = { anyOption: true, words: '...text' };

const cargoRuns = 'build b check c clippy test t bench run r rustc rustdoc doc d expand nextest miri';
const builds = (more: Program = {}): Program =>
  acts(['execute', 'write'], 'runs what builds or checks the project', more);

export const languages: Programs = {
  expect: acts(['execute', 'cannot-tell'], 'runs code'),
  gdb: acts(['execute', 'cannot-tell'], 'runs a program', { helps: '-v --version --help -h' }),
  lldb: acts(['execute', 'cannot-tell'], 'runs a program', { helps: '-v --version --help -h' }),
  valgrind: acts(['execute'], 'runs a program'),
  perf: acts(['execute'], 'runs a program'),
  java: acts(['execute'], 'runs code', { style: 'single', stops: true, helps: '-version --version -help --help -h' }),
  javac: builds({ helps: '-version --version -help --help' }),
  jshell: acts(['execute', 'cannot-tell'], 'runs code'),
  javap: {
    style: 'single',
    flags: '-c -l -p -s -v -private -public -protected -package -verbose -constants -sysinfo',
    values: { read: '-cp -classpath' },
    words: '...read',
  },
  jps: { anyOption: true, acts: { 'cannot-tell': '-J' }, words: '...host' },
  dotnet: {
    commands: {},
    other: builds({ effects: ['execute', 'write', 'network'] }),
    flags: '--info --list-sdks --list-runtimes',
    helps: '--version --help --info --list-sdks --list-runtimes -h',
  },
  go: {
    style: 'single',
    commands: {
      version: { style: 'single', flags: '-m -v', words: '...read' },
      env: { style: 'single', flags: '-json -changed', acts: { write: '-w -u' }, words: '...text' },
      doc: { style: 'single', flags: '-all -c -cmd -short -src -u', words: '...text', acts: { network: '-http' } },
      list: {
        style: 'single',
        logic: 'goList',
        flags: '-json -m -e -deps -test -find -u -versions -retracted -compiled -all',
        values: { text: '-f -tags -reuse' },
        attached: { text: '-json -mod -buildvcs' },
        acts: {
          'cannot-tell': '-mod -reuse -toolexec -overlay -modfile -export -compiled',
          network: '-u -versions -retracted -deps -test',
        },
        words: '...text',
      },
      help: { words: '...text' },
      fmt: acts(['write', 'execute'], 'formats files'),
      vet: builds(),
      fix: builds(),
      ...list('build test run install generate tool bug', builds()),
      ...list('get work', builds({ effects: ['execute', 'write', 'network'] })),
      mod: {
        commands: {
          ...list('graph why verify', acts(['network'], 'may fetch modules')),
          ...list('tidy download vendor edit init', acts(['network', 'write'], 'changes modules')),
        },
      },
      clean: acts(['destroy'], 'deletes what was built'),
    },
  },
  gofmt: {
    style: 'single',
    flags: '-d -e -l -s',
    values: { text: '-r' },
    acts: { write: '-w -cpuprofile' },
    words: '...tree',
  },
  cargo: {
    flags: '-q -v -vv --quiet --verbose --offline --locked --frozen --list',
    values: { text: '--color', unknown: '-Z -C --config' },
    helps: '-V -vV --version --help -h --list',
    commandHelps: '',
    commands: {
      ...list(cargoRuns, builds()),
      version: tells,
      help: acts(['execute'], 'may run the program of that name'),
      'locate-project': { values: { read: '--manifest-path', text: '--message-format' }, flags: '--workspace' },
      pkgid: { values: { read: '--manifest-path' }, words: 'text' },
      'read-manifest': { values: { read: '--manifest-path' } },
      tree: {
        flags:
          '-d -i -e --all-features --no-default-features --offline --frozen --workspace --duplicates --no-dedupe --locked',
        values: {
          text: '-p -e -i -F --depth --prefix --format --target --edges --package --features --charset --invert --exclude --prune',
          read: '--manifest-path',
          unknown: '--config -Z',
        },
        acts: {},
        logic: 'cargoRead',
      },
      metadata: {
        flags: '--no-deps --offline --frozen --locked --all-features --no-default-features',
        values: {
          text: '--format-version --filter-platform --features',
          read: '--manifest-path',
          unknown: '--config -Z',
        },
        logic: 'cargoRead',
      },
      ...list('search info owner', acts(['network'], 'asks the registry', { hosts: ['crates.io'] })),
      ...list(
        'publish yank login logout',
        acts(['network', 'write', 'execute'], 'publishes', { hosts: ['crates.io'] }),
      ),
      ...list(
        'install add update fetch generate-lockfile vendor fix',
        acts(['network', 'write', 'execute'], 'changes packages', { hosts: ['crates.io'] }),
      ),
      ...list('new init remove rm fmt package', acts(['write', 'execute'], 'changes files')),
      ...list('clean uninstall', acts(['destroy'], 'deletes what was built')),
    },
    other: acts(['execute', 'cannot-tell'], 'runs a plugin or an alias'),
  },
  ...list(
    'rustc gcc g++ cc c++ clang clang++ tcc nasm ld lld swiftc scalac ghc ocamlc ocamlopt fpc gfortran nvcc',
    builds({
      helps:
        '-V --version --help -v -vV --verbose -dumpversion -dumpmachine -dumpspecs -print-search-dirs -print-multiarch -print-sysroot -print-libgcc-file-name',
    }),
  ),
  zig: builds({ helps: 'version env --help' }),
  kotlinc: builds({ helps: '-version -help' }),
  rustfmt: builds(),
  ...list('nm objdump readelf size', { anyOption: true, acts: { 'cannot-tell': '--plugin' }, logic: 'binary' }),
  otool: { anyOption: true, words: '...read' },
  addr2line: { anyOption: true, values: { read: '-e --exe' }, words: '...text' },
  'c++filt': { anyOption: true, words: '...text' },
  objcopy: acts(['write'], 'writes files', { words: '...write' }),
  strip: acts(['write'], 'changes files', { words: '...write' }),
  ranlib: acts(['write'], 'changes files', { words: '...write' }),
  ...list('pkg-config pkgconf', {
    style: 'single',
    flags:
      '-cflags -cflags-only-I -cflags-only-other -libs -libs-only-L -libs-only-l -libs-only-other -exists -modversion -static -shared -list-all -list-package-names ' +
      '-print-errors -short-errors -silence-errors -errors-to-stdout -print-variables -print-requires -print-requires-private -print-provides -print-digraph ' +
      '-uninstalled -validate -path -keep-system-libs -keep-system-cflags -define-prefix -dont-define-prefix -debug -about -license',
    values: {
      text: '-variable -atleast-version -exact-version -max-version -atleast-pkgconfig-version -define-variable -prefix-variable',
      write: '-log-file',
    },
    words: '...text',
  }),
  ctags: acts(['write'], 'writes tags'),
  ...list(
    'bazel buck buck2 bazelisk gradle gradlew mvn mvnw ant sbt lein',
    builds({ values: { unknown: '-C --directory' }, helps: '' }),
  ),
  ...list(
    'make gmake',
    builds({
      values: { unknown: '-C --directory', program: '-f --file --makefile' },
      helps: '-v --version -version --help -h -V',
    }),
  ),
  ...list(
    'cmake meson',
    builds({ values: { unknown: '-C --directory' }, helps: '-v --version -version --help -h -V' }),
  ),
  // `-v` has these say more of what they build, and so has `-V` some.
  ...list(
    'ninja ctest rake just task mage nox invoke fab autoconf automake autoreconf libtoolize',
    builds({ values: { unknown: '-C --directory' }, helps: '--version --help' }),
  ),
  // These look at what the folder configures before they help.
  ...list('bmake scons tox waf', builds({ helps: '' })),
  // What tells its version without looking at the project first; the others may load what the project names.
  ...list(
    'tsc eslint prettier biome oxlint oxfmt vitest vite esbuild black ruff isort mypy clang-format clang-tidy',
    builds({ helps: '-v --version -h --help' }),
  ),
  ...list('as emcc yamllint hadolint pre-commit delve dlv cppcheck', builds({ helps: '--version --help' })),
  ...list('actionlint golangci-lint staticcheck', builds({ helps: 'version -version --version' })),
  ...list(
    'pytest py.test nose2 unittest coverage mocha ava tap karma cypress playwright rspec minitest phpunit bats behave cucumber nyc c8',
    builds({ helps: '' }),
  ),
  ...list(
    'stylelint tslint standard xo webpack rollup parcel swc babel next nuxt astro gatsby ng vue-cli-service react-scripts nodemon pm2 concurrently typedoc jsdoc knip madge depcheck http-server serve husky lint-staged',
    builds({ helps: '' }),
  ),
  ...list(
    'flake8 pylint pyright autopep8 yapf bandit sphinx-build mkdocs jupyter ipykernel django-admin flask uvicorn gunicorn celery alembic',
    builds({ helps: '' }),
  ),
  ...list('rubocop rails bundler-audit jekyll gopls air markdownlint tflint jest', builds({ helps: '' })),
  shellcheck: {
    flags: '-a -x -V --check-sourced --external-sources --norc --list-optional',
    values: {
      text: '-C -e -f -i -o -P -s -S -W --color --exclude --format --include --enable --source-path --shell --severity --wiki-link-count',
    },
    words: '...read',
  },
  shfmt: {
    flags: '-d -l -s -f -mn -bn -ci -sr -kp -fn --diff --list --simplify',
    values: { text: '-ln -p -i --language-dialect --indent --filename' },
    acts: { write: '-w --write' },
    style: 'single',
    words: '...tree',
  },
  claude: acts(['execute', 'network', 'cannot-tell'], 'runs an agent'),
  codex: acts(['execute', 'network', 'cannot-tell'], 'runs an agent'),
  reins: acts(['execute', 'network', 'cannot-tell'], 'runs an agent'),
};

/** Options by which a check checks nothing, less than all, or something else. Data, from the manuals of the programs. */

/** What a word of a check's arguments means, in the words of a doubt: `WORD ...`. */
export interface Meaning {
  /** Programs that it is about; absent: all. */
  names?: readonly string[];
  words: RegExp;
  /** Only of programs that run tests. */
  tests?: true;
  /** Also where a script of the package says it. */
  always?: true;
  means: string;
}

const nothing = 'checks nothing, or passes without anything to check';
const some = 'keeps it to some of the tests';
const lenient = 'lets pass what it would find';
const rewrites = 'rewrites what it compares with';
const elsewhere = 'takes it to another folder or other settings';

/** Whole words; a value may follow after `=`. */
const words = (list: string): RegExp => new RegExp(`^(?:${list.trim().split(/\s+/).join('|')})(?:=|$)`);

export const meanings: readonly Meaning[] = [
  {
    words: words(
      `--version --help -h -V --passWithNoTests --pass-with-no-tests --collect-only --co --list --listTests --list-tests --dry-run
      --no-run --showConfig --init --if-present --noEmitOnError --exit-zero --exit-zero-even-if-changed --no-error-on-unmatched-pattern
      --force-exit-0 --forceExit=0`,
    ),
    always: true,
    means: nothing,
  },
  {
    names: ['pytest', 'py.test'],
    words: words('--setup-plan --setup-only --fixtures --fixtures-per-test --markers --suppress-no-test-exit-code'),
    means: nothing,
  },
  { names: ['eslint', 'stylelint'], words: words('--print-config --env-info --stdin'), means: nothing },
  { names: ['jest'], words: words('--clearCache'), means: nothing },
  { names: ['vitest'], words: words('list bench init'), means: nothing },
  { names: ['go'], words: words('-c -n -list -exec'), means: nothing },
  { names: ['cargo'], words: words('list'), means: nothing },
  { names: ['mvn', 'mvnw'], words: /^-D(?:skipTests|skipITs|maven\.test\.(?:skip|failure\.ignore))/, means: nothing },
  { names: ['mvn', 'mvnw'], words: words('-fn --fail-never'), means: lenient },
  { names: ['gradle', 'gradlew'], words: words('-m -x --exclude-task'), means: nothing },
  { names: ['ctest'], words: words('-N --show-only --print-labels'), means: nothing },
  { names: ['bats'], words: words('-c --count'), means: nothing },
  {
    names: ['tox', 'nox'],
    words: words('-l -a --listenvs --notest --list-sessions list config devenv'),
    means: nothing,
  },
  { names: ['deno'], words: words('--permit-no-files'), means: nothing },
  { names: ['bun'], words: words('--todo'), means: some },
  {
    names: ['tsc', 'tsgo', 'vue-tsc'],
    words: words('-v --all --noCheck --listFilesOnly --clean --dry -d --noResolve'),
    means: nothing,
  },
  {
    names: ['mypy'],
    words: words(
      '-c --command --config-file=$ --install-types --ignore-errors --follow-imports=skip --disable-error-code --exclude',
    ),
    means: lenient,
  },
  {
    names: ['eslint'],
    words: words(
      `--no-eslintrc --no-config-lookup --ignore-pattern --rule --fix-dry-run --pass-on-no-patterns --pass-on-unpruned-suppressions
      --suppress-all --suppress-rule`,
    ),
    means: lenient,
  },
  {
    names: ['ruff', 'flake8'],
    words: words(
      '--select --ignore --extend-ignore --exclude --extend-exclude --isolated --show-files --show-settings --add-noqa',
    ),
    means: lenient,
  },
  {
    names: ['pylint'],
    words:
      /^(?:--disable|-d|--errors-only|-E|--enable|--ignore(?:-paths|-patterns|d-modules)?|--fail-under|--fail-on|--list-msgs)(?:=|$)/,
    means: lenient,
  },
  { names: ['shellcheck'], words: /^(?:-e|--exclude|-i|--include|-S|--severity)/, means: lenient },
  {
    names: ['rubocop', 'standardrb'],
    words: words('--auto-gen-config --only --except --fail-level -L --list-target-files --regenerate-todo'),
    means: lenient,
  },
  {
    names: ['golangci-lint'],
    words: words(
      '--disable-all -D --disable -E --enable-only --new --new-from-rev --new-from-patch --issues-exit-code --exclude',
    ),
    means: lenient,
  },
  { names: ['mocha'], words: words('--pass-on-failing-test-suite'), means: lenient },
  { names: ['rspec'], words: words('--failure-exit-code --error-exit-code'), means: lenient },
  { names: ['mix'], words: words('--exit-status'), means: lenient },
  { names: ['swift', 'dotnet'], words: words('--skip-build --no-build'), means: 'takes what was built before' },
  {
    tests: true,
    always: true,
    words: words(
      `-t -k -g -m --grep --fgrep --filter --testNamePattern --test-name-pattern --test-skip-pattern --test-shard --test-only --only -run
      --lf --last-failed --onlyFailures --onlyChanged --changedSince --deselect --ignore --ignore-glob --exclude --skip --shard --tests`,
    ),
    means: some,
  },
  {
    names: ['pytest', 'py.test'],
    words: words('-p --sw --stepwise --sw-skip --nf -o --override-ini --pyargs --noconftest'),
    means: some,
  },
  {
    names: ['jest'],
    words: words(
      `-o --testPathPattern --testPathPatterns --testPathIgnorePatterns --testRegex --testMatch --selectProjects --ignoreProjects
      --modulePathIgnorePatterns --filter`,
    ),
    means: some,
  },
  { names: ['vitest'], words: words('--changed --project --dir --tags'), means: some },
  { names: ['mocha'], words: words('-f -i --invert --ignore --spec'), means: some },
  { names: ['ava'], words: words('--match'), means: some },
  { names: ['go'], words: words('-skip -short -tags'), means: some },
  {
    names: ['cargo'],
    words: words('--lib --doc --bin --bins --test --example --examples -p --package --ignored -E --filter-expr'),
    tests: true,
    means: some,
  },
  {
    names: ['mvn', 'mvnw'],
    words: /^(?:-D(?:test|it\.test|groups|excludedGroups)=|-pl$|--projects(?:=|$))/,
    means: some,
  },
  {
    names: ['phpunit', 'pest'],
    words: words('--group --exclude-group --testsuite --exclude-testsuite --exclude-filter --covers --uses'),
    means: some,
  },
  {
    names: ['rspec'],
    words: words('-e --example --tag --only-failures --next-failure --pattern -P --exclude-pattern'),
    means: some,
  },
  { names: ['ctest'], words: words('-R -E -L -LE -I --tests-regex --exclude-regex --rerun-failed'), means: some },
  { names: ['bats'], words: words('-f --filter-status --filter-tags'), means: some },
  { names: ['tox', 'nox'], words: words('-s --session --sessions -e'), means: some },
  { names: ['mix'], words: words('--failed --stale'), means: some },
  {
    tests: true,
    words: words('-u --update --updateSnapshot --update-snapshots --snapshot-update --force-regen --inline-snapshot'),
    means: rewrites,
  },
  { words: words('--rootdir --rootDir --roots --root --manifest-path --build-path --chdir'), means: elsewhere },
  { names: ['mvn', 'mvnw'], words: words('-f --file'), means: elsewhere },
  { names: ['gradle', 'gradlew'], words: words('-p --project-dir -b --build-file'), means: elsewhere },
  { names: ['go'], words: words('-C'), means: elsewhere },
  {
    names: ['npm', 'pnpm', 'yarn', 'bun'],
    words: words(
      `--script-shell --node-options --prefix --dir -C --cwd --userconfig --globalconfig --ignore-scripts --shell-emulator --config`,
    ),
    means: elsewhere,
  },
];

/** Options whose file says how is checked, or is run before: one that is new is as good as a changed setting. */
export const settingOptions = words(
  `-c -p -r -f -O --config --config-file --configfile --configuration --project --require --import --loader --experimental-loader
  --env-file --env-file-if-exists --setupFiles --globalSetup --preload --rcfile --tsconfig --options --file --plugin`,
);

/** Options that take no value: the word after one is the program's own. */
export const flags = words(
  `--ci --silent --verbose -v -q -i --runInBand --coverage --no-coverage --run --watch=false --watchAll=false --no-watch --bail -b
  --color --no-color --colors --forceExit --detectOpenHandles --no-cache --all --workspace --release --locked --offline --frozen --quiet`,
);

/** Programs that take a word which is no path for a part of a name, and run only what has it. */
export const filtering: ReadonlySet<string> = new Set(
  'jest vitest cargo ava playwright bun bats unittest manage.py'.split(' '),
);
/** The words with which programs are told what to do: neither a path nor a part of a name. */
export const subcommands: { readonly [program: string]: readonly string[] } = {
  vitest: ['run', 'watch', 'dev', 'related'],
  cargo: ['test', 't', 'nextest', 'run', 'build', 'check', 'clippy'],
  playwright: ['test'],
  cypress: ['run'],
  bun: ['test', 'run'],
  deno: ['test', 'check'],
  unittest: ['discover'],
  'manage.py': ['test'],
  go: ['test', 'vet', 'build'],
  mix: ['test'],
  swift: ['test', 'build'],
  dotnet: ['test', 'build'],
  ruff: ['check'],
  biome: ['lint', 'check', 'ci'],
  mvn: ['test', 'verify'],
  mvnw: ['test', 'verify'],
  gradle: ['test', 'check', 'build'],
  gradlew: ['test', 'check', 'build'],
};

/** Variables with which a program of the same name does something else. */
export const misleading =
  /^(?:PATH|IFS|CDPATH|NODE_OPTIONS|NODE_PATH|NODE_TEST_CONTEXT|PYTHON(?:PATH|STARTUP|HOME|INSPECT)|PYTEST_(?:ADDOPTS|PLUGINS)|BASH_ENV|ENV|BASHOPTS|SHELLOPTS|PROMPT_COMMAND|SHELL|LD_\w+|DYLD_\w+|GOFLAGS|RUSTFLAGS|RUSTC\w*|CARGO_\w+|CC|CXX|MAKEFLAGS|RUBYOPT|RUBYLIB|PERL5\w+|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_\w+|GRADLE_OPTS|BUN_OPTIONS|MOCHA_OPTIONS|GIT_\w+|(?:npm|pnpm|yarn)_\w+)=/i;

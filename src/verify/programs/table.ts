/** Programs that check work: what they prove, of which files, and what they take their settings from. Data. */
import type { ProofKind } from '../../core/index.ts';

export interface CheckProgram {
  names: readonly string[];
  /** What its arguments must be for this entry, as they are written. */
  arguments?: RegExp;
  /** `format` proves nothing of what a program does. */
  kind: ProofKind | 'format';
  /** Globs of the files that it is about. */
  files: readonly string[];
  /** Globs of the files that say how it checks. */
  configuration: readonly string[];
}

const script = ['*.js', '*.jsx', '*.mjs', '*.cjs', '*.ts', '*.tsx', '*.mts', '*.cts', '*.vue', '*.svelte', '*.astro'];
const python = ['*.py', '*.pyi'];
const go = ['*.go'];
const rust = ['*.rs'];
const jvm = ['*.java', '*.kt', '*.kts', '*.scala', '*.groovy'];
const native = ['*.c', '*.h', '*.cc', '*.cpp', '*.cxx', '*.hpp', '*.m', '*.mm'];
const pythonSettings = ['pyproject.toml', 'setup.cfg', 'tox.ini'];
const scriptSettings = ['.npmrc', 'babel.config.*', '.babelrc*', '.swcrc'];

export const programs: readonly CheckProgram[] = [
  {
    names: ['tsc', 'tsgo', 'vue-tsc', 'svelte-check', 'flow'],
    kind: 'types',
    files: script,
    configuration: ['tsconfig*.json', 'jsconfig.json', '.flowconfig'],
  },
  {
    names: ['mypy', 'pyright', 'basedpyright', 'pyre', 'ty', 'pytype'],
    kind: 'types',
    files: python,
    configuration: [...pythonSettings, 'mypy.ini', '.mypy.ini', 'pyrightconfig.json'],
  },
  {
    names: ['eslint', 'oxlint', 'xo', 'standard', 'tslint'],
    kind: 'lint',
    files: script,
    configuration: ['.eslintrc*', 'eslint.config.*', '.eslintignore', '.oxlintrc.json', 'tslint.json', '.xo-config*'],
  },
  { names: ['biome'], arguments: /^(?:lint|check|ci)\b/, kind: 'lint', files: script, configuration: ['biome.json*'] },
  {
    names: ['ruff'],
    arguments: /^check\b/,
    kind: 'lint',
    files: python,
    configuration: [...pythonSettings, 'ruff.toml', '.ruff.toml'],
  },
  {
    names: ['flake8', 'pylint', 'pyflakes'],
    kind: 'lint',
    files: python,
    configuration: [...pythonSettings, '.flake8', '.pylintrc', 'pylintrc'],
  },
  {
    names: ['golangci-lint', 'staticcheck', 'revive'],
    kind: 'lint',
    files: go,
    configuration: ['.golangci.*', 'staticcheck.conf', 'revive.toml'],
  },
  { names: ['go'], arguments: /^vet\b/, kind: 'lint', files: go, configuration: ['go.mod', 'go.work'] },
  {
    names: ['cargo'],
    arguments: /^clippy\b/,
    kind: 'lint',
    files: rust,
    configuration: ['Cargo.toml', 'clippy.toml', '.clippy.toml', '.cargo/config*'],
  },
  { names: ['rubocop', 'standardrb'], kind: 'lint', files: ['*.rb'], configuration: ['.rubocop*'] },
  { names: ['shellcheck'], kind: 'lint', files: ['*.sh', '*.bash'], configuration: ['.shellcheckrc'] },
  {
    names: ['stylelint'],
    kind: 'lint',
    files: ['*.css', '*.scss', '*.less'],
    configuration: ['.stylelintrc*', 'stylelint.config.*'],
  },
  {
    names: ['prettier', 'oxfmt', 'black', 'gofmt', 'rustfmt', 'isort', 'dprint', 'clang-format'],
    kind: 'format',
    files: [],
    configuration: ['.prettierrc*', 'prettier.config.*'],
  },
  { names: ['cargo'], arguments: /^fmt\b/, kind: 'format', files: rust, configuration: ['rustfmt.toml'] },
  { names: ['ruff', 'biome'], arguments: /^format\b/, kind: 'format', files: [], configuration: [] },
  {
    names: ['vitest'],
    kind: 'tests',
    files: script,
    configuration: [...scriptSettings, 'vitest.config.*', 'vitest.workspace.*', 'vite.config.*'],
  },
  {
    names: ['jest'],
    kind: 'tests',
    files: script,
    configuration: [...scriptSettings, 'jest.config.*', 'jest.setup.*'],
  },
  {
    names: ['mocha', 'ava', 'tap', 'jasmine', 'karma', 'uvu', 'c8', 'nyc'],
    kind: 'tests',
    files: script,
    configuration: [
      ...scriptSettings,
      '.mocharc*',
      'ava.config.*',
      '.taprc',
      'karma.conf.*',
      '.c8rc*',
      '.nycrc*',
      'nyc.config.*',
    ],
  },
  {
    names: ['playwright', 'cypress'],
    arguments: /^(?:test|run)\b/,
    kind: 'tests',
    files: script,
    configuration: ['playwright.config.*', 'cypress.config.*'],
  },
  {
    names: ['node', 'tsx', 'bun', 'deno'],
    arguments: /(?:^|\s)(?:--test\b|test\b)/,
    kind: 'tests',
    files: script,
    configuration: ['bunfig.toml', 'deno.json*'],
  },
  { names: ['deno'], arguments: /^check\b/, kind: 'types', files: script, configuration: ['deno.json*'] },
  {
    names: ['pytest', 'py.test', 'tox', 'nox', 'nose2'],
    kind: 'tests',
    files: python,
    configuration: [...pythonSettings, 'pytest.ini', '.pytest.ini', '.coveragerc', 'noxfile.py', 'conftest.py'],
  },
  { names: ['unittest'], kind: 'tests', files: python, configuration: pythonSettings },
  { names: ['manage.py'], arguments: /^test\b/, kind: 'tests', files: python, configuration: pythonSettings },
  { names: ['go'], arguments: /^test\b/, kind: 'tests', files: go, configuration: ['go.mod', 'go.work'] },
  { names: ['go'], arguments: /^build\b/, kind: 'build', files: go, configuration: ['go.mod', 'go.work'] },
  {
    names: ['cargo'],
    arguments: /^(?:test|nextest)\b/,
    kind: 'tests',
    files: rust,
    configuration: ['Cargo.toml', '.cargo/config*', 'nextest.toml'],
  },
  {
    names: ['cargo'],
    arguments: /^(?:build|check)\b/,
    kind: 'build',
    files: rust,
    configuration: ['Cargo.toml', '.cargo/config*'],
  },
  {
    names: ['mvn', 'mvnw', 'gradle', 'gradlew'],
    arguments: /\b(?:test|verify|check)\b/i,
    kind: 'tests',
    files: jvm,
    configuration: ['pom.xml', 'build.gradle*', 'settings.gradle*'],
  },
  {
    names: ['mvn', 'mvnw', 'gradle', 'gradlew', 'javac', 'kotlinc'],
    kind: 'build',
    files: jvm,
    configuration: ['pom.xml', 'build.gradle*', 'settings.gradle*'],
  },
  {
    names: ['dotnet'],
    arguments: /^test\b/,
    kind: 'tests',
    files: ['*.cs', '*.fs', '*.vb'],
    configuration: ['*.csproj', '*.fsproj', '*.sln', 'Directory.Build.*'],
  },
  {
    names: ['dotnet'],
    arguments: /^build\b/,
    kind: 'build',
    files: ['*.cs', '*.fs', '*.vb'],
    configuration: ['*.csproj', '*.fsproj', '*.sln', 'Directory.Build.*'],
  },
  { names: ['swift'], arguments: /^test\b/, kind: 'tests', files: ['*.swift'], configuration: ['Package.swift'] },
  { names: ['swift'], arguments: /^build\b/, kind: 'build', files: ['*.swift'], configuration: ['Package.swift'] },
  { names: ['rspec', 'minitest'], kind: 'tests', files: ['*.rb'], configuration: ['.rspec', 'spec_helper.rb'] },
  { names: ['phpunit', 'pest'], kind: 'tests', files: ['*.php'], configuration: ['phpunit.xml*'] },
  { names: ['phpstan', 'psalm'], kind: 'types', files: ['*.php'], configuration: ['phpstan.*', 'psalm.xml*'] },
  { names: ['mix'], arguments: /^test\b/, kind: 'tests', files: ['*.ex', '*.exs'], configuration: ['mix.exs'] },
  {
    names: ['ctest', 'bats'],
    kind: 'tests',
    files: [...native, '*.sh', '*.bash', '*.bats'],
    configuration: ['CMakeLists.txt'],
  },
  {
    names: ['gcc', 'g++', 'clang', 'clang++', 'cc', 'cmake', 'ninja'],
    kind: 'build',
    files: native,
    configuration: ['CMakeLists.txt'],
  },
  {
    names: ['vite', 'next', 'astro', 'webpack', 'rollup', 'esbuild', 'parcel', 'turbo'],
    arguments: /(?:^|\s)build\b|^$/,
    kind: 'build',
    files: script,
    configuration: ['vite.config.*', 'webpack.config.*', 'rollup.config.*'],
  },
];

/** Every file that a program of the table is about: what is none of these has no program of its own. */
export const sourceFiles: readonly string[] = [...new Set(programs.flatMap(({ files }) => files))];

/** What tests are called and where they lie. */
export const testFiles: readonly string[] = [
  '*.test.* *.spec.* *-test.* *_test.* test_*.py *_spec.rb *.snap *.bats conftest.py',
  '*Test.java *Tests.java *Test.kt *Tests.cs *Test.php *Tests.swift',
  '**/test/** **/tests/** **/__tests__/** **/spec/** **/__snapshots__/** **/e2e/** **/cypress/**',
].flatMap((line) => line.split(' '));

/** Programs that start another one, with how many words of their own besides options. */
export const wrappers: { readonly [name: string]: number } = {
  npx: 0,
  pnpx: 0,
  bunx: 0,
  env: 0,
  time: 0,
  nice: 0,
  'xvfb-run': 0,
  timeout: 1,
  'cross-env': 0,
};

/** The same by two words. */
export const twoWordWrappers: ReadonlySet<string> = new Set(
  [
    'npm exec,pnpm exec,pnpm dlx,yarn exec,yarn dlx,bun x,bundle exec',
    'uv run,poetry run,pipenv run,hatch run,rye run,pdm run,python -m,python3 -m',
  ].flatMap((line) => line.split(',')),
);

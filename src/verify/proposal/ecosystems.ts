/** What repositories of each kind are checked with: data, tried one after the other. */
import type { Repository } from './repository.ts';

export interface ProposedCheck {
  command: string;
  /** What it proves, in a word, and what says so. */
  kind: 'tests' | 'types' | 'lint' | 'build';
  because: string;
  paths?: string[];
  when?: 'each-edit' | 'end';
  advisory?: true;
}

type Found = Omit<ProposedCheck, 'because'>;

interface Ecosystem {
  /** What says that the repository is of this kind. */
  because: string;
  isThere: (repository: Repository) => boolean;
  checks: (repository: Repository) => Found[];
}

const configured = (repository: Repository, ...sections: string[]): boolean => {
  const text = repository.read('pyproject.toml') + repository.read('setup.cfg');
  return sections.some((section) => text.includes(`[${section}`));
};

/** How the programs of a Python project are started. */
function pythonRunner(repository: Repository): string {
  if (repository.has('uv.lock')) return 'uv run ';
  if (repository.has('poetry.lock')) return 'poetry run ';
  if (repository.has('Pipfile.lock')) return 'pipenv run ';
  return 'python -m ';
}

const python: Ecosystem = {
  because: 'a Python project',
  isThere: (repository) => repository.has('pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'requirements.txt'),
  checks(repository) {
    const run = pythonRunner(repository);
    const paths = ['*.py', 'pyproject.toml'];
    const hasTests =
      repository.has('tests', 'test', 'pytest.ini') || configured(repository, 'tool.pytest', 'tool:pytest');
    return [
      ...(hasTests ? [{ command: `${run}pytest -q`, kind: 'tests' as const, paths }] : []),
      ...(repository.has('mypy.ini') || configured(repository, 'tool.mypy', 'mypy')
        ? [{ command: `${run}mypy .`, kind: 'types' as const, paths }]
        : []),
      ...(repository.has('ruff.toml', '.ruff.toml') || configured(repository, 'tool.ruff')
        ? [{ command: `${run}ruff check .`, kind: 'lint' as const, paths, advisory: true as const }]
        : []),
    ];
  },
};

const simple = (because: string, files: string[], ...checks: Found[]): Ecosystem => ({
  because,
  isThere: (repository) => repository.has(...files),
  checks: () => checks,
});

export const ecosystems: readonly Ecosystem[] = [
  python,
  simple(
    'Cargo.toml',
    ['Cargo.toml'],
    { command: 'cargo check --all-targets', kind: 'build', paths: ['*.rs', 'Cargo.*'] },
    { command: 'cargo test', kind: 'tests', paths: ['*.rs', 'Cargo.*'] },
  ),
  simple(
    'go.mod',
    ['go.mod'],
    { command: 'go vet ./...', kind: 'lint', paths: ['*.go', 'go.*'] },
    { command: 'go test ./...', kind: 'tests', paths: ['*.go', 'go.*'] },
  ),
  simple('gradlew', ['gradlew'], { command: './gradlew check', kind: 'tests' }),
  simple('mvnw', ['mvnw'], { command: './mvnw -q verify', kind: 'tests' }),
  simple('mix.exs', ['mix.exs'], { command: 'mix test', kind: 'tests', paths: ['*.ex', '*.exs'] }),
  simple('Package.swift', ['Package.swift'], { command: 'swift test', kind: 'tests', paths: ['*.swift'] }),
  simple('.rspec', ['.rspec'], { command: 'bundle exec rspec', kind: 'tests', paths: ['*.rb', 'Gemfile*'] }),
  simple('phpunit.xml', ['phpunit.xml', 'phpunit.xml.dist'], {
    command: 'vendor/bin/phpunit',
    kind: 'tests',
    paths: ['*.php'],
  }),
  simple('deno.json', ['deno.json', 'deno.jsonc'], { command: 'deno test', kind: 'tests' }),
];

/** What targets of a makefile are mostly for. */
export const makeTargets: { readonly [target: string]: Pick<ProposedCheck, 'kind' | 'advisory'> } = {
  check: { kind: 'tests' },
  test: { kind: 'tests' },
  tests: { kind: 'tests' },
  lint: { kind: 'lint', advisory: true },
};

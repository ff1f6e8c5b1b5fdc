import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { loadProposals } from '../../src/verify/index.ts';
import { Repository } from './repository.ts';

async function proposed(t: TestContext, files: { [path: string]: string | object }) {
  const repository = new Repository(t);
  for (const [path, content] of Object.entries(files))
    repository.write(path, typeof content === 'string' ? content : JSON.stringify(content));
  const { proposeFor } = await loadProposals();
  return proposeFor(repository.root);
}

const commands: [name: string, files: { [path: string]: string | object }, commands: string[]][] = [
  [
    'an npm package',
    { 'package.json': { scripts: { test: 'x', lint: 'x', build: 'x', typecheck: 'x' } } },
    ['npm run typecheck', 'npm test', 'npm run lint', 'npm run build'],
  ],
  [
    'a package without tests',
    { 'package.json': { scripts: { test: 'echo "Error: no test specified" && exit 1' } } },
    [],
  ],
  ['a pnpm package', { 'package.json': { scripts: { test: 'x' } }, 'pnpm-lock.yaml': '' }, ['pnpm test']],
  [
    'npm workspaces whose root has no script for all',
    {
      'package.json': { workspaces: ['packages/*'], scripts: { lint: 'x' } },
      'packages/a/package.json': { name: '@x/a', scripts: { test: 'x' } },
      'packages/b/package.json': { name: '@x/b' },
    },
    ['npm run test --workspace packages/a', 'npm run lint'],
  ],
  [
    'pnpm workspaces',
    {
      'package.json': {},
      'pnpm-workspace.yaml': "packages:\n  - 'apps/*'\n",
      'apps/a/package.json': { name: '@x/a', scripts: { test: 'x' } },
    },
    ['pnpm --filter @x/a run test'],
  ],
  [
    'yarn workspaces',
    {
      'package.json': { workspaces: { packages: ['a'] } },
      'yarn.lock': '',
      'a/package.json': { name: 'a', scripts: { build: 'x' } },
    },
    ['yarn workspace a run build'],
  ],
  ['cargo', { 'Cargo.toml': '[package]\n' }, ['cargo check --all-targets', 'cargo test']],
  ['go', { 'go.mod': 'module x\n' }, ['go vet ./...', 'go test ./...']],
  [
    'python with uv',
    { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n', 'uv.lock': '' },
    ['uv run pytest -q', 'uv run ruff check .'],
  ],
  [
    'python with folders only',
    { 'setup.py': '', 'tests/test_a.py': '', 'mypy.ini': '' },
    ['python -m pytest -q', 'python -m mypy .'],
  ],
  ['a makefile', { Makefile: 'CC := x\ntest: all\n\ttrue\nlint:\n\ttrue\n' }, ['make test', 'make lint']],
  [
    'a makefile beside a package with tests',
    { Makefile: 'test:\n', 'package.json': { scripts: { test: 'x' } } },
    ['npm test'],
  ],
  ['nothing', { 'README.md': 'x' }, []],
];
for (const [name, files, expected] of commands) {
  test(`${name} is proposed ${expected.length === 0 ? 'nothing' : expected.join(', ')}`, async (t) => {
    const { checks, instructions } = await proposed(t, files);
    assert.deepEqual(
      checks.map(({ command }) => command),
      expected,
    );
    for (const command of expected) assert.ok(instructions.includes(`\`${command}\``));
  });
}

test('what isn’t a plain name of a package is left out, and no file is followed that blocks', async (t) => {
  const { checks } = await proposed(t, {
    'package.json': { workspaces: ['packages/*'] },
    'packages/a; rm -rf x/package.json': { name: 'a', scripts: { test: 'x' } },
    'packages/b/package.json': { name: '$(rm x)', scripts: { test: 'x' } },
  });
  assert.deepEqual(checks, []);
});

test('a check of one package is for its paths; a linter is advice, a build comes at the end', async (t) => {
  const { checks } = await proposed(t, {
    'package.json': { workspaces: ['a'], scripts: { lint: 'x', build: 'x' } },
    'a/package.json': { name: 'a', scripts: { test: 'x' } },
  });
  assert.deepEqual(
    checks.map(({ kind, paths, when, advisory }) => ({ kind, paths, when, advisory })),
    [
      { kind: 'tests', paths: ['a/**'], when: undefined, advisory: undefined },
      { kind: 'lint', paths: undefined, when: undefined, advisory: true },
      { kind: 'build', paths: undefined, when: 'end', advisory: undefined },
    ],
  );
});

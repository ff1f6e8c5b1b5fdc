import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Repository } from './repository.ts';
import { proofOf, type Judgement } from '../../src/verify/programs/index.ts';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const scripts = {
  test: 'node --test',
  types: 'tsc --noEmit',
  all: 'npm run types && npm test',
  fake: 'echo all tests pass',
  hidden: 'jest || true',
  loop: 'npm run loop',
  format: 'prettier --check .',
};

describe('what a command line proves', () => {
  const judge = (t: Parameters<typeof workspaceOf>[0], command: string, folder = '.') => {
    const workspace = workspaceOf(t);
    const exists = (path: string) => existsSync(join(workspace, path));
    return proofOf(command, { workspace, folder, exists });
  };

  const proving: [command: string, kinds: string][] = [
    ['npm test', 'tests'],
    ['npm t', 'tests'],
    ['npm run types', 'types'],
    ['npm run -s all', 'types tests'],
    ['pnpm types', 'types'],
    ['yarn vitest run', 'tests'],
    ['CI=1 npm test 2>&1', 'tests'],
    ['cd sub && cargo test --all', 'tests'],
    ['timeout 60 npx vitest --run > out.txt 2>&1', 'tests'],
    ['python -m pytest -q', 'tests'],
    ['uv run pytest', 'tests'],
    ['go vet ./... && go test ./...', 'lint tests'],
    ['npm run build --silent; npm test', 'tests'],
    ['set -o pipefail; npm test 2>&1 | tail -5', 'tests'],
    ['npm test && echo "all fine"', 'tests'],
    ['./node_modules/.bin/tsc --noEmit', 'types'],
    ['cargo build', 'build'],
    ['eslint src', 'lint'],
    ['export CI=1 && npm test', 'tests'],
    ['npm ci && npm run types && npm test', 'types tests'],
    ['set -euo pipefail; npm test | tee out.txt', 'tests'],
    ['. .venv/bin/activate && pytest', 'tests'],
    ['rm -rf dist coverage && npm test', 'tests'],
    ['prettier --write . && npm test', 'tests'],
    ['git status --short && npm test', 'tests'],
    ['npm test && git stash pop', 'tests'],
    ['node --import tsx --test', 'tests'],
    ['jest --ci --coverage', 'tests'],
    ['vitest run --maxWorkers 2', 'tests'],
    ['pytest --junitxml /tmp/x.xml', 'tests'],
    ['go test -count=1 ./...', 'tests'],
    ['cargo test --workspace', 'tests'],
    ['tsc --noEmit -p tsconfig.build.json', 'types'],
    ['eslint --max-warnings 0 .', 'lint'],
  ];
  for (const [command, kinds] of proving) {
    test(`${command} proves ${kinds}`, (t) => {
      const said = judge(t, command);
      assert.ok('proofs' in said, JSON.stringify(said));
      assert.equal(said.proofs.map(({ kind }) => kind).join(' '), kinds);
    });
  }

  const nothing: [command: string, why: RegExp][] = [
    ['true', /no test/],
    ['echo "42 passing"', /no test/],
    ['npm test || true', /\|\| hides/],
    ['npm test | tail -3', /pipe hides/],
    ['npm test; true', /no test/],
    ['npm test; exit 0', /no test/],
    ['npm test\necho done', /no test/],
    ['npm test &', /background/],
    ['! npm test', /no test/],
    ['if npm test; then true; fi', /no test/],
    ['(npm test)', /uncertain/],
    ['echo $(npm test)', /uncertain/],
    ['echo `npm test`', /uncertain/],
    ['npm() { true; }; npm test', /uncertain/],
    ['npm run fake', /fake/],
    ['npm run hidden', /hidden/],
    ['npm run loop', /too far/],
    ['npm run absent', /no script absent/],
    ['npm test --if-present', /--if-present/],
    ['tsc --version', /--version/],
    ['jest --passWithNoTests', /--passWithNoTests/],
    ['jest -t sums', /some of the tests/],
    ['npm test -- --grep=sums', /no proof|some of the tests|no test/],
    ['pytest --collect-only', /checks nothing/],
    ['PATH=./fake:/bin npm test', /decides which program/],
    ['./scripts/pytest', /no test/],
    ['cd .. && npm test', /another folder/],
    ['prettier --check .', /no test/],
    ['npm run format', /no test/],
    ['git commit -m "npm test"', /no test/],
    ['cat test/a.test.js', /no test/],
    ['git stash && npm test', /`git` before it/],
    ['git stash -q && npm test && git stash pop -q', /`git` before it/],
    ['mv test/a.test.js /tmp && npm test && mv /tmp/a.test.js test', /`mv` before it/],
    ['sed -i s/-/+/ sum.js; npm test', /`sed` before it/],
    ['rm -rf test && npm test', /`rm` before it/],
    ["trap 'exit 0' EXIT; npm test", /`trap` before it/],
    ['alias node=true; node --test', /`alias` before it/],
    ['exit 0; npm test', /`exit` before it/],
    ['set -n; npm test', /`set` before it/],
    ['pushd sub && npm test', /`pushd` before it/],
    ['export PATH=/tmp && npm test', /decides which program/],
    ['NODE_OPTIONS=--require=./x.js; npm test', /decides which program/],
    ['npm_config_script_shell=/bin/true npm test', /decides which program/],
    ['npm test --script-shell=/bin/true', /other settings/],
    ['npm test --node-options=--require=./x.js', /other settings/],
    ['node --test --test-skip-pattern=sums', /some of the tests/],
    ['node --test --test-shard=2/2', /some of the tests/],
    ['npm test -- -u', /rewrites/],
    ['jest sums', /some of the tests/],
    ['jest build', /some of the tests/],
    ['jest -u', /rewrites/],
    ['vitest list', /checks nothing/],
    ['vitest run --changed', /some of the tests/],
    ['pytest --setup-plan', /checks nothing/],
    ['pytest ../other', /leads out/],
    ['pytest -c /dev/null', /leads out/],
    ['go test -exec /bin/true ./...', /checks nothing/],
    ['cargo test nothing', /some of the tests/],
    ['mvn -DskipTests verify', /checks nothing/],
    ['mvn -fn test', /lets pass/],
    ['gradle build -x test', /checks nothing/],
    ['ctest -N', /checks nothing/],
    ['tox --notest', /checks nothing/],
    ['tsc --noCheck', /checks nothing/],
    ['tsc -b --clean', /checks nothing/],
    ['mypy --ignore-errors .', /lets pass/],
    ["eslint --rule 'no-undef: off' .", /lets pass/],
    ['ruff check --ignore ALL', /lets pass/],
    ['dotnet test --no-build', /built before/],
    ['python -m unittest test.other', /some of the tests/],
  ];
  for (const [command, why] of nothing) {
    test(`${JSON.stringify(command)} proves nothing`, (t) => {
      const said: Judgement = judge(t, command);
      assert.ok('doubt' in said, JSON.stringify(said));
      assert.match(said.doubt, why);
    });
  }

  test('a script is that of the package in which the command runs', (t) => {
    assert.ok('doubt' in judge(t, 'npm test', 'sub'));
    assert.ok('proofs' in judge(t, 'npm test', 'deep/down'));
    assert.ok('doubt' in judge(t, 'cd sub && npm test'));
  });

  test('tests of some files only are of these only', (t) => {
    const only = (command: string) => {
      const said = judge(t, command);
      return 'proofs' in said ? said.proofs[0]?.only : said;
    };
    assert.deepEqual(only('node --test test/a.test.js'), ['test/a.test.js']);
    assert.deepEqual(only('pytest test/a.test.js::test_x'), ['test/a.test.js']);
    for (const command of ['eslint test', 'pytest test', 'mocha test', 'ruff check test'])
      assert.deepEqual(only(command), ['test'], command);
    for (const command of ['go test ./...', 'cargo test', 'bun test', 'mvn -q test', 'deno test'])
      assert.equal(only(command), undefined, command);
    assert.equal(only('npm test'), undefined);
    assert.equal(only('tsc --noEmit -p .'), undefined);
  });
});

function workspaceOf(t: ConstructorParameters<typeof Repository>[0]): string {
  const { root } = new Repository(t);
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('package.json', JSON.stringify({ scripts }));
  write('sub/package.json', JSON.stringify({ scripts: { test: 'exit 0' } }));
  write('test/a.test.js', '');
  return root;
}

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { View } from '../../src/core/index.ts';
import { definersOf } from '../../src/verify/index.ts';
import { Repository, verifierOf } from './repository.ts';

function workspaceOf(t: TestContext, files: { [path: string]: string | object }): Repository {
  const workspace = new Repository(t);
  for (const [path, content] of Object.entries(files)) {
    workspace.write(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return workspace;
}

/** Settings of package runners count for every command that starts one; they have a test of their own. */
const isRunnerSetting = (path: string): boolean =>
  /(^|\/)(\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|bunfig\.toml)$/.test(path);

const pathsOf = (command: string, { root }: Repository): string[] =>
  definersOf(command, root, 'user').flatMap(({ path }) => (isRunnerSetting(path) ? [] : [path]));

/** Whether the evidence of a command stops counting after a change. */
async function isChangedBy(workspace: Repository, command: string, change: () => void): Promise<string[]> {
  const check = {
    command,
    from: 'user' as const,
    timeout: 1000,
    definers: definersOf(command, workspace.root, 'user'),
  };
  const verifier = verifierOf(workspace.root, workspace.git);
  const changed = async () => (await verifier.definersChanged([check], new View())).map(({ path }) => path);
  assert.deepEqual(await changed(), []);
  change();
  return changed();
}

test('files that a command names define it, wherever they stand in it', (t) => {
  const workspace = workspaceOf(t, {
    'check.sh': '1',
    'test/a.test.js': '2',
    'b c.py': '3',
    'd.js': '4',
    'other.js': '5',
    env: '6',
  });
  const found = (command: string) => pathsOf(command, workspace);
  assert.deepEqual(found('./check.sh --fast'), ['check.sh']);
  assert.deepEqual(found(`${workspace.root}/check.sh`), ['check.sh']);
  assert.deepEqual(found('node --test test/a.test.js && python "b c.py"'), ['b c.py', 'test/a.test.js']);
  assert.deepEqual(found('sh -c "node d.js;./check.sh>out"'), ['check.sh', 'd.js']);
  assert.deepEqual(found('X=d.js run --config=other.js'), ['d.js', 'other.js']);
  assert.deepEqual(found('node --test test'), []);
  assert.deepEqual(found('cat ../../etc/passwd /etc/passwd missing.js'), []);
  const [definer] = definersOf('sh check.sh', workspace.root, 'user');
  assert.deepEqual(definer, { path: 'check.sh', hash: createHash('sha256').update('1').digest('hex') });
});

test('of a package file the scripts define a check, and nothing else of it', async (t) => {
  const scripts = { test: 'node --test', build: 'x' };
  const workspace = workspaceOf(t, { 'package.json': { name: 'a', scripts } });
  for (const command of [
    'npm test',
    'npm run test',
    'pnpm test',
    'yarn test',
    'node --run test',
    'CI=1 /usr/bin/npm t',
  ]) {
    assert.deepEqual(pathsOf(command, workspace), ['package.json#scripts'], command);
  }
  assert.deepEqual(pathsOf('node --test', workspace), []);
  const change = (content: object) => () => workspace.write('package.json', JSON.stringify(content, null, 2));
  const reordered = { version: '2', dependencies: { x: '1' }, scripts: { build: 'x', test: 'node --test' } };
  assert.deepEqual(await isChangedBy(workspace, 'npm test', change(reordered)), []);
  const weakened = { scripts: { ...scripts, test: 'true' } };
  assert.deepEqual(await isChangedBy(workspace, 'npm test', change(weakened)), ['package.json#scripts']);
  const hooked = { scripts: { ...weakened.scripts, pretest: 'x' } };
  assert.deepEqual(await isChangedBy(workspace, 'npm test', change(hooked)), ['package.json#scripts']);
  const lost = () => workspace.remove('package.json');
  assert.deepEqual(await isChangedBy(workspace, 'npm test', lost), ['package.json#scripts']);
  assert.deepEqual(await isChangedBy(workspace, 'npm test', change(weakened)), ['package.json#scripts']);
});

test('what a called script names is followed, also through other scripts, and rings end', (t) => {
  const scripts = {
    test: 'npm run lint && node tools/test.mjs',
    pretest: 'sh prepare.sh',
    lint: 'npm test; node tools/lint.mjs',
    build: 'node tools/build.mjs',
  };
  const files = { 'tools/test.mjs': '', 'tools/lint.mjs': '', 'tools/build.mjs': '', 'prepare.sh': '' };
  const workspace = workspaceOf(t, { 'package.json': { scripts }, ...files });
  const expected = ['package.json#scripts', 'prepare.sh', 'tools/lint.mjs', 'tools/test.mjs'];
  assert.deepEqual(pathsOf('npm test', workspace), expected);
  assert.deepEqual(pathsOf('npm run build', workspace), ['package.json#scripts', 'tools/build.mjs']);
});

test('packages in folders count where the command or the package names them', (t) => {
  const workspace = workspaceOf(t, {
    'package.json': { workspaces: ['packages/*', 'single', '../outside/*'], scripts: {} },
    'packages/a/package.json': { scripts: { test: 'x' } },
    'packages/empty/readme.md': '',
    'single/package.json': { scripts: { test: 'x' } },
    'else/package.json': { scripts: { test: 'x' } },
  });
  const members = ['package.json#scripts', 'packages/a/package.json#scripts', 'single/package.json#scripts'];
  assert.deepEqual(pathsOf('npm test --workspaces', workspace), members);
  assert.deepEqual(pathsOf('cd else && npm test', workspace), ['else/package.json#scripts', ...members]);
});

test('task files of other programs count whole, also one that only appears', async (t) => {
  const workspace = workspaceOf(t, { Makefile: 'all:\n' });
  const makefiles = ['GNUmakefile', 'Makefile', 'makefile'];
  assert.deepEqual(
    definersOf('make check', workspace.root, 'user').map(({ path, hash }) => [path, hash !== null]),
    [
      ['GNUmakefile', false],
      ['Makefile', true],
      ['makefile', false],
    ],
  );
  assert.deepEqual(pathsOf('make -C . check', workspace), makefiles);
  const before = () => workspace.write('GNUmakefile', 'check:\n');
  assert.deepEqual(await isChangedBy(workspace, 'make check', before), ['GNUmakefile']);
  assert.deepEqual(pathsOf('just test', workspace), ['.justfile', 'Justfile', 'justfile']);
  assert.deepEqual(pathsOf('cargo test', workspace), []);
});

test('a check of the project is defined by the project’s settings, too', (t) => {
  const workspace = workspaceOf(t, { '.reins/settings.json': '{}' });
  assert.deepEqual(
    definersOf('cargo test', workspace.root, 'project').map(({ path }) => path),
    ['.reins/settings.json'],
  );
  assert.deepEqual(definersOf('cargo test', workspace.root, 'command-line'), []);
});

test('a link defines by what it leads to, and nothing in a definer’s place holds us up', async (t) => {
  const workspace = workspaceOf(t, { 'real.sh': '1', 'package.json': 'no json' });
  symlinkSync('real.sh', join(workspace.root, 'check.sh'));
  assert.deepEqual(await isChangedBy(workspace, 'sh check.sh', () => workspace.write('real.sh', '2')), ['check.sh']);
  symlinkSync('/dev/zero', join(workspace.root, 'endless'));
  symlinkSync('loop', join(workspace.root, 'loop'));
  mkdirSync(join(workspace.root, 'folder'));
  assert.deepEqual(pathsOf('sh endless loop folder', workspace), []);
  const pipe = () => {
    workspace.remove('check.sh');
    execFileSync('mkfifo', [join(workspace.root, 'check.sh')]);
  };
  assert.deepEqual(await isChangedBy(workspace, 'sh check.sh', pipe), ['check.sh']);
  const [first] = definersOf('npm test', workspace.root, 'user').filter(({ path }) => !isRunnerSetting(path));
  assert.deepEqual(first, { path: 'package.json#scripts', hash: null });
});

test('how a package runner runs scripts, and the program that a script names, define a check too', async (t) => {
  const files = { 'package.json': { scripts: { test: 'tst' } }, 'node_modules/.bin/tst': 'exit 1' };
  const workspace = workspaceOf(t, files);
  const shell = () => workspace.write('.npmrc', 'script-shell=./fake.sh\n');
  assert.deepEqual(await isChangedBy(workspace, 'npm test', shell), ['.npmrc']);
  const program = () => workspace.write('node_modules/.bin/tst', 'exit 0');
  assert.deepEqual(await isChangedBy(workspace, 'npm test', program), ['node_modules/.bin/tst']);
  const other = () => workspace.write('node_modules/.bin/else', 'exit 0');
  assert.deepEqual(await isChangedBy(workspace, 'npm test', other), []);
});

test('an installed program that is new and stands in front of the system’s redefines a check, and no other does', async (t) => {
  const scripts = { test: 'node --test && nosuch-program-here' };
  const files = { 'package.json': { scripts }, 'node_modules/.bin/env': 'there before' };
  const changedBy = (name: string): Promise<string[]> => {
    const workspace = workspaceOf(t, files);
    return isChangedBy(workspace, 'npm test && env', () =>
      workspace.write(join('node_modules/.bin', name), '#!/bin/sh\nexit 0\n'),
    );
  };
  assert.deepEqual(await changedBy('node'), ['node_modules/.bin/node']);
  assert.deepEqual(await changedBy('sh'), ['node_modules/.bin/sh']);
  assert.deepEqual(await changedBy('env'), ['node_modules/.bin/env']);
  assert.deepEqual(await changedBy('nosuch-program-here'), []);
  assert.deepEqual(await changedBy('cat'), []);
  assert.deepEqual(await isChangedBy(workspaceOf(t, files), `echo ${'x'.repeat(50_000)}`, () => undefined), []);
});

test('the installed programs of a package that belongs to it define a check, too', async (t) => {
  const scripts = { test: 'tst && node x' };
  const files = {
    'package.json': { workspaces: ['packages/*'], scripts },
    'packages/a/package.json': { scripts },
    'packages/a/node_modules/.bin/tst': 'exit 1',
  };
  for (const name of ['tst', 'node']) {
    const workspace = workspaceOf(t, files);
    const path = `packages/a/node_modules/.bin/${name}`;
    const change = () => workspace.write(path, 'exit 0');
    assert.deepEqual(await isChangedBy(workspace, 'npm test -w packages/a', change), [path]);
  }
});

test('a file that a command only looks at is the work and defines nothing; one that it runs does', (t) => {
  const workspace = workspaceOf(t, { 'a.js': '1', 'README.md': '2', 'a.py': '3', 'check.sh': '4' });
  for (const command of [
    'node --check a.js',
    'grep -q x README.md',
    'python3 -m py_compile a.py',
    'bash -n check.sh',
    'test -s a.js',
  ]) {
    assert.deepEqual(pathsOf(command, workspace), [], command);
  }
  for (const command of [
    'node a.js',
    'python3 a.py',
    'bash check.sh',
    './check.sh',
    'grep -q x README.md || bash check.sh',
    'node -e 1 a.js',
  ]) {
    assert.notDeepEqual(pathsOf(command, workspace), [], command);
  }
});

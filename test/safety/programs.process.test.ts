/** Commands that the table calls reads, run for real: the folder that they run in stays as it was, byte for byte. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { lines } from './commands/lines.ts';
import { reads } from './commands/reads.ts';

const folder = mkdtempSync(join(tmpdir(), 'reins-reads-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const repository = join(folder, 'repository');

const sandbox = (
  `--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --bind ${folder} ${folder} --unshare-all --die-with-parent --new-session ` +
  `--chdir ${repository} --setenv HOME ${join(folder, 'home')} --setenv PAGER cat --setenv LC_ALL C`
).split(' ');

/** Programs by which the lines begin, and that they need. */
const programOf = (line: string) => /^['"(\\{! ]*(\w[\w./-]*(?!=)\b)(?!=)/.exec(line)?.[1] ?? 'bash';
const builtins = new Set(
  'if for while case cd jobs history trap set shopt declare export wait umask hash type ulimit command { :'.split(' '),
);
const places = (process.env['PATH'] ?? '').split(delimiter);
const isInstalled = (program: string): boolean =>
  builtins.has(program) || places.some((place) => existsSync(resolve(place, program)));

/** Without the file that every shell would read first. */
const { BASH_ENV: _, ...environment } = process.env;

/** Package managers that take seconds; others of their sub-commands stand for them. */
const slow = /^(pip3? (list|show|freeze)|apt |apt-cache|npm (ls .|root|prefix|-v|run))/;

const all = [...reads, ...lines.filter(([, word]) => word === 'read').map(([line]) => line)].filter(
  (line) => !slow.test(line),
);
const found = all.filter((line) => isInstalled(programOf(line.replace('l\\s', 'ls').replaceAll(/^'ls'|^'l's/g, 'ls'))));
const missing = [...new Set(all.filter((line) => !found.includes(line)).map(programOf))];

/** Files of all the kinds that the lines name, in a repository with some history. */
function prepare(): void {
  mkdirSync(join(repository, 'src'), { recursive: true });
  mkdirSync(join(repository, 'test'));
  mkdirSync(join(repository, 'json'));
  mkdirSync(join(folder, 'home'));
  const files = {
    'a.ts': 'export const foo = 1;\n',
    'b.ts': 'export const bar = 2;\n',
    'src/a.ts': 'export function foo() {}\n',
    'src/b.ts': 'foo\n',
    'test/x': 'x\n',
    'a.txt': 'a foo x\nb 2\nc 3\n',
    'b.txt': 'a foo y\nc 3\n',
    'a.csv': 'a,1\nb,2\n',
    'a.json': '{"a":[1]}',
    'package.json': '{"name":"x","version":"1.0.0","scripts":{"test":"true"}}',
    'a.yaml': 'a:\n  b: 1\n',
    'a.xml': '<a><b/></a>',
    'a.bc': '1+1\nquit\n',
    'a.js': "require('node:fs').writeFileSync('out', '');\n",
    'a.py': "open('out', 'w')\n",
    'json/tool.py': "open('out', 'w')\n",
    'x.patch': '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a foo x\n+a\n',
    'a.sh': 'echo x > out\n',
    'a.go': 'package a\n',
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(repository, path), text);
  const script = `
    export HOME=${folder}/home GIT_CONFIG_NOSYSTEM=1
    git config --global user.name x; git config --global user.email x@example.com; git config --global core.fileMode true
    md5sum a.txt > sums; tar cf a.tar a.txt; tar czf a.tgz a.txt; gzip -k a.txt; bzip2 -k a.txt; xz -k a.txt; zip -q a.zip a.txt
    mv a.txt.gz a.gz; mv a.txt.bz2 a.bz2; mv a.txt.xz a.xz
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ../key -out c.pem -subj /CN=x -days 9
    git init -q -b main . && git add -A && git commit -qm one
    echo more >> a.ts && git commit -qam two && git tag v1 && git notes add -m note
    git remote add origin https://example.com/x.git
    echo stashed >> b.ts && git stash -q && echo changed >> src/b.ts && echo new > new.ts && git status`;
  execFileSync('bash', ['-c', script], { cwd: repository, stdio: 'ignore', env: environment });
}

/** Path, mode and content of everything below the repository. */
function snapshot(): string[] {
  return readdirSync(repository, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mode } = lstatSync(path);
      const content = entry.isFile() ? readFileSync(path) : entry.isSymbolicLink() ? readlinkSync(path) : '';
      return `${relative(repository, path)} ${mode.toString(8)} ${createHash('sha256').update(content).digest('hex')}`;
    })
    .sort();
}

/** Runs each line in a shell of its own, all of them in one sandbox and four at a time. */
function runAll(commands: readonly string[]): { status: number | null; ran: number } {
  const script = `xargs -0 -n1 -P4 sh -c 'timeout 10 bash -c "$1" </dev/null >/dev/null 2>&1; echo ran' _`;
  const { status, stdout } = spawnSync('bwrap', [...sandbox, 'bash', '-c', script], {
    input: commands.join('\0'),
    env: environment,
    encoding: 'utf8',
    timeout: 90_000,
  });
  return { status, ran: stdout.split('\n').filter((line) => line === 'ran').length };
}

const probe = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--dev', '/dev', '--proc', '/proc', 'true']);
const skip = probe.status !== 0 && 'bubblewrap does not work here';

test('commands that only look leave a repository as it is', { skip }, (t) => {
  prepare();
  const before = snapshot();
  const { status, ran } = runAll(found);
  assert.equal(status, 0);
  assert.equal(ran, found.length);
  const after = snapshot();
  t.diagnostic(`${ran} commands; not installed: ${missing.join(' ')}`);
  if (after.join('\n') === before.join('\n')) return;
  const guilty = found.filter((line) => {
    const state = snapshot().join('\n');
    runAll([line]);
    return snapshot().join('\n') !== state;
  });
  const changed = after.filter((line) => !before.includes(line));
  assert.fail(`changed: ${changed.join(', ')}; by: ${guilty.join(' | ')}`);
});

test('the same look finds what does change something', { skip }, () => {
  const before = snapshot();
  runAll(['touch out', 'chmod 700 a.ts', 'rm b.ts']);
  const after = snapshot();
  const count = (prefix: string) => after.filter((line) => !before.includes(line) && line.startsWith(prefix)).length;
  assert.deepEqual([count('out '), count('a.ts ')], [1, 1]);
  assert.ok(!after.some((line) => line.startsWith('b.ts ')));
});

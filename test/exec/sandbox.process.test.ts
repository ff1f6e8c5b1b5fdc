import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createSandbox } from '../../src/exec/index.ts';
import { git, makeBench, makeFolder, processesWith, until, whyNoSandbox, write, type Bench } from './workbench.ts';

const skip = await whyNoSandbox();
const isRoot = process.getuid?.() === 0;

/** A throw-away home with a workspace in it, somewhere that isn't /tmp. */
function makeHome(t: TestContext, files: { [path: string]: string } = {}): { home: string; workspace: string } {
  const home = makeFolder(t, files, '/var/tmp');
  const workspace = join(home, 'p/w');
  mkdirSync(workspace, { recursive: true });
  return { home, workspace };
}

const inHome = (t: TestContext, { home, workspace }: { home: string; workspace: string }, path = ''): Bench =>
  makeBench(t, 'bubblewrap', workspace, { env: { HOME: home, PATH: `${path}${path && ':'}/usr/bin:/bin` } });

describe('what commands in the sandbox can reach', { skip, concurrency: 2 }, () => {
  test('the probe says what is enforced and leaves nothing behind', async (t) => {
    const { home, workspace } = makeHome(t, { secret: 's', '.ssh/id': 'k' });
    git(workspace, 'init', '-q');
    const before = readdirSync(workspace);
    const { sandbox } = inHome(t, { home, workspace });
    const report = await sandbox.probe();
    assert.deepEqual(
      [report.works, report.sandbox, report.obstacle, report.notes],
      [true, 'bubblewrap', undefined, []],
    );
    assert.ok(report.enforced.some((line) => line.startsWith('Hidden: ')));
    assert.ok(report.enforced.some((line) => line.includes(join(workspace, '.git/config'))));
    await sandbox.close();
    assert.deepEqual(readdirSync(workspace), before);
    assert.deepEqual(readdirSync(home).toSorted(), ['.ssh', 'p', 'secret']);
  });

  const deletions: [string, string][] = [
    ['the variable', 'rm -rf "$HOME"'],
    ['an unset variable', 'D=; rm -rf $D/../..'],
    ['find', 'find ~ -delete'],
    ['the folder above', 'cd .. && rm -rf ./*'],
    ['a program', 'perl -MFile::Path -e \'File::Path::remove_tree($ENV{HOME}, glob("$ENV{HOME}/*"), "../../")\''],
    ['a link in the workspace', 'rm -rf build/; rm -rf build/*'],
    ['a move', 'mkdir -p ~/docs; mv ~/docs ~/f1 /tmp/x; mv ../../f* /tmp/'],
    ['a script', 'printf "rm -rf \\"$HOME\\" ../../* /home /root\\n" >s.sh; sh s.sh'],
    ['the real path', 'rm -rf REAL REAL/f*'],
    ['truncation', 'for i in $(seq 200); do : >~/f$i; : >REAL/f$i; done'],
  ];
  for (const [name, command] of deletions) {
    test(`all files of the home survive deletion by ${name}`, async (t) => {
      const { home, workspace } = makeHome(t);
      for (let index = 0; index < 200; index += 1) writeFileSync(join(home, `f${index}`), `content ${index}`);
      symlinkSync(home, join(workspace, 'build'));
      const { run } = inHome(t, { home, workspace });
      await run(command.replaceAll('REAL', home));
      for (let index = 0; index < 200; index += 1)
        assert.equal(readFileSync(join(home, `f${index}`), 'utf8'), `content ${index}`);
    });
  }

  test('in the workspace everything can be made and deleted', async (t) => {
    const { home, workspace } = makeHome(t);
    const { run } = inHome(t, { home, workspace });
    const outcome = await run('mkdir -p a/b && echo x >a/b/c && mv a d && rm -rf d && echo y >e && chmod 700 e');
    assert.equal(outcome.exit, 0);
    assert.equal(readFileSync(join(workspace, 'e'), 'utf8'), 'y\n');
    assert.equal(outcome.sandboxed, true);
    assert.equal(outcome.hint, undefined);
  });

  test('outside the workspace nothing can be written, and the model is told', async (t) => {
    const { home, workspace } = makeHome(t);
    const outside = makeFolder(t, { file: 'x' });
    const { run } = inHome(t, { home, workspace });
    for (const path of ['/usr/x', '/etc/x', '/x', '/var/x']) {
      const outcome = await run(`echo x >${path}`);
      assert.notEqual(outcome.exit, 0, path);
      assert.match(outcome.hint ?? '', /trying again will not help/, path);
      assert.equal(existsSync(path), false);
    }
    await run(`echo y >${outside}/file; echo y >${home}/new; echo y >${join(workspace, '../new')}`);
    assert.equal(readFileSync(join(outside, 'file'), 'utf8'), 'x');
    assert.equal(existsSync(join(home, 'new')), false);
    assert.equal(existsSync(join(home, 'p/new')), false);
  });

  test('a command’s own failures are not blamed on the sandbox', async (t) => {
    const { home, workspace } = makeHome(t);
    const { run } = inHome(t, { home, workspace });
    const failures = [
      'exit 1',
      'cat missing',
      'cat sub/missing ./missing',
      `cat ${workspace}/missing`,
      'mkdir d; echo x >d',
      'touch f; ./f',
      `touch f; ${workspace}/f`,
      'cat /tmp/missing',
      'echo "expected 403 Forbidden: permission denied for user/7"; exit 1',
      'no-such-program',
      'kill -9 $BASHPID',
    ];
    for (const failure of failures) {
      const outcome = await run(failure);
      assert.notEqual(outcome.exit, 0, failure);
      assert.equal(outcome.hint, undefined, failure);
    }
    assert.equal((await run('cat ~/missing; true')).hint, undefined, 'no failure, no hint');
  });

  test('home, other homes, sockets and temporary files of others are hidden', async (t) => {
    const { home, workspace } = makeHome(t, { '.ssh/id_rsa': 'private', '.npmrc': 'token' });
    const other = makeFolder(t, { secret: 'other' });
    const server = createServer().listen(join(home, 'agent.sock'));
    const temporary = createServer().listen(join(other, 'sock'));
    await Promise.all([once(server, 'listening'), once(temporary, 'listening')]);
    t.after(() => [server, temporary].forEach((each) => each.close()));
    const { run } = inHome(t, { home, workspace });
    const look = `cat ~/.ssh/id_rsa ~/.npmrc ${home}/.npmrc ${other}/secret; ls -A ~ /home /root /run /tmp /var/tmp ${other}`;
    const { head } = await run(look);
    assert.doesNotMatch(head, /private|token\b(?!:)|^other$/m);
    assert.doesNotMatch(head, /agent\.sock|^sock$|id_rsa$/m);
    const ssh = await run('cat ~/.ssh/id_rsa');
    assert.match(ssh.hint ?? '', /hides home folders/);
  });

  test('a socket that a program outside listens on is covered wherever it lies', async (t) => {
    const { home, workspace } = makeHome(t);
    const place = mkdtempSync(isRoot ? '/opt/reins-exec-' : '/dev/shm/reins-exec-');
    t.after(() => rmSync(place, { recursive: true }));
    const server = createServer((socket) => socket.end('reached')).listen(join(place, 'sock'));
    await once(server, 'listening');
    t.after(() => server.close());
    const { run } = inHome(t, { home, workspace });
    const connect = `perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer => "${place}/sock") ? "connected" : "refused"'`;
    assert.equal((await run(connect)).head, 'refused');
  });

  test('there is no network, not even to this machine', async (t) => {
    const { home, workspace } = makeHome(t);
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.end();
    }).listen(0);
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { run } = inHome(t, { home, workspace });
    for (const host of ['127.0.0.1', '::1', 'localhost']) {
      const outcome = await run(`exec 3<>/dev/tcp/${host}/${port}`);
      assert.notEqual(outcome.exit, 0, host);
      assert.match(outcome.hint ?? '', /no network/, host);
    }
    const far = await run('exec 3<>/dev/tcp/192.0.2.1/80');
    assert.match(far.hint ?? '', /no network/);
    assert.equal(connections, 0);
    assert.equal((await run("grep -c : /proc/net/dev; grep -c '^ *lo:' /proc/net/dev")).head, '1\n1\n');
  });

  test('a command sees no processes but its own, has no rights and gets no more', async (t) => {
    const { home, workspace } = makeHome(t);
    const { run } = inHome(t, { home, workspace });
    const { head } = await run(
      `ls -d /proc/[0-9]* | wc -l; grep CapEff /proc/self/status; grep NoNewPrivs /proc/self/status; kill -0 ${process.pid} 2>&1`,
    );
    const lines = head.split('\n');
    assert.ok(Number(lines[0]) < 8);
    assert.match(lines[1] ?? '', /0000000000000000/);
    assert.match(lines[2] ?? '', /1$/);
    assert.match(lines[3] ?? '', /No such process/);
    for (const more of ['unshare -U true', 'mount -t tmpfs x /mnt', 'umount /proc', 'mount -o remount,rw /'])
      assert.notEqual((await run(more)).exit, 0, more);
  });

  test('temporary files and caches last for the session, are private, and go with it', async (t) => {
    const { home, workspace } = makeHome(t);
    const { run, shell, sandbox } = inHome(t, { home, workspace });
    assert.equal(
      (await run('echo t >/tmp/file; echo "$TMPDIR"; mkdir -p ~/.cache; echo c >~/.cache/file; echo h >~/file')).head,
      '/tmp\n',
    );
    assert.equal((await run('cat /tmp/file ~/.cache/file; ls ~/file')).head.split('\n').slice(0, 2).join(), 't,c');
    assert.equal(existsSync('/tmp/file'), false);
    assert.deepEqual(readdirSync(home), ['p']);
    await shell.close();
    await sandbox.close();
    const mine = readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`));
    assert.deepEqual(
      mine.filter((name) => existsSync(join(tmpdir(), name, 'tmp/file'))),
      [],
    );
  });

  test('what a killed session left is removed by the next one, what a running one uses is not', async (t) => {
    const temporary = makeFolder(t, {}, '/var/tmp');
    const { workspace } = makeHome(t);
    const door = JSON.stringify(new URL('../../src/exec/index.ts', import.meta.url).href);
    const script = (end: string) => `
      import { createSandbox, createShell } from ${door};
      const sandbox = createSandbox({ kind: 'bubblewrap', workspace: ${JSON.stringify(workspace)}, environment: { PATH: process.env.PATH } });
      const shell = createShell({ workspace: ${JSON.stringify(workspace)}, sandbox });
      await shell.run({ command: 'mkdir -p /tmp/closed/x; chmod 555 /tmp/closed', timeout: 9999 }, new AbortController().signal);
      ${end}`;
    const env = { PATH: process.env['PATH'], TMPDIR: temporary };
    const start = (end: string) =>
      spawn(process.execPath, ['--input-type=module', '-e', script(end)], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const count = () => readdirSync(temporary).length;
    const running = start("console.log('up'); process.stdin.resume(); process.stdin.on('end', () => process.exit());");
    t.after(() => running.kill('SIGKILL'));
    await once(running.stdout, 'data');
    await once(start("process.kill(process.pid, 'SIGKILL');"), 'exit');
    assert.equal(count(), 2);
    await once(start('await shell.close(); await sandbox.close();'), 'exit');
    assert.equal(count(), 1);
    running.stdin.end();
    await once(running, 'exit');
    await once(start('await shell.close(); await sandbox.close();'), 'exit');
    assert.equal(count(), 0);
  });

  test('the state of Reins is hidden, also when it is made later and when it lies in the workspace', async (t) => {
    const place = makeFolder(t, {}, isRoot ? '/opt' : '/dev/shm');
    const { home, workspace } = makeHome(t);
    const inside = join(workspace, 'state');
    mkdirSync(inside);
    writeFileSync(join(inside, 'log'), 'hidden');
    const { run } = makeBench(t, 'bubblewrap', workspace, {
      env: { HOME: home },
      hide: [join(place, 'later'), inside],
    });
    await run('true');
    write(join(place, 'later/log'), 'hidden');
    assert.doesNotMatch(
      (await run(`cat ${place}/later/log state/log; ls -A ${place}/later state; rm -rf state`)).head,
      /^hidden/m,
    );
    assert.equal(readFileSync(join(inside, 'log'), 'utf8'), 'hidden');
  });
});

describe('programs that live in the home', { skip, concurrency: 2 }, () => {
  const program = (text: string) => `#!/bin/sh\necho ${text}\n`;
  const makeExecutable = (...paths: string[]) => paths.forEach((path) => chmodSync(path, 0o755));

  test('the folders that PATH leads to work, and no more is shown', async (t) => {
    const { home, workspace } = makeHome(t, {
      '.nvm/versions/node/v1/bin/tool': '#!/bin/sh\ncat "$(dirname "$0")/../lib/part"\n',
      '.nvm/versions/node/v1/lib/part': 'from nvm\n',
      '.cargo/bin/cargo': program('from cargo'),
      '.cargo/credentials.toml': 'secret',
      '.rustup/toolchains/x': 'toolchain',
      '.local/share/uv/python/bin/python9': program('from uv'),
      '.local/share/keyrings/login': 'secret',
      'bin/own': program('own'),
      'lib/secret': 'secret',
      'go/bin/gotool': program('from go'),
      'go/src/secret': 'secret',
    });
    mkdirSync(join(home, '.local/bin'));
    symlinkSync('../share/uv/python/bin/python9', join(home, '.local/bin/py'));
    makeExecutable(
      ...[
        '.nvm/versions/node/v1/bin/tool',
        '.cargo/bin/cargo',
        '.local/share/uv/python/bin/python9',
        'bin/own',
        'go/bin/gotool',
      ].map((path) => join(home, path)),
    );
    const entries = ['.nvm/versions/node/v1/bin', '.cargo/bin', '.local/bin', 'bin', 'go/bin', 'missing/bin', ''];
    const { run } = inHome(t, { home, workspace }, entries.map((entry) => join(home, entry)).join(':'));
    const { head } = await run('tool; cargo; py; own; gotool');
    assert.equal(head, 'from nvm\nfrom cargo\nfrom uv\nown\nfrom go\n');
    const secrets = await run(
      'cat ~/.cargo/credentials.toml ~/.local/share/keyrings/login ~/lib/secret ~/go/src/secret',
    );
    assert.equal(secrets.head.match(/No such file/g)?.length, 4);
    assert.notEqual((await run('echo x >~/bin/own')).exit, 0);
    assert.equal(readFileSync(join(home, 'bin/own'), 'utf8'), program('own'));
  });

  test('links of programs elsewhere into the home work', async (t) => {
    const { home, workspace } = makeHome(t, { '.volta/bin/deep': program('deep') });
    const elsewhere = makeFolder(t, {}, isRoot ? '/opt' : '/dev/shm');
    makeExecutable(join(home, '.volta/bin/deep'));
    symlinkSync(join(home, '.volta/bin/deep'), join(elsewhere, 'tool'));
    const { run } = inHome(t, { home, workspace }, elsewhere);
    assert.equal((await run(isRoot ? 'tool' : 'true')).exit, 0);
  });

  test('an environment in the workspace reaches its interpreter, but a hostile one shows nothing else', async (t) => {
    const { home, workspace } = makeHome(t, {
      '.local/share/uv/python/3/bin/python': program('interpreter'),
      'private/bin/python': program('private'),
      'private/lib/x': 'secret',
    });
    makeExecutable(join(home, '.local/share/uv/python/3/bin/python'), join(home, 'private/bin/python'));
    mkdirSync(join(workspace, '.venv/bin'), { recursive: true });
    mkdirSync(join(workspace, 'venv/bin'), { recursive: true });
    symlinkSync(join(home, '.local/share/uv/python/3/bin/python'), join(workspace, '.venv/bin/python'));
    symlinkSync(join(home, 'private/bin/python'), join(workspace, 'venv/bin/python'));
    mkdirSync(join(workspace, 'node_modules/.bin'), { recursive: true });
    symlinkSync(join(home, 'private/bin/python'), join(workspace, 'node_modules/.bin/tool'));
    symlinkSync(join(home, 'private/bin'), join(workspace, 'bin'));
    const path = [join(workspace, 'node_modules/.bin'), join(workspace, 'bin')].join(':');
    const { run } = inHome(t, { home, workspace }, path);
    assert.equal((await run('.venv/bin/python')).head, 'interpreter\n');
    assert.notEqual((await run('tool')).exit, 0);
    assert.notEqual((await run('cat bin/python')).exit, 0);
    assert.notEqual((await run('venv/bin/python')).exit, 0);
    assert.notEqual((await run('cat ~/private/lib/x')).exit, 0);
  });
});

describe('what runs later outside is out of reach', { skip, concurrency: 2 }, () => {
  const attacks = [
    'echo x >.git/hooks/pre-commit',
    'echo x >>.git/config',
    'git config core.fsmonitor ./evil',
    'echo "* filter=x" >.git/info/attributes',
    'echo evil.js >>.git/info/exclude',
    'rm -f .git/config',
    'mv .git/config .git/old',
    'mv .git/hooks .git/old',
    'rm -rf .git/hooks',
    'mv .git other',
    'mv .git/info .git/old',
    'ln -sf /tmp/x .git/config',
    'mkdir -p .reins && echo {} >.reins/settings.json',
    'mv .reins other',
    'rmdir .reins',
  ];
  const protectedPaths = [
    '.git/config',
    '.git/hooks',
    '.git/info/attributes',
    '.git/info/exclude',
    '.git/info',
    '.git',
  ];
  const state = (folder: string) =>
    protectedPaths.map((path) => {
      const status = statSync(join(folder, path));
      return [
        path,
        status.ino,
        status.isFile()
          ? readFileSync(join(folder, path), 'utf8')
          : readdirSync(join(folder, path)).includes('pre-commit'),
      ];
    });

  test('Git’s hooks, configuration and attributes and the settings of Reins can’t be changed, moved or replaced', async (t) => {
    const { home, workspace } = makeHome(t);
    git(workspace, 'init', '-q');
    rmSync(join(workspace, '.git/hooks'), { recursive: true });
    const { run, sandbox } = inHome(t, { home, workspace });
    await run('true');
    const before = state(workspace);
    for (const attack of attacks) {
      const outcome = await run(attack);
      assert.notEqual(outcome.exit, 0, attack);
      assert.deepEqual(state(workspace), before, attack);
    }
    assert.match((await run('git config a.b c')).hint ?? '', /Git’s hooks, configuration and attributes/);
    assert.deepEqual(readdirSync(join(workspace, '.reins')), []);
    await sandbox.close();
    assert.equal(existsSync(join(workspace, '.reins')), false, 'the folder that was made to be covered is gone');
  });

  test('committing, branching and stashing work, as the user and with his line ends', async (t) => {
    const { home, workspace } = makeHome(t, {
      '.gitconfig': '[user]\nname = "A \\"B\\" C"\nemail = a@b\n[alias]\nx = !evil\n[core]\neol = lf\n',
    });
    git(workspace, 'init', '-q');
    const { run } = inHome(t, { home, workspace });
    const outcome = await run(
      'echo 1 >a && git add . && git commit -qm one && git switch -qc b && echo 2 >a && git stash -q && git stash pop -q && git commit -qam two && git log --format="%an <%ae> %s"',
    );
    assert.equal(outcome.head, 'A "B" C <a@b> two\nA "B" C <a@b> one\n');
    assert.equal((await run('git config core.eol; git config alias.x')).head, 'lf\n');
  });

  test('existing settings of Reins stay as they are', async (t) => {
    const { home, workspace } = makeHome(t);
    write(join(workspace, '.reins/settings.json'), '{}');
    const { run, sandbox } = inHome(t, { home, workspace });
    assert.notEqual((await run('echo x >.reins/settings.json || rm -rf .reins')).exit, 0);
    await sandbox.close();
    assert.equal(readFileSync(join(workspace, '.reins/settings.json'), 'utf8'), '{}');
  });

  test('a redirection of the common folder is removed and told', async (t) => {
    const { home, workspace } = makeHome(t);
    git(workspace, 'init', '-q');
    const { run } = inHome(t, { home, workspace });
    const outcome = await run('mkdir evil; echo ../evil >.git/commondir');
    assert.match(outcome.hint ?? '', /commondir.*was removed/);
    assert.equal(existsSync(join(workspace, '.git/commondir')), false);
    assert.equal((await run('git status')).exit, 0);
  });

  test('one that a killed run left behind is removed before anything is started', async (t) => {
    const { home, workspace } = makeHome(t);
    git(workspace, 'init', '-q');
    write(join(workspace, '.git/commondir'), '../evil\n');
    const { sandbox, run } = inHome(t, { home, workspace });
    const { works, notes } = await sandbox.probe();
    assert.equal(works, true);
    assert.match(notes.join(' '), /commondir was removed/);
    assert.equal(existsSync(join(workspace, '.git/commondir')), false);
    assert.equal((await run('git status')).exit, 0);
  });

  test('links in place of what is to be covered make all of Git’s folder read-only', async (t) => {
    const { home, workspace } = makeHome(t);
    git(workspace, 'init', '-q');
    rmSync(join(workspace, '.git/hooks'), { recursive: true });
    symlinkSync('../githooks', join(workspace, '.git/hooks'));
    const { run, sandbox } = inHome(t, { home, workspace });
    const report = await sandbox.probe();
    assert.match(report.notes.join(), /read-only for commands/);
    assert.notEqual((await run('rm .git/hooks')).exit, 0);
    assert.notEqual((await run('echo x >.git/new')).exit, 0);
    assert.equal((await run('git status --short')).exit, 0);
  });

  test('settings that are a link can’t be protected, so there is no sandbox', async (t) => {
    const { home, workspace } = makeHome(t);
    symlinkSync('/tmp', join(workspace, '.reins'));
    const { run, sandbox } = inHome(t, { home, workspace });
    const report = await sandbox.probe();
    assert.deepEqual([report.works, report.obstacle], [false, 'workspace']);
    assert.match((await run('true')).notStarted ?? '', /not a plain folder/);
  });

  test('a repository made inside is covered from the next command on', async (t) => {
    const { home, workspace } = makeHome(t);
    const { run, shell } = inHome(t, { home, workspace });
    await shell.prepare();
    assert.equal((await run('git init -q && git config a.b c')).exit, 0);
    await shell.prepare();
    assert.notEqual((await run('git config a.b d')).exit, 0);
  });

  test('a prepared sandbox isn’t used when what it covers was replaced outside', async (t) => {
    const { home, workspace } = makeHome(t);
    git(workspace, 'init', '-q');
    const { run, shell } = inHome(t, { home, workspace });
    await shell.prepare();
    git(workspace, 'config', 'a.b', 'c');
    assert.notEqual((await run('echo x >>.git/config')).exit, 0);
    assert.doesNotMatch(readFileSync(join(workspace, '.git/config'), 'utf8'), /^x/m);
  });

  test('submodules commit, but their hooks and configuration are covered too', async (t) => {
    const { home, workspace } = makeHome(t);
    const source = makeFolder(t, { a: '1' });
    git(source, 'init', '-q');
    git(source, 'add', '.');
    git(source, 'commit', '-qm', 'one');
    git(workspace, 'init', '-q');
    git(workspace, 'submodule', 'add', '-q', source, 'dir/sub');
    const { run } = inHome(t, { home, workspace });
    const commit = await run('cd dir/sub && echo 2 >a && git -c user.name=T -c user.email=t@x commit -qam two');
    assert.equal(commit.exit, 0, commit.head);
    const module = '.git/modules/dir/sub';
    for (const attack of [
      `echo x >>${module}/config`,
      `echo x >${module}/hooks/pre-commit`,
      `mv ${module} .git/modules/dir/x`,
      'mv .git/modules/dir .git/x',
      'mv .git/modules .git/x',
    ])
      assert.notEqual((await run(attack)).exit, 0, attack);
  });
});

describe('linked working trees and parts of repositories', { skip, concurrency: 2 }, () => {
  function makeLinked(t: TestContext): { home: string; main: string; workspace: string } {
    const home = makeFolder(t, {}, '/var/tmp');
    const main = join(home, 'main');
    write(join(main, 'a'), '1');
    git(main, 'init', '-q');
    git(main, 'add', '.');
    git(main, 'commit', '-qm', 'one');
    git(main, 'worktree', 'add', '-q', '-b', 'side', '../side');
    git(main, 'worktree', 'add', '-q', '-b', 'third', '../third');
    return { home, main, workspace: join(home, 'side') };
  }

  test('a commit works in a linked working tree; hooks, configuration and other trees are out of reach', async (t) => {
    const { home, main, workspace } = makeLinked(t);
    const { run } = inHome(t, { home, workspace });
    const commit = await run(
      'echo 2 >a && git -c user.name=T -c user.email=t@x commit -qam two && git log --format=%s side',
    );
    assert.equal(commit.head, 'two\none\n');
    assert.equal(git(main, 'log', '--format=%s', '-1', 'side'), 'two');
    const common = join(main, '.git');
    const attacks = [
      `echo x >${common}/hooks/pre-commit`,
      `echo x >>${common}/config`,
      `echo x >${common}/info/attributes`,
      `echo /evil >${common}/worktrees/side/commondir`,
      `echo /evil >${common}/worktrees/side/gitdir`,
      `rm -rf ${common}/worktrees/third`,
      'echo "gitdir: /evil" >.git',
      'rm .git',
      'mv .git x',
    ];
    for (const attack of attacks) assert.notEqual((await run(attack)).exit, 0, attack);
    // Only the Git folder of the main tree is shown; what is written around it is written nowhere.
    await run(`echo x >${main}/a; rm -rf ${main}/*`);
    assert.equal(readFileSync(join(main, 'a'), 'utf8'), '1');
    assert.equal(git(main, 'status', '--short'), '');
    assert.equal(git(workspace, 'status', '--short'), '');
  });

  test('a pointer to a repository that doesn’t know this folder opens nothing', async (t) => {
    const { home, main } = makeLinked(t);
    const workspace = join(home, 'hostile');
    for (const target of [join(main, '.git'), join(main, '.git/worktrees/third'), join(main, '.git/worktrees')]) {
      rmSync(workspace, { recursive: true, force: true });
      write(join(workspace, '.git'), `gitdir: ${target}\n`);
      const { run, sandbox } = inHome(t, { home, workspace });
      await run(`echo x >${main}/.git/description; echo x >${target}/x; rm -rf ${main}/.git`);
      assert.equal(existsSync(join(target, 'x')), false, target);
      assert.notEqual(readFileSync(join(main, '.git/description'), 'utf8'), 'x\n', target);
      await sandbox.close();
    }
    assert.equal(git(main, 'status', '--short'), '');
  });

  test('in a part of a repository the rest can be read and not written', async (t) => {
    const home = makeFolder(t, { 'mono/package.json': '{}', secret: 's' }, '/var/tmp');
    const workspace = join(home, 'mono/packages/a');
    mkdirSync(workspace, { recursive: true });
    git(join(home, 'mono'), 'init', '-q');
    const { run } = inHome(t, { home, workspace });
    assert.equal((await run('cat ../../package.json && git rev-parse --show-prefix')).head, '{}packages/a/\n');
    assert.notEqual((await run('echo x >../../package.json')).exit, 0);
    assert.notEqual((await run('echo x >../../.git/hooks/pre-commit')).exit, 0);
    assert.notEqual((await run('cat ~/secret')).exit, 0);
  });

  test('a home that is a repository itself stays hidden', async (t) => {
    const { home, workspace } = makeHome(t, { secret: 's' });
    git(home, 'init', '-q');
    const { run } = inHome(t, { home, workspace });
    assert.notEqual((await run('cat ~/secret')).exit, 0);
    assert.notEqual((await run('cat ../../secret')).exit, 0);
  });
});

describe('where there can be no sandbox', () => {
  const report = async (workspace: string, environment: { [name: string]: string }) => {
    const sandbox = createSandbox({ kind: 'bubblewrap', workspace, environment });
    try {
      return await sandbox.probe();
    } finally {
      await sandbox.close();
    }
  };

  test('no bubblewrap', async (t) => {
    const { works, obstacle, reason } = await report(makeFolder(t), { PATH: '/nonexistent' });
    assert.deepEqual([works, obstacle], [false, 'not-installed']);
    assert.match(reason ?? '', /bubblewrap isn’t installed/);
  });

  test('one that the workspace brings along isn’t used', async (t) => {
    const workspace = makeFolder(t, { 'bin/bwrap': '#!/bin/sh\ntouch ran\n' });
    chmodSync(join(workspace, 'bin/bwrap'), 0o755);
    assert.equal((await report(workspace, { PATH: join(workspace, 'bin') })).obstacle, 'not-installed');
    assert.equal((await report(workspace, { PATH: 'bin' })).obstacle, 'not-installed');
    assert.equal(existsSync(join(workspace, 'ran')), false);
  });

  const messages: [string, string][] = [
    [
      'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.',
      'namespaces-forbidden',
    ],
    ['bwrap: setting up uid map: Permission denied', 'namespaces-forbidden'],
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'namespaces-forbidden'],
    ['bwrap: Can’t find source path /x: No such file or directory', 'failed'],
  ];
  for (const [message, obstacle] of messages) {
    test(`one that says “${message.slice(0, 40)}”`, async (t) => {
      const bin = makeFolder(t, { bwrap: `#!/bin/sh\necho "${message}" >&2\nexit 1\n` });
      chmodSync(join(bin, 'bwrap'), 0o755);
      const workspace = makeFolder(t);
      const found = await report(workspace, { PATH: `${bin}:/usr/bin:/bin` });
      assert.deepEqual([found.works, found.obstacle], [false, obstacle]);
      assert.ok(found.reason?.includes(message.slice(0, 30)));
      const { run } = makeBench(t, 'bubblewrap', workspace, { env: { PATH: `${bin}:/usr/bin:/bin` } });
      const outcome = await run('touch ran');
      assert.deepEqual([outcome.exit, outcome.signal, outcome.sandboxed], [null, null, true]);
      assert.match(outcome.notStarted ?? '', /the sandbox could not start: bwrap/);
      assert.equal(existsSync(join(workspace, 'ran')), false);
    });
  }

  test('one that starts the command without holding it is found out', async (t) => {
    const bin = makeFolder(t, { bwrap: '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n' });
    chmodSync(join(bin, 'bwrap'), 0o755);
    const found = await report(makeFolder(t), { PATH: `${bin}:/usr/bin:/bin`, HOME: makeFolder(t, { secret: 's' }) });
    assert.deepEqual([found.works, found.obstacle], [false, 'breached']);
    assert.match(found.reason ?? '', /secret can be seen/);
    assert.match(found.reason ?? '', /the network \w+ is there/);
    assert.match(found.reason ?? '', /other processes can be seen/);
    assert.match(found.reason ?? '', /was written/);
  });

  test('a workspace that is a home, holds one or is the whole disk', async (t) => {
    const home = makeFolder(t, { 'u/x': '' }, '/var/tmp');
    for (const workspace of [home, join(home, 'u'), '/', '/tmp', '/var']) {
      const found = await report(realpathSync(workspace), { PATH: process.env['PATH'] ?? '', HOME: join(home, 'u') });
      assert.deepEqual([found.works, found.obstacle], [false, 'workspace'], workspace);
    }
  });
});

describe('the end of Reins', { skip }, () => {
  test('takes prepared and running sandboxes with it, however it comes', async (t) => {
    const folder = makeFolder(t);
    for (const kind of ['bubblewrap', 'none']) {
      const mark = `5${Date.now()}`;
      const script = join(folder, `${kind}.mjs`);
      writeFileSync(
        script,
        `import { createSandbox, createShell } from ${JSON.stringify(new URL('../../src/exec/index.ts', import.meta.url).href)};
        const sandbox = createSandbox({ kind: '${kind}', workspace: ${JSON.stringify(folder)}, environment: { PATH: process.env.PATH, HOME: '/nonexistent' } });
        const shell = createShell({ workspace: ${JSON.stringify(folder)}, sandbox });
        await shell.prepare();
        void shell.run({ command: 'sleep 3${mark} & sleep 4${mark}', timeout: 60000 }, new AbortController().signal);
        await new Promise((resolve) => setTimeout(resolve, 60000));`,
      );
      const env = { PATH: process.env['PATH'], TMPDIR: makeFolder(t) };
      const child = spawn(process.execPath, [script], { stdio: 'inherit', env });
      await until('both run', () => processesWith(mark).filter((line) => line.startsWith('sleep')).length === 2);
      child.kill('SIGKILL');
      await until('all are gone', () => processesWith(mark).length === 0 && processesWith(folder).length === 0);
    }
  });

  test('isn’t held up by a sandbox that only waits', async (t) => {
    const folder = makeFolder(t);
    const script = `
      import { createSandbox, createShell } from ${JSON.stringify(new URL('../../src/exec/index.ts', import.meta.url).href)};
      const sandbox = createSandbox({ kind: 'bubblewrap', workspace: ${JSON.stringify(folder)}, environment: { PATH: process.env.PATH } });
      await createShell({ workspace: ${JSON.stringify(folder)}, sandbox }).prepare();`;
    const held = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 20_000,
      env: { PATH: process.env['PATH'], TMPDIR: makeFolder(t) },
      encoding: 'utf8',
    });
    assert.equal(held.status, 0, held.stderr);
    await until('it is gone', () => processesWith(folder).length === 0);
  });
});

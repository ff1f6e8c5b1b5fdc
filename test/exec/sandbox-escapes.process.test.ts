/** Ways out of a sandbox, tried in each that this machine has. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { chooseSandbox, type SandboxName } from '../../src/exec/index.ts';
import { git, loadBench, makeFolder, processesWith, until, whyNoSandbox } from './workbench.ts';

const kinds = ['bubblewrap', 'landlock'] as const satisfies SandboxName[];

interface Ground {
  home: string;
  workspace: string;
}

/** A home with a secret, and a repository in it. */
function makeGround(t: TestContext): Ground {
  const home = makeFolder(t, { secret: 'the-secret' }, '/var/tmp');
  const workspace = join(home, 'p/w');
  mkdirSync(workspace, { recursive: true });
  git(workspace, 'init', '-q');
  writeFileSync(join(workspace, 'f'), 'f\n');
  git(workspace, 'add', 'f');
  git(workspace, 'commit', '-qm', 'first');
  return { home, workspace };
}

const benchOf = (t: TestContext, kind: SandboxName, { home, workspace }: Ground, more = {}) =>
  loadBench(t, { kind, workspace, environment: { PATH: '/usr/bin:/bin', HOME: home }, ...more });

async function listen(t: TestContext, place: string | number): Promise<Server> {
  const server = createServer((socket) => socket.end('reached')).listen(place);
  await once(server, 'listening');
  t.after(() => server.close());
  return server;
}

/** Each line of a script says `OPEN what` if a way is open; it ends with `end`, so that none was left out. */
function assertShut(output: string): void {
  assert.deepEqual(
    output.split('\n').filter((line) => line.startsWith('OPEN')),
    [],
    output,
  );
  assert.match(output, /^end$/m, output);
}

/** System calls by number: a shell can't make them. */
const calls = String.raw`
use Errno;
my $arm = (qx(uname -m) =~ /aarch64/) ? 1 : 0;
my ($mount, $unshare, $setns, $keyctl, $bpf, $chroot, $mknodat, $ptrace, $perf, $handle, $vm) = $arm
  ? (40, 97, 268, 219, 280, 51, 33, 117, 241, 265, 270) : (165, 272, 308, 250, 321, 161, 259, 101, 298, 304, 310);
my ($pid) = @ARGV;
my $empty = "\0" x 256;
sub open_way { my ($what, $result) = @_; print "OPEN $what\n" if $result >= 0; }
my ($none, $mnt, $type, $usr, $dev, $mem) = map { "$_" } qw(none /mnt tmpfs /usr dev mem);
open_way('mount', syscall($mount, $none, $mnt, $type, 0, 0));
open_way('user namespace', syscall($unshare, 0x10000000));
open_way('mount namespace', syscall($unshare, 0x00020000));
open_way('keyring', syscall($keyctl, 0, -3, 0));
open_way('bpf', syscall($bpf, 0, $empty, 128));
open_way('chroot', syscall($chroot, $usr));
open_way('io_uring', syscall(425, 1, $empty));
open_way('perf', syscall($perf, $empty, 0, -1, -1, 0));
open_way('handles', syscall($handle, -100, $empty, 0));
open_way('block device', syscall($mknodat, -100, $dev, 0060666, 0x0100));
open_way('memory device', syscall($mknodat, -100, $mem, 0020666, 0x0101));
open_way('ptrace', syscall($ptrace, 16, $pid + 0, 0, 0));
my $typed = 'x';
ioctl(STDIN, 0x5412, $typed); print "OPEN typing into a terminal\n" unless $!{EPERM};
open_way('clone3', syscall(435, $empty, 64)); print "OPEN flags of clone3\n" unless $!{ENOSYS};
open_way('signal', kill(9, $pid + 0) ? 0 : -1);
open_way('namespace of another', (open(my $ns, '<', "/proc/$pid/ns/mnt") && syscall($setns, fileno($ns), 0) == 0) ? 0 : -1);
`;

for (const kind of kinds) {
  const skip = await whyNoSandbox(kind);
  describe(`ways out of ${kind}`, { skip, concurrency: 2 }, () => {
    test('by files: links, /proc, devices, renames', async (t) => {
      const ground = makeGround(t);
      const { home, workspace } = ground;
      symlinkSync(join(home, 'secret'), join(workspace, 'link'));
      const victim = spawn('/bin/sleep', ['100'], { env: { TOKEN: 'the-secret' } });
      t.after(() => victim.kill('SIGKILL'));
      const { run } = await benchOf(t, kind, ground);
      const { head } = await run(`
        try() { name=$1; shift; if "$@" >/tmp/out 2>/dev/null || "$@" >"$TMPDIR/out" 2>/dev/null; then echo "OPEN $name"; fi; }
        reads() { if grep -qs the-secret "$2"; then echo "OPEN $1"; fi; }
        writes() { if { echo x >>"$2"; } 2>/dev/null; then echo "OPEN $1"; fi; }
        reads link link
        reads secret ${home}/secret
        reads 'root of 1' /proc/1/root${home}/secret
        reads 'root of parent' /proc/$PPID/root${home}/secret
        reads 'root of another' /proc/${victim.pid}/root${home}/secret
        reads environment /proc/${victim.pid}/environ
        reads 'working folder' /proc/${victim.pid}/cwd/../secret
        ln -s /proc/${victim.pid}/root${home}/secret deep; reads 'link into /proc' deep
        try 'hard link' ln ${home}/secret hard
        try 'hard link of the system' ln /etc/passwd hard
        writes 'what runs' /proc/self/exe
        # Asked only, not done: what is open here is the machine's.
        for switch in /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/vm/drop_caches /proc/sysrq-trigger /proc/mtrr; do
          { : >>$switch; } 2>/dev/null && echo "OPEN $switch"
        done
        writes uid_map /proc/self/uid_map
        writes 'a helper' /sys/kernel/uevent_helper
        for device in /dev/mem /dev/kmsg /dev/vda /dev/sda /dev/nvme0n1 /dev/kvm /dev/fuse; do
          [ -e $device ] && { : <$device; } 2>/dev/null && echo "OPEN $device"
        done
        for place in /etc /usr/bin /usr/lib /var/lib /proc /sys/fs/cgroup /boot /opt /dev; do
          { : >"$place/reins-escape"; } 2>/dev/null && echo "OPEN $place"
        done
        try 'rename of the workspace' mv ${workspace} ${workspace}2
        # Where home is a private one, these work there and nowhere else.
        { : >${home}/new; : >${home}/p/new; mv ${home}/p ${home}/p2; } 2>/dev/null
        true >${home}/truncated 2>/dev/null
        truncate -s 0 ${home}/secret 2>/dev/null
        echo end`);
      assertShut(head);
      assert.equal(readFileSync(join(home, 'secret'), 'utf8'), 'the-secret');
      assert.deepEqual(readdirSync(home).toSorted(), ['p', 'secret']);
      assert.deepEqual(readdirSync(join(home, 'p')), ['w']);
    });

    test('by sockets: of files, without a file, of this machine', async (t) => {
      const ground = makeGround(t);
      const file = join(ground.workspace, 's');
      const name = `reins-test-${process.pid}-${kind}`;
      const [, , tcp] = await Promise.all([listen(t, file), listen(t, `\0${name}`), listen(t, 0)]);
      const { port } = tcp.address() as AddressInfo;
      const { run } = await benchOf(t, kind, ground);
      const script = String.raw`
        use Socket;
        sub way { my ($what, $family, $type, $to) = @_;
          socket(my $s, $family, $type, 0) or return;
          print "OPEN $what\n" if connect($s, $to); }
        way('without a file', AF_UNIX, SOCK_STREAM, pack('S a*', AF_UNIX, "\0NAME"));
        way('loopback', AF_INET, SOCK_STREAM, pack('S n C4 x8', AF_INET, PORT, 127, 0, 0, 1));
        way('outside', AF_INET, SOCK_STREAM, pack('S n C4 x8', AF_INET, 53, 1, 1, 1, 1));
        way('datagram', AF_INET, SOCK_DGRAM, pack('S n C4 x8', AF_INET, 53, 1, 1, 1, 1));
        way('FILE', AF_UNIX, SOCK_STREAM, pack('S a108', AF_UNIX, 'FILE')) if FILES;
        print "end\n";`;
      writeFileSync(
        join(ground.workspace, 's.pl'),
        script
          .replace('NAME', name)
          .replace('PORT', String(port))
          .replaceAll('FILE', file)
          // In a workspace that both sides write, such a socket is there for both.
          .replace(`${file}S`, kind === 'landlock' ? '1' : '0'),
      );
      assertShut((await run('perl s.pl 2>&1')).head);
    });

    test('by system calls: namespaces, keys, tracing, signals, devices', async (t) => {
      const ground = makeGround(t);
      const victim = spawn('/bin/sleep', ['100']);
      t.after(() => victim.kill('SIGKILL'));
      writeFileSync(join(ground.workspace, 'calls.pl'), `${calls}\nprint "end\\n";`);
      const { run } = await benchOf(t, kind, ground);
      assertShut((await run(`perl calls.pl ${victim.pid} 2>&1`)).head);
      assert.equal(victim.exitCode ?? victim.signalCode, null);
      const { head } = await run(
        'grep -E "CapEff|CapBnd|NoNewPrivs|Seccomp:" /proc/self/status; unshare -Ur id 2>&1; sudo -n id 2>&1; echo end',
      );
      assert.match(head, /CapEff:\s0+\n/);
      assert.match(head, /NoNewPrivs:\s1\n/);
      assert.match(head, /Seccomp:\s2\n/);
      assert.doesNotMatch(head, /uid=/);
    });

    test('by Git: hooks, filters, configuration, a swapped folder', async (t) => {
      const ground = makeGround(t);
      const { workspace } = ground;
      const marker = join(ground.home, 'ran');
      const config = readFileSync(join(workspace, '.git/config'), 'utf8');
      const { run, shell } = await benchOf(t, kind, ground);
      const hook = `printf '#!/bin/sh\\ntouch ${marker}\\n'`;
      const attacks = [
        `${hook} >.git/hooks/post-commit; chmod +x .git/hooks/post-commit; ${hook} >.git/hooks/pre-commit; chmod +x .git/hooks/*`,
        `git config core.fsmonitor 'touch ${marker}'; git config core.hooksPath evil; mkdir -p evil; ${hook} >evil/pre-commit; chmod +x evil/*`,
        `echo '* filter=x' >.git/info/attributes; git config filter.x.clean 'touch ${marker}; cat'`,
        `mv .git old; cp -r old .git; printf '[core]\\nfsmonitor=touch ${marker}\\n' >>.git/config; ${hook} >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
        `mv .git/hooks .git/h2; mkdir .git/hooks; ${hook} >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
        `mkdir other; printf 'ref: x' >other/HEAD; rm -rf .git/hooks .git/config; ln -s ../evil .git/hooks; ln -s ../evil/c .git/config`,
        `echo ../evil >.git/commondir; mkdir -p .reins; echo '{"mode":"auto"}' >.reins/settings.json`,
        `chmod 000 .git/hooks .git/config; chmod 500 .git/info`,
      ];
      for (const attack of attacks) {
        await run(attack);
        assert.equal(readFileSync(join(workspace, '.git/config'), 'utf8'), config, attack);
        assert.ok(statSync(join(workspace, '.git/hooks')).isDirectory(), attack);
        assert.deepEqual(
          readdirSync(join(workspace, '.git/hooks')).filter((name) => !name.endsWith('.sample')),
          [],
          attack,
        );
        assert.equal(existsSync(join(workspace, '.git/commondir')), false, attack);
        assert.equal(existsSync(join(workspace, '.reins/settings.json')), false, attack);
      }
      await run('chmod -R u+rwX .git old');
      await shell.close();
      // As a person would, outside, with whatever is there now.
      writeFileSync(join(workspace, 'f'), 'changed\n');
      try {
        git(workspace, 'commit', '-qam', 'outside');
      } catch {
        // A repository that a command has broken may refuse; it must not run anything.
      }
      assert.equal(existsSync(marker), false);
    });

    test('by hooks and configuration that Git’s configuration names, however it is written', async (t) => {
      const configurations = [
        { config: '[core]\n\thooksPath = named\n' },
        { config: '[core] HooksPath = "named" ; ours\n' },
        { config: '[core]\n\thooksPath = na\\\nmed # ours\n' },
        { config: '[core]\n\thooksPath = .git/named\n', at: '.git/named' },
        { config: '[core]\n\thooksPath = deep/er/named\n', at: 'deep/er/named' },
        { config: '[include]\n\tpath = ../more\n', more: '[core]\n\thooksPath = named\n' },
        { config: '', user: '[core]\n\thooksPath = named\n' },
        { config: '', user: '[core]\n\thooksPath = ~/p/w/named\n' },
      ];
      for (const { config, at = 'named', more, user } of configurations) {
        const ground = makeGround(t);
        const { home, workspace } = ground;
        writeFileSync(join(workspace, '.git/config'), config, { flag: 'a' });
        if (more !== undefined) writeFileSync(join(workspace, 'more'), more);
        if (user !== undefined) writeFileSync(join(home, '.gitconfig'), user);
        const { run, shell } = await benchOf(t, kind, ground);
        await run(
          `mkdir -p ${at}; echo 'touch ran' >${at}/pre-commit; mv ${at} away; mkdir -p ${at}; echo 'touch ran' >${at}/pre-commit; echo '[core] fsmonitor = x' >>more`,
        );
        // What is nobody’s business stays free, and commits work.
        const { exit, head } = await run(
          'mkdir -p src && echo a >src/a && git add src && git -c user.name=a -c user.email=a@b.c commit -qm second',
        );
        assert.equal(exit, 0, `${config}${head}`);
        await shell.close();
        assert.equal(existsSync(join(workspace, at, 'pre-commit')), false, `${config}${user}`);
        if (more !== undefined) assert.equal(readFileSync(join(workspace, 'more'), 'utf8'), more);
      }
    });

    test('by repositories that the index names', async (t) => {
      const ground = makeGround(t);
      const { home, workspace } = ground;
      git(workspace, 'init', '-q', 'mine');
      const ours = 'core.fsmonitor=';
      const inMine = (...words: string[]) => git(join(workspace, 'mine'), ...words);
      inMine('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'first', '--allow-empty');
      inMine('config', 'core.fsmonitor', `touch ${join(home, 'mine')}; false`);
      git(workspace, '-c', ours, 'add', 'mine');
      const { run, shell } = await benchOf(t, kind, ground);
      const marker = join(home, 'ran');
      const evil = `git config core.fsmonitor 'touch ${marker}; false'`;
      const inner = (name: string, ...then: string[]) =>
        `git init -q ${name} && cd ${name} && git -c user.name=a -c user.email=a@b.c commit -qm first --allow-empty && (${then.join('; ')}); cd ${workspace}; git add ${name}`;
      const hook = `printf '#!/bin/sh\\ntouch ${marker}\\n' >.git/hooks/post-index-change; chmod +x .git/hooks/*; echo a >a; git add a`;
      for (const attack of [
        inner('x', evil),
        inner('x', 'echo a >a', hook),
        `${inner('x', evil)}; git update-index --split-index; git update-index --force-remove f`,
        inner('x', evil, 'mv .git ../elsewhere', `printf 'gitdir: ../elsewhere\\n\\n' >.git`),
        inner('x', evil, 'mv .git/objects o', 'ln -s ../o .git/objects'),
        inner(
          'x',
          `cp -r .git ../c`,
          `cd ../c && ${evil.replace('git config', 'git config -f config')}`,
          'cd ../x; echo ../../c >.git/commondir',
        ),
        inner('x', `mkdir y; ${inner('y', evil).replaceAll(workspace, '..')}`),
      ]) {
        const { hint = '' } = await run(attack);
        assert.match(hint, /x(\/y)? was left as a repository that would run something/, attack);
        for (const look of [
          ['status', '--short'],
          ['diff', '--stat'],
        ])
          git(workspace, ...look);
        assert.equal(existsSync(marker), false, attack);
        await run('rm -rf x elsewhere c; git rm -rq --cached x; git update-index --no-split-index');
      }
      assert.equal((await run(inner('plain', 'git config user.name me', 'echo b >b; git add b'))).hint, undefined);
      await shell.close();
      assert.ok(statSync(join(workspace, 'plain/.git')).isDirectory());
      assert.ok(statSync(join(workspace, 'mine/.git')).isDirectory(), 'what was the user’s own stays');
    });

    test('by what it leaves running', async (t) => {
      const ground = makeGround(t);
      const { run } = await benchOf(t, kind, ground);
      const mark = `61.${process.pid}`;
      const { ended = '' } = await run(
        `sleep ${mark} & setsid sleep ${mark} & (env -i setsid nohup sleep ${mark} >/dev/null 2>&1 &) ; sleep 0.05`,
      );
      assert.match(ended, /sleep/);
      await until('nothing is left', () => processesWith(mark).length === 0, 2000);
    });

    test('a fork bomb, a memory hog and huge files end at the sandbox’s limits, and it says so', async (t) => {
      const ground = makeGround(t);
      const limits = { processes: 60, memory: 300_000_000, fileBytes: 1_048_576, openFiles: 128, cpuSeconds: 1 };
      const { run } = await benchOf(t, kind, ground, { limits });
      const many = await run('for i in $(seq 70); do sleep 20 & done; wait');
      assert.match(many.ended ?? '', /^At the sandbox’s limit of 60 processes/);
      const bomb = await run('exec 2>/dev/null; bomb() { bomb | bomb & }; bomb; sleep 20');
      assert.match(bomb.ended ?? '', /^At the sandbox’s limit of 60 processes/);
      const hog = await run(`perl -e '$x .= "x" x 20_000_000 for 1..30; sleep 20'`);
      assert.match(hog.ended ?? '', /^At the sandbox’s limit of 286.1 MiB of memory/);
      const large = await run('head -c 3000000 /dev/zero >large');
      assert.match(large.hint ?? '', /limit of 1 MiB for a file/);
      assert.equal(statSync(join(ground.workspace, 'large')).size, 1_048_576);
      const busy = await run('while :; do :; done');
      assert.match(busy.hint ?? '', /limit of 1 s of processor time/);
      assert.equal((await run('echo fine')).head, 'fine\n');
    });
  });
}

test(
  'without bubblewrap Landlock is taken, and the report says so',
  { skip: await whyNoSandbox('landlock') },
  async (t) => {
    const { home, workspace } = makeGround(t);
    const { sandbox, report } = await chooseSandbox({ workspace, environment: { PATH: '/nonexistent', HOME: home } });
    t.after(() => sandbox.close());
    assert.deepEqual([sandbox.name, report.works, report.sandbox], ['landlock', true, 'landlock']);
    assert.match(report.notes.at(-1) ?? '', /^Not bubblewrap: bubblewrap isn’t installed/);
  },
);

test(
  'failures that Landlock caused are told, a command’s own are not',
  { skip: await whyNoSandbox('landlock') },
  async (t) => {
    const { run } = await benchOf(t, 'landlock', makeGround(t));
    const told: [string, RegExp][] = [
      ['touch /tmp/x', /TMPDIR/],
      ['exec 3<>/dev/tcp/127.0.0.1/80', /no sockets/],
      ['echo x >/etc/x', /trying again will not help/],
      ['cat ~root/.bashrc', /hides home folders/],
    ];
    for (const [command, hint] of told) assert.match((await run(command)).hint ?? '', hint, command);
    for (const command of ['false', 'cat missing', 'touch g; ./g', 'mktemp >/dev/null; exit 3'])
      assert.equal((await run(command)).hint, undefined, command);
  },
);

for (const kind of kinds) {
  test(`what the user grants is there in ${kind}, and no more`, { skip: await whyNoSandbox(kind) }, async (t) => {
    const ground = makeGround(t);
    for (const name of ['notes', 'out', 'closed']) {
      mkdirSync(join(ground.home, name));
      writeFileSync(join(ground.home, name, 'f'), name);
    }
    const grants = { read: ['~/notes', '/', '~/missing'], write: [join(ground.home, 'out'), ground.home] };
    mkdirSync(join(ground.home, 'out/state'));
    writeFileSync(join(ground.home, 'out/state/f'), 'the-secret');
    // Below a folder that may be written, Landlock can leave nothing out: it wouldn’t grant it.
    const hide = kind === 'landlock' ? [] : [join(ground.home, 'out/state')];
    if (kind === 'landlock') rmSync(join(ground.home, 'out/state'), { recursive: true });
    const { run, sandbox } = await benchOf(t, kind, ground, { grants, hide });
    const { works, enforced } = await sandbox.probe();
    assert.equal(works, true);
    assert.ok(enforced.includes(`Readable by your settings: ${join(ground.home, 'notes')}.`));
    const { head } = await run(
      `cd ${ground.home}; cat notes/f; echo x >notes/g; echo new >out/g; cat out/g closed/f secret out/state/f`,
    );
    assert.match(head, /^notes/);
    assert.match(head, /^new$/m);
    assert.doesNotMatch(head, /closed$|the-secret/m);
    assert.deepEqual(readdirSync(join(ground.home, 'notes')), ['f']);
    assert.equal(readFileSync(join(ground.home, 'out/g'), 'utf8'), 'new\n');
  });
}

for (const kind of kinds) {
  test(
    `variables that the user passes on reach commands in ${kind}, other secrets don’t`,
    { skip: await whyNoSandbox(kind) },
    async (t) => {
      const ground = makeGround(t);
      const environment = {
        PATH: '/usr/bin:/bin',
        HOME: ground.home,
        PASSED_TOKEN: 'one',
        OTHER_TOKEN: 'two',
        NAMED: 'three',
      };
      const { run } = await benchOf(t, kind, ground, { environment, pass: ['PASSED_TOKEN'], secretNames: ['NAMED'] });
      const { head } = await run('echo "[$PASSED_TOKEN] [$OTHER_TOKEN] [$NAMED]"');
      assert.equal(head, '[one] [] []\n');
    },
  );
}

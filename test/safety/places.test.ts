/** Which paths are whose: each place by what is said of it, and beside it what is only called alike. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CommandPart } from '../../src/core/index.ts';
import { createPolicy } from '../../src/safety/index.ts';
import { callOf, destroys, part, policyOf, reads, workspace, writes } from './parts.ts';

type Policy = ReturnType<typeof createPolicy>;
type Judgement = ReturnType<Policy['judge']>;
/** What is said of the paths, as the middle of the reason, or `nothing`. */
type Said = { readonly [about: string]: string };

function says(name: string, said: Said, judge: (path: string) => Judgement): void {
  describe(name, () => {
    for (const [about, paths] of Object.entries(said)) {
      test(about, () => {
        for (const path of paths.split(' ')) {
          const { decision, reason } = judge(path);
          if (about === 'nothing') assert.equal(decision, 'allow', `${path}: ${reason}`);
          else assert.ok(decision !== 'allow' && reason.includes(about), `${path}: ${reason}`);
        }
      });
    }
  });
}

const judging =
  (policy: Policy, of: (path: string) => CommandPart, folder = '') =>
  (path: string): Judgement =>
    policy.judge(callOf([of(folder + path)]));
const unsafe = policyOf('unsafe');
const reading = (path: string) => reads('cat x', path);
const readingAll = (path: string) => part('tar x', { paths: [{ access: 'read', path, recursive: true }] });
const writing = (path: string) => writes('cp a b', path);
const removing = (path: string) => destroys('rm -rf x', path);
const inSpace = `${workspace}/`;

const ofUser = 'holds keys or tokens of the user';
says(
  'keys in a home',
  {
    [ofUser]:
      '.ssh/id_rsa .ssh/a.pem .aws/credentials .aws/sso/cache/a/b .gnupg/a .netrc .azure/a .m2/settings.xml .ssh/id_* .s*/id_rsa .ssh/* .*',
    nothing: '.ssh .ssh/known_hosts .aws/config .netrcx x/.netrc .ssh/id_rsa.pub',
  },
  judging(unsafe, reading, '/home/me/'),
);
says(
  'folders of keys as a whole',
  {
    [ofUser]: '/home/me/.ssh /home/me/.ssh/ /home/me/.config/gh /home/you/.aws /root/.kube',
    nothing: '/home/me/.config /home/me/x.ssh',
  },
  judging(unsafe, readingAll),
);
says(
  'keys elsewhere',
  {
    [ofUser]: '/root/.netrc /Users/x/.aws/credentials',
    'is a private key': '/srv/k.pem /srv/id_rsa /srv/id_ed25519 /srv/k.p12 /srv/k.jks',
    'holds passwords or keys of the system':
      '/etc/ssh/ssh_host_rsa_key /proc/1/environ /proc/1/task/2/environ /proc/self/mem /proc/kcore /etc/shadow /etc/shadow- /etc/shado? /etc/* /var/run/secrets/a /run/secrets/a /dev/mem /etc/sudoers.d/x /etc/ssl/private/a',
    nothing: `/home/you/x/.netrc /rootx/.netrc /srv/home/you/.netrc /srv/k.pemx /usr/share/k.pem /etc/ssl/certs/k.pem /etc/pki/k.key /opt/a/k.key /srv/node_modules/x/k.pem /srv/site-packages/k.pem /srv/xid_rsa /srv/id_rsax /etc/ssh/ssh_config /etc/passwd /srv/etc/shadow ${inSpace}k.pem`,
  },
  judging(unsafe, reading),
);
says(
  'keys where no home is known',
  {
    [ofUser]: '/home/you/.netrc /root/.ssh/id_* /Users/*/.netrc',
    nothing: '/home/me/.x* /a*/.netrc',
  },
  judging(createPolicy({ mode: 'unsafe', rules: [], sandboxed: false, workspace: '/w' }), reading),
);
says(
  'environment files',
  {
    'holds the environment': '.env .env.local .env.a.b .ENV a/.env a/b/.env.local .en? .e* .[e]nv .env* .[!.]* a/.e*',
    nothing:
      '.env.example .env.sample .env.template .env.dist .env.default .env.defaults .env.schema .env.EXAMPLE .envrc x.env .env/x .* .? * .envx* .n* .env.',
  },
  judging(unsafe, reading, inSpace),
);
says(
  'where everybody may look',
  {
    nothing:
      '/usr/lib /etc/hosts /proc/cpuinfo /proc/sys/kernel/x /proc/sys /proc /proc/ /dev/null /dev/fd/3 /dev/tty /dev /home /home/ /tmp / /bin/ls /opt/x /nix/store /var /srv /run /Users /Applications /snap/x /media /home/me/space/a',
    'which is outside the workspace':
      '/proc/1/status /proc/cpuinfox /x/proc/cpuinfo /dev/nullx /dev/fd/x /dev/sda1 /tmp/x /binx /x/bin /var/log/x /mnt/x /home/me /home/me/spacex',
  },
  judging(policyOf('ask'), reading),
);
says(
  'where everybody may look at all',
  { nothing: '/usr /etc /dev/null /proc/sys', 'which is outside the workspace': '/proc /home / /tmp' },
  judging(policyOf('ask'), readingAll),
);
says(
  'what only the user changes',
  {
    'is the project’s settings of Reins': '.reins/x .reins a/.reins/b .REINS/x',
    'is what Git runs by itself':
      '.git/hooks/x .git/hooks a/.git/config .git/config.lock .git/config.worktree .git/info/attributes .git/modules/a/hooks/x .git/modules/a/b/config',
    'is Git’s own data':
      '.git/HEAD .git/refs/x .git/index .git/packed-refs .git/logs/HEAD .GIT/HEAD .git/objects/a/b a/.git/HEAD .git',
    nothing:
      '.reinsx/y x.reins .git/hooksx .git/configx .git/info/exclude x.git/config .git/x .git/HEAD.lock .git/packed-refs.lock',
  },
  judging(unsafe, writing, inSpace),
);
says(
  'trees that nobody means to lose',
  {
    'the removal of the whole disk': '/ /* //',
    'the removal of a folder of the system':
      '/usr /usr/ /usr/* /usr/local /usr/local/bin /etc/ssl /var /var/lib /var/log /boot/x /home /root /h* /ho?e /usr/b* /srv /private/var /nix /System/x /Library/x',
    'the removal of somebody’s home': '/home/you /Users/x',
    'the removal of the user’s home': '/home/me /home/m* /home/me/* /home/me/.*',
    'the removal of a folder above the workspace': '/home/me/spa* /home/me/sp?ce /home/*/space',
    'the removal of the workspace': '/home/me/space/',
    nothing:
      '/usr/local/bin/x /usr/share/x /etc/ssl/x /var/lib/x /home/you/x /root/x /home/me/x /u*/x /srv/x /x /home/me/x* /home/me/spacex',
  },
  judging(unsafe, removing),
);
says(
  'trees of a workspace that is in a folder of the system',
  {
    'the removal of a folder of the system': '/opt /usr/x',
    'the removal of the workspace': '/opt/app',
    nothing: '/opt/app/build /opt/x',
  },
  judging(createPolicy({ mode: 'unsafe', rules: [], sandboxed: false, workspace: '/opt/app' }), removing),
);
says(
  'trees of the workspace',
  {
    'the removal of the workspace': '* .* .[!.]* .??* {a,b}',
    'the removal of Git’s data':
      '.git .git/ .git/refs .git/refs/x .git/modules .git/worktrees .git/logs .git/o* .git/?x .git/[a] .git/x* .GIT .Git/Refs .g* .gi? .[g]it a/.git a/b/.git/objects',
    nothing: 'a/* .git/info .git/refsx *git git .github .g*b .gitx',
  },
  judging(unsafe, removing, inSpace),
);
says(
  'devices',
  {
    'writing to /':
      '/dev/sda /dev/sda1 /dev/nvme0n1 /dev/mapper/x /dev/loop0 /dev/md0 /dev/sg0 /dev/disk/by-id/x /proc/sysrq-trigger /dev/dm-1 /dev/mem',
    nothing: '/dev/shm/x /dev/pts/1 /dev/null /dev/x /srv/dev/sda /proc/sysrq-triggerx /proc/x',
  },
  judging(unsafe, (path) => writes('cat x', path)),
);

describe('what makes a path one that is removed', () => {
  const space = { access: 'write', path: workspace, recursive: true } as const;
  const above = { access: 'write', path: '/home/me', recursive: true } as const;
  const beside = { access: 'write', path: '/tmp/x', recursive: true } as const;
  const inner = { access: 'write', path: `${workspace}/a`, recursive: true } as const;
  const gone = { access: 'destroy', path: workspace, recursive: true } as const;
  const table: [string, CommandPart['paths'], string][] = [
    ['mv a b', [space, beside], 'the removal of the workspace'],
    ['mv a b', [inner, above], ''],
    ['mv -t b a', [above, inner], ''],
    ['mv -ft b a', [above, inner], ''],
    ['mv --target-directory=b a', [above, inner], ''],
    ['mv -t b a', [beside, space], 'the removal of the workspace'],
    ['rmdir a', [{ access: 'destroy', path: '/usr' }], ''],
    ['cp a ..', [above], ''],
    ['rsync --delete a ..', [above], 'the removal of the user’s home'],
    ['chmod -R 7 x', [above], 'new rights for all of the user’s home'],
    ['/bin/chmod -R 7 x', [above], 'new rights for all of the user’s home'],
    ['chmod 7 x', [{ access: 'write', path: '/home/me' }], ''],
    ['setfacl -R x y', [space], 'new rights for all of the workspace'],
    ['chgrp -R x y', [space], 'new rights for all of the workspace'],
    ['find . -name x -delete', [gone], ''],
    ['find . -name * -delete', [gone], 'the removal of the workspace'],
    ['find . -name *.* -delete', [gone], 'the removal of the workspace'],
    ['find . -path ./.git/* -delete', [gone], 'the removal of the workspace'],
    ['find . -path ./.github/* -delete', [gone], ''],
    ['find . -name x -path ./.git -delete', [gone], 'the removal of the workspace'],
    ['find . -name * -name x -delete', [gone], ''],
    ['find . -empty -delete', [gone], ''],
    ['find . -mtime +3 -delete', [gone], ''],
    ['find . -newermt x -delete', [gone], ''],
    ['find . -type f -delete', [gone], 'the removal of the workspace'],
    ['find . -namex a -delete', [gone], 'the removal of the workspace'],
    ['git clean -fd', [gone], ''],
    ['other -name x', [gone], 'the removal of the workspace'],
  ];
  for (const [text, paths, about] of table) {
    test(`${text}: ${paths.map(({ path }) => path).join(' ')}`, () => {
      const effects = text.startsWith('rsync') ? (['write', 'destroy'] as const) : (['write'] as const);
      const { decision, reason } = unsafe.judge(callOf([part(text, { effects: [...effects], paths })]));
      if (about === '') assert.equal(decision, 'allow', reason);
      else assert.ok(decision === 'deny' && reason.includes(about), reason);
    });
  }
});

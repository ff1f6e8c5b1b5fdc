/** The texts that sandboxes are started with, and which one is. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { chooseSandbox } from '../../src/exec/sandbox/choose.ts';
import { Guard } from '../../src/exec/sandbox/guard.ts';
import { rulesFrom } from '../../src/exec/sandbox/landlock-rules.ts';
import { bytesText, limitCommands, limitHint, useLimits } from '../../src/exec/sandbox/limits.ts';
import { empty, readOnly, writable } from '../../src/exec/sandbox/mounts.ts';
import type { Sandbox, SandboxName } from '../../src/exec/sandbox/sandbox.ts';
import { seatbeltProfile } from '../../src/exec/sandbox/seatbelt-profile.ts';

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'reins-exec-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('the profile for macOS', () => {
  const mounts = [
    readOnly('/'),
    { kind: 'devices', place: '/dev' } as const,
    empty('/Users'),
    readOnly('/dev/null', '/etc/secret'),
    readOnly('/Users/me/.nvm'),
    writable('/private/tmp/scratch/tmp', '/tmp'),
    writable('/Users/me/my "work"'),
    readOnly('/Users/me/my "work"/.git/hooks'),
  ];
  const lines = seatbeltProfile(mounts, '/private/tmp/scratch').split('\n');

  test('denies by default, hides homes, and opens what is granted after that', () => {
    assert.deepEqual(lines.slice(0, 2), ['(version 1)', '(deny default)']);
    const at = (line: string) => {
      assert.ok(lines.includes(line), line);
      return lines.indexOf(line);
    };
    const order = [
      at('(allow file-read* (subpath "/"))'),
      at('(deny file-read* file-write* (subpath "/Users"))'),
      at('(allow file-read* (subpath "/Users/me/.nvm"))'),
      at('(allow file-read* file-write* (subpath "/Users/me/my \\"work\\""))'),
      at('(allow file-read* file-write* (subpath "/private/tmp/scratch/tmp"))'),
    ];
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    );
    assert.ok(lines.includes('(deny file-read* file-write* (subpath "/etc/secret"))'));
    // The last rule that fits counts.
    const shut = lines.lastIndexOf('(deny file-write* (subpath "/Users/me/my \\"work\\"/.git/hooks"))');
    assert.ok(shut > order[3]!);
    assert.equal(lines.at(-1), '(deny network*)');
    assert.ok(!lines.some((line) => line.startsWith('(allow') && /network|mach-register|iokit/.test(line)));
  });

  test('a path can’t end its string, and control characters are refused', () => {
    const odd = '/w/a\\b")(allow default)("';
    const text = seatbeltProfile([writable(odd)], '/s');
    assert.ok(text.includes('(subpath "/w/a\\\\b\\")(allow default)(\\"")'));
    assert.throws(() => seatbeltProfile([writable('/w/a\n(allow default)')], '/s'), /control characters/);
  });
});

describe('the rules of Landlock', () => {
  test('name what lies around the hidden, and no links', (t) => {
    const root = makeFolder(t);
    for (const path of ['home/me/tools/bin', 'home/me/secret', 'home/w', 'usr'])
      mkdirSync(join(root, path), { recursive: true });
    symlinkSync(join(root, 'home/me/secret'), join(root, 'way'));
    const w = join(root, 'home/w');
    const mounts = [
      readOnly('/'),
      empty(join(root, 'home')),
      readOnly(join(root, 'home/me/tools')),
      writable(w),
      readOnly(join(w, '.git/hooks')),
    ];
    const { read, write } = rulesFrom(mounts, []);
    assert.deepEqual(write, [w]);
    const here = read.filter((path) => path.startsWith(root));
    assert.deepEqual(here.toSorted(), [join(root, 'home/me/tools'), join(root, 'usr')]);
    assert.ok(!read.includes('/'));
    assert.ok(!read.some((path) => root.startsWith(`${path}/`)));
  });

  test('never lead to the state of Reins', (t) => {
    const root = makeFolder(t);
    mkdirSync(join(root, 'tools/state'), { recursive: true });
    const { read } = rulesFrom(
      [readOnly('/'), empty(root), readOnly(join(root, 'tools'))],
      [join(root, 'tools/state')],
    );
    assert.ok(!read.some((path) => join(root, 'tools/state').startsWith(path)));
  });
});

describe('what is put back', { skip: process.platform !== 'linux' }, () => {
  test('content, kind, mode and what was added; nothing through links', (t) => {
    const root = makeFolder(t);
    const outside = makeFolder(t);
    writeFileSync(join(outside, 'config'), 'outside');
    for (const name of ['git/hooks', 'reins']) mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, 'git/config'), 'mine');
    writeFileSync(join(root, 'git/hooks/sample'), 's');
    const paths = ['git/config', 'git/hooks', 'reins'].map((name) => join(root, name));
    const guard = new Guard(root, paths);
    assert.deepEqual(guard.restore(), []);
    writeFileSync(join(root, 'git/hooks/post-commit'), 'evil');
    rmSync(join(root, 'git/hooks/sample'));
    assert.deepEqual(guard.restore(), [join(root, 'git/hooks')]);
    assert.equal(readFileSync(join(root, 'git/hooks/sample'), 'utf8'), 's');
    rmSync(join(root, 'git'), { recursive: true });
    symlinkSync(outside, join(root, 'git'));
    assert.deepEqual(guard.restore(), paths.slice(0, 2));
    assert.equal(readFileSync(join(root, 'git/config'), 'utf8'), 'mine');
    assert.equal(readFileSync(join(outside, 'config'), 'utf8'), 'outside');
  });

  test('too much is refused beforehand', (t) => {
    const root = makeFolder(t);
    writeFileSync(join(root, 'large'), Buffer.alloc(17 * 1024 * 1024));
    assert.throws(() => new Guard(root, [join(root, 'large')]), /too much to be watched/);
  });
});

describe('limits', () => {
  test('are said in a person’s units', () => {
    const said = [0, 1023, 1024, 1_572_864, 20 * 1024 ** 3].map(bytesText);
    assert.deepEqual(said, ['0 bytes', '1023 bytes', '1 KiB', '1.5 MiB', '20 GiB']);
  });

  test('are told from a command’s own failure, by signal and by words', () => {
    const limits = useLimits({ fileBytes: 1024, cpuSeconds: 5, openFiles: 64, processes: 16 });
    assert.match(limitHint('', null, 'SIGXFSZ', limits) ?? '', /limit of 1 KiB for a file/);
    assert.match(limitHint('', 152, null, limits) ?? '', /limit of 5 s/);
    assert.match(limitHint('sh: fork: Resource temporarily unavailable', 254, null, limits) ?? '', /16 processes/);
    assert.match(limitHint('Error: EMFILE: too many', 1, null, limits) ?? '', /64 files/);
    assert.equal(limitHint('error: the file is too long', 1, null, limits), undefined);
    assert.equal(limitHint('', 137, 'SIGKILL', limits), undefined);
  });

  test('count file sizes in the shell’s own unit', () => {
    const limits = useLimits({ fileBytes: 1_048_576 });
    assert.match(limitCommands(limits, '/bin/bash', 0), /ulimit -f 1024;/);
    assert.match(limitCommands(limits, '/bin/sh', 0), /ulimit -f 2048;/);
  });
});

describe('the choice', () => {
  const options = { workspace: '/w', environment: {} };
  const fake = (kind: SandboxName, works: boolean, obstacle: 'failed' | 'workspace' = 'failed'): Sandbox => ({
    name: kind,
    probe: async () => ({
      sandbox: kind,
      works,
      ...(works ? {} : { obstacle, reason: `no ${kind} here` }),
      enforced: [],
      notes: [],
    }),
    plan: async () => ({ refused: 'not started' }),
    began: () => {},
    inspect: () => undefined,
    explain: () => undefined,
    close: async () => {},
  });

  test('takes the tightest that works, and says why not another', async () => {
    const chosen = await chooseSandbox(options, (kind) => fake(kind, kind !== 'bubblewrap'), 'linux');
    assert.equal(chosen.report.sandbox, 'landlock');
    assert.deepEqual(chosen.report.notes, ['Not bubblewrap: no bubblewrap here.']);
    const first = await chooseSandbox(options, (kind) => fake(kind, true), 'linux');
    assert.equal(first.report.sandbox, 'bubblewrap');
    assert.equal((await chooseSandbox(options, (kind) => fake(kind, true), 'darwin')).sandbox.name, 'seatbelt');
  });

  test('without any that works there is none, with each reason; a workspace that fits none is tried once', async () => {
    const tried: string[] = [];
    const create = (obstacle: 'failed' | 'workspace') => (kind: SandboxName) => {
      tried.push(kind);
      return fake(kind, false, obstacle);
    };
    const { sandbox, report } = await chooseSandbox(options, create('failed'), 'linux');
    assert.deepEqual([sandbox.name, report.works], ['none', false]);
    assert.equal(report.reason, 'Not bubblewrap: no bubblewrap here. Not landlock: no landlock here.');
    tried.length = 0;
    assert.equal((await chooseSandbox(options, create('workspace'), 'linux')).report.obstacle, 'workspace');
    assert.deepEqual(tried, ['bubblewrap', 'none']);
    const elsewhere = await chooseSandbox(options, create('failed'), 'sunos');
    assert.deepEqual(
      [elsewhere.report.obstacle, elsewhere.report.reason],
      ['unsupported', 'there is no sandbox for sunos'],
    );
  });
});

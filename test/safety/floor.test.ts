import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CommandPart, Mode } from '../../src/core/index.ts';
import type { JudgedCall } from '../../src/safety/index.ts';
import { callOf, decide, destroys, judge, part, policyOf, reads, workspace, writes } from './parts.ts';

const everyMode: Mode[] = ['plan', 'ask', 'edit', 'auto', 'unsafe'];
const w = workspace;

const recursively = (text: string, path: string) =>
  part(text, { effects: ['write'], paths: [{ access: 'write', path, recursive: true }] });

describe('below the floor in every mode, whatever is allowed', () => {
  const below: [string, CommandPart][] = [
    ['the whole disk', destroys('rm -rf /', '/')],
    ['all that is in it', destroys('rm -rf /*', '/*')],
    ['a folder of the system', destroys('rm -rf /usr', '/usr')],
    ['the home', destroys('rm -rf /home/me', '/home/me')],
    ['all that is in the home', destroys('rm -rf /home/me/*', '/home/me/*')],
    ['somebody’s home', destroys('rm -rf /home/you', '/home/you')],
    ['all homes, by a pattern', destroys('rm -rf /home/m*', '/home/m*')],
    ['the workspace', destroys('rm -rf .', w)],
    ['all that is in the workspace', destroys('rm -rf *', `${w}/*`)],
    ['the workspace by a pattern', destroys('rm -rf ../sp?ce', '/home/me/sp?ce')],
    ['Git’s data', destroys('rm -rf .git', `${w}/.git`)],
    ['Git’s objects', destroys('rm -rf .git/objects', `${w}/.git/objects`)],
    ['one of Git’s objects', writes('cp a b', `${w}/.git/objects/ab/cdef`)],
    ['Git’s data of a nested repository', destroys('rm -rf a/.git', `${w}/a/.git`)],
    ['find from above', destroys('find .. -delete', '/home/me')],
    ['find with a condition from above', destroys('find / -name x -delete', '/')],
    ['find without a condition in the workspace', destroys('find . -delete', w)],
    ['git clean from above', destroys('git clean -fdx', '/home/me')],
    [
      'a move of the workspace',
      part('mv ../space /tmp/x', {
        effects: ['write'],
        paths: [
          { access: 'write', path: w },
          { access: 'write', path: '/tmp/x' },
        ],
      }),
    ],
    [
      'a move of Git’s data',
      part('mv .git x', {
        effects: ['write'],
        paths: [
          { access: 'write', path: `${w}/.git`, recursive: true },
          { access: 'write', path: `${w}/x`, recursive: true },
        ],
      }),
    ],
    [
      'a mirror over the folder above',
      part('rsync --delete x ..', {
        effects: ['write', 'destroy'],
        paths: [{ access: 'write', path: '/home/me', recursive: true }],
      }),
    ],
    ['rights of the whole disk', recursively('chmod -R 777 /', '/')],
    ['owners of the home', recursively('chown -R x /home/me', '/home/me')],
    ['a device', writes('dd of=/dev/sda', '/dev/sda')],
    ['a device by a redirection', writes('cat x', '/dev/nvme0n1')],
    [
      'a home that can’t be told but is written',
      part('rm -rf ?', { text: 'rm -rf "$HOME"', effects: ['destroy', 'cannot-tell'] }),
    ],
    ['settings of the harness', writes('cp x y', '/home/me/.config/reins/settings.json')],
    ['the log', writes('tee x', '/home/me/.local/state/reins/sessions/a/log.jsonl')],
    ['trust', destroys('rm -r x', '/home/me/.local/state/reins/trust')],
    ['the project’s settings', writes('cp x .reins/settings.json', `${w}/.reins/settings.json`)],
    ['hooks', writes('cp x .git/hooks/pre-commit', `${w}/.git/hooks/pre-commit`)],
    ['Git’s configuration', writes('git config a.b c', `${w}/.git/config`)],
    ['Git’s attributes', writes('cp x y', `${w}/.git/info/attributes`)],
    ['a private key of SSH', reads('cat k', '/home/me/.ssh/id_ed25519')],
    ['keys of SSH by a pattern', reads('cat ~/.ssh/*', '/home/me/.ssh/*')],
    ['the folder of keys', part('tar c .ssh', { paths: [{ access: 'read', path: '/home/me/.ssh', recursive: true }] })],
    ['somebody’s key', reads('cat k', '/home/you/.ssh/id_rsa')],
    ['somebody’s key by a pattern of homes', reads('cat k', '/h*/you/.ssh/id_rsa')],
    ['a key by a pattern of the home of root', reads('cat k', '/ro?t/.ssh/id_rsa')],
    ['credentials of AWS', reads('cat c', '/home/me/.aws/credentials')],
    ['.netrc', reads('cat n', '/home/me/.netrc')],
    ['.git-credentials', writes('cp a b', '/home/me/.git-credentials')],
    ['a token of npm', reads('cat n', '/home/me/.npmrc')],
    ['a login of Docker', reads('cat c', '/home/me/.docker/config.json')],
    ['a cluster', reads('cat c', '/home/me/.kube/config')],
    ['a login of GitHub', reads('cat h', '/home/me/.config/gh/hosts.yml')],
    ['a keyring', reads('cat g', '/home/me/.gnupg/private-keys-v1.d/a.key')],
    ['passwords of the system', reads('cat s', '/etc/shadow')],
    ['the environment of a process', reads('cat e', '/proc/self/environ')],
    ['a private key elsewhere', reads('cat k', '/srv/app/server.key')],
    ['the environment file', reads('cat .env', `${w}/.env`)],
    ['one of a package', reads('cat a', `${w}/packages/a/.env.local`)],
    ['environment files by a pattern', reads('cat .env*', `${w}/.env*`)],
  ];
  for (const [name, each] of below) {
    test(name, () => {
      for (const mode of everyMode) {
        const { decision, by, reason } = judge(mode, each, [{ effect: 'allow', shape: 'shell', from: 'user' }]);
        assert.deepEqual([decision, by], ['deny', 'floor'], mode);
        assert.match(reason, /\.$/);
      }
    });
  }

  test('one part below it stops the whole line, and is named', () => {
    const { by, part: named } = judge('unsafe', [reads('ls'), destroys('rm -rf /', '/'), reads('pwd')]);
    assert.deepEqual([by, named], ['floor', 'rm -rf /']);
  });

  test('a fork bomb, however the line is told apart', () => {
    const call = callOf([reads('ls')]);
    const bomb = { ...call, effects: { ...call.effects, command: ':(){ :|:& };:' } };
    assert.equal(policyOf('unsafe').judge(bomb).by, 'floor');
  });
});

describe('not below it', () => {
  const above: [string, CommandPart][] = [
    ['a folder of the workspace', destroys('rm -rf build', `${w}/build`)],
    ['what is in it', destroys('rm -rf build/*', `${w}/build/*`)],
    ['a folder beside the workspace', destroys('rm -rf ../other', '/home/me/other')],
    [
      'a lock that Git left',
      part('rm -f .git/index.lock', {
        effects: ['destroy'],
        paths: [{ access: 'destroy', path: `${w}/.git/index.lock` }],
      }),
    ],
    ['a lock of a branch', writes('rm -f b', `${w}/.git/refs/heads/main.lock`)],
    ['what is named like Git’s data', writes('cp a b', `${w}/.git/HEAD.old`)],
    ['what Git itself writes', writes('git update-ref refs/heads/a b', `${w}/.git/refs/heads/a`)],
    ['find with a condition in the workspace', destroys('find . -name *.pyc -delete', w)],
    ['git clean in the workspace', destroys('git clean -fdx', w)],
    ['rights in the workspace', recursively('chmod -R u+w build', `${w}/build`)],
    ['a copy into the folder above', recursively('cp -r a ..', '/home/me')],
    [
      'a move into the folder above',
      part('mv a ..', {
        effects: ['write'],
        paths: [
          { access: 'write', path: `${w}/a`, recursive: true },
          { access: 'write', path: '/home/me', recursive: true },
        ],
      }),
    ],
    ['no device', writes('cat x', '/dev/null')],
    ['a public key', reads('cat k', '/home/me/.ssh/id_rsa.pub')],
    ['what SSH knows', reads('cat c', '/home/me/.ssh/known_hosts')],
    ['a certificate of the system', reads('cat c', '/etc/ssl/certs/ca.pem')],
    ['a key in the workspace', reads('cat k', `${w}/test/fixtures/server.key`)],
    ['an example of an environment file', reads('cat .env.example', `${w}/.env.example`)],
    ['a sample by another name', reads('cat s', `${w}/.env.local.sample`)],
    ['a folder that is called alike', reads('cat e', `${w}/.environment`)],
    ['all files that don’t begin with a dot', reads('cat *', `${w}/*`)],
    ['a look through all files', part('grep -r x .', { paths: [{ access: 'read', path: w, recursive: true }] })],
    ['reading Git’s configuration', reads('cat .git/config', `${w}/.git/config`)],
    ['reading the project’s settings', reads('cat s', `${w}/.reins/settings.json`)],
    ['a word that is no command', part('echo rm -rf /')],
  ];
  for (const [name, each] of above) test(name, () => assert.equal(decide('unsafe', each), 'allow'));
});

describe('environment files of the workspace', () => {
  const tool = (name: string, access: 'read' | 'write'): JudgedCall => ({
    tool: name,
    arguments: {},
    effects: { effects: [access], resources: [{ access, path: `${w}/.env` }] },
  });
  test('are no tool’s to read or write either', () => {
    assert.equal(policyOf('unsafe').judge(tool('read', 'read')).by, 'floor');
    assert.equal(policyOf('unsafe').judge(tool('write', 'write')).by, 'floor');
  });

  test('also beside another file', () => {
    const paths = [`${w}/a`, `${w}/.env`].map((path) => ({ access: 'read' as const, path }));
    const both: JudgedCall = { tool: 'read', arguments: {}, effects: { effects: ['read'], resources: paths } };
    assert.equal(policyOf('unsafe').judge(both).by, 'floor');
  });

  test('unless the user’s settings say so', () => {
    const policy = policyOf('edit', [], { environmentFiles: true });
    assert.equal(policy.judge(tool('read', 'read')).decision, 'allow');
    assert.equal(policy.judge(callOf([reads('cat .env', `${w}/.env`)])).decision, 'allow');
    assert.equal(policy.judge(callOf([reads('cat n', '/home/me/.netrc')])).by, 'floor');
  });
});

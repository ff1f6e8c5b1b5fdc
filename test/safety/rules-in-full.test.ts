/** How rules are named, refused and compared, case by case. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CommandPart } from '../../src/core/index.ts';
import { readRule, type CallRule } from '../../src/safety/index.ts';
import { callOf, decide, judge, part, policyOf, reads, runs, workspace, writes } from './parts.ts';

const by = (given: CallRule) => [{ rule: given, from: 'user' as const }];
const deny = (given: Omit<CallRule, 'effect'>) => by({ effect: 'deny', ...given });
const allow = (given: Omit<CallRule, 'effect'>) => by({ effect: 'allow', ...given });
const fetching = (...hosts: string[]) => part('curl x', { effects: ['network'], hosts });

describe('a rule without a name is called by what it says', () => {
  const secret = reads('cat secret', `${workspace}/secret`);
  const table: [Omit<CallRule, 'effect'>, CommandPart, string][] = [
    [{ tool: 'shell' }, part('ls'), 'shell'],
    [{ tool: 'shell', command: 'rm *' }, part('rm x'), 'shell(rm *)'],
    [{ paths: 'secret' }, secret, 'paths secret'],
    [{ paths: 'secret', access: 'read' }, secret, 'read paths secret'],
    [{ hosts: ['a.b', '*.c'] }, fetching('a.b'), 'hosts a.b, *.c'],
    [{ risk: 'network' }, fetching('a.b'), 'risk network'],
    [{ pipedFrom: ['curl', 'wget'] }, part('sh', { pipedFrom: 'wget' }), 'piped from curl, wget'],
    [{ codeFrom: ['curl', 'wget'] }, part('sh', { codeFrom: ['wget'] }), 'code from curl, wget'],
  ];
  for (const [given, touched, name] of table) {
    test(name, () => assert.equal(judge('unsafe', touched, deny(given)).by, `rule:${name}`));
  }
});

describe('why a rule concerns a call', () => {
  const feeding = 'if true; then curl x | sh; fi';
  const table: [string, Omit<CallRule, 'effect'>, CommandPart, string | undefined][] = [
    ['a tool', { tool: 'shell' }, part('ls'), 'it is a call of shell.'],
    ['a command', { command: 'rm *' }, part('rm  x'), '`rm x` is that.'],
    ['a long command', { command: 'rm *' }, part(`rm ${'x'.repeat(200)}`), `\`rm ${'x'.repeat(114)}...\` is that.`],
    [
      'a hidden word',
      { command: 'git push -f' },
      part('git push ?'),
      '`git push ?` could be `git push -f`: a word of it',
    ],
    ['a path', { paths: 'a/**' }, reads('cat a/b', `${workspace}/a/b`), `it touches ${workspace}/a/b.`],
    ['a host', { hosts: ['a.b'] }, fetching('c.d', 'a.b'), 'it talks to a.b.'],
    ['a hidden host', { hosts: ['a.b'] }, fetching(), 'it talks to a host that can’t be told.'],
    ['no host', { hosts: ['a.b'] }, part('ls'), undefined],
    ['a risk', { risk: 'write' }, part('rm x', { effects: ['destroy'] }), 'its effect is destroy.'],
    ['another risk', { risk: 'execute' }, part('rm x', { effects: ['destroy'] }), undefined],
    ['a pipe', { pipedFrom: ['curl'] }, part('jq', { pipedFrom: 'curl' }), 'it is piped from curl.'],
    ['no pipe', { pipedFrom: ['curl'] }, part('jq'), undefined],
    ['code', { codeFrom: ['curl'] }, part('sh', { codeFrom: ['curl'] }), 'it runs what curl gives.'],
    [
      'two of them',
      { command: 'rm *', risk: 'destroy' },
      part('rm x', { effects: ['destroy'] }),
      'is that, and its effect',
    ],
    ['one of two', { command: 'rm *', risk: 'network' }, part('rm x', { effects: ['destroy'] }), undefined],
    ['another tool', { tool: 'read', risk: 'destroy' }, part('rm x', { effects: ['destroy'] }), undefined],
    ['reading by whatever tool', { tool: 'read', paths: 'a' }, reads('cat a', `${workspace}/a`), 'it touches'],
    ['writing is no reading', { tool: 'read', paths: 'a' }, writes('tee a', `${workspace}/a`), undefined],
    ['writing by whatever tool', { tool: 'edit', paths: 'a' }, writes('tee a', `${workspace}/a`), 'it touches'],
    ['reading is no writing', { tool: 'write', paths: 'a' }, reads('cat a', `${workspace}/a`), undefined],
    ['paths of another tool', { tool: 'fetch', paths: 'a' }, reads('cat a', `${workspace}/a`), undefined],
    ['a command of another tool', { tool: 'fetch', command: 'ls' }, part('ls'), undefined],
    ['a path below a folder that is changed', { paths: 'a/b' }, below('write', 'a'), 'it touches'],
    ['a path below a folder that is looked through', { paths: 'a/b' }, below('read', 'a'), undefined],
    ['a path in a folder here', { paths: './a' }, reads('cat a', `${workspace}/a`), 'it touches'],
    ['a path outside', { paths: 'a' }, reads('cat a', '/srv/a'), undefined],
    ['a home', { paths: '~/a' }, reads('cat a', '/home/me/a'), 'it touches'],
  ];
  for (const [name, given, touched, why] of table) {
    test(name, () => {
      const { decision, reason } = judge('unsafe', touched, deny(given));
      if (why === undefined) assert.equal(decision, 'allow', reason);
      else assert.ok(decision === 'deny' && reason.includes(`, and ${why}`.replace(', and is', ' is')), reason);
    });
  }

  function below(access: 'read' | 'write', path: string): CommandPart {
    const effects = [access === 'read' ? ('read' as const) : ('write' as const)];
    return part(`x ${path}`, { effects, paths: [{ access, path: `${workspace}/${path}`, recursive: true }] });
  }

  test('a line that can’t be told may feed a shell', () => {
    const unclear = { ...callOf([]), effects: { ...callOf([]).effects, command: feeding } };
    const { analysis: _, ...effects } = unclear.effects;
    const why = (...codeFrom: string[]) =>
      policyOf('unsafe', deny({ codeFrom })).judge({ ...unclear, effects: { ...effects, command: feeding } }).reason;
    assert.match(why('curl', 'wget'), /a shell in it may run what curl or wget gives/);
    assert.match(why('wget'), /lets it pass/);
  });

  test('a name in a line that can’t be told is enough only where the rule names nothing else', () => {
    const { effects, ...call } = callOf([]);
    const { analysis: _, ...unclear } = effects;
    const decided = (more: Omit<CallRule, 'effect'>) =>
      policyOf('unsafe', deny({ command: 'rm *', ...more })).judge({
        ...call,
        effects: { ...unclear, command: 'ls; env rm x' },
      }).decision;
    assert.equal(decided({}), 'deny');
    for (const more of [
      { paths: 'a' },
      { hosts: ['a'] },
      { risk: 'network' as const },
      { pipedFrom: ['a'] },
      { codeFrom: ['a'] },
    ]) {
      assert.equal(decided(more), 'allow', JSON.stringify(more));
    }
  });

  test('a name elsewhere in the line concerns a part that can’t be told, and no other', () => {
    const decided = (only: CommandPart) => {
      const { effects, ...call } = callOf([only]);
      const command = `${only.text} <<< 'rm x'`;
      return policyOf('unsafe', deny({ command: 'rm *' })).judge({ ...call, effects: { ...effects, command } });
    };
    assert.equal(decided(runs('node a')).decision, 'deny');
    assert.equal(decided(part('cat')).decision, 'allow');
  });

  test('of several parts that are denied the first is named', () => {
    assert.equal(judge('unsafe', [part('ls'), part('rm a'), part('rm b')], deny({ command: 'rm *' })).part, 'rm a');
  });

  test('commands of the shell are meant, whatever tool runs them', () => {
    const decided = (given: Omit<CallRule, 'effect'>) =>
      policyOf('unsafe', deny(given)).judge({ ...callOf([part('rm x')]), tool: 'background' }).decision;
    assert.equal(decided({ tool: 'shell', command: 'rm *' }), 'deny');
    assert.equal(decided({ tool: 'shell', command: 'ls *' }), 'allow');
    assert.equal(decided({ tool: 'fetch', command: 'rm *' }), 'allow');
    assert.equal(decided({ tool: 'shell' }), 'allow');
  });

  test('what is denied beside an ask wins, and an ask says so', () => {
    const ask = by({ effect: 'ask', command: 'rm *' });
    const asked = judge('unsafe', part('rm x'), ask);
    assert.deepEqual(
      [asked.decision, asked.reason],
      ['ask', 'the user’s settings ask about command rm *, and `rm x` is that.'],
    );
    assert.equal(judge('unsafe', part('rm x'), [...ask, ...deny({ risk: 'read' })]).decision, 'deny');
  });
});

describe('what a rule may name', () => {
  const right = 'a a.b *.a * a:80 *:443 *.a:1 [::1] [::1]:80 A-b.c 1.2.3.4'.split(' ');
  const wrong = [...'-a a- *a a.* *. a: a:123456 http://x a/b [x] a:b [::1'.split(' '), '', 'a b'];
  for (const host of right) {
    test(`the host ${host}`, () => assert.ok(!('problem' in readRule({ effect: 'deny', hosts: ['ok', host] }))));
  }
  for (const host of wrong) {
    test(`no host ${JSON.stringify(host)}`, () => {
      const read = readRule({ effect: 'deny', hosts: ['ok', host] });
      assert.match('problem' in read ? read.problem : '', /is no host/);
    });
  }
  for (const [paths, isRight] of Object.entries({
    '..a': true,
    'a..': true,
    '~/a': true,
    '/a': true,
    'a~': true,
    '..': false,
    'a/../b': false,
    'a/..': false,
    '~': false,
    '~a/b': false,
  })) {
    test(`paths ${paths}`, () => assert.equal(!('problem' in readRule({ effect: 'deny', paths })), isRight));
  }
});

describe('hosts', () => {
  const table: [string, string, boolean][] = [
    ['a.test', 'a.test.', true],
    ['a.test.', 'a.test', true],
    ['A.Test', 'a.test:80', true],
    ['*.a.test', 'xa.test', false],
    ['*.a.test', 'x.y.a.test', true],
    ['a.test:80', 'a.test:8080', false],
    ['*:80', 'x:80', true],
    ['*:80', 'x:81', false],
    ['*:80', 'x', false],
    ['[::1]:80', '[::1]:80', true],
    ['[::1]', '[::1]:80', true],
    ['[::1]', '[::2]', false],
  ];
  for (const [pattern, host, fits] of table) {
    test(`${host} of ${pattern}`, () => {
      const read = readRule({ effect: 'deny', hosts: [pattern] });
      if ('problem' in read) return;
      assert.equal(decide('unsafe', fetching(host), deny({ hosts: [pattern] })), fits ? 'deny' : 'allow');
    });
  }
});

describe('what an allow covers', () => {
  const both = { effects: ['network' as const, 'read' as const], hosts: ['a.b'] };
  const inside = (access: 'read' | 'write', ...paths: string[]) =>
    paths.map((path) => ({ access, path: `${workspace}/${path}` }));
  const table: [string, Omit<CallRule, 'effect'>, CommandPart, boolean][] = [
    ['a command that runs code', { command: 'make *' }, runs('make all'), true],
    ['a host beside reading', { hosts: ['a.b'] }, part('curl x', both), true],
    ['a host beside running', { hosts: ['a.b'] }, part('curl x', { ...both, effects: ['network', 'execute'] }), false],
    [
      'a host of a command that runs',
      { command: 'curl *', hosts: ['a.b'] },
      part('curl x', { ...both, effects: ['network', 'execute'] }),
      true,
    ],
    ['a host of two', { hosts: ['a.b'] }, fetching('a.b', 'c.d'), false],
    ['a risk beside reading', { risk: 'network' }, part('curl x', both), true],
    ['a risk that can’t be told', { risk: 'execute' }, runs('node a'), false],
    [
      'paths by a command that uses the network',
      { paths: '**' },
      part('x', { effects: ['network'], paths: inside('read', 'a') }),
      false,
    ],
    [
      'paths by that command, named',
      { command: 'x *', paths: '**' },
      part('x', { effects: ['network'], paths: inside('read', 'a') }),
      true,
    ],
    ['no paths', { paths: '**' }, part('x', { effects: ['write'] }), false],
    [
      'paths by a command that may do more',
      { command: 'x *', paths: '**' },
      part('x y', { effects: ['write', 'cannot-tell'], paths: inside('write', 'a') }),
      false,
    ],
    [
      'a host of a command that may do more',
      { command: 'curl *', hosts: ['a.b'] },
      part('curl x', { effects: ['network', 'cannot-tell'], hosts: ['a.b'] }),
      false,
    ],
    ['a host among others that are allowed', { hosts: ['z', 'a.b'] }, fetching('a.b'), true],
    [
      'paths by a command that sends them',
      { paths: '**' },
      part('x', { effects: ['write', 'network'], paths: inside('write', 'a') }),
      false,
    ],
    [
      'paths by a command that runs code',
      { paths: '**' },
      part('x', { effects: ['write', 'execute'], paths: inside('write', 'a') }),
      false,
    ],
    ['reading outside', { paths: '/srv/**', access: 'read' }, reads('cat a', '/srv/a'), true],
    ['writing where reading outside is allowed', { paths: '/srv/**', access: 'read' }, writes('x', '/srv/a'), false],
    ['reading outside where all inside is allowed', { paths: '**' }, reads('cat a', '/srv/a'), false],
    [
      'code of two',
      { command: 'sh', codeFrom: ['y'] },
      part('sh', { effects: ['execute'], codeFrom: ['y', 'z'] }),
      false,
    ],
    [
      'what only looks like a substitution',
      { command: 'x *' },
      { ...part('x $(y)', { effects: ['execute'] }), text: "x '$(y)'" },
      true,
    ],
    [
      'a word that only looks like a variable',
      { command: 'x *' },
      { ...part('x y a=1', { effects: ['execute'] }), text: 'x $Y a=1' },
      true,
    ],
    ['paths inside', { paths: 'a/**' }, part('x', { effects: ['write'], paths: inside('write', 'a/b', 'a/c') }), true],
    [
      'one path beside',
      { paths: 'a/**' },
      part('x', { effects: ['write'], paths: inside('write', 'a/b', 'b') }),
      false,
    ],
    [
      'writing where reading is allowed',
      { paths: '**', access: 'read' },
      part('x', { effects: ['write'], paths: inside('write', 'a') }),
      false,
    ],
    [
      'writing where writing is allowed',
      { paths: '**', access: 'write' },
      part('x', { effects: ['write'], paths: inside('write', 'a') }),
      true,
    ],
    ['a pipe', { command: 'x', pipedFrom: ['y'] }, part('x', { effects: ['execute'], pipedFrom: 'y' }), true],
    ['no pipe', { command: 'x', pipedFrom: ['y'] }, part('x', { effects: ['execute'] }), false],
    ['code', { command: 'sh', codeFrom: ['y'] }, part('sh', { effects: ['execute'], codeFrom: ['y'] }), true],
    ['no code', { command: 'x', codeFrom: ['y'] }, part('x', { effects: ['execute'], pipedFrom: 'y' }), false],
    ['another tool', { tool: 'read', risk: 'network' }, fetching('a.b'), false],
    ['an option that writes, spelled out', { command: 'git log --output=x' }, runs('git log --output=x'), true],
    ['an option that writes, behind a star', { command: 'git log *' }, runs('git log --output=x'), false],
    ['a word that can’t be told', { command: 'x *' }, runs('x ?'), false],
    ['a program that can’t be told', { risk: 'execute' }, part('? x', { effects: ['execute'] }), false],
    [
      'a variable in an array before it',
      { command: 'x' },
      { ...part('x', { effects: ['execute'] }), text: 'a[1]+=2 x' },
      false,
    ],
    [
      'a substitution beside it',
      { command: 'x *' },
      { ...part('x y', { effects: ['execute'] }), text: 'x "$(y)"' },
      false,
    ],
    [
      'a substituted file beside it',
      { command: 'x *' },
      { ...part('x y', { effects: ['execute'] }), text: 'x <(y)' },
      false,
    ],
    ['backquotes beside it', { command: 'x *' }, { ...part('x y', { effects: ['execute'] }), text: 'x `y`' }, false],
    ['a line break in it', { command: 'x *' }, { ...part('x y', { effects: ['execute'] }), text: 'x \\\n y' }, false],
    ['an expansion in it', { command: 'x *' }, { ...part('x y', { effects: ['execute'] }), text: 'x $Y' }, true],
  ];
  for (const [name, given, touched, covers] of table) {
    test(name, () => assert.equal(decide('ask', touched, allow(given)), covers ? 'allow' : 'ask'));
  }
});

describe('command patterns', () => {
  const table: [string, string, boolean][] = [
    ['rm *', 'RM x', true],
    ['R* x', 'rm x', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['x a*b', 'x a/c/b', true],
    ['x */y', 'x a/b/y', true],
    ["'a*' b", 'ab b', false],
    ["x 'a'b*", 'x abc', false],
    ['x ~/a', 'x /home/me/a', false],
    ['x  y', 'x y', true],
    ["x 'y z'", 'x y', false],
    ['x * y', 'x y', true],
    ['x * y', 'x a b y', true],
    ['x * y', 'x y a', false],
    ['* y', 'x y', true],
    ['git push *', 'git -C a -c b=c push', true],
    ['git push *', 'git --no-pager push', true],
    ['git push *', 'git -x push', true],
    ['git push *', 'git a push', false],
    ['git push *', 'git - push', false],
    ['npm run *', 'npm --prefix a run b', true],
    ['npm run *', 'npm --silent run b', true],
    ['twine upload *', 'twine --x upload a', true],
    ['make all', 'make -C a all', false],
    ['cargo test *', 'cargo +nightly test', true],
    ['git push *', 'git x-y push', false],
    ['git push', 'git', false],
    ['git push', 'git push ?', true],
    ['git push origin x', 'git ?', true],
    ['git push origin x', 'git ? x', true],
    ['git push origin', 'git ? x', false],
    ['git -C a', 'git -C ?', true],
    ['x *', '? a', true],
    ["x 'a'b", 'x ab', true],
    ["x a'b' *", 'x ab c', true],
    ['ab', 'ab@12', true],
    ['ab', 'cd/ab', true],
    ['@ab/cd *', '@ab/cd x', true],
    ['@ab/cd *', '@ab/cd@1.2 x', true],
    ['@ab/cd *', 'x@ab/cd x', false],
    ['@ab/cd *', '@ab/cd/e x', false],
    ['cd *', '@ab/cd x', false],
  ];
  for (const [command, line, fits] of table) {
    test(`${command}: ${line}`, () =>
      assert.equal(decide('unsafe', part(line), deny({ command })), fits ? 'deny' : 'allow'));
  }
});

describe('a path that is a pattern itself', () => {
  const table: [string, string, boolean][] = [
    ['a/b', 'a/*', true],
    ['a/b', 'a/?', true],
    ['a/b', 'a/??', false],
    ['a/b', 'a/[bc]', true],
    ['a/b', '*/b', true],
    ['a/b', '*', false],
    ['a/b', '*/b/c', false],
    ['a/*', 'a/b', true],
    ['a/**', 'a/*/c', true],
    ['**/b', '*/b', true],
    ['**/b', 'x/y/*', true],
    ['a/**/b', 'a/*', true],
    ['a/**/b', 'a/x/y/*', true],
    ['a/**/b', 'a', false],
    ['.a', '*', false],
    ['.a', '.*', true],
    ['.a', '[.]a', false],
    ['.a', '?a', false],
    ['x.*', '*.ts', true],
    ['x?', '*', true],
    ['a/b', 'a/[b', true],
  ];
  for (const [paths, path, fits] of table) {
    test(`${path} of ${paths}`, () =>
      assert.equal(decide('unsafe', reads('cat x', `${workspace}/${path}`), deny({ paths })), fits ? 'deny' : 'allow'));
  }
});

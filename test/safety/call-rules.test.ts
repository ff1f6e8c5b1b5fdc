import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ReinsError } from '../../src/core/index.ts';
import { exampleProblem, readRule, type CallRule, type JudgedCall } from '../../src/safety/index.ts';
import { callOf, decide, home, judge, part, policyOf, reads, runs, workspace, writes } from './parts.ts';

const w = workspace;
const rule = (given: CallRule, trusted?: boolean) => [
  {
    rule: given,
    from: trusted === undefined ? ('user' as const) : ('project' as const),
    ...(trusted !== undefined && { trusted }),
  },
];
const curl = (...hosts: string[]) => part('curl x', { effects: ['network'], hosts });

describe('command patterns', () => {
  const fits: [string, string[], string[]][] = [
    ['npm test', ['npm test'], ['npm', 'npm test x', 'npm run test']],
    ['npm test *', ['npm test', 'npm test a b'], ['npm tests', 'npm x test']],
    ['git * --amend *', ['git commit --amend', 'git commit -a --amend -m x'], ['git commit', 'git --amended']],
    ['npm run test:*', ['npm run test:unit'], ['npm run test', 'npm run test:unit x']],
    ['* --version', ['node --version', 'git --version'], ['node -v', 'node --version x']],
    ["echo '*' *", ['echo *', 'echo * a'], ['echo a']],
    ['ls -?', ['ls -l'], ['ls', 'ls -la']],
  ];
  for (const [command, yes, no] of fits) {
    test(command, () => {
      const allow = rule({ effect: 'allow', command });
      const deny = rule({ effect: 'deny', command });
      for (const line of yes) {
        assert.equal(decide('ask', { ...part(line), effects: ['execute'] }, allow), 'allow', line);
        assert.equal(decide('unsafe', part(line), deny), 'deny', line);
      }
      for (const line of no) {
        assert.equal(decide('ask', { ...part(line), effects: ['execute'] }, allow), 'ask', line);
        assert.equal(decide('unsafe', part(line), deny), 'allow', line);
      }
    });
  }

  test('a deny fits what a word that can’t be told could be, an allow doesn’t', () => {
    const deny = rule({ effect: 'deny', command: 'git push --force *' });
    assert.equal(decide('unsafe', part('git push ?'), deny), 'deny');
    assert.equal(decide('unsafe', part('git pull ?'), deny), 'allow');
    assert.equal(decide('ask', runs('git push ?'), rule({ effect: 'allow', command: 'git push *' })), 'ask');
  });

  test('an allow covers no command with a variable set for it, however that is quoted', () => {
    const log = rule({ effect: 'allow', command: 'git log *' });
    const pager = { ...runs('git log -p'), text: "GIT_PAGER='truncate -s 0 x' git log -p" };
    assert.equal(decide('ask', pager, log), 'ask');
    assert.equal(decide('ask', { ...runs('git log -p'), text: "git 'log' -p" }, log), 'allow');
  });

  test('a pattern that is no command is refused', () => {
    for (const command of ['a && b', 'x > y', '*', ' ', '$X']) {
      assert.ok('problem' in readRule({ effect: 'deny', command }), command);
    }
  });
});

describe('paths, hosts, risk, pipes', () => {
  test('paths: relative, absolute, from the home', () => {
    for (const [paths, path] of [
      ['src/**', `${w}/src/a`],
      ['/srv/**', '/srv/a/b'],
      ['~/notes/*', '/home/me/notes/a'],
    ] as const) {
      const onWriting = rule({ effect: 'deny', paths, access: 'write' });
      assert.equal(decide('unsafe', reads('cat x', path), rule({ effect: 'deny', paths })), 'deny', paths);
      assert.equal(decide('unsafe', reads('cat x', path), onWriting), 'allow', paths);
      assert.equal(decide('unsafe', writes('cp y x', path), onWriting), 'deny', paths);
    }
    const notes = rule({ effect: 'allow', paths: '~/notes/*' });
    assert.equal(decide('ask', reads('cat n', '/home/me/notes/a'), notes), 'allow');
    assert.equal(decide('ask', reads('cat n m', '/home/me/notes/a', '/home/me/other'), notes), 'ask');
    const code = { ...runs('node a'), paths: [{ access: 'read' as const, path: `${w}/a` }] };
    assert.equal(decide('ask', code, rule({ effect: 'allow', paths: '**' })), 'ask');
  });

  test('hosts: by name, below a name, all, with a port', () => {
    const table: [string, string, boolean][] = [
      ['a.test', 'a.test', true],
      ['a.test', 'A.test:443', true],
      ['a.test', 'b.a.test', false],
      ['*.a.test', 'b.a.test', true],
      ['*.a.test', 'a.test', false],
      ['*', 'x', true],
      ['a.test:8080', 'a.test:8080', true],
      ['a.test:8080', 'a.test', false],
    ];
    for (const [pattern, host, expected] of table) {
      const by = (effect: 'allow' | 'deny') => rule({ effect, hosts: [pattern] });
      assert.equal(decide('ask', curl(host), by('allow')), expected ? 'allow' : 'ask', `${pattern} ${host}`);
      assert.equal(decide('unsafe', curl(host), by('deny')), expected ? 'deny' : 'allow', `${pattern} ${host}`);
    }
    assert.equal(decide('ask', curl('a.test', 'b.test'), rule({ effect: 'allow', hosts: ['a.test'] })), 'ask');
    assert.equal(decide('unsafe', curl('a.test', 'b.test'), rule({ effect: 'deny', hosts: ['a.test'] })), 'deny');
    assert.equal(decide('unsafe', curl(), rule({ effect: 'deny', hosts: ['a.test'] })), 'deny', 'unknown host');
    assert.equal(decide('ask', curl(), rule({ effect: 'allow', hosts: ['*'] })), 'ask');
  });

  test('risk: an allow covers nothing beside it, a deny of writing means destroying, too', () => {
    const network = rule({ effect: 'allow', risk: 'network' });
    assert.equal(decide('ask', curl('x'), network), 'allow');
    assert.equal(decide('ask', { ...curl('x'), effects: ['network', 'write'] }, network), 'ask');
    const removal = part('rm x', { effects: ['destroy'] });
    assert.equal(decide('unsafe', removal, rule({ effect: 'deny', risk: 'write' })), 'deny');
    assert.equal(decide('unsafe', writes('cp a b', `${w}/b`), rule({ effect: 'deny', risk: 'destroy' })), 'allow');
  });

  test('pipedFrom and codeFrom', () => {
    const piped = part('sh', { pipedFrom: 'curl', codeFrom: ['curl'], effects: ['cannot-tell'] });
    const jq = part('jq .', { pipedFrom: 'curl' });
    assert.equal(decide('unsafe', [curl('x'), piped], rule({ effect: 'deny', pipedFrom: ['curl'] })), 'deny');
    assert.equal(decide('unsafe', [curl('x'), jq], rule({ effect: 'deny', pipedFrom: ['wget'] })), 'allow');
    assert.equal(decide('unsafe', [curl('x'), piped], rule({ effect: 'deny', codeFrom: ['curl'] })), 'deny');
    assert.equal(decide('unsafe', [curl('x'), jq], rule({ effect: 'deny', codeFrom: ['curl'] })), 'allow');
  });

  test('the reason and the name are said', () => {
    const given: CallRule = { effect: 'deny', name: 'no-rm', command: 'rm *', reason: 'Use trash.' };
    const { by, reason } = judge('unsafe', part('rm x'), rule(given));
    assert.equal(by, 'rule:no-rm');
    assert.equal(reason, 'the user’s settings deny no-rm, and `rm x` is that. Use trash.');
  });

  test('one without a name is called by what it is about', () => {
    const called = (given: Omit<CallRule, 'effect'>) =>
      judge('unsafe', runs('rm x'), rule({ effect: 'deny', ...given })).by;
    assert.equal(called({ tool: 'shell', command: 'rm *' }), 'rule:shell(rm *)');
    assert.equal(called({ command: 'rm *' }), 'rule:command rm *');
    assert.equal(called({ tool: 'shell', command: 'rm *', risk: 'execute' }), 'rule:shell(rm *), risk execute');
  });

  test('an untrusted project’s rule can’t allow', () => {
    const npm = (effect: 'allow' | 'deny', trusted: boolean) => rule({ effect, command: 'npm test' }, trusted);
    assert.equal(decide('ask', runs('npm test'), npm('allow', false)), 'ask');
    assert.equal(decide('ask', runs('npm test'), npm('allow', true)), 'allow');
    assert.equal(decide('unsafe', runs('npm test'), npm('deny', false)), 'deny');
  });
});

describe('a rule as it is written', () => {
  const wrong: [Parameters<typeof readRule>[0], RegExp][] = [
    [{}, /says its `effect`/],
    [{ effect: 'deny' }, /at least one of/],
    [{ effect: 'deny', name: 'x', reason: 'y' }, /at least one of/],
    [{ effect: 'deny', tool: 'shell', access: 'read' }, /belongs to `paths`/],
    [{ effect: 'deny', hosts: ['http://x'] }, /is no host/],
    [{ effect: 'deny', paths: '../x' }, /path pattern/],
    [{ effect: 'deny', paths: '~you/x' }, /path pattern/],
    [{ effect: 'deny', tool: 'a b' }, /no name of a tool/],
    [{ kind: 'token-budget' }, /lacks `tokens`/],
    [{ kind: 'stale-read', turns: 3, effect: 'deny' }, /has no `effect`/],
    [{ effect: 'deny', command: 'x', turns: 3 }, /belong to rules with a `kind`/],
  ];
  for (const [written, expected] of wrong) {
    test(JSON.stringify(written), () => {
      const read = readRule(written);
      assert.match('problem' in read ? read.problem : '', expected);
    });
  }

  test('what is right is read as it is', () => {
    assert.deepEqual(readRule({ kind: 'stale-read', turns: 3 }), { kind: 'stale-read', turns: 3 });
    assert.deepEqual(readRule({ kind: 'token-budget', tokens: 9 }), { kind: 'token-budget', tokens: 9 });
    assert.deepEqual(readRule({ effect: 'ask', risk: 'network' }), { effect: 'ask', risk: 'network' });
    assert.throws(
      () => policyOf('ask', rule({ effect: 'deny' })),
      (error) => error instanceof ReinsError && error.code === 'config-invalid',
    );
  });

  test('examples are tried', async () => {
    const analyse = async (command: string) => ({ parts: command.split(' && ').map((text) => part(text)) });
    const tried = (given: CallRule) => exampleProblem(given, { workspace, home, analyse });
    const deny: CallRule = { effect: 'deny', command: 'rm *' };
    assert.equal(await tried(deny), undefined);
    const examples = { match: ['rm x', 'ls && /bin/rm y'], differ: ['ls rm'] };
    assert.equal(await tried({ ...deny, examples }), undefined);
    const failing = await tried({ ...deny, examples: { match: ['rm x', 'ls'] } });
    assert.match(failing ?? '', /does not fit its own example "ls"/);
    const fitting = await tried({ ...deny, examples: { differ: ['ls', 'rm'] } });
    assert.match(fitting ?? '', /fits "rm", which its examples say it must not/);
    const allow: CallRule = {
      effect: 'allow',
      command: 'ls *',
      examples: { match: ['ls -l'], differ: ['ls && rm x'] },
    };
    assert.equal(await tried(allow), undefined);
  });
});

describe('reads that are too old', () => {
  const ages = new Map([
    [`${w}/old`, 5],
    [`${w}/new`, 4],
  ]);
  const policy = policyOf('unsafe', [], { staleRead: { most: 4, ageOf: (path) => ages.get(path) } });
  const edit = (path: string): JudgedCall => ({
    tool: 'edit',
    arguments: {},
    effects: { effects: ['read', 'write'], resources: [{ access: 'write', path }] },
  });

  test('want a fresh read before a change', () => {
    const { decision, by, reason } = policy.judge(edit(`${w}/old`));
    assert.deepEqual([decision, by], ['deny', 'rule:stale-read']);
    assert.match(reason, /^old was last read 5 turns ago.* Read it again first\.$/);
    assert.equal(policy.judge(callOf([writes('cp a old', `${w}/old`)])).by, 'rule:stale-read');
  });

  test('others don’t, nor does reading', () => {
    assert.equal(policy.judge(edit(`${w}/new`)).decision, 'allow');
    assert.equal(policy.judge(edit(`${w}/never-read`)).decision, 'allow');
    assert.equal(policy.judge(callOf([reads('cat old', `${w}/old`)])).decision, 'allow');
    assert.equal(policyOf('unsafe').judge(edit(`${w}/old`)).decision, 'allow');
  });
});

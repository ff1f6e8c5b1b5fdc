import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ReinsError, type CommandPart, type Mode } from '../../src/core/index.ts';
import { createPolicy, type CallRule, type JudgedCall, type PolicyRule } from '../../src/safety/index.ts';

const workspace = '/work/space';

const onFile = (tool: string, path: string, ...effects: ('read' | 'write')[]): JudgedCall => ({
  tool,
  arguments: {},
  effects: {
    effects,
    resources: [
      {
        access: effects.includes('write') ? 'write' : 'read',
        path: path.startsWith('/') ? path : `${workspace}/${path}`,
      },
    ],
  },
});
const read = (path: string) => onFile('read', path, 'read');
const write = (path: string) => onFile('write', path, 'write');
const edit = (path: string) => onFile('edit', path, 'read', 'write');
const shell = (command: string): JudgedCall => ({
  tool: 'shell',
  arguments: { command },
  effects: { effects: ['execute'], resources: 'unknown', command, confined: true },
});
const custom = (...effects: JudgedCall['effects']['effects']): JudgedCall => ({
  tool: 'custom',
  arguments: {},
  effects: { effects, resources: effects.includes('cannot-tell') ? 'unknown' : [] },
});

const fetching = (...effects: JudgedCall['effects']['effects']): JudgedCall => ({
  tool: 'fetch',
  arguments: {},
  effects: { effects, resources: [], url: 'https://example.com/a' },
});

const rule = (effect: 'allow' | 'ask' | 'deny', ...shapes: string[]): PolicyRule[] =>
  shapes.map((shape) => ({ effect, shape, from: 'user' }));

const policyOf = (mode: Mode, ...rules: PolicyRule[]) =>
  createPolicy({ mode, rules, sandboxed: mode === 'auto', workspace });

const decide = (mode: Mode, call: JudgedCall, ...rules: PolicyRule[]) => policyOf(mode, ...rules).judge(call).decision;

describe('mode plan lets tools write the plan, and nothing else', () => {
  const planFile = '/state/plan.md';
  const both = [
    { access: 'write' as const, path: planFile },
    { access: 'write' as const, path: `${workspace}/a` },
  ];
  const onPlan = (more: Partial<JudgedCall['effects']>): JudgedCall => ({
    tool: 'write',
    arguments: {},
    effects: { effects: ['write'], resources: [{ access: 'write', path: planFile }], ...more },
  });
  const table: [string, Mode, JudgedCall, 'allow' | 'ask' | 'deny'][] = [
    ['the plan', 'plan', onPlan({}), 'allow'],
    ['the plan, which is read before', 'plan', edit(planFile), 'allow'],
    ['the plan in another mode', 'ask', onPlan({}), 'ask'],
    ['another file', 'plan', write('a'), 'deny'],
    ['the plan and another file', 'plan', onPlan({ resources: both }), 'deny'],
    ['the plan and what is no path', 'plan', onPlan({ resources: [...both.slice(0, 1), thing()] }), 'deny'],
    ['the plan by what runs code', 'plan', onPlan({ effects: ['write', 'execute'] }), 'deny'],
    ['no file at all', 'plan', onPlan({ resources: [] }), 'deny'],
    ['files that aren’t known', 'plan', onPlan({ resources: 'unknown' }), 'deny'],
    ['the plan by a command', 'plan', onPlan({ command: 'tee plan', analysis: { parts: [tee()] } }), 'deny'],
  ];

  function thing() {
    return { access: 'write' as const, path: 'process:1' };
  }

  function tee(): CommandPart {
    const paths = [{ access: 'write' as const, path: planFile }];
    return { text: 'tee plan', words: ['tee', 'plan'], effects: ['write'], paths, hosts: [], inside: [] };
  }

  for (const [name, mode, call, decision] of table) {
    test(name, () => {
      const policy = createPolicy({ mode, rules: [], sandboxed: false, workspace, planFile });
      assert.equal(policy.judge(call).decision, decision);
    });
  }
});

describe('what a call of another tool is known by', () => {
  const by = (given: CallRule): PolicyRule => ({ rule: given, from: 'user' });
  const write = { access: 'write' as const, path: `${workspace}/a` };
  const thing = { access: 'write' as const, path: 'process:1' };
  const made = (more: Partial<JudgedCall['effects']>): JudgedCall => ({
    tool: 'custom',
    arguments: {},
    effects: { effects: ['write'], resources: [], ...more },
  });
  const table: [string, Mode, JudgedCall, PolicyRule[], 'allow' | 'ask' | 'deny'][] = [
    ['the host of an address', 'unsafe', fetching('network'), [by({ effect: 'deny', hosts: ['example.com'] })], 'deny'],
    ['another host', 'unsafe', fetching('network'), [by({ effect: 'deny', hosts: ['example.org'] })], 'allow'],
    ['no address', 'unsafe', custom('network'), [by({ effect: 'deny', hosts: ['example.org'] })], 'deny'],
    ['a path', 'edit', made({ resources: [write] }), [], 'allow'],
    ['a path and what is none', 'edit', made({ resources: [write, thing] }), [], 'ask'],
    ['held by the sandbox', 'auto', made({ effects: ['execute'], confined: true }), [], 'allow'],
    ['not held by it', 'auto', made({ effects: ['execute'], confined: false }), [], 'ask'],
    ['a line that isn’t held', 'auto', made({ command: 'make; make', confined: false }), [], 'ask'],
    ['a line that is', 'auto', made({ command: 'make; make', confined: true }), [], 'allow'],
  ];
  for (const [name, mode, call, rules, decision] of table) {
    test(name, () => assert.equal(decide(mode, call, ...rules), decision));
  }

  test('no "always" is offered for a command of another tool', () => {
    const asked = (tool: string) => policyOf('ask').judge({ ...shell('npm test'), tool });
    assert.deepEqual([asked('custom').decision, asked('custom').shape], ['ask', undefined]);
    assert.equal(asked('shell').decision, 'ask');
  });
});

describe('keys in a home that lies elsewhere', () => {
  const judged = (path: string, home?: string) =>
    createPolicy({ mode: 'unsafe', rules: [], sandboxed: false, workspace, ...(home !== undefined && { home }) }).judge(
      {
        tool: 'shell',
        arguments: {},
        effects: { effects: ['read'], resources: 'unknown', command: 'cat k', analysis: { parts: [cat(path)] } },
      },
    ).decision;

  function cat(path: string): CommandPart {
    return {
      text: 'cat k',
      words: ['cat', 'k'],
      effects: ['read'],
      paths: [{ access: 'read', path }],
      hosts: [],
      inside: [],
    };
  }

  for (const path of ['/srv/me/.netrc', '/srv/m?/.netrc', '/srv/me/.ssh/id_*']) {
    test(path, () => {
      assert.equal(judged(path, '/srv/me'), 'deny');
      assert.equal(judged(path, '/srv/you'), 'allow');
      assert.equal(judged(path), 'allow');
    });
  }
});

describe('modes', () => {
  const table: [string, JudgedCall, { [M in Mode]: 'allow' | 'ask' | 'deny' }][] = [
    ['reading', read('a'), { plan: 'allow', ask: 'allow', edit: 'allow', auto: 'allow', unsafe: 'allow' }],
    ['writing', write('a'), { plan: 'deny', ask: 'ask', edit: 'allow', auto: 'allow', unsafe: 'allow' }],
    ['editing', edit('src/a'), { plan: 'deny', ask: 'ask', edit: 'allow', auto: 'allow', unsafe: 'allow' }],
    ['a command', shell('ls'), { plan: 'deny', ask: 'ask', edit: 'ask', auto: 'allow', unsafe: 'allow' }],
    [
      'a tool that only reads',
      custom('read'),
      { plan: 'allow', ask: 'allow', edit: 'allow', auto: 'allow', unsafe: 'allow' },
    ],
    [
      'a tool on the network',
      custom('network'),
      { plan: 'deny', ask: 'ask', edit: 'ask', auto: 'ask', unsafe: 'allow' },
    ],
    [
      'a tool that can’t tell',
      custom('cannot-tell'),
      { plan: 'deny', ask: 'ask', edit: 'ask', auto: 'ask', unsafe: 'allow' },
    ],
    [
      'a tool that destroys',
      custom('destroy'),
      { plan: 'deny', ask: 'ask', edit: 'ask', auto: 'ask', unsafe: 'allow' },
    ],
    [
      'a tool that reads, and uses the network',
      custom('read', 'network'),
      { plan: 'deny', ask: 'ask', edit: 'ask', auto: 'ask', unsafe: 'allow' },
    ],
    [
      'a tool that writes, and uses the network',
      custom('write', 'network'),
      { plan: 'deny', ask: 'ask', edit: 'ask', auto: 'ask', unsafe: 'allow' },
    ],
    [
      'a tool that fetches a page',
      fetching('network'),
      { plan: 'allow', ask: 'allow', edit: 'allow', auto: 'allow', unsafe: 'allow' },
    ],
    [
      'a tool that fetches a page and runs it',
      fetching('network', 'execute'),
      { plan: 'deny', ask: 'ask', edit: 'ask', auto: 'ask', unsafe: 'allow' },
    ],
    [
      'a tool that reads what can’t be told',
      { ...custom('read'), effects: { effects: ['read'], resources: 'unknown' } },
      { plan: 'allow', ask: 'allow', edit: 'allow', auto: 'allow', unsafe: 'allow' },
    ],
    [
      'a tool that writes what can’t be told',
      { ...custom('write'), effects: { effects: ['write'], resources: 'unknown' } },
      { plan: 'deny', ask: 'ask', edit: 'ask', auto: 'ask', unsafe: 'allow' },
    ],
  ];
  for (const [name, call, expected] of table) {
    for (const [mode, decision] of Object.entries(expected)) {
      test(`${name} in ${mode}: ${decision}`, () => {
        const judgement = policyOf(mode as Mode).judge(call);
        assert.equal(judgement.decision, decision);
        assert.equal(judgement.by, `mode:${mode}`);
        assert.match(judgement.reason, new RegExp(`^mode ${mode} .*\\.$`));
      });
    }
  }

  test('a tool that says it reads and names a file to be written is taken for a writer', () => {
    const call = { ...write('a'), effects: { ...write('a').effects, effects: ['read' as const] } };
    assert.equal(decide('plan', call), 'deny');
    assert.equal(decide('ask', call), 'ask');
  });

  test('writes to something that is no file ask in edit and auto', () => {
    const call: JudgedCall = {
      tool: 't',
      arguments: {},
      effects: { effects: ['write'], resources: [{ access: 'write', path: 'process:1' }] },
    };
    assert.equal(decide('edit', call), 'ask');
    assert.equal(decide('auto', call), 'ask');
  });

  test('auto exists only with a sandbox', () => {
    const options = { mode: 'auto' as const, rules: [], workspace };
    assert.throws(
      () => createPolicy({ ...options, sandboxed: false }),
      (error) => error instanceof ReinsError && error.code === 'mode-unavailable',
    );
    assert.equal(createPolicy({ ...options, sandboxed: true }).mode, 'auto');
  });
});

describe('the floor holds in every mode and against every rule', () => {
  const modes: Mode[] = ['ask', 'edit', 'auto', 'unsafe'];
  const below: [string, JudgedCall][] = [
    ['.git', write('.git/hooks/pre-commit')],
    ['.git of a nested repository', edit('vendor/x/.git/config')],
    ['.git in capitals', write('.GIT/config')],
    ['.git as a file', write('.git')],
    ['.reins', write('.reins/settings.json')],
    ['a path outside', write('/etc/passwd')],
    ['a folder with a name that begins alike', write('/work/space2/a')],
    ['reading outside', read('/home/me/.ssh/id_rsa')],
    [
      'what the files refuse',
      { ...read('a'), effects: { effects: ['read'], resources: [], refused: 'its links lead in a loop' } },
    ],
    ['rm -rf /', shell('rm -rf /')],
  ];
  for (const [name, call] of below) {
    test(name, () => {
      for (const mode of modes) {
        const judgement = policyOf(mode, ...rule('allow', 'write', 'edit', 'read', 'shell', 'write(**)')).judge(call);
        assert.equal(judgement.decision, 'deny', mode);
        assert.equal(judgement.by, 'floor', mode);
      }
    });
  }

  const above: [string, JudgedCall][] = [
    ['reading .git', read('.git/config')],
    ['.gitignore', write('.gitignore')],
    ['.github', write('.github/workflows/ci.yml')],
    ['a file named like the folder', write('src/x.git')],
    ['the workspace itself', read('/work/space')],
  ];
  for (const [name, call] of above) test(`not ${name}`, () => assert.equal(decide('edit', call), 'allow'));

  const disasters = [
    'rm -rf /',
    'rm -fr /*',
    'sudo rm -r --no-preserve-root /',
    'rm -rf ~',
    'rm -rf ~/',
    'rm -rf "$HOME"',
    'rm -rf ${HOME}/*',
    'cd / && rm -Rf /usr',
    '/bin/rm --recursive --force /etc',
    'r\\m -rf /',
    'rm -rf ..',
    'rm -rf .git',
    'find / -delete',
    'find ~ -exec rm {} +',
    'chmod -R 777 /',
    'mkfs.ext4 /dev/sda1',
    'dd if=/dev/zero of=/dev/nvme0n1',
    'cat x > /dev/sda',
    ':(){ :|:& };:',
    'bomb() { bomb | bomb & }; bomb',
  ];
  for (const command of disasters) {
    test(`unsafe stops ${command}`, () => assert.equal(policyOf('unsafe').judge(shell(command)).by, 'floor'));
  }
  const harmless = [
    'rm -rf build',
    'rm -rf ./node_modules /work/space/dist',
    'rm file',
    'ls /',
    'find / -name x',
    'chmod -R u+w build',
    'dd if=/dev/sda of=image bs=1M count=1',
    'echo x > /dev/null',
    'rm -rf ~/x/build',
    'git rm -r --cached dist',
    'cat .git/config',
    'f() { g | h & }; f',
  ];
  for (const command of harmless) {
    test(`unsafe lets pass ${command}`, () => assert.equal(decide('unsafe', shell(command)), 'allow'));
  }
});

describe('rules', () => {
  test('an allow relaxes an ask, and neither a mode’s nor the floor’s no', () => {
    assert.equal(decide('ask', write('a'), ...rule('allow', 'write')), 'allow');
    assert.equal(decide('plan', write('a'), ...rule('allow', 'write')), 'deny');
    assert.equal(decide('plan', shell('ls'), ...rule('allow', 'shell(ls)')), 'deny');
    assert.equal(decide('ask', write('.git/x'), ...rule('allow', 'write')), 'deny');
  });

  test('deny beats ask beats allow, whoever wrote which first', () => {
    const [allow, ask, deny] = [
      ...rule('allow', 'write'),
      ...rule('ask', 'write(src/**)'),
      ...rule('deny', 'write(src/gen/**)'),
    ] as [PolicyRule, PolicyRule, PolicyRule];
    for (const rules of [
      [allow, ask, deny],
      [deny, ask, allow],
      [ask, allow, deny],
    ]) {
      assert.equal(decide('unsafe', write('src/gen/a'), ...rules), 'deny');
      assert.equal(decide('unsafe', write('src/a'), ...rules), 'ask');
      assert.equal(decide('ask', write('a'), ...rules), 'allow');
    }
  });

  test('the verdict names rule, source and reason', () => {
    const denied = policyOf('unsafe', { effect: 'deny', shape: 'shell(rm)', from: 'project' }).judge(shell('env rm x'));
    assert.equal(denied.by, 'rule:shell(rm)');
    assert.match(denied.reason, /^the project’s settings deny shell\(rm\), and `rm` occurs in it\./);
    const allowed = policyOf('ask', { effect: 'allow', shape: 'write(src/**)', from: 'command-line' }).judge(
      write('src/a'),
    );
    assert.equal(allowed.by, 'rule:write(src/**)');
    assert.match(allowed.reason, /the command line allow/);
    const asked = policyOf('edit', ...rule('allow', 'shell(npm test)', 'shell(git log *)', 'write')).judge(
      shell('npm test | cat'),
    );
    assert.match(
      asked.reason,
      /Without a question pass: shell\(npm test\), shell\(git log \*\), as one plain command \(this has `\|`\)\.$/,
    );
  });

  test('a shipped rule says so, and a mode says no more than there is', () => {
    assert.match(
      policyOf('edit').judge(shell('sudo ls')).reason,
      /^the shipped rule no-sudo holds, and `sudo ls` is that\./,
    );
    assert.equal(policyOf('ask').judge(shell('ls')).reason, 'mode ask asks before anything but reading.');
  });

  test('an untrusted project can only tighten', () => {
    const rules: PolicyRule[] = [
      { effect: 'allow', shape: 'shell', from: 'project' },
      { effect: 'deny', shape: 'write(secret/**)', from: 'project' },
    ];
    assert.equal(decide('edit', shell('ls'), ...rules), 'ask');
    assert.equal(decide('edit', write('secret/a'), ...rules), 'deny');
    const trusted = rules.map((each) => ({ ...each, trusted: true }));
    assert.equal(decide('edit', shell('ls'), ...trusted), 'allow');
  });

  test('a bare name is that tool alone; write and edit patterns hold for whatever writes there', () => {
    assert.equal(decide('edit', edit('a'), ...rule('deny', 'write')), 'allow');
    assert.equal(decide('edit', write('a'), ...rule('deny', 'write')), 'deny');
    assert.equal(decide('edit', edit('src/a'), ...rule('deny', 'write(src/**)')), 'deny');
    assert.equal(decide('edit', write('src/a'), ...rule('deny', 'edit(src/**)')), 'deny');
    assert.equal(decide('edit', read('src/a'), ...rule('deny', 'edit(src/**)')), 'allow');
    assert.equal(decide('edit', read('.env'), ...rule('deny', 'read(**/.env)')), 'deny');
    assert.equal(decide('edit', edit('x/.env'), ...rule('deny', 'read(**/.env)')), 'deny');
    assert.equal(decide('ask', edit('src/a'), ...rule('allow', 'write(src/**)')), 'ask');
  });

  test('an allow on paths covers a call only if it covers all of it', () => {
    const both: JudgedCall = {
      tool: 'move',
      arguments: {},
      effects: {
        effects: ['write'],
        resources: [
          { access: 'write', path: `${workspace}/src/a` },
          { access: 'write', path: `${workspace}/b` },
        ],
      },
    };
    assert.equal(decide('ask', both, ...rule('allow', 'move(src/**)')), 'ask');
    assert.equal(decide('ask', both, ...rule('allow', 'move(**)')), 'allow');
    assert.equal(decide('unsafe', both, ...rule('deny', 'write(b)')), 'deny');
    assert.equal(decide('ask', custom('network'), ...rule('allow', 'custom(**)')), 'ask');
    assert.equal(decide('ask', custom('network'), ...rule('allow', 'custom')), 'allow');
  });

  test('a rule that is no shape refuses to load', () => {
    assert.throws(
      () => policyOf('ask', ...rule('allow', 'shell(a && b)')),
      (error) => error instanceof ReinsError && error.code === 'config-invalid',
    );
  });
});

describe('grants', () => {
  test('the shape offered is exactly what was asked, and covers that alone', async () => {
    const policy = policyOf('ask');
    const offered = policy.judge(shell('npm  run "build it"')).shape;
    assert.equal(offered, "shell(npm run 'build it')");
    await policy.grant(offered);
    assert.equal(policy.judge(shell('npm run "build it"')).decision, 'allow');
    assert.equal(policy.judge(shell('npm run "build it" now')).decision, 'ask');
    assert.equal(policy.judge(shell('npm run build it')).decision, 'ask');
    const file = policy.judge(write('src/a.ts')).shape;
    assert.equal(file, 'write(src/a.ts)');
    await policy.grant(file);
    assert.equal(policy.judge(write('src/a.ts')).by, 'grant:write(src/a.ts)');
    assert.equal(policy.judge(write('src/b.ts')).decision, 'ask');
    assert.equal(policy.judge(edit('src/a.ts')).decision, 'ask');
  });

  for (const command of [
    'ls | cat',
    'ls; rm x',
    'ls *',
    'echo $HOME',
    'A=1 ls',
    'ls > x',
    "'if' x",
    'echo "it\'s" \'"\'$',
  ]) {
    test(`no always is offered for ${command}`, () =>
      assert.equal(policyOf('ask').judge(shell(command)).shape, undefined));
  }
  test('nor for a tool that can do anything, a path that reads as a pattern, or what a rule asks about', () => {
    assert.equal(policyOf('ask').judge(custom('network')).shape, undefined);
    assert.equal(policyOf('ask').judge(write('a*')).shape, undefined);
    const paths = ['a', 'b'].map((name) => ({ access: 'write' as const, path: `${workspace}/${name}` }));
    const two = { ...write('a'), effects: { effects: ['write' as const], resources: paths } };
    assert.equal(policyOf('ask').judge(two).shape, undefined);
    assert.equal(policyOf('ask', ...rule('ask', 'shell(ls)')).judge(shell('ls')).shape, undefined);
  });

  test('a star that was asked about grants no wildcard', async () => {
    const policy = policyOf('ask');
    const { shape } = policy.judge(shell("grep '*'"));
    assert.equal(shape, "shell(grep '*')");
    await policy.grant(shape);
    assert.equal(policy.judge(shell('grep anything')).decision, 'ask');
  });

  test('a grant lifts no rule that asks, and no denial', async () => {
    const policy = policyOf('edit', ...rule('ask', 'shell(git push)'), ...rule('deny', 'shell(rm)'));
    await policy.grant('shell(git push)');
    await policy.grant('shell(rm x)');
    assert.equal(policy.judge(shell('git push')).decision, 'ask');
    assert.equal(policy.judge(shell('rm x')).decision, 'deny');
  });

  test('those of earlier runs count, and one that is no shape grants nothing', () => {
    const grants = ['shell(a)', 'no shape'];
    const policy = createPolicy({ mode: 'ask', rules: [], sandboxed: false, workspace, grants });
    assert.equal(policy.judge(shell('a')).by, 'grant:shell(a)');
    assert.equal(policy.judge(shell('b')).decision, 'ask');
  });
});

describe('what is fed to a shell', () => {
  const denying = createPolicy({
    mode: 'unsafe',
    rules: [{ effect: 'deny', shape: 'shell(rm)', from: 'user' }],
    sandboxed: false,
    workspace,
  });
  const feed = "printf 'r\\155 -rf victim'";

  test('is denied in every form, where a deny could be meant', () => {
    const pipes = ['(bash)', 'if true; then bash; fi', 'X=1 bash', '2>&1 bash', '>x bash', "'ba'sh", '. /dev/stdin'];
    const lines = [
      ...pipes.map((end) => `${feed} | ${end}`),
      `${feed} |& bash`,
      `bash <(${feed})`,
      `bash < <(${feed})`,
      `. <(${feed})`,
    ];
    for (const line of lines) assert.equal(denying.judge(shell(line)).decision, 'deny', line);
  });

  test('and what is no shell, or feeds none, is not', () => {
    const lines = [
      'ls | grep bash',
      'cat a < b',
      'git log | cat',
      'wc -l < a.txt',
      'npm test 2>&1 | tail -5',
      'node a.js < input',
    ];
    for (const line of lines) assert.equal(denying.judge(shell(line)).decision, 'allow', line);
  });
});

describe('a star in a rule', () => {
  const allowing = (shape: string) =>
    createPolicy({ mode: 'edit', rules: [{ effect: 'allow', shape, from: 'user' }], sandboxed: false, workspace });

  test('does not stand for an option that writes or runs, however short it is written', () => {
    const lines: [string, string][] = [
      ['shell(sort *)', 'sort --o=victim a.js'],
      ['shell(git grep *)', 'git grep --op=./evil const'],
      ['shell(git push *)', 'git push --e=./evil . HEAD:refs/heads/x'],
      ['shell(git ls-remote *)', 'git ls-remote --up=./evil .'],
      ['shell(git rebase *)', 'git rebase --ex ./evil HEAD~1'],
      ['shell(git format-patch *)', 'git format-patch --output-directory=pp HEAD~1'],
      ['shell(git bisect *)', 'git bisect run ./evil'],
      ['shell(git submodule *)', 'git submodule foreach ./evil'],
    ];
    for (const [shape, line] of lines) assert.notEqual(allowing(shape).judge(shell(line)).decision, 'allow', line);
  });

  test('and stands for the others', () => {
    const lines: [string, string][] = [
      ['shell(git log *)', 'git log --oneline -5'],
      ['shell(find *)', 'find . -name a -o -name b'],
      ['shell(sort *)', 'sort --reverse a.js'],
    ];
    for (const [shape, line] of lines) assert.equal(allowing(shape).judge(shell(line)).decision, 'allow', line);
  });
});

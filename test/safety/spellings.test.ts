import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { Mode } from '../../src/core/index.ts';
import { createPolicy, pack, type PolicyRule } from '../../src/safety/index.ts';
import { analyserOf } from './analyser.ts';

const analyser = analyserOf({
  place: {
    workspace: '/work',
    home: '/home/person',
    git: () => ({ aliases: { fp: 'push --force', shout: '!git push -f' } }),
    scripts: () => ({ release: 'npm publish', test: 'node --test', wipe: 'rm -rf build' }),
  },
});
after(() => analyser.close());

async function judge(mode: Mode, command: string, rules: readonly PolicyRule[] = []) {
  const policy = createPolicy({ mode, rules, sandboxed: true, workspace: '/work', home: '/home/person' });
  const analysis = await analyser.analyse(command, '/work');
  const effects = { effects: ['execute' as const], resources: 'unknown' as const, command, confined: true, analysis };
  return policy.judge({ tool: 'shell', arguments: { command }, effects });
}

describe('the shipped rules, by what their examples say', () => {
  for (const { name, examples } of pack) {
    test(name, async () => {
      for (const command of examples.match) {
        const { decision, by } = await judge('auto', command);
        assert.equal(decision, 'deny', command);
        assert.ok(by === `pack:${name}` || by === 'floor', `${command}: ${by}`);
      }
      for (const command of examples.differ) assert.doesNotMatch((await judge('auto', command)).by, /^pack/, command);
    });
  }

  test('also by an alias of Git and by a script of the package', async () => {
    for (const [command, name] of [
      ['git fp', 'no-force-push'],
      ['git -C /work shout', 'no-force-push'],
      ['npm run release', 'no-publishing'],
      ['npm test && npm run release', 'no-publishing'],
    ] as const) {
      assert.deepEqual([command, (await judge('auto', command)).by], [command, `pack:${name}`]);
    }
  });
});

describe('a denied command, however it is spelled', () => {
  const frames: ((command: string) => string)[] = [
    (c) => `ls; ${c}`,
    (c) => `${c} | cat`,
    (c) => `echo "$(${c})"`,
    (c) => `sh -c '${c.replaceAll("'", String.raw`'\''`)}'`,
    (c) => `eval '${c.replaceAll("'", String.raw`'\''`)}'`,
    (c) => `(${c})`,
    (c) => `{ ${c}; }`,
    (c) => `if true; then ${c}; fi`,
    (c) => `${c} > /dev/null 2>&1 &`,
    (c) => `while true; do ${c}; done`,
    (c) => `! ${c}`,
    (c) => `f() { ${c}; }; f`,
    (c) => `cat <<E | bash\n${c}\nE`,
    (c) => `cd sub && ${c}`,
  ];
  const wrappers = ['env ', 'timeout 5 ', 'nice -n 3 ', 'command ', 'X=1 ', 'xargs '];
  const spellings = [
    'rm x',
    '/bin/rm -f x',
    "'rm' x",
    String.raw`r\m x`,
    'r""m x',
    String.raw`$'\x72m' x`,
    'X=rm; $X y',
  ];
  const rules: PolicyRule[] = [
    { effect: 'deny', shape: 'shell(rm)', from: 'user' },
    { effect: 'allow', shape: 'shell', from: 'user' },
  ];

  test('stays denied', async () => {
    const spelled = fc
      .tuple(fc.constantFrom('', ...wrappers), fc.constantFrom(...spellings))
      .map(([wrapper, text]) => (text.includes(';') ? text : wrapper + text));
    await fc.assert(
      fc.asyncProperty(spelled, fc.array(fc.constantFrom(...frames), { maxLength: 3 }), async (text, chosen) => {
        const line = chosen.reduce((inner, frame) => frame(inner), text);
        for (const mode of ['ask', 'unsafe'] as const) {
          assert.equal((await judge(mode, line, rules)).decision, 'deny', line);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('and what only speaks of it isn’t', async () => {
    for (const line of ['echo rm', 'grep -rn "rm -rf" .', 'ls rm', 'git log --grep="rm x"', "printf 'rm %s' x"]) {
      assert.equal((await judge('unsafe', line, rules)).decision, 'allow', line);
    }
  });
});

describe('disasters, by what the analysis resolves', () => {
  const below = [
    'rm -rf ~',
    'rm -rf "$HOME"',
    'rm -rf ${HOME}/*',
    'cd / && rm -rf usr',
    'cd .. && rm -rf ./*',
    'rm -rf /work/../work',
    'D=/; rm -rf $D',
    "sh -c 'rm -rf /'",
    'find ~ -delete',
    'mv /work /tmp/x',
    'mv .git /tmp/x',
    'chmod -R 777 /',
    'dd if=/dev/zero of=/dev/sda',
    'echo x > /dev/sda',
    'cat ~/.ssh/id_rsa',
    'cd ~ && cat .netrc',
    'cp .env /tmp/x',
    'grep KEY .env.local',
    'echo x > .git/hooks/pre-commit',
    'for f in 1; do rm -rf /home/person; done',
    'cd ..; git clean -fdx',
    'git -C .. clean -fdx',
  ];
  for (const command of below) {
    test(command, async () => {
      for (const mode of ['edit', 'auto', 'unsafe'] as const)
        assert.equal((await judge(mode, command)).by, 'floor', mode);
    });
  }

  const above = [
    'rm -rf build',
    'rm -rf ./node_modules dist',
    'find . -name "*.pyc" -delete',
    'ls /',
    'cat .env.example',
    'mv a b',
    'git clean -fdx',
    'git clean -n',
    'git -C sub clean -fd',
  ];
  for (const command of above) {
    test(`not ${command}`, async () => assert.equal((await judge('unsafe', command)).decision, 'allow'));
  }

  test('what is harmless passes in edit, without a question', async () => {
    const lines = [
      'ls -la && git status',
      'git log --oneline -5 | cat',
      'mkdir -p a/b && touch a/b/c',
      'cp a b',
      'cat a 2>/dev/null || true',
      'grep -rn x src | head -3',
      'cat /etc/os-release',
      'X=1',
    ];
    for (const line of lines) {
      const { decision, reason } = await judge('edit', line);
      assert.equal(decision, 'allow', `${line}: ${reason}`);
    }
  });
});

describe('what is removed is the link, not what it leads to', () => {
  const linked = analyserOf({
    place: { workspace: '/work', home: '/home/person', git: () => ({ aliases: {} }), scripts: () => undefined },
    realPath: async (path) => path.replace(/^\/work\/build(?=\/|$)/, '/home/person').replace(/\/$/, ''),
  });
  after(() => linked.close());
  const decide = async (command: string) => {
    const analysis = await linked.analyse(command, '/work');
    const effects = { effects: ['execute' as const], resources: 'unknown' as const, command, confined: true, analysis };
    const policy = createPolicy({
      mode: 'unsafe',
      rules: [],
      sandboxed: true,
      workspace: '/work',
      home: '/home/person',
    });
    return policy.judge({ tool: 'shell', arguments: { command }, effects }).decision;
  };
  test('unless a slash or what is in it is meant', async () => {
    assert.equal(await decide('rm -rf build'), 'allow');
    assert.equal(await decide('rm -rf build/'), 'deny');
    assert.equal(await decide('rm -rf build/*'), 'deny');
  });
});

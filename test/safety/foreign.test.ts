import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assert as assertProperty, asyncProperty, string, constantFrom, array } from 'fast-check';
import { importRules } from '../../src/safety/index.ts';

async function rulesOf(text: string, root?: string) {
  return (await importRules(text, root)).rules.map(({ rule }) => rule);
}

const settings = (permissions: object) => JSON.stringify({ permissions });

describe('settings with permissions', () => {
  const commands: [string, string | undefined][] = [
    ['Bash(touch:*)', 'touch *'],
    ['Bash(touch *)', 'touch *'],
    ['Bash(touch*)', 'touch* *'],
    ['Bash(git status)', 'git status'],
    ['Bash(git * main)', 'git * main'],
    ['Bash(npm run test:*)', 'npm run test *'],
    ['Bash(git log --format=*)', 'git log --format=* *'],
    ['Bash(*)', undefined],
  ];
  for (const [written, command] of commands) {
    test(`${written} is ${command ?? 'any command'}`, async () => {
      const rule = { effect: 'deny', tool: 'shell', ...(command !== undefined && { command }) };
      assert.deepEqual(await rulesOf(settings({ deny: [written] })), [rule]);
    });
  }

  const paths: [string, string, string[]][] = [
    ['Read(.env)', 'read', ['**/.env', '**/.env/**']],
    ['Read(./secrets/**)', 'read', ['secrets/**']],
    ['Read(~/.ssh)', 'read', ['~/.ssh', '~/.ssh/**']],
    ['Edit(//etc/hosts)', 'write', ['/etc/hosts', '/etc/hosts/**']],
    ['Edit(/src/*.ts)', 'write', ['src/*.ts', 'src/*.ts/**']],
  ];
  for (const [written, access, globs] of paths) {
    test(`${written} is ${globs.join(' and ')}`, async () => {
      const rules = globs.map((glob) => ({ effect: 'ask', paths: glob, access }));
      assert.deepEqual(await rulesOf(settings({ ask: [written] }), ''), rules);
    });
  }

  test('a tool without parentheses is all calls of it; Edit is no writing of whole files', async () => {
    assert.deepEqual(await rulesOf(settings({ deny: ['Write', 'WebFetch(domain:example.com)'] })), [
      { effect: 'deny', tool: 'write' },
      { effect: 'deny', hosts: ['example.com'] },
    ]);
    assert.ok((await rulesOf(settings({ deny: ['Edit'] }))).every(({ tool }) => tool !== 'write'));
  });

  test('what has no effect there, or no counterpart here, is said with its line', async () => {
    const text = `{
  // comments are allowed
  "permissions": {
    "defaultMode": "acceptEdits",
    "allow": [
      "Bash(:*)",
      "Write(src/**)",
      "Edit(*)",
      "mcp__server__tool",
      "Bash(a && b)",
      "Bash(echo \\"x y\\")",
      "Read(!x)",
      "Read(/x)",
      "WebFetch(domain:x)",
      7,
    ],
  },
}`;
    const { rules, leftOut } = await importRules(text, undefined);
    assert.deepEqual(rules, []);
    assert.deepEqual(
      leftOut.map(({ line }) => line),
      [4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    );
    assert.ok(leftOut.every(({ why, what }) => why !== '' && what !== ''));
  });
});

describe('prefix rules', () => {
  test('become rules of commands, one for each alternative, with their examples', async () => {
    const text = `
# what may be pushed
remotes = ["origin", 'up' + "stream"]
prefix_rule(
    pattern = ["git", ["push", "fetch"], remotes],  # alternatives
    decision = "prompt",
    justification = """Ask
first""",
    match = [["git", "push", "origin", "main"], "git fetch upstream"],
    not_match = ["git status"],
)
prefix_rule(pattern = ["ls", "*.ts"])
network_rule(host = "example.com", protocol = "https", decision = "forbidden")
`;
    const { rules, leftOut } = await importRules(text, undefined);
    assert.deepEqual(leftOut, []);
    const ask = { effect: 'ask', tool: 'shell', reason: 'Ask\nfirst' };
    const differ = ['git status'];
    assert.deepEqual(
      rules.map(({ line, rule }) => [line, rule]),
      [
        [4, { ...ask, command: 'git push origin *', examples: { match: ['git push origin main'], differ } }],
        [4, { ...ask, command: 'git push upstream *', examples: { differ } }],
        [4, { ...ask, command: 'git fetch origin *', examples: { differ } }],
        [4, { ...ask, command: 'git fetch upstream *', examples: { match: ['git fetch upstream'], differ } }],
        [12, { effect: 'allow', tool: 'shell', command: "ls '*.ts' *" }],
        [13, { effect: 'deny', hosts: ['example.com'] }],
      ],
    );
  });

  const strange: [string, RegExp][] = [
    ['def f():\n    prefix_rule(pattern=["x"])\n\n', /computes/],
    ['for x in ["a"]:\n    prefix_rule(pattern=[x])\n', /computes/],
    ['prefix_rule(["x"])', /no names/],
    ['prefix_rule(pattern=[])', /no list of words/],
    ['prefix_rule(pattern=["x", []])', /without alternatives/],
    ['prefix_rule(pattern=["x"], decision="maybe")', /none of allow/],
    ['prefix_rule(pattern=["x"], decision="toString")', /none of allow/],
    ['prefix_rule(pattern=["x"], until=3)', /`until`/],
    ['prefix_rule(pattern=["x"], match=["y x"])', /isn’t of its pattern/],
    ['prefix_rule(pattern=["x"]', /end of the file/],
    ['prefix_rule(pattern=[other])', /no literal/],
    ['prefix_rule(pattern=["x\n"])', /isn’t closed/],
    ['"text', /isn’t closed/],
    ['host_executable(name="git", paths=["/usr/bin/git"])', /no counterpart/],
    ['network_rule(host="x", decision="allow")', /granted in the settings/],
  ];
  for (const [text, why] of strange) {
    test(`${JSON.stringify(text)} is told, and what follows is read`, async () => {
      const { rules, leftOut } = await importRules(`x = "y"\n${text}`, undefined);
      assert.deepEqual(rules, []);
      assert.match(leftOut.map((one) => one.why).join('\n'), why);
      assert.equal(leftOut[0]?.line, 2);
      if (text.endsWith(')')) assert.equal((await rulesOf(`${text}\nprefix_rule(pattern=["ls"])`)).length, 1);
    });
  }

  test('nothing makes the reader fail or lose a rule without a word', async () => {
    const piece = constantFrom(
      'prefix_rule',
      '(',
      ')',
      '[',
      ']',
      '"',
      "'",
      '"""',
      ',',
      '=',
      'pattern',
      '#',
      '\n',
      '+',
      '\\',
      '-1',
      ' ',
    );
    await assertProperty(
      asyncProperty(array(piece, { maxLength: 40 }), string(), async (pieces, noise) => {
        const text = `\n${pieces.join('')}${noise}`;
        const { rules, leftOut } = await importRules(text, undefined);
        const named = /^\s*prefix_rule\s*\(/.test(text);
        if (named) assert.ok(rules.length + leftOut.length > 0);
      }),
    );
  });
});

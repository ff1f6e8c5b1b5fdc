import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callOf, judge, policyOf, reads, runs, shapes } from './parts.ts';

describe('an always', () => {
  const offered = (text: string) => judge('ask', runs(text)).shape;
  const table: [string, string | undefined][] = [
    ['npm run test -- a.ts', 'shell(npm run test *)'],
    ['npm test', 'shell(npm test *)'],
    ['git commit -m x', 'shell(git commit *)'],
    ['git stash pop', 'shell(git stash pop *)'],
    ['git stash -u', 'shell(git stash *)'],
    ['cargo test foo', 'shell(cargo test *)'],
    ['docker compose up -d', 'shell(docker compose up *)'],
    ['docker run x', 'shell(docker run x)'],
    ['npx cowsay', 'shell(npx cowsay)'],
    ['node a.js', 'shell(node a.js)'],
    ['bash a.sh', 'shell(bash a.sh)'],
    ['make all', 'shell(make all)'],
    ['npm exec x', 'shell(npm exec x)'],
    ['git config a b', 'shell(git config a b)'],
    ['git rebase -x make', 'shell(git rebase -x make)'],
    ['git -C x commit', 'shell(git -C x commit)'],
    ['git commit --template=x', 'shell(git commit --template=x)'],
    ['npm run -s test', 'shell(npm run -s test)'],
    ['npm test ?', undefined],
  ];
  for (const [text, shape] of table) test(text, () => assert.equal(offered(text), shape));

  test('is never wider than its sub-command, and covers what was asked', async () => {
    for (const [text, shape] of table) {
      if (shape === undefined) continue;
      const policy = policyOf('ask');
      await policy.grant(shape);
      assert.equal(policy.judge(callOf([runs(text)])).by, `grant:${shape}`, text);
      const [program = '', sub = ''] = text.split(' ');
      for (const other of [`${program} other`, `${program} ${sub}x`, `./${text}`, `x ${text}`, program]) {
        assert.equal(policy.judge(callOf([runs(other)])).decision, 'ask', `${shape}: ${other}`);
      }
    }
  });

  test('is of the part that asked', () => {
    const { shape, part: named } = judge('ask', [reads('ls'), runs('npm run build x'), runs('node a')]);
    assert.deepEqual([shape, named], ['shell(npm run build *)', 'npm run build x']);
  });

  test('isn’t offered where a rule asks, nor for what acts beside its words', () => {
    assert.equal(judge('ask', runs('npm test'), shapes('ask', 'shell(npm test)')).shape, undefined);
    assert.equal(judge('ask', { ...runs('npm test'), text: 'npm test > x' }).shape, undefined);
    assert.equal(judge('ask', { ...runs('npm test'), text: 'A=b npm test' }).shape, undefined);
  });
});

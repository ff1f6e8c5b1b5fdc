import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { CommandPart, Mode } from '../../src/core/index.ts';
import { callOf, decide, destroys, judge, part, policyOf, reads, runs, shapes, workspace, writes } from './parts.ts';

const w = workspace;
type Decisions = { [M in Mode]: 'allow' | 'ask' | 'deny' };
const all = (plan: string, ask: string, edit: string, auto: string, unsafe: string) =>
  ({ plan, ask, edit, auto, unsafe }) as Decisions;

const on = (access: 'read' | 'write' | 'destroy', path: string) => ({ access, path });
const appends = { effects: ['write' as const], paths: [{ access: 'write' as const, path: `${w}/a` }] };

describe('modes on the effects of commands', () => {
  const table: [string, CommandPart, Decisions][] = [
    ['a read', reads('cat a', `${w}/a`), all('allow', 'allow', 'allow', 'allow', 'allow')],
    ['a read of the system', reads('ls /usr/lib', '/usr/lib'), all('allow', 'allow', 'allow', 'allow', 'allow')],
    ['what is told of the machine', reads('cat c', '/proc/cpuinfo'), all('allow', 'allow', 'allow', 'allow', 'allow')],
    ['a read in the home', reads('cat n', '/home/me/notes'), all('ask', 'ask', 'ask', 'allow', 'allow')],
    ['a read of another’s home', reads('cat n', '/home/you/n'), all('ask', 'ask', 'ask', 'allow', 'allow')],
    [
      'a look through the whole disk',
      part('find /', { paths: [{ access: 'read', path: '/', recursive: true }] }),
      all('ask', 'ask', 'ask', 'allow', 'allow'),
    ],
    ['a list of all homes', reads('ls /home', '/home'), all('allow', 'allow', 'allow', 'allow', 'allow')],
    ['mkdir inside', writes('mkdir a', `${w}/a`), all('deny', 'ask', 'allow', 'allow', 'allow')],
    ['cp inside', writes('cp a b', `${w}/b`), all('deny', 'ask', 'allow', 'allow', 'allow')],
    [
      'a copy of what is the system’s',
      part('cp /usr/share/x a', { effects: ['write'], paths: [on('read', '/usr/share/x'), on('write', `${w}/a`)] }),
      all('deny', 'ask', 'allow', 'allow', 'allow'),
    ],
    [
      'one that also goes nowhere',
      part('cp a b', { effects: ['write'], paths: [on('write', '/dev/null'), on('write', `${w}/b`)] }),
      all('deny', 'ask', 'allow', 'allow', 'allow'),
    ],
    ['one inside and outside', writes('cp a b', `${w}/a`, '/home/me/b'), all('deny', 'ask', 'ask', 'allow', 'allow')],
    [
      'one that does away with what was there',
      part('cp a b', { effects: ['write'], paths: [on('destroy', `${w}/b`)] }),
      all('deny', 'ask', 'ask', 'allow', 'allow'),
    ],
    ['a write that names nothing', writes('mkdir'), all('deny', 'ask', 'ask', 'allow', 'allow')],
    ['tee inside', writes('tee a', `${w}/a`), all('deny', 'ask', 'ask', 'allow', 'allow')],
    [
      'tee inside, and what it prints is appended',
      { ...writes('tee a', `${w}/a`, `${w}/b`), text: 'tee a >> b' },
      all('deny', 'ask', 'ask', 'allow', 'allow'),
    ],
    [
      'a copy whose messages replace a file',
      { ...writes('cp a b', `${w}/b`, `${w}/c`), text: 'cp a b > c' },
      all('deny', 'ask', 'ask', 'allow', 'allow'),
    ],
    ['mkdir outside', writes('mkdir ../a', '/home/me/a'), all('deny', 'ask', 'ask', 'allow', 'allow')],
    [
      'a copy of what is outside',
      part('cp x a', {
        effects: ['write'],
        paths: [
          { access: 'read', path: '/home/me/x' },
          { access: 'write', path: `${w}/a` },
        ],
      }),
      all('deny', 'ask', 'ask', 'allow', 'allow'),
    ],
    ['touch in .git', writes('touch .git/x', `${w}/.git/x`), all('deny', 'ask', 'ask', 'allow', 'allow')],
    ['touch of what may be .git', writes('touch .gi*/x', `${w}/.gi*/x`), all('deny', 'ask', 'ask', 'allow', 'allow')],
    [
      'a write without a path',
      part('mkdir ?', { effects: ['write', 'cannot-tell'] }),
      all('deny', 'ask', 'ask', 'allow', 'allow'),
    ],
    [
      'a redirection that replaces',
      part('echo a', { ...appends, text: 'echo a > a' }),
      all('deny', 'ask', 'ask', 'allow', 'allow'),
    ],
    [
      'one that appends',
      part('echo a', { ...appends, text: 'echo a >> a' }),
      all('deny', 'ask', 'allow', 'allow', 'allow'),
    ],
    ['one to nowhere', part('ls', { text: 'ls 2>/dev/null' }), all('allow', 'allow', 'allow', 'allow', 'allow')],
    ['destroying inside', destroys('rm -r b', `${w}/b`), all('deny', 'ask', 'ask', 'allow', 'allow')],
    ['running code', runs('node a.js'), all('deny', 'ask', 'ask', 'allow', 'allow')],
    [
      'the network',
      part('curl x', { effects: ['network'], hosts: ['x'] }),
      all('deny', 'ask', 'ask', 'allow', 'allow'),
    ],
    ['what can’t be told', part('xyz', { effects: ['cannot-tell'] }), all('deny', 'ask', 'ask', 'allow', 'allow')],
  ];
  for (const [name, each, expected] of table) {
    test(name, () => {
      for (const [mode, decision] of Object.entries(expected)) assert.equal(decide(mode as Mode, each), decision, mode);
    });
  }

  test('auto lets pass only what the sandbox holds', () => {
    const call = callOf([runs('node a.js')]);
    const { confined: _, ...effects } = call.effects;
    assert.equal(policyOf('auto').judge({ ...call, effects }).decision, 'ask');
  });

  test('a line that can’t be told apart is no read, whatever its parts are', () => {
    const call = callOf([reads('cat a', `${w}/a`)], { unclear: 'two grammars differ' });
    assert.equal(policyOf('ask').judge(call).decision, 'ask');
    assert.equal(policyOf('plan').judge(call).decision, 'deny');
  });

  test('a line without a command does nothing', () => {
    const call = callOf([reads('cat a')]);
    const empty = { ...call, effects: { ...call.effects, analysis: { parts: [] } } };
    assert.equal(policyOf('plan').judge(empty).decision, 'allow');
  });
});

describe('a chain', () => {
  const pool: CommandPart[] = [
    reads('cat a', `${w}/a`),
    reads('cat n', '/home/me/n'),
    writes('mkdir a', `${w}/a`),
    destroys('rm -r b', `${w}/b`),
    destroys('rm -r /', '/'),
    runs('npm test'),
    runs('node a.js'),
    part('git push -f', { effects: ['network'] }),
    part('git log ?', { effects: ['cannot-tell'] }),
    part('git status'),
  ];
  const rules = [
    ...shapes('allow', 'shell(npm test)'),
    ...shapes('deny', 'shell(git status)'),
    ...shapes('ask', 'shell(cat n)'),
  ];
  const strictness = ['allow', 'ask', 'deny'];

  test('is judged as the strictest of its parts, in every mode', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pool), { minLength: 1, maxLength: 5 }),
        fc.constantFrom<Mode>('plan', 'ask', 'edit', 'auto', 'unsafe'),
        (parts, mode) => {
          const policy = policyOf(mode, rules);
          const each = parts.map((one) => policy.judge(callOf([one])).decision);
          const worst = Math.max(...each.map((decision) => strictness.indexOf(decision)));
          const judged = policy.judge(callOf(parts));
          assert.equal(judged.decision, strictness[worst]);
          if (judged.decision !== 'allow' && parts.length > 1) {
            assert.ok(parts.some(({ text }) => text === judged.part));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('names the part and the rule that decided', () => {
    const judged = judge('unsafe', [reads('ls'), part('rm x', { effects: ['destroy'] })], shapes('deny', 'shell(rm)'));
    assert.deepEqual([judged.decision, judged.by, judged.part], ['deny', 'rule:shell(rm)', 'rm x']);
    assert.equal(judge('ask', [reads('ls'), reads('pwd')]).part, undefined);
  });

  test('of one part isn’t named, and a refusal says what can’t be told', () => {
    const one = policyOf('plan').judge(callOf([runs('node a')]));
    assert.equal(one.part, undefined);
    assert.equal(
      one.reason,
      'mode plan allows reading, and writing the plan; say what you would do instead (it runs code).',
    );
    const unknown = judge('plan', [reads('ls'), part('xyz', { effects: ['cannot-tell'] })]);
    assert.match(unknown.reason, /instead \(what it does can’t be told\)\.$/);
    assert.match(judge('plan', writes('mkdir a', `${w}/a`)).reason, /what you would do instead\.$/);
  });

  test('says what the floor says, also behind what a rule denies', () => {
    const parts = [part('rm x', { effects: ['destroy'] }), destroys('rm -rf /', '/')];
    assert.equal(judge('unsafe', parts, shapes('deny', 'shell(rm x)')).by, 'floor');
  });

  test('a rule more never widens what a deny closed', () => {
    const rule = fc.record({
      effect: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
      shape: fc.constantFrom(
        'shell',
        'shell(rm *)',
        'shell(npm *)',
        'shell(git *)',
        'write(src/**)',
        'read(**)',
        'shell(cat *)',
      ),
      from: fc.constantFrom('user' as const, 'project' as const, 'command-line' as const),
      trusted: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 6 }),
        rule,
        fc.array(fc.constantFrom(...pool), { minLength: 1, maxLength: 3 }),
        fc.constantFrom<Mode>('ask', 'edit', 'auto', 'unsafe'),
        (before, more, parts, mode) => {
          const was = policyOf(mode, before).judge(callOf(parts)).decision;
          const is = policyOf(mode, [...before, more]).judge(callOf(parts)).decision;
          if (was === 'deny') assert.equal(is, 'deny');
          if (more.effect !== 'allow') assert.ok(strictness.indexOf(is) >= strictness.indexOf(was));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('rules on what is resolved', () => {
  const rm = shapes('deny', 'shell(rm)');
  test('a deny sees through folders, letter case and words that can’t be told', () => {
    assert.equal(decide('unsafe', part('/bin/rm x'), rm), 'deny');
    assert.equal(decide('unsafe', part('RM x'), rm), 'deny');
    assert.equal(decide('unsafe', part('? x'), rm), 'deny');
    assert.equal(decide('unsafe', runs('make CC=rm'), rm), 'deny');
    assert.equal(decide('unsafe', part('echo rm'), rm), 'allow');
    assert.equal(decide('unsafe', [part('echo rm'), part('ls ?')], rm), 'allow');
    assert.equal(decide('unsafe', part('git -C x push --force'), shapes('deny', 'shell(git push --force)')), 'deny');
  });

  test('an allow covers a part only if all its words are known and nothing else acts', () => {
    const npm = shapes('allow', 'shell(npm test *)');
    assert.equal(decide('ask', runs('npm test a'), npm), 'allow');
    assert.equal(decide('ask', runs('npm test ?'), npm), 'ask');
    assert.equal(decide('ask', { ...runs('npm test'), text: 'npm test > out' }, npm), 'ask');
    assert.equal(decide('ask', { ...runs('npm test'), text: 'npm test 2>&1' }, npm), 'allow');
    assert.equal(decide('ask', { ...runs('npm test'), text: 'A=1 npm test' }, npm), 'ask');
    assert.equal(decide('ask', { ...runs('npm test a b'), text: 'npm test "$x"' }, npm), 'allow');
    assert.equal(decide('ask', [runs('npm test'), runs('node a')], npm), 'ask');
    assert.equal(decide('ask', runs('./npm test'), npm), 'ask');
  });

  test('a path pattern holds for commands that touch it', () => {
    const rules = shapes('deny', 'write(gen/**)', 'read(secret/**)');
    assert.equal(decide('unsafe', writes('cp a gen/b', `${w}/gen/b`), rules), 'deny');
    assert.equal(decide('unsafe', destroys('rm -r gen', `${w}/gen`), rules), 'deny');
    assert.equal(decide('unsafe', destroys('rm -r g*', `${w}/g*`), rules), 'deny');
    assert.equal(decide('unsafe', reads('cat gen/b', `${w}/gen/b`), rules), 'allow');
    assert.equal(decide('unsafe', reads('cat secret/a', `${w}/secret/a`), rules), 'deny');
    assert.equal(decide('unsafe', reads('cat */a', `${w}/*/a`), rules), 'deny');
    assert.equal(decide('unsafe', reads('cat *.ts', `${w}/*.ts`), rules), 'allow');
  });
});

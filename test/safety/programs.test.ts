import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { classOf } from '../../src/safety/index.ts';
import { analyserOf } from './analyser.ts';
import { acting } from './commands/acting.ts';
import { lines } from './commands/lines.ts';
import { reads } from './commands/reads.ts';
import { describeLine, wordsOf } from './commands/single.ts';

describe('the table of programs', () => {
  test('holds many commands', () => {
    assert.ok(reads.length >= 300 && acting.length >= 300);
    assert.equal(new Set(reads).size, reads.length);
  });

  test('what only looks is a read', () => {
    const others = reads.filter((line) => describeLine(line).effects.join() !== 'read');
    assert.deepEqual(others, []);
  });

  test('what acts is found to, in the way that it does', () => {
    const missed = acting.filter(([line, effect]) => !describeLine(line).effects.includes(effect));
    assert.deepEqual(missed, []);
  });

  test('what acts has a reason and is no read', () => {
    for (const [line] of acting) {
      const { effects, reason } = describeLine(line);
      assert.ok(!effects.includes('read') && reason !== undefined && reason !== '', line);
    }
  });
});

describe('whole command lines', () => {
  const analyser = analyserOf();
  after(() => analyser.close());

  test('get their class', async () => {
    const wrong: string[] = [];
    for (const [line, expected] of lines) {
      const word = classOf(await analyser.analyse(line, '/work'));
      if (word !== expected) wrong.push(`${line}: ${word}, not ${expected}`);
    }
    assert.deepEqual(wrong, []);
  });

  test('simple commands that look are reads and those that act aren’t, as for the table alone', async () => {
    for (const line of reads.filter((read) => !/^(jobs|history|trap|set|cd|wait)/.test(read))) {
      assert.equal(classOf(await analyser.analyse(line, '/work')), 'read', line);
    }
    for (const [line] of acting.filter(([line]) => !/odd|^\[\[ \$x/.test(line))) {
      assert.notEqual(classOf(await analyser.analyse(line, '/work')), 'read', line);
    }
  });
});

describe('what is found of a command', () => {
  const pathsOf = (line: string) =>
    describeLine(line).paths.map(
      ({ access, path, recursive }) => `${access} ${path}${recursive === true ? '/**' : ''}`,
    );

  const touched: [string, string[]][] = [
    ['cat a b', ['read a', 'read b']],
    ['cat -n -- -a', ['read -a']],
    ['sort -o out a', ['write out', 'read a']],
    ['sort -oout a', ['write out', 'read a']],
    ['rm -rf a', ['destroy a/**']],
    ['rm a', ['destroy a']],
    ['cp -r a b c', ['read a/**', 'read b/**', 'write c/**']],
    ['cp -t c a b', ['write c/**', 'read a/**', 'read b/**']],
    ['mv a b', ['write a/**', 'write b/**']],
    ['grep -rn x src', ['read src/**']],
    ['grep -e x a', ['read a']],
    ['grep x a', ['read a']],
    ['grep -f words a', ['read words', 'read a']],
    ['sed -n 1p a', ['read a']],
    ['sed -i s/a/b/ a', ['write a']],
    ["sed 's/a/b/w out' a", ['write out', 'read a']],
    ['dd if=a of=/dev/sda', ['read a', 'write /dev/sda']],
    ['tee /dev/null', []],
    ['find src -delete', ['read src/**', 'destroy src/**']],
    ['find -delete', ['destroy ./**']],
    ['git -C sub rm a', ['destroy sub/a']],
    ['git -C sub -C deep rm a', ['destroy sub/deep/a']],
    ['git -C /x rm a', ['destroy /x/a']],
    ['git clean -fd a', ['destroy a']],
    ['tar xf a.tar -C dir', ['read a.tar', 'write dir/**']],
    ['tar czf out.tgz src', ['write out.tgz', 'read src/**']],
    ['curl -o out https://example.com', ['write out']],
    ['curl -d @secret https://example.com', ['read secret']],
    ['ln -s a b', ['write a', 'write b']],
    ['chmod -R 755 dir', ['write dir/**']],
    ['bash x.sh', ['read x.sh']],
    ['cat $x', []],
  ];
  for (const [line, expected] of touched) test(line, () => assert.deepEqual(pathsOf(line), expected));

  const hosts: [string, string[]][] = [
    ['curl https://user:x@example.com:8080/a', ['example.com:8080']],
    ['curl example.com/a', ['example.com']],
    ['curl https://example.com.evil.net/', ['example.com.evil.net']],
    ['curl https://example.com@evil.net/', ['evil.net']],
    ['git clone git@github.com:a/b.git', ['github.com']],
    ['git push https://github.com/a/b +main', ['github.com']],
    ['ssh me@example.com ls', ['example.com']],
    ['scp a me@example.com:b', ['example.com']],
    ['npm publish', ['registry.npmjs.org']],
    ['ping -c 1 example.com', ['example.com']],
    ['curl "https://example.com/$x"', ['example.com']],
    ['curl "https://example.com$x"', []],
    ['ls https://example.com', []],
  ];
  for (const [line, expected] of hosts)
    test(`hosts of ${line}`, () => assert.deepEqual(describeLine(line).hosts, expected));

  test('what it runs is handed on, word by word', () => {
    const runs = (line: string) => describeLine(line).runs.map(({ words }) => words.map(({ text }) => text));
    assert.deepEqual(runs('timeout -k 5 10 rm -rf a'), [['rm', '-rf', 'a']]);
    assert.deepEqual(runs('env LANG=C rm a'), [['rm', 'a']]);
    assert.deepEqual(runs('xargs -n1 rm'), [['rm', null]]);
    assert.deepEqual(runs('xargs -I{} cp {} dir'), [['cp', null, 'dir']]);
    assert.deepEqual(runs('find . -exec rm {} + -o -ok ls \\;'), [['rm', '.', null], ['ls']]);
    assert.deepEqual(runs('find . -name x -exec rm {} +'), [['rm', null]]);
    assert.deepEqual(runs('sudo -u x rm a'), [['rm', 'a']]);
    assert.deepEqual(runs('docker exec -it c rm a'), [['rm', 'a']]);
    assert.deepEqual(runs('fd -e ts -x rm {}'), [['rm', null]]);
    assert.deepEqual(runs('npx -y cowsay hi'), [['cowsay', 'hi']]);
  });

  test('what a shell would run is handed on as text', () => {
    const scripts = (line: string) => describeLine(line).scripts.map(({ text }) => text);
    assert.deepEqual(scripts("bash -euo pipefail -c 'rm a'"), ['rm a']);
    assert.deepEqual(scripts('eval rm a'), ['rm a']);
    assert.deepEqual(scripts('git wipe'), ['rm -rf .']);
    assert.deepEqual(scripts('npm run build'), ['echo before', 'rm -rf dist']);
    assert.deepEqual(scripts("npm test -- -t 'a b'"), ["node --test -t 'a b'"]);
    assert.deepEqual(scripts('watch rm a'), ['rm a']);
    assert.deepEqual(scripts('ssh host rm a'), ['rm a']);
    assert.deepEqual(scripts('sh -c $x'), [null]);
    assert.deepEqual(scripts('npm run no-such'), []);
  });

  test('a text on the input of a shell is a script', () => {
    const found = describeLine('sh', { input: { from: 'text', text: 'rm a' } });
    assert.deepEqual(
      found.scripts.map(({ text }) => text),
      ['rm a'],
    );
  });
});

describe('variables and redirections', () => {
  const word = (text: string | null) => ({ source: text ?? '$x', text });
  const withVariable = (name: string, value: string, line: string) =>
    describeLine(line, { assignments: [{ name, value: word(value) }] }).effects;
  const withRedirection = (operator: string, target: string | null) =>
    describeLine('ls', { redirections: [{ operator, target: word(target) }] }).effects;

  test('only what changes nothing may be set for a program', () => {
    assert.deepEqual(withVariable('LC_ALL', 'C', 'sort a'), ['read']);
    assert.deepEqual(withVariable('GIT_PAGER', 'cat', 'git log'), ['read']);
    assert.deepEqual(withVariable('GIT_PAGER', 'x', 'git log'), ['cannot-tell']);
    assert.deepEqual(withVariable('LD_PRELOAD', 'x', 'ls'), ['cannot-tell']);
    assert.deepEqual(withVariable('FOO', 'x', 'ls'), ['read']);
    assert.deepEqual(withVariable('FOO', 'x', 'awk 1'), ['cannot-tell']);
    assert.deepEqual(withVariable('LESSOPEN', 'x', 'ls'), ['cannot-tell']);
    assert.deepEqual(withVariable('GIT_SSH', 'x', 'git log'), ['cannot-tell']);
    assert.deepEqual(withVariable('IFS', '', 'read -r line'), ['read']);
  });

  test('a variable of the shell is its own, unless it tells it what to do', () => {
    assert.deepEqual(withVariable('FILE', 'x', ''), ['read']);
    assert.deepEqual(withVariable('count', '0', ''), ['read']);
    for (const name of ['PATH', 'IFS', 'BASH_ENV', 'GIT_SSH', 'LD_PRELOAD']) {
      assert.deepEqual(withVariable(name, 'x', ''), ['cannot-tell'], name);
    }
  });

  test('files that are redirected to are written', () => {
    for (const operator of ['>', '>>', '>|', '&>', '<>']) assert.deepEqual(withRedirection(operator, 'out'), ['write']);
    assert.deepEqual(withRedirection('>', '/dev/null'), ['read']);
    assert.deepEqual(withRedirection('<', 'a'), ['read']);
    assert.deepEqual(withRedirection('>', null), ['write', 'cannot-tell']);
    assert.deepEqual(withRedirection('<', '/dev/tcp/example.com/80'), ['network']);
    assert.deepEqual(withRedirection('>', '/dev/sda'), ['write', 'destroy']);
  });
});

describe('spelling', () => {
  const risky = acting.filter(([line]) => !/[*$\\'"]/.test(line));

  test('a path of the system in front of the name changes nothing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...risky.filter(([line]) => /^[a-z]/.test(line))),
        fc.constantFrom('/bin/', '/usr/bin/', '/usr/local/bin/', '/sbin/'),
        ([line, effect], folder) => assert.ok(describeLine(folder + line).effects.includes(effect), folder + line),
      ),
    );
  });

  test('a wrapper around it hands all of it on', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...risky),
        fc.constantFrom(
          'timeout 5',
          'nice -n 3',
          'env',
          'stdbuf -oL',
          'command',
          'setsid',
          'time -p',
          'xargs -n1',
          'sudo -n',
        ),
        ([line], wrapper) => {
          const [run] = describeLine(`${wrapper} ${line}`).runs;
          const words = wordsOf(line).map(({ text }) => text);
          assert.deepEqual(
            run?.words.slice(0, words.length).map(({ text }) => text),
            words,
          );
        },
      ),
    );
  });

  test('odd words never make it throw', () => {
    const odd = fc.string({
      unit: fc.constantFrom(...'-=/\\$*?[]{}()!@#~:;,.\'"`\n\t a0osnweE+'.split('')),
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        fc.constantFrom(
          ...'git find sed awk tar sort rg env xargs test printf read curl docker npm go dd jq ip openssl [['.split(
            ' ',
          ),
        ),
        fc.array(fc.record({ text: fc.option(odd), isPattern: fc.boolean() }), { maxLength: 6 }),
        (program, words) => {
          const given = words.map(({ text, isPattern }) => ({
            source: text ?? '$x',
            text,
            ...(isPattern && { isPattern }),
          }));
          describeLine('', { words: [{ source: program, text: program }, ...given] });
        },
      ),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pack, type PackChoice } from '../../src/safety/index.ts';
import { callOf, judge, part, policyOf, runs, shapes } from './parts.ts';

const curl = part('curl -s x', { effects: ['network'], hosts: ['x'] });
const opaque = { effects: ['cannot-tell' as const] };
const fed = (text: string, ...codeFrom: string[]) => part(text, { codeFrom, ...opaque });

describe('the shipped rules', () => {
  const refused: [string, Parameters<typeof callOf>[0]][] = [
    ['no-force-push', [part('git push -f')]],
    ['no-force-push', [part('/usr/bin/git -C x -c a=b push origin +main')]],
    ['no-force-push', [part('git push origin main --force-with-lease=main')]],
    ['no-force-push', [part('git push -uf origin x')]],
    ['no-force-push', [part('git push --mirror')]],
    ['no-force-push', [part('git push origin --delete x')]],
    ['no-force-push', [part('git push origin :x')]],
    ['no-force-push', [part('git -c remote.origin.push=+a:b push', { effects: ['network', 'destroy'] })]],
    ['no-force-push', [part('npm run push', opaque), part('git push --force', { inside: ['npm run push'] })]],
    ['no-download-to-interpreter', [curl, fed('sh', 'curl')]],
    ['no-download-to-interpreter', [curl, fed('sh', 'tee', 'curl')]],
    ['no-sudo', [part('sudo ls')]],
    ['no-sudo', [part('/bin/su -c ls')]],
    ['no-raw-device', [part('mkfs.ext4 disk.img')]],
    ['no-publishing', [part('npm publish')]],
    ['no-publishing', [part('npm --prefix x publish')]],
    ['no-publishing', [part('docker --context x push y')]],
    ['no-publishing', [part('./gradlew publishToMaven')]],
  ];
  for (const [name, parts] of refused) {
    test(`${name}: ${parts.map(({ text }) => text).join(' ')}`, () => {
      for (const mode of ['ask', 'edit', 'auto'] as const) {
        const { decision, by } = judge(mode, parts, shapes('allow', 'shell'));
        assert.deepEqual([decision, by], ['deny', `pack:${name}`], mode);
      }
      // Unsafe is what it says: only the floor and the settings hold there.
      assert.equal(judge('unsafe', parts).decision, 'allow');
    });
  }

  const others: Parameters<typeof callOf>[0][] = [
    [part('git push -u origin main:main --follow-tags')],
    [part('git push --dry-run')],
    [part('git pull -f')],
    [curl, part('bash x.sh', { pipedFrom: 'curl', ...opaque })],
    [part('cat x'), fed('sh', 'cat')],
    [part('grep sudo x')],
    [part('npm run publish', opaque)],
    [part('npm pack')],
    [part('docker build .')],
    [runs('make release')],
  ];
  for (const parts of others) {
    test(`not: ${parts.map(({ text }) => text).join(' ')}`, () => {
      assert.doesNotMatch(judge('auto', parts).by, /^pack:/);
    });
  }

  test('what may only be one of them is asked about', () => {
    const push = judge('auto', part('git push origin ?', opaque));
    assert.deepEqual([push.decision, push.by, push.shape], ['ask', 'pack:no-force-push', undefined]);
    const code = judge('auto', runs('python -c os.system("sudo ls")'));
    assert.deepEqual([code.decision, code.by], ['ask', 'pack:no-sudo']);
    assert.equal(judge('auto', part('? x', opaque)).decision, 'allow');
  });

  test('each can be turned off or into a question, by its name', () => {
    const judged = (choice: PackChoice) =>
      policyOf('auto', [], { pack: { 'no-sudo': choice } }).judge(callOf([part('sudo ls')]));
    assert.equal(judged('off').decision, 'allow');
    assert.deepEqual([judged('ask').decision, judged('ask').by], ['ask', 'pack:no-sudo']);
    assert.equal(judged('deny').decision, 'deny');
  });

  test('each has a name of its own, a reason with a way out, and examples', () => {
    assert.equal(new Set(pack.map(({ name }) => name)).size, pack.length);
    for (const { reason, examples } of pack) {
      assert.match(reason, /\. .+\.$/);
      assert.ok(examples.match.length > 2 && examples.differ.length > 2);
    }
  });
});

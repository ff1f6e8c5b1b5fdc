/** What the table of programs tells of a command, word by word. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { found } from './commands/found.ts';
import { foundInFull } from './commands/in-full.ts';
import { describeLine } from './commands/single.ts';

for (const [about, lines] of Object.entries(found)) {
  describe(about, () => {
    for (const [line, told] of Object.entries(lines)) {
      test(JSON.stringify(line), () => assert.equal(foundInFull(describeLine(line)), told));
    }
  });
}

/** `reins tree`: the branches of a session as a picture. */
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { styleOf, treeLines } from '../render/index.ts';
import { sessionOptions, whichSession } from '../session-choice.ts';

export const command: Command = {
  name: 'tree',
  summary: 'Show the turns and branches of a session as a tree.',
  usage: ['tree [ID] [-C DIR]'],
  examples: ['tree', 'tree 7a4tjp'],
  positionals: 1,
  options: [...sessionOptions, { name: 'json', about: 'One JSON object.' }],
  notes: [
    'Each line begins with the id of its event, for --at of `rewind`, `fork` and `branch`. The path that goes on runs straight down.',
    'Signs: > what was said, ● a turn, ■ how a run ended, ~ a compaction, ↩ an undo, ⑂ a fork.',
  ],
  async run(parsed, { output: { out } }) {
    const { sessionTree } = await import('../../../harness/index.ts');
    const tree = await sessionTree(undefined, whichSession(parsed));
    out.write(parsed.options.has('json') ? jsonLine(tree) : `${treeLines(tree, styleOf(out)).join('\n')}\n`);
    return 0;
  },
};

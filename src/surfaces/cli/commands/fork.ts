/** `reins fork ID`: a session of its own out of another, up to a point. */
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { pointIn, pointOptions } from '../session-choice.ts';

export const command: Command = {
  name: 'fork',
  summary: 'Make a session of its own out of another, up to a point.',
  usage: ['fork ID [--at EVENT | --turn N]'],
  examples: ['fork 7a4tjp --turn 3'],
  positionals: 1,
  options: [...pointOptions, { name: 'json', about: 'One JSON object.' }],
  notes: [
    'The other session stays as it is, and may be at work. Both have the same workspace, whose files stay as they are.',
  ],
  async run(parsed, { output: { out } }) {
    const [id] = parsed.positionals;
    if (id === undefined) throw new UsageError('Which session? `reins sessions` lists them.');
    const point = pointIn(parsed);
    const { forkSession } = await import('../../../harness/index.ts');
    const session = await forkSession(undefined, id, point);
    const said = `${session}\n\`reins resume ${session}\` goes on there.\n`;
    out.write(parsed.options.has('json') ? jsonLine({ session }) : said);
    return 0;
  },
};

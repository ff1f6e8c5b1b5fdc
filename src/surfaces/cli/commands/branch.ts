/** `reins branch ID`: the named branches of a session, and going from one to another. */
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { oneLine } from '../printable.ts';
import { pointIn, pointOptions } from '../session-choice.ts';

export const command: Command = {
  name: 'branch',
  summary: 'List the branches of a session, or go on with another one.',
  usage: ['branch ID', 'branch ID NAME [--at EVENT | --turn N]'],
  examples: ['branch 7a4tjp', 'branch 7a4tjp another-way --turn 3'],
  positionals: 2,
  options: [...pointOptions, { name: 'json', about: 'One JSON object a line.' }],
  notes: [
    'A branch that there is goes on where it stands. A new one begins where the session stands, or at the point that is given.',
    'The conversation changes; files stay as they are.',
  ],
  async run(parsed, { output: { out } }) {
    const [id, name] = parsed.positionals;
    if (id === undefined) throw new UsageError('Which session? `reins sessions` lists them.');
    const point = pointIn(parsed);
    const isJson = parsed.options.has('json');
    const { listBranches, switchBranch } = await import('../../../harness/index.ts');
    if (name !== undefined) {
      const switched = await switchBranch(undefined, id, name, point);
      const how = switched.isNew ? 'a new branch' : 'the branch';
      const said = `${switched.session} goes on with ${how} ${oneLine(switched.branch)}.\n`;
      out.write(isJson ? jsonLine(switched) : said);
      return 0;
    }
    if (point !== undefined) throw new UsageError('Which branch is to begin there? reins branch ID NAME --at EVENT.');
    for (const row of listBranches(undefined, id)) {
      out.write(isJson ? jsonLine(row) : `${row.isCurrent ? '*' : ' '} ${oneLine(row.branch)}  ${row.tip}\n`);
    }
    return 0;
  },
};

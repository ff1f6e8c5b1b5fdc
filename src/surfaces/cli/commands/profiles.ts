/** `reins profiles`: the profiles that a run can have here. */
import { valueIn } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { oneLine, pad, widthOf } from '../printable.ts';

export const command: Command = {
  name: 'profiles',
  summary: 'List the profiles that a run can have here.',
  usage: ['profiles [-C DIR]'],
  examples: ['profiles'],
  positionals: 0,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The workspace; the current folder by default.' },
    { name: 'json', about: 'One JSON object a line.' },
  ],
  notes: ['`reins config --profile NAME` shows what one of them sets. docs/profiles.md says how to write your own.'],
  async run(parsed, { output: { out } }) {
    const { profilesReport } = await import('../../../harness/index.ts');
    const { profiles } = await profilesReport({ workspace: valueIn(parsed, 'directory') ?? process.cwd() });
    if (parsed.options.has('json')) {
      out.write(profiles.map((row) => jsonLine(row)).join(''));
      return 0;
    }
    const width = Math.max(0, ...profiles.map(({ name }) => widthOf(name)));
    for (const { name, source, chosen, about, file = '' } of profiles) {
      out.write(`${chosen ? '*' : ' '} ${pad(name, width)}  ${pad(source, 7)}  ${oneLine(about ?? file)}\n`);
    }
    return 0;
  },
};

/** `reins config`: each setting in force and where it comes from. */
import { valueIn } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { oneLine, pad, widthOf } from '../printable.ts';
import { profileFrom, profileOptions } from '../profile-options.ts';

export const command: Command = {
  name: 'config',
  summary: 'Show the settings in force and where each comes from.',
  usage: ['config [-C DIR] [--profile NAME] [--settings-from FILE]'],
  examples: ['config', 'config --profile plan'],
  positionals: 0,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The workspace; the current folder by default.' },
    ...profileOptions,
    { name: 'json', about: 'One JSON object: rows of key, value and origin, and notices.' },
  ],
  async run(parsed, { output: { out, err } }) {
    const { settingsReport } = await import('../../../harness/index.ts');
    const report = await settingsReport({
      workspace: valueIn(parsed, 'directory') ?? process.cwd(),
      settings: profileFrom(parsed),
    });
    if (parsed.options.has('json')) {
      out.write(jsonLine(report));
      return 0;
    }
    const rows = report.rows.map(({ key, value, origin }) => [oneLine(key), oneLine(value), oneLine(origin)] as const);
    const keyWidth = Math.max(0, ...rows.map(([key]) => widthOf(key)));
    const valueWidth = Math.min(40, Math.max(0, ...rows.map(([, value]) => widthOf(value))));
    for (const [key, value, origin] of rows) out.write(`${pad(key, keyWidth)}  ${pad(value, valueWidth)}  ${origin}\n`);
    for (const notice of report.notices) err.write(`! ${oneLine(notice.text)}\n`);
    return 0;
  },
};

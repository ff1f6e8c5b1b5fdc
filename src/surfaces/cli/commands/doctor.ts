/** `reins doctor`: what is there, and what is enforced. */
import { valueIn } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { oneLine, pad, widthOf } from '../printable.ts';
import { styleOf } from '../render/index.ts';

export const command: Command = {
  name: 'doctor',
  summary: 'Say what is there and what the sandbox enforces.',
  usage: ['doctor [-C DIR]'],
  examples: ['doctor'],
  positionals: 0,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The workspace; the current folder by default.' },
    { name: 'json', about: 'One JSON object: rows of name, ok and detail.' },
  ],
  notes: ['The exit code is 1 if something is not as it should be.'],
  async run(parsed, { output: { out } }) {
    const { doctor } = await import('../../../harness/index.ts');
    const report = await doctor({ workspace: valueIn(parsed, 'directory') ?? process.cwd() });
    const isWell = report.rows.every(({ ok }) => ok);
    if (parsed.options.has('json')) {
      out.write(jsonLine(report));
      return isWell ? 0 : 1;
    }
    const style = styleOf(out);
    const nameWidth = Math.max(0, ...report.rows.map(({ name }) => widthOf(oneLine(name))));
    for (const { name, ok, detail } of report.rows) {
      out.write(`${ok ? style.good('✓') : style.bad('✗')} ${pad(oneLine(name), nameWidth)}  ${oneLine(detail)}\n`);
    }
    return isWell ? 0 : 1;
  },
};

/** `reins models`: which models can be used here, and why not. */
import { valueIn } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { oneLine } from '../printable.ts';
import { modelLines, styleOf } from '../render/index.ts';

export const command: Command = {
  name: 'models',
  summary: 'List the models that can be used here, and say why others can’t.',
  usage: ['models [-C DIR] [--all]'],
  examples: ['models', 'models --all'],
  positionals: 0,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The workspace; the current folder by default.' },
    { name: 'all', about: 'Also the models of providers that can’t be used.' },
    { name: 'json', about: 'One JSON object: model, routes, providers with all their models, notices.' },
  ],
  notes: ['Keys are looked for and never shown; of local servers those that answer are asked for their models.'],
  async run(parsed, { output: { out, err } }) {
    const { modelsReport } = await import('../../../harness/index.ts');
    const report = await modelsReport({ workspace: valueIn(parsed, 'directory') ?? process.cwd() });
    if (parsed.options.has('json')) {
      out.write(jsonLine(report));
      return 0;
    }
    out.write(`${modelLines(report, parsed.options.has('all'), styleOf(out)).join('\n')}\n`);
    for (const notice of report.notices) err.write(`! ${oneLine(notice.text)}\n`);
    return 0;
  },
};

/** `reins redo`: bring back what the last undo took back. */
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { undoLines } from '../render/index.ts';
import { overwriteOption, overwrites, sessionOptions, whichSession } from '../session-choice.ts';

export const command: Command = {
  name: 'redo',
  summary: 'Bring back what the last undo of a session took back.',
  usage: ['redo [ID] [-C DIR] [--dry-run]'],
  examples: ['redo'],
  positionals: 1,
  options: [
    ...sessionOptions,
    { name: 'dry-run', about: 'Only say what would be done.' },
    overwriteOption,
    { name: 'json', about: 'One JSON object.' },
  ],
  async run(parsed, { output: { out } }) {
    const { redoSession } = await import('../../../harness/index.ts');
    const options = { dryRun: parsed.options.has('dry-run'), overwrites: overwrites(parsed) };
    const report = await redoSession(undefined, whichSession(parsed), options);
    out.write(parsed.options.has('json') ? jsonLine(report) : `${undoLines(report, 'brought back').join('\n')}\n`);
    return report.kept.length === 0 ? 0 : 1;
  },
};

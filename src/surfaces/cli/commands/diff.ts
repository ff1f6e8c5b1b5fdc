/** `reins diff`: what a session changed, as a patch. */
import type { Command } from '../command.ts';
import { oneLine, printable } from '../printable.ts';
import { sessionOptions, whichSession } from '../session-choice.ts';

export const command: Command = {
  name: 'diff',
  summary: 'Show what a session changed in its workspace, as a patch.',
  usage: ['diff [ID] [-C DIR]'],
  examples: ['diff', 'diff 7a4tjp'],
  positionals: 1,
  options: [...sessionOptions],
  notes: [
    'Its own changes alone: what others did between is left out. `git apply` takes it. What can’t be told whole is named (exit code 1).',
  ],
  async run(parsed, { output: { out, err } }) {
    const { sessionDiff } = await import('../../../harness/index.ts');
    const { patch, left } = await sessionDiff(undefined, whichSession(parsed));
    if (patch.length === 0) err.write('The session has changed nothing that stands.\n');
    for (const { path, why } of left) err.write(`not whole: ${oneLine(path)} (${oneLine(why)})\n`);
    // Into a file or a program it goes as it is; a terminal must not obey what stands in it.
    out.write(out.isTerminal ? printable(patch.toString('utf8')) : patch);
    return left.length === 0 ? 0 : 1;
  },
};

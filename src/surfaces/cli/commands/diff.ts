/** `reins diff`: what a session changed, as a patch. */
import type { Command } from '../command.ts';
import { printable } from '../printable.ts';
import { sessionOptions, whichSession } from '../session-choice.ts';

export const command: Command = {
  name: 'diff',
  summary: 'Show what a session changed in its workspace, as a patch.',
  usage: ['diff [ID] [-C DIR]'],
  positionals: 1,
  options: [...sessionOptions],
  notes: ['Its own changes alone: what others did between is left out. `git apply` takes it, binary files aside.'],
  async run(parsed, { output: { out, err } }) {
    const { sessionDiff } = await import('../../../harness/index.ts');
    const patch = await sessionDiff(undefined, whichSession(parsed));
    if (patch === '') err.write('The session has changed nothing that stands.\n');
    // Into a file or a program it goes as it is; a terminal must not obey what stands in it.
    out.write(out.isTerminal ? printable(patch) : patch);
    return 0;
  },
};

/** `reins cancel ID`, from a second terminal. */
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { printable } from '../printable.ts';

export const command: Command = {
  name: 'cancel',
  summary: 'Cancel what a session is doing.',
  usage: ['cancel ID'],
  examples: ['cancel 7a4tjp'],
  positionals: 1,
  options: [],
  async run({ positionals: [id] }, { output: { out } }) {
    if (id === undefined) throw new UsageError('Which session? `reins sessions` lists them.');
    const { cancelSession } = await import('../../../harness/index.ts');
    out.write(`${printable(await cancelSession(undefined, id))}\n`);
    return 0;
  },
};

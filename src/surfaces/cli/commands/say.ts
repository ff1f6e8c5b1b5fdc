/** `reins say ID TEXT`, from a second terminal. */
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { printable } from '../printable.ts';

export const command: Command = {
  name: 'say',
  summary: 'Tell a session something while it runs, or before it is resumed.',
  usage: ['say ID "text" [--pin]'],
  positionals: 2,
  tooMany: 'The text is one argument: put it in quotation marks, as in reins say ID "go on".',
  options: [{ name: 'pin', about: 'Keep it word for word when older turns give way to a summary.' }],
  async run({ positionals: [id, text], options }, { output: { out } }) {
    if (id === undefined) throw new UsageError('Which session? `reins sessions` lists them.');
    if (text === undefined || text.trim() === '') throw new UsageError('There is nothing to say: reins say ID "text".');
    const { sayTo } = await import('../../../harness/index.ts');
    out.write(`${printable(await sayTo(undefined, id, text, options.has('pin')))}\n`);
    return 0;
  },
};

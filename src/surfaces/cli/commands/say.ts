/** `reins say ID TEXT`, from a second terminal. */
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { printable } from '../printable.ts';

export const command: Command = {
  name: 'say',
  summary: 'Tell a session something while it runs, or before it is resumed.',
  usage: ['say ID [--steer | --follow-up] [--pin] "text"'],
  examples: ['say 7a4tjp "leave the old API alone"', 'say 7a4tjp --follow-up "then update the docs"'],
  positionals: 2,
  tooMany: 'The text is one argument: put it in quotation marks, as in reins say ID "go on".',
  options: [
    { name: 'steer', about: 'Heard after the calls that run now; what is said while a run works is so by itself.' },
    { name: 'follow-up', about: 'Held until the run would stop, and heard as its next task then.' },
    { name: 'pin', about: 'Keep it word for word when older turns give way to a summary.' },
  ],
  async run({ positionals: [id, text], options }, { output: { out } }) {
    if (id === undefined) throw new UsageError('Which session? `reins sessions` lists them.');
    if (text === undefined || text.trim() === '') throw new UsageError('There is nothing to say: reins say ID "text".');
    if (options.has('steer') && options.has('follow-up')) {
      throw new UsageError('--steer and --follow-up exclude each other.');
    }
    const from = options.has('steer') ? 'steer' : options.has('follow-up') ? 'follow-up' : 'user';
    const { sayTo } = await import('../../../harness/index.ts');
    out.write(`${printable(await sayTo(undefined, id, text, { from, pinned: options.has('pin') }))}\n`);
    return 0;
  },
};

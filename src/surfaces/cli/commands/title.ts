/** `reins title ID "text"`: what a session is called. */
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { oneLine, printable } from '../printable.ts';

export const command: Command = {
  name: 'title',
  summary: 'Give a session a title, or show the one that it has.',
  usage: ['title ID ["text"]'],
  examples: ['title 7a4tjp "the parser"'],
  positionals: 2,
  tooMany: 'The title is one argument: put it in quotation marks, as in reins title ID "the parser".',
  options: [],
  notes: ['Without one, a session is called by the first line of its task; an empty title ("") goes back to that.'],
  async run({ positionals: [id, text] }, { output: { out } }) {
    if (id === undefined) throw new UsageError('Which session? `reins sessions` lists them.');
    const { describeSession, titleSession } = await import('../../../harness/index.ts');
    const said = text === undefined ? describeSession(undefined, id).title : await titleSession(undefined, id, text);
    out.write(`${text === undefined ? oneLine(said) : printable(said)}\n`);
    return 0;
  },
};

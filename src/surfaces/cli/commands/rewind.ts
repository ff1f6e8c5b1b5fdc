/** `reins rewind ID TURN`: back to before a turn, with the conversation, the files, or both. */
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { undoLines } from '../render/index.ts';
import { overwriteOption, overwrites } from '../session-choice.ts';

export const command: Command = {
  name: 'rewind',
  summary: 'Go back to before a turn: the conversation, the files, or both.',
  usage: ['rewind ID TURN [--files | --conversation]'],
  positionals: 2,
  options: [
    { name: 'files', about: 'Only the files; the conversation goes on, and the model is told.' },
    { name: 'conversation', about: 'Only the conversation; the files stay.' },
    overwriteOption,
    { name: 'json', about: 'One JSON object.' },
  ],
  notes: ['Nothing leaves the log. What others changed in the files meanwhile stays, as with `reins undo`.'],
  async run(parsed, { output: { out } }) {
    const [id, word] = parsed.positionals;
    if (id === undefined) throw new UsageError('Which session? `reins sessions` lists them.');
    const turn = Number(word);
    if (!Number.isSafeInteger(turn) || turn < 1)
      throw new UsageError('To before which turn? `reins log ID` shows them.');
    const [only, both] = [parsed.options.has('files'), parsed.options.has('conversation')];
    if (only && both) throw new UsageError('Without --files and --conversation both go back.');
    const { rewindToTurn } = await import('../../../harness/index.ts');
    const options = { turn, files: !both, conversation: !only, overwrites: overwrites(parsed) };
    const report = await rewindToTurn(undefined, id, options);
    if (parsed.options.has('json')) {
      out.write(jsonLine({ session: id, turn, conversation: options.conversation, files: report ?? null }));
      return (report?.kept.length ?? 0) === 0 ? 0 : 1;
    }
    if (report !== undefined) out.write(`${undoLines(report, 'taken back').join('\n')}\n`);
    else if (options.files) out.write('No file had been changed since.\n');
    if (options.conversation)
      out.write(`The conversation stands before turn ${turn}; \`reins resume ${id}\` goes on from there.\n`);
    return (report?.kept.length ?? 0) === 0 ? 0 : 1;
  },
};

/** `reins rewind ID TURN`: back to before a turn, or to an event, with the conversation, the files, or both. */
import type { Point } from '../../../harness/index.ts';
import { UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { oneLine } from '../printable.ts';
import { undoLines } from '../render/index.ts';
import { overwriteOption, overwrites, pointOptions } from '../session-choice.ts';

export const command: Command = {
  name: 'rewind',
  summary: 'Go back to before a turn, or to an event: the conversation, the files, or both.',
  usage: ['rewind ID TURN [--files | --conversation]', 'rewind ID --at EVENT [--files | --conversation]'],
  examples: ['rewind 7a4tjp 3', 'rewind 7a4tjp 3 --conversation'],
  positionals: 2,
  options: [
    ...pointOptions.filter(({ name }) => name === 'at'),
    { name: 'files', about: 'Only the files; the conversation goes on, and the model is told.' },
    { name: 'conversation', about: 'Only the conversation; the files stay.' },
    overwriteOption,
    { name: 'json', about: 'One JSON object.' },
  ],
  notes: ['Nothing leaves the log. What others changed in the files meanwhile stays, as with `reins undo`.'],
  async run(parsed, { output: { out } }) {
    const [id] = parsed.positionals;
    if (id === undefined) throw new UsageError('Which session? `reins sessions` lists them.');
    const to = targetIn(parsed);
    const [only, both] = [parsed.options.has('files'), parsed.options.has('conversation')];
    if (only && both) throw new UsageError('Without --files and --conversation both go back.');
    const { rewindTo } = await import('../../../harness/index.ts');
    const options = { to, files: !both, conversation: !only, overwrites: overwrites(parsed) };
    const report = await rewindTo(undefined, id, options);
    if (parsed.options.has('json')) {
      out.write(jsonLine({ session: id, ...to, conversation: options.conversation, files: report ?? null }));
      return (report?.kept.length ?? 0) === 0 ? 0 : 1;
    }
    if (report !== undefined) out.write(`${undoLines(report, 'taken back').join('\n')}\n`);
    else if (options.files) out.write('No file had been changed since.\n');
    if (options.conversation)
      out.write(`The conversation stands ${placeOf(to)}; \`reins resume ${oneLine(id)}\` goes on from there.\n`);
    return (report?.kept.length ?? 0) === 0 ? 0 : 1;
  },
};

function targetIn(parsed: Arguments): Point {
  const [, word] = parsed.positionals;
  const event = valueIn(parsed, 'at');
  if (event !== undefined && word !== undefined) throw new UsageError('A turn and --at exclude each other.');
  if (event !== undefined) return { event };
  const turn = Number(word);
  if (Number.isSafeInteger(turn) && turn >= 1) return { turn };
  throw new UsageError('To before which turn? `reins tree ID` shows them; --at EVENT goes to an event.');
}

function placeOf(point: Point): string {
  return 'turn' in point ? `before turn ${point.turn}` : `at event ${oneLine(point.event)}`;
}

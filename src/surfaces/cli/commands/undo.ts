/** `reins undo`: take back what the agent changed, and nothing that others did. */
import type { UndoOptions } from '../../../harness/index.ts';
import { UsageError, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { oneLine } from '../printable.ts';
import { undoLines } from '../render/index.ts';
import { overwriteOption, overwrites, sessionOptions, turnIn, whichSession } from '../session-choice.ts';

export const command: Command = {
  name: 'undo',
  summary: 'Take back what the last turn of a session changed.',
  usage: ['undo [ID] [-C DIR] [--turns N | --to TURN | --all] [--dry-run]', 'undo [ID] --list'],
  examples: ['undo', 'undo 7a4tjp --turns 2 --dry-run'],
  positionals: 1,
  options: [
    ...sessionOptions,
    { name: 'turns', value: 'N', about: 'So many turns that changed something, from the last one back.' },
    { name: 'to', value: 'TURN', about: 'Everything from this turn on.' },
    { name: 'all', about: 'Everything that the session changed.' },
    { name: 'list', about: 'Only list the turns that changed something.' },
    { name: 'dry-run', about: 'Only say what would be done.' },
    overwriteOption,
    { name: 'json', about: 'One JSON object.' },
  ],
  notes: [
    'What others changed meanwhile stays. Where they changed the same lines, the file is left as it is and named (exit code 1).',
    '`reins redo` brings it all back. docs/undo.md says what is kept.',
  ],
  async run(parsed, { output: { out } }) {
    const { undoableTurns, undoSession } = await import('../../../harness/index.ts');
    const which = whichSession(parsed);
    const isJson = parsed.options.has('json');
    if (parsed.options.has('list')) {
      const turns = await undoableTurns(undefined, which);
      if (turns.length === 0 && !isJson) out.write('No turn of this session has effects that could be taken back.\n');
      for (const turn of turns) {
        const line = `turn ${turn.turn}: ${turn.tools.map(oneLine).join(', ')}${turn.isUndone ? ' (taken back)' : ''}\n`;
        out.write(isJson ? jsonLine(turn) : line);
      }
      return 0;
    }
    const report = await undoSession(undefined, which, optionsFrom(parsed));
    out.write(isJson ? jsonLine(report) : `${undoLines(report, 'taken back').join('\n')}\n`);
    return report.kept.length === 0 ? 0 : 1;
  },
};

function optionsFrom(parsed: Arguments): UndoOptions {
  const given = ['turns', 'to', 'all'].filter((name) => parsed.options.has(name));
  if (given.length > 1) throw new UsageError(`--${given.join(' and --')} can’t be given together.`);
  const to = turnIn(parsed, 'to');
  const turns = turnIn(parsed, 'turns');
  return {
    ...(to !== undefined && { to }),
    ...(turns !== undefined && { turns }),
    all: parsed.options.has('all'),
    dryRun: parsed.options.has('dry-run'),
    overwrites: overwrites(parsed),
  };
}

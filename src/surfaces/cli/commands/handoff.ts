/** `reins handoff`: what the next session or person needs to know, from the log. */
import { UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { handoffText } from '../render/index.ts';
import { whichSession } from '../session-choice.ts';

export const command: Command = {
  name: 'handoff',
  summary: 'Write what the next session or person needs to know of a session.',
  usage: ['handoff ID | --continue [--out FILE] [--json]'],
  examples: ['handoff --continue --out handoff.md'],
  positionals: 1,
  options: [
    { name: 'continue', about: 'The latest session of this workspace.' },
    {
      name: 'directory',
      short: 'C',
      value: 'DIR',
      about: 'With --continue: the workspace; the current folder by default.',
    },
    { name: 'out', value: 'FILE', about: 'Write it to a file, in place of standard output.' },
    { name: 'json', about: 'One JSON object in place of Markdown.' },
  ],
  notes: ['It comes from the record, not from a model. `reins run --handoff FILE` begins a session with it.'],
  async run(parsed, { output: { out } }) {
    const which = sessionIn(parsed);
    const file = valueIn(parsed, 'out');
    if (file?.trim() === '') throw new UsageError('--out needs a file.');
    const { sessionHandoff } = await import('../../../harness/index.ts');
    const handoff = await sessionHandoff(undefined, which);
    const text = parsed.options.has('json') ? jsonLine(handoff) : handoffText(handoff);
    if (file === undefined) out.write(text);
    else await written(file, text);
    return 0;
  },
};

async function written(file: string, text: string): Promise<void> {
  const [{ writeFile }, { unwritable }] = await Promise.all([import('node:fs/promises'), import('../own-file.ts')]);
  await writeFile(file, text).catch((error: unknown) => {
    throw unwritable(file, error);
  });
}

function sessionIn(parsed: Arguments): string | { latest: string } {
  const isContinue = parsed.options.has('continue');
  const [id] = parsed.positionals;
  if (id !== undefined && isContinue) throw new UsageError('An ID and --continue exclude each other.');
  if (id === undefined && !isContinue)
    throw new UsageError('Which session? Give an ID, or --continue for the latest of this workspace.');
  return whichSession(parsed);
}

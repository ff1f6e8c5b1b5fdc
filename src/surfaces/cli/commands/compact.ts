/** `reins compact`: older turns of a session give way to a summary now. */
import { UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { compactionText } from '../render/index.ts';

export const command: Command = {
  name: 'compact',
  summary: 'Let older turns of a session give way to a summary now.',
  usage: ['compact ID | --continue [--focus "text"]'],
  positionals: 1,
  options: [
    { name: 'continue', about: 'The latest session of this workspace.' },
    {
      name: 'directory',
      short: 'C',
      value: 'DIR',
      about: 'With --continue: the workspace; the current folder by default.',
    },
    { name: 'focus', value: 'TEXT', about: 'What the summary is to look at above all.' },
    { name: 'model', value: 'MODEL', about: 'For a session that was rehearsed: script:FILE.' },
    { name: 'json', about: 'One JSON object.' },
  ],
  notes: [
    'Reins does it by itself before the window is full. Nothing leaves the log; a rewind to before it shows all turns.',
  ],
  async run(parsed, { output: { out } }) {
    const [focus, model] = [valueIn(parsed, 'focus'), valueIn(parsed, 'model')];
    const { compactSession } = await import('../../../harness/index.ts');
    const report = await compactSession({
      session: sessionIn(parsed),
      ...(focus !== undefined && { focus }),
      ...(model !== undefined && { settings: { model } }),
    });
    if (parsed.options.has('json')) {
      out.write(jsonLine({ session: report.session, compaction: report.compaction ?? null }));
      return 0;
    }
    const said =
      report.compaction === undefined
        ? 'Nothing would be gained: it is short already.'
        : compactionText(report.compaction);
    out.write(`${said}\n`);
    return 0;
  },
};

function sessionIn(parsed: Arguments): string | { latest: string } {
  const [id] = parsed.positionals;
  const isContinue = parsed.options.has('continue');
  if (id !== undefined && isContinue) throw new UsageError('An ID and --continue exclude each other.');
  if (id !== undefined) return id;
  if (!isContinue) throw new UsageError('Which session? Give an ID, or --continue for the latest of this workspace.');
  return { latest: valueIn(parsed, 'directory') ?? process.cwd() };
}

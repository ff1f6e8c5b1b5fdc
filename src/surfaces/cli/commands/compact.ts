/** `reins compact`: older turns of a session give way to a summary now. */
import { valueIn } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { compactionText } from '../render/index.ts';
import { continueOptions, namedSession } from '../session-choice.ts';

export const command: Command = {
  name: 'compact',
  summary: 'Let older turns of a session give way to a summary now.',
  usage: ['compact ID | --continue [--focus "text"]'],
  examples: ['compact --continue --focus "what the parser does"'],
  positionals: 1,
  options: [
    ...continueOptions,
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
      session: namedSession(parsed),
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

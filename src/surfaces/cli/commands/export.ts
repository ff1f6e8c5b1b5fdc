/** `reins export`: a session as a document, or in the formats of other tools. */
import { plural, type ExportFormat } from '../../../harness/index.ts';
import { oneOf, UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { oneLine, printable, printableJson } from '../printable.ts';
import { continueOptions, namedSession } from '../session-choice.ts';

export const command: Command = {
  name: 'export',
  summary: 'Write a session as a document, or in a format of other tools.',
  usage: ['export ID | --continue [--format FORMAT] [--out FILE]'],
  examples: ['export --continue --out session.md', 'export 7a4tjp --format html --out session.html'],
  positionals: 1,
  options: [
    ...continueOptions,
    {
      name: 'format',
      value: 'FORMAT',
      about: 'markdown (the default), html, json, atif, claude, codex, opencode, pi or gemini.',
    },
    { name: 'out', value: 'FILE', about: 'Into this file, for you alone; standard output by default.' },
    { name: 'force', about: 'With --out: replace a file that is there.' },
    { name: 'all-branches', about: 'With --format json: every branch, not only the path that goes on.' },
    { name: 'json', about: 'With --out: one JSON object about what was written.' },
  ],
  notes: ['It holds what the log holds: known secrets are replaced there already. Images are named by type and size.'],
  async run(parsed, { output: { out, err } }) {
    const { exportFormats, exportSession } = await import('../../../harness/index.ts');
    const format = oneOf('--format', valueIn(parsed, 'format') ?? 'markdown', exportFormats);
    const file = valueIn(parsed, 'out');
    refuseContradictions(parsed, format, file);
    const allBranches = parsed.options.has('all-branches');
    const { session, pieces, damaged } = await exportSession(undefined, namedSession(parsed), { format, allBranches });
    if (damaged > 0)
      err.write(
        `${plural(damaged, 'damaged line')} of the log ${damaged === 1 ? 'is' : 'are'} missing; \`reins log --verify\` names them.\n`,
      );
    const shown = shownBy(format, file === undefined && out.isTerminal);
    if (file === undefined) {
      for (const piece of pieces) {
        out.write(shown(piece));
        await out.ready();
      }
      return 0;
    }
    const { writeOwnFile } = await import('../own-file.ts');
    const bytes = writeOwnFile(file, mapped(pieces, shown), parsed.options.has('force'));
    if (parsed.options.has('json')) out.write(jsonLine({ session, format, file, bytes }));
    else err.write(`Session ${oneLine(session)} is in ${oneLine(file)} (${format}, ${bytes} bytes).\n`);
    return 0;
  },
};

function refuseContradictions(parsed: Arguments, format: ExportFormat, file: string | undefined): void {
  const without = ['force', 'json'].find((name) => parsed.options.has(name));
  if (file === undefined && without !== undefined) throw new UsageError(`--${without} needs --out.`);
  if (file === '') throw new UsageError('--out needs the name of a file.');
  if (parsed.options.has('all-branches') && format !== 'json')
    throw new UsageError('--all-branches needs --format json: the other formats hold one path.');
}

/** JSON stays the same value in harmless bytes; a browser obeys hidden characters as a terminal does; a file of text stays as it is. */
function shownBy(format: ExportFormat, isTerminal: boolean): (text: string) => string {
  if (format === 'html') return printable;
  if (format !== 'markdown') return printableJson;
  return isTerminal ? printable : (text) => text;
}

function* mapped(pieces: Iterable<string>, change: (text: string) => string): Generator<string> {
  for (const piece of pieces) yield change(piece);
}

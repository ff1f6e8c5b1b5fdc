/** `reins import`: a session file of another harness becomes a session. */
import { plural, type SessionImport } from '../../../harness/index.ts';
import { oneOf, UsageError, valueIn } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { oneLine } from '../printable.ts';

export const command: Command = {
  name: 'import',
  summary: 'Make a session of a session file of another harness.',
  usage: ['import FILE [--format FORMAT] [-C DIR]'],
  examples: ['import session.jsonl'],
  positionals: 1,
  options: [
    {
      name: 'format',
      value: 'FORMAT',
      about: 'claude, codex or pi; told by the content where it isn’t given. The others of export are for export only.',
    },
    {
      name: 'directory',
      short: 'C',
      value: 'DIR',
      about: 'The workspace that it is to belong to; the current folder by default.',
    },
    { name: 'json', about: 'One JSON object.' },
  ],
  notes: ['Nothing in the file is run, and no path in it is opened. Known secrets are replaced on the way in.'],
  async run(parsed, { output: { out, err } }) {
    const [file] = parsed.positionals;
    if (file === undefined) throw new UsageError('Which file? For one of Claude Code: ~/.claude/projects/*/*.jsonl');
    const { exportFormats, importFormats, importSession } = await import('../../../harness/index.ts');
    const given = valueIn(parsed, 'format');
    const report = await importSession(undefined, {
      file,
      workspace: valueIn(parsed, 'directory') ?? process.cwd(),
      ...(given !== undefined && { format: formatNamed(given, importFormats, exportFormats) }),
    });
    if (parsed.options.has('json')) out.write(jsonLine(report));
    else {
      out.write(`${report.session}\n`);
      for (const line of reportLines(report)) err.write(`${line}\n`);
    }
    return 0;
  },
};

function formatNamed<Format extends string>(
  given: string,
  known: readonly Format[],
  exported: readonly string[],
): Format {
  const isKnown = known.some((format) => format === given);
  if (isKnown || !exported.includes(given)) return oneOf('--format', given, known);
  throw new UsageError(
    `${given} is for export only; ${known.join(', ')} can be imported. \`reins help import\` says more.`,
  );
}

function reportLines({ format, said, replies, calls, lost, branches, leftOut, broken }: SessionImport): string[] {
  const without = lost === 0 ? '' : `, ${lost} of them without a result`;
  return [
    `From ${format}: ${plural(said, 'input')}, ${plural(replies, 'reply', 'replies')}, ${plural(calls, 'call')}${without}.`,
    ...(branches === 0
      ? []
      : [`Beside it ${plural(branches, 'other branch', 'other branches')}, named imported-1 and so on.`]),
    ...leftOut.map(({ what, count }) => `Left out: ${oneLine(what)} (${count}).`),
    ...broken.first.map(({ line, why }) => `Line ${line} was left out: ${why}.`),
    ...(broken.count > broken.first.length ? [`And ${plural(broken.count - broken.first.length, 'more line')}.`] : []),
  ];
}

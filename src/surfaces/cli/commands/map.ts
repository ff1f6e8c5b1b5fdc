/** `reins map`: the symbols of a repository that matter most. */
import { relative, resolve, sep } from 'node:path';
import type { MapReport } from '../../../harness/index.ts';
import { UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { oneLine, printable } from '../printable.ts';
import { mapNotes } from '../render/index.ts';

export const command: Command = {
  name: 'map',
  summary: 'Show what matters in the code of a repository: its symbols, ranked.',
  usage: ['map [words ...] [--path PATH] [--tokens N] [-C DIR]'],
  examples: ['map parser cache', 'map --path src --tokens 2000'],
  positionals: 200,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The workspace; the current folder by default.' },
    { name: 'path', value: 'PATH', many: true, about: 'A file or folder that is meant.' },
    { name: 'tokens', value: 'N', about: 'About so many tokens, from 128 to 32768; those of the settings by default.' },
    { name: 'json', about: 'One JSON object.' },
  ],
  notes: [
    'Words are names of symbols, or what is to be found in names and paths. docs/map.md says how it ranks.',
    'The map goes to standard output, what was left out of it and why to standard error.',
  ],
  async run(parsed, { output: { out, err } }) {
    const tokens = tokensIn(parsed);
    const { repositoryMap } = await import('../../../harness/index.ts');
    const workspace = valueIn(parsed, 'directory') ?? process.cwd();
    const report = await repositoryMap({
      workspace,
      words: parsed.positionals,
      paths: pathsIn(parsed, workspace),
      ...(tokens !== undefined && { tokens }),
    });
    if (parsed.options.has('json')) out.write(jsonLine(report));
    else if (report.text !== '') out.write(`${printable(report.text)}\n`);
    for (const note of notesOn(report, parsed)) err.write(`${note}\n`);
    return 0;
  },
};

function notesOn(report: MapReport, parsed: Arguments): string[] {
  return parsed.options.has('json') ? [] : mapNotes(report);
}

/** As they count from the workspace, whether they are given so or whole. */
function pathsIn(parsed: Arguments, workspace: string): string[] {
  return (parsed.options.get('path') ?? []).map((path) => {
    const inside = relative(workspace, resolve(workspace, path));
    if (inside !== '..' && !inside.startsWith(`..${sep}`)) return inside;
    throw new UsageError(`--path ${JSON.stringify(oneLine(path))} is outside of the workspace ${oneLine(workspace)}.`);
  });
}

function tokensIn(parsed: Arguments): number | undefined {
  const given = valueIn(parsed, 'tokens');
  if (given === undefined) return undefined;
  const tokens = Number(given);
  if (!Number.isSafeInteger(tokens) || tokens < 128 || tokens > 32_768)
    throw new UsageError('--tokens takes a whole number from 128 to 32768.');
  return tokens;
}

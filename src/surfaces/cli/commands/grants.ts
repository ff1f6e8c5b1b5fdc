/** `reins grants`: what was granted for always in a workspace, and taking it back. */
import { UsageError, valueIn } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { oneLine, pad } from '../printable.ts';
import type { GrantRow } from '../../../harness/index.ts';

export const command: Command = {
  name: 'grants',
  summary: 'List what was granted for always in a workspace, or take it back.',
  usage: ['grants [-C DIR]', 'grants --revoke SHAPE|NUMBER [-C DIR]', 'grants --all [-C DIR]'],
  examples: ['grants', 'grants --revoke 1'],
  positionals: 0,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The workspace; the current folder by default.' },
    { name: 'revoke', value: 'SHAPE', about: 'Take this grant back, by its shape or its number in the list.' },
    { name: 'all', about: 'Take all of them back.' },
    { name: 'json', about: 'One JSON object a line: number, shape, at, workspace.' },
  ],
  notes: ['What is taken back is asked about again in every run that begins from now on.'],
  async run(parsed, { output: { out, err } }) {
    const { listGrants, revokeGrants } = await import('../../../harness/index.ts');
    const place = { workspace: valueIn(parsed, 'directory') ?? process.cwd() };
    const one = valueIn(parsed, 'revoke');
    const all = parsed.options.has('all');
    if (one !== undefined && all) throw new UsageError('--revoke takes one back and --all all of them: give either.');
    const { grants, problem } = listGrants(place);
    if (problem !== undefined) err.write(`! ${oneLine(problem)}\n`);
    const isRevoking = all || one !== undefined;
    const shown = isRevoking ? revokeGrants(place, one === undefined ? 'all' : { one }) : grants;
    if (parsed.options.has('json')) {
      for (const grant of shown) out.write(jsonLine(grant));
      return 0;
    }
    if (shown.length === 0) err.write('Nothing is granted for always here.\n');
    for (const grant of shown) out.write(`${isRevoking ? `Taken back: ${oneLine(grant.shape)}` : lineOf(grant)}\n`);
    return 0;
  },
};

function lineOf({ number, at, shape, workspace }: GrantRow): string {
  return `${pad(String(number), 3)}  ${pad(oneLine(at).slice(0, 16).replace('T', ' '), 16)}  ${oneLine(shape)}  (${oneLine(workspace)})`;
}

/** `reins audit`: who allowed what, by which rule, and what came of it. */
import type { AuditOptions, SessionAudit } from '../../../harness/index.ts';
import { UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { auditLines, auditTable, chainLines } from '../audit/index.ts';
import { styleOf } from '../render/index.ts';
import { sessionOptions, whichSession } from '../session-choice.ts';

export const command: Command = {
  name: 'audit',
  summary: 'Show who allowed what in a session, by which rule, and what came of it.',
  usage: ['audit [ID] [-C DIR] [--denied] [--changes] [--path GLOB] [--json | --csv]'],
  examples: ['audit --denied', 'audit --path "src/**"'],
  positionals: 1,
  options: [
    ...sessionOptions,
    { name: 'denied', about: 'Only what was refused, by a rule or a person.' },
    { name: 'changes', about: 'Only what changed files, or may have.' },
    {
      name: 'path',
      value: 'GLOB',
      about: 'Only what touched a path like this: relative to the workspace, or absolute.',
    },
    { name: 'json', about: 'One JSON object a line; the first says what was found of the log itself.' },
    { name: 'csv', about: 'A table; what was found of the log itself goes to standard error.' },
  ],
  notes: [
    'The chain of the log is checked first. The exit code is 1 if anything is wrong with it.',
    'docs/audit.md says what each part means.',
  ],
  async run(parsed, { output: { out, err } }) {
    const options = optionsFrom(parsed);
    const which = whichSession(parsed);
    const { auditSession } = await import('../../../harness/index.ts');
    const audit = await auditSession(undefined, which, options);
    const { verification, damaged } = audit;
    const isBroken = verification.problems.length > 0;
    if (parsed.options.has('csv')) {
      err.write(`${chainLines(verification, damaged).join('\n')}\n`);
      out.write(auditTable(audit));
    } else if (parsed.options.has('json')) {
      for (const line of jsonLines(audit)) {
        if (out.gone.aborted) break;
        out.write(line);
        await out.ready();
      }
    } else {
      out.write(`${auditLines(audit, styleOf(out)).join('\n')}\n`);
    }
    return isBroken ? 1 : 0;
  },
};

function* jsonLines({ entries, session, workspace, verification, damaged }: SessionAudit): Generator<string> {
  const { problems, lines, head } = verification;
  yield jsonLine({
    type: 'audit',
    version: 1,
    session,
    workspace,
    whole: problems.length === 0,
    problems,
    lines,
    head,
    damaged,
  });
  for (const entry of entries) yield jsonLine(entry);
}

function optionsFrom(parsed: Arguments): AuditOptions {
  if (parsed.options.has('json') && parsed.options.has('csv'))
    throw new UsageError('--json and --csv exclude each other.');
  const path = valueIn(parsed, 'path');
  return {
    denied: parsed.options.has('denied'),
    changes: parsed.options.has('changes'),
    ...(path !== undefined && { path }),
  };
}

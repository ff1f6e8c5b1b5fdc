/** `reins rehearse ID`: a past session played again in a copy of its workspace, and what came out differently. */
import type { RehearseOptions } from '../../../harness/index.ts';
import { oneOf, UsageError, valueIn, type Arguments, type CommandSpec } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { programName } from '../program.ts';
import { rehearsalLines, styleOf } from '../render/index.ts';
import { checksFrom } from '../proof-options.ts';
import { modes, shapesFrom } from './run.ts';

const spec: CommandSpec = {
  name: 'rehearse',
  summary: 'Play a past session again in a copy of its workspace, and compare.',
  usage: ['rehearse [ID] [options]'],
  examples: ['rehearse', 'rehearse 7a4tjp --mode auto'],
  positionals: 1,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'Without an ID: the latest session of this workspace.' },
    { name: 'mode', value: 'MODE', about: `Another mode than the recorded one: ${modes.join(', ')}.` },
    { name: 'check', value: 'COMMAND', many: true, about: 'Other checks than the recorded ones. none: do without.' },
    { name: 'allow', value: 'SHAPE', many: true, about: 'Calls of this shape pass in the rehearsal.' },
    { name: 'deny', value: 'SHAPE', many: true, about: 'Calls of this shape are refused in the rehearsal.' },
    { name: 'keep', about: 'Keep the copy, the session that was made and the scenario, and say where.' },
    { name: 'json', about: 'One JSON object.' },
  ],
  notes: [
    'The replies come from the record, and cost nothing; prompt, rules, tools and hooks are today’s. The session and its',
    'workspace are only read: the copy is made from the commit that the session began at.',
    '',
    'Exit codes: 0 nothing differs, 3 something differs, 1 error, 2 usage.',
  ],
};

export const differsExitCode = 3;

export const command: Command = {
  ...spec,
  async run(parsed, { output: { out, err } }) {
    const options = rehearsalFrom(parsed);
    const { rehearseSession } = await import('../../../harness/index.ts');
    const cancelled = new AbortController();
    let signal: NodeJS.Signals | undefined;
    const cancel = (name: NodeJS.Signals): void => {
      // The second one ends the process as it would without us; what is left of the copy is among the temporary files.
      if (signal !== undefined) process.exit(exitOf(signal));
      signal = name;
      cancelled.abort();
    };
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, cancel);
    try {
      const rehearsal = await rehearseSession({ ...options, signal: cancelled.signal });
      if (parsed.options.has('json')) out.write(jsonLine(rehearsal));
      else out.write(`${rehearsalLines(rehearsal, styleOf(out), programName()).join('\n')}\n`);
      return rehearsal.same ? 0 : differsExitCode;
    } catch (error) {
      if (signal === undefined) throw error;
      err.write('reins: the rehearsal was cancelled; nothing of it is left.\n');
      return exitOf(signal);
    }
  },
};

function exitOf(signal: NodeJS.Signals): number {
  return signal === 'SIGINT' ? 130 : 143;
}

/** What was asked for, or a UsageError. */
export function rehearsalFrom(parsed: Arguments): RehearseOptions {
  const [id] = parsed.positionals;
  if (id?.trim() === '') throw new UsageError('Which session? `reins sessions` lists them.');
  const directory = valueIn(parsed, 'directory');
  if (id !== undefined && directory !== undefined)
    throw new UsageError('An ID and -C exclude each other: a session has its own workspace.');
  const mode = valueIn(parsed, 'mode');
  const checks = checksFrom(parsed);
  return {
    session: id ?? { latest: directory ?? process.cwd() },
    settings: {
      ...(mode !== undefined && { mode: oneOf('--mode', mode, modes) }),
      ...(checks !== undefined && { checks }),
      ...shapesFrom(parsed, 'allow'),
      ...shapesFrom(parsed, 'deny'),
    },
    keep: parsed.options.has('keep'),
  };
}

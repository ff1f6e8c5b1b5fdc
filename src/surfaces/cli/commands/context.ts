/** `reins context`: what the next request holds, layer by layer. */
import type { ContextReport, RunSettings } from '../../../harness/index.ts';
import { oneOf, UsageError, valueIn, type Arguments, type CommandSpec } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import { profileFrom, profileOptions } from '../profile-options.ts';
import { contextLines, instructionLines, styleOf, type Style } from '../render/index.ts';

const modes = ['plan', 'ask', 'edit', 'auto', 'unsafe'] as const;
/** What a session has fixed already. */
const freshOnly = ['model', 'mode', ...profileOptions.map(({ name }) => name)];

const spec: CommandSpec = {
  name: 'context',
  summary: 'Show what the next request holds, layer by layer.',
  usage: ['context [-C DIR] [--profile NAME] [--model MODEL] [--mode MODE]', 'context ID | --continue'],
  examples: ['context', 'context --instructions', 'context --continue'],
  positionals: 1,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The workspace; the current folder by default.' },
    { name: 'continue', about: 'Of the latest session of this workspace.' },
    { name: 'model', value: 'MODEL', about: 'For a fresh start: another model than the settings say.' },
    { name: 'mode', value: 'MODE', about: `For a fresh start: ${modes.join(', ')}.` },
    ...profileOptions,
    { name: 'instructions', about: 'The instruction files in force, and those that were left out.' },
    { name: 'json', about: 'One JSON object.' },
  ],
  notes: ['Without a session: what a run that starts here would send, its task aside. Nothing is recorded or sent.'],
};

export const command: Command = {
  ...spec,
  async run(parsed, { output: { out } }) {
    const report = await reportFor(parsed);
    const shown = parsed.options.has('instructions') ? report.instructions : report;
    out.write(parsed.options.has('json') ? jsonLine(shown) : `${linesOf(shown, styleOf(out)).join('\n')}\n`);
    return 0;
  },
};

function linesOf(shown: ContextReport | ContextReport['instructions'], style: Style): string[] {
  return 'files' in shown ? instructionLines(shown, style) : contextLines(shown, style);
}

async function reportFor(parsed: Arguments): Promise<ContextReport> {
  const [id] = parsed.positionals;
  const isContinue = parsed.options.has('continue');
  if (id !== undefined && isContinue) throw new UsageError('An ID and --continue exclude each other.');
  const folder = valueIn(parsed, 'directory') ?? process.cwd();
  const settings = settingsFrom(parsed, id !== undefined || isContinue);
  const { freshContext, sessionContext } = await import('../../../harness/index.ts');
  if (id !== undefined) return sessionContext(undefined, id);
  return isContinue ? sessionContext(undefined, { latest: folder }) : freshContext({ workspace: folder, settings });
}

function settingsFrom(parsed: Arguments, hasSession: boolean): RunSettings {
  const given = freshOnly.find((name) => parsed.options.has(name));
  if (hasSession && given !== undefined)
    throw new UsageError(`--${given} is for a fresh start: a session has its own.`);
  const [model, mode] = [valueIn(parsed, 'model'), valueIn(parsed, 'mode')];
  if (model?.trim() === '') throw new UsageError('--model needs the name of a model.');
  return {
    ...profileFrom(parsed),
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { mode: oneOf('--mode', mode, modes) }),
  };
}

/** `reins help [COMMAND]` and `reins COMMAND --help`, from what the commands say of themselves. */
import { optionsOf, parseArguments, UsageError, type CommandSpec, type OptionSpec } from './arguments.ts';
import { commandNames, loadCommand } from './commands/index.ts';
import { oneLine, pad } from './printable.ts';

const helpSpec: CommandSpec = {
  name: 'help',
  summary: 'Say what the commands do, or all about one.',
  usage: ['help [COMMAND]'],
  examples: ['help run'],
  options: [],
  positionals: 1,
};

/** What `reins help` followed by these words prints. */
export async function helpFor(words: string[]): Promise<string> {
  const { options, positionals } = parseArguments(helpSpec, words);
  const [name] = positionals;
  if (options.has('help') || name === 'help') return commandHelp(helpSpec);
  if (name === undefined) return overview();
  const command = await loadCommand(name);
  if (command === undefined) throw new UsageError(`There is no command ${JSON.stringify(oneLine(name))}.`);
  return commandHelp(command);
}

const nameWidth = 11;
const optionWidth = 29;

async function overview(): Promise<string> {
  const [{ version }, ...commands] = await Promise.all([
    import('../../harness/index.ts'),
    ...commandNames.map(loadCommand),
  ]);
  const specs = [...commands.filter((command) => command !== undefined), helpSpec];
  return `${[
    `Reins ${version}: a coding agent that works in your repository, keeps a record and proves its work.`,
    '',
    'Usage: reins COMMAND [options]',
    '       reins [options]           a conversation, on a terminal; its options are those of run',
    '',
    ...specs.map((spec) => `  ${pad(spec.name, nameWidth)}${spec.summary}`),
    '',
    'reins help COMMAND says all about one; reins --version says which version this is.',
    'To see it work, without a key and without a network: reins demo',
  ].join('\n')}\n`;
}

export function commandHelp(spec: CommandSpec): string {
  const usage = spec.usage.map((line, index) => `${index === 0 ? 'Usage:' : '      '} reins ${line}`);
  const options = optionsOf(spec).map((option) => `  ${pad(optionText(option), optionWidth)} ${option.about}`);
  const notes = spec.notes === undefined ? [] : ['', ...spec.notes];
  const examples = ['', 'Examples:', ...spec.examples.map((line) => `  reins ${line}`)];
  return `${[spec.summary, '', ...usage, '', 'Options:', ...options, ...notes, ...examples].join('\n')}\n`;
}

function optionText({ name, short, value, valueOptional }: OptionSpec): string {
  const names = `${short === undefined ? '    ' : `-${short}, `}--${name}`;
  if (value === undefined) return names;
  return valueOptional ? `${names} [${value}]` : `${names} ${value}`;
}

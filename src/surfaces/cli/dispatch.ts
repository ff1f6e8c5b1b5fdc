/** From the words of the command line to a command, and from what comes of it to an exit code. */
import { isatty } from 'node:tty';
import { parseArguments, UsageError } from './arguments.ts';
import { commandNames, loadCommand, loadConversation } from './commands/index.ts';
import type { Command, Context } from './command.ts';
import { failureOf, namesCommand } from './failure.ts';
import { failedOutcome, JsonLines } from './json-lines.ts';
import { openOutput, type Output } from './output.ts';
import { printable } from './printable.ts';
import { unknownCommand } from './unknown-command.ts';

/** Runs the command and ends the process with its exit code, when all output is handed over. */
export async function dispatch(words: readonly string[]): Promise<void> {
  const output = openOutput();
  const [name = '', ...rest] = words;
  const json = wantsJson(words) ? new JsonLines((line) => output.out.write(line)) : undefined;
  let hasFailed = false;
  process.on('uncaughtException', (error) => {
    // To report a failure may fail too, and would do so for ever.
    if (hasFailed) process.exit(1);
    hasFailed = true;
    end(report(error, name, output, json), output);
  });
  try {
    end(await perform(name, rest, output, json), output);
  } catch (error) {
    end(report(error, name, output, json), output);
  }
}

/** Also for words that can't be understood: whoever asked for JSON gets the outcome as JSON. */
function wantsJson([name, ...words]: readonly string[]): boolean {
  const end = words.indexOf('--');
  return ['run', 'resume'].includes(name ?? '') && words.slice(0, end < 0 ? undefined : end).includes('--json');
}

async function perform(name: string, words: string[], output: Output, json: JsonLines | undefined): Promise<number> {
  if (isConversation(name, output))
    return carryOut(await loadConversation(), name === '' ? [] : [name, ...words], { output });
  if (name === '') throw new UsageError('What shall be done? For example: reins run "fix the failing test".');
  if (['help', '--help', '-h'].includes(name)) {
    const { helpFor } = await import('./help.ts');
    output.out.write(await helpFor(words));
    return 0;
  }
  if (['version', '--version', '-V'].includes(name)) {
    const { version } = await import('../../harness/index.ts');
    output.out.write(`${version}\n`);
    return 0;
  }
  if (name.startsWith('-')) {
    throw new UsageError(
      'Without a command Reins is a conversation, and that takes a terminal. A task is given to run.',
    );
  }
  const command = await loadCommand(name);
  if (command === undefined) throw unknownCommand(name);
  return carryOut(command, words, { output, ...(json !== undefined && { json }) });
}

async function carryOut(command: Command, words: string[], context: Context): Promise<number> {
  const parsed = parseArguments(command, words);
  if (!parsed.options.has('help')) return command.run(parsed, context);
  const { commandHelp } = await import('./help.ts');
  context.output.out.write(commandHelp(command));
  return 0;
}

const plainOptions = ['--help', '-h', '--version', '-V'];

/** No command, or only options of a run, where somebody sits at a terminal. */
function isConversation(name: string, { err }: Output): boolean {
  if (name !== '' && (!name.startsWith('-') || plainOptions.includes(name))) return false;
  return err.isTerminal && isatty(0);
}

/** Says what went wrong, on standard error in words and where it is wanted on standard output as the outcome; gives the exit code. */
function report(error: unknown, name: string, { err }: Output, json: JsonLines | undefined): number {
  const failure = failureOf(error);
  err.write(`reins: ${printable(failure.text)}\n`);
  // A message that names a command has named the way out.
  if (error instanceof UsageError && !namesCommand(error.message)) {
    err.write(`See \`reins help${commandNames.includes(name) ? ` ${name}` : ''}\`.\n`);
  }
  json?.outcome(failedOutcome(failure));
  return failure.exit;
}

/** Ends at once when the output is handed over: nothing that is still open (a connection kept alive, say) may hold the process. */
function end(exit: number, { out, err }: Output): void {
  process.exitCode = exit;
  void Promise.all([out.flush(), err.flush()]).then(() => process.exit(exit));
}

import type { CommandAnalyser, Effects, Shell } from '../../needs.ts';
import { defineTool, type Tool } from '../../tool.ts';
import { secondsOf } from './arguments.ts';
import { description } from './description.ts';
import { effectsOf } from './effects.ts';
import { runCommand } from './execute.ts';
import { BatchFolder } from './folder.ts';
import { schema } from './schema.ts';

/** What the shell may take beyond the command's limit to end its processes, in milliseconds, before it is given up. */
const grace = 15_000;

/** What a plain call with this command line would do. */
export function shellEffects(command: string, folder: string, analyser: CommandAnalyser): Promise<Effects> {
  return effectsOf({ command }, folder, analyser);
}

/** One for each session: it remembers the folder of the calls at work. */
export function createShellTool(shell: Shell, analyser?: CommandAnalyser): Tool {
  const batch = new BatchFolder();
  return defineTool({
    name: 'shell',
    description,
    input: schema,
    timeout: (args) => secondsOf(args) * 1000 + grace,
    effects: (args, { folder }) => effectsOf(args, folder(), analyser),
    execute: (args, context) => batch.within(context.folder, (folder) => runCommand(shell, args, folder, context)),
    summary: ({ command, background, terminal, description: says }) => {
      const kept = background === 'kept' ? ', kept beyond the session' : '';
      const where =
        background === undefined ? '' : ` in the background${kept}${terminal === true ? ', with a terminal' : ''}`;
      return `run${where}: ${command}${says === undefined ? '' : `\n(the model says: ${says})`}`;
    },
  });
}

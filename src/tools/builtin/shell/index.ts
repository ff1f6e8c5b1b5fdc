import type { Shell } from '../../needs.ts';
import { defineTool, type Tool } from '../../tool.ts';
import { description } from './description.ts';
import { runCommand } from './execute.ts';
import { schema } from './schema.ts';

const usualSeconds = 120;
/** What the shell may take beyond the command's limit to end its processes, before it is given up. */
const grace = 15_000;

export function createShellTool(shell: Shell): Tool {
  const limit = (timeout: number = usualSeconds) => timeout * 1000;
  return defineTool({
    name: 'shell',
    description,
    input: schema,
    timeout: ({ timeout }) => limit(timeout) + grace,
    // What a command does can't be told from its text yet, so it runs alone.
    effects: ({ command }) => ({ effects: ['execute'], resources: 'unknown', command, confined: true }),
    execute: ({ command, timeout }, context) => runCommand(shell, { command, timeout: limit(timeout) }, context),
    summary: ({ command, description: says }) =>
      says === undefined ? `run: ${command}` : `run: ${command}\n(the model says: ${says})`,
  });
}

/** The tools that every session has. */
import type { Shell } from '../needs.ts';
import type { Tool } from '../tool.ts';
import { editTool } from './edit/index.ts';
import { readTool } from './read/index.ts';
import { createShellTool } from './shell/index.ts';
import { writeTool } from './write/index.ts';

export function builtinTools(needs: { shell: Shell }): Tool[] {
  return [readTool, editTool, writeTool, createShellTool(needs.shell)];
}

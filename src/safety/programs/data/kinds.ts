/** How entries of several families are written: many names for one entry, programs that act, package managers that ask, install and publish. */
import type { Effect } from '../../../core/index.ts';
import type { Program, Programs } from '../table.ts';

export const list = (commands: string, program: Program): Programs =>
  Object.fromEntries(commands.split(' ').map((command) => [command, program]));
export const acts = (effects: readonly Effect[], why: string, more: Program = {}): Program => ({
  effects,
  why,
  anyOption: true,
  words: '...text',
  ...more,
});
export const installs = (hosts: readonly string[], more: Program = {}): Program =>
  acts(['network', 'execute', 'write'], 'installs packages', { hosts, ...more });
export const publishes = (hosts: readonly string[]): Program =>
  acts(['network', 'write', 'execute'], 'publishes', { hosts });
export const asks = (hosts: readonly string[]): Program => acts(['network'], 'asks the registry', { hosts });

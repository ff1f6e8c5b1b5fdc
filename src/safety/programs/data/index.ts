/** All programs of the table. */
import type { Program, Programs } from '../table.ts';
import { coreutils, moreCoreutils } from './coreutils.ts';
import { text } from './text.ts';

const families: readonly Programs[] = [coreutils, moreCoreutils, text];

const table = new Map<string, Program>(families.flatMap((family) => Object.entries(family)));

export function findProgram(name: string): Program | undefined {
  return table.get(name);
}

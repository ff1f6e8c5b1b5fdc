/** All programs of the table. */
import type { Program, Programs } from '../table.ts';
import { archives } from './archives.ts';
import { containers } from './containers.ts';
import { coreutils, moreCoreutils } from './coreutils.ts';
import { files } from './files.ts';
import { git } from './git.ts';
import { inspection } from './inspection.ts';
import { interpreters } from './interpreters.ts';
import { languages } from './languages.ts';
import { network } from './network.ts';
import { npmPrograms } from './npm.ts';
import { numbers } from './numbers.ts';
import { ownWords } from './own-words.ts';
import { packages } from './packages.ts';
import { shell } from './shell.ts';
import { system } from './system.ts';
import { text } from './text.ts';
import { wrappers } from './wrappers.ts';

const families: readonly Programs[] = [
  archives,
  containers,
  coreutils,
  moreCoreutils,
  files,
  git,
  inspection,
  interpreters,
  languages,
  network,
  npmPrograms,
  numbers,
  ownWords,
  packages,
  shell,
  system,
  text,
  wrappers,
];

const table = new Map<string, Program>(families.flatMap((family) => Object.entries(family)));

export function findProgram(name: string): Program | undefined {
  return table.get(name);
}

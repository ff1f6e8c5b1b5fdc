/** What is said of a command that isn't there: the one that was meant, where that can be told. */
import { UsageError } from './arguments.ts';
import { commandNames } from './commands/index.ts';
import { nearest } from './nearest.ts';
import { oneLine } from './printable.ts';

/** What other tools call what a command does. */
export const otherWords: { readonly [word: string]: string } = {
  auth: 'models',
  chat: 'run',
  checkpoint: 'undo',
  checkpoints: 'undo',
  continue: 'resume',
  exec: 'run',
  history: 'sessions',
  list: 'sessions',
  ls: 'sessions',
  permissions: 'grants',
  rename: 'title',
  restore: 'undo',
  revert: 'undo',
  session: 'sessions',
  setting: 'config',
  settings: 'config',
  summarize: 'compact',
  verify: 'log',
};

export function unknownCommand(name: string): UsageError {
  const meant = Object.hasOwn(otherWords, name) ? otherWords[name] : nearest(name, commandNames);
  const shown = JSON.stringify(oneLine(name));
  if (meant !== undefined) return new UsageError(`The command ${shown} is unknown. Did you mean ${meant}?`);
  const hint = name.includes(' ') ? ' A task is given to run: reins run "fix the failing test".' : '';
  return new UsageError(`The command ${shown} is unknown.${hint}`);
}

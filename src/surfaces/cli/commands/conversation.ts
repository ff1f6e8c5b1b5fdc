/** `reins` on a terminal: a conversation on one session. It has no name, and the options of `run`. */
import type { CommandSpec } from '../arguments.ts';
import type { Command } from '../command.ts';
import { converse } from '../conversation/index.ts';
import { programName } from '../program.ts';
import { command as run, modes, runOptionsFrom } from './run.ts';

/** What is for programs, or goes with one task. */
const notHere = ['json', 'deltas', 'image', 'on-ask'];

const spec: CommandSpec = {
  name: '',
  summary: 'Talk with the model about this repository, on a terminal.',
  usage: ['[options]', '[options] --resume ID | --continue'],
  examples: ['--mode edit --check "npm test"', '--continue'],
  positionals: 0,
  tooMany: 'A task is given to run: reins run "fix the failing test".',
  options: run.options.filter(({ name }) => !notHere.includes(name)),
  notes: ['What is typed while a run works is heard after the present calls; /help says the rest.'],
};

export const command: Command = {
  ...spec,
  run: (parsed, { output }) => converse({ ...runOptionsFrom(parsed), modes, program: programName() }, output),
};

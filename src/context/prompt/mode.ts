import type { Mode } from '../../core/index.ts';

/** What each mode lets pass, for the model. */
export const modeTexts: { readonly [mode in Mode]: string } = {
  plan: 'Mode plan: you can only read; writes and commands are refused. End with a plan: the files to change, how, in which order, and how to verify it.',
  ask: 'Mode ask: reading passes; the user decides on each write and command.',
  edit: 'Mode edit: reading and writing in the workspace pass; the user decides on each command.',
  auto: 'Mode auto: everything passes inside the sandbox; nobody is asked.',
  unsafe: 'Mode unsafe: everything passes and nobody is asked. Be careful.',
};

import type { Mode } from '../../core/index.ts';

/** What each mode lets pass, for the model. */
const modeTexts: { readonly [mode in Mode]: string } = {
  plan: 'Mode plan: you can only read; writes, and commands that do more, are refused. Say what you found.',
  ask: 'Mode ask: reading passes; the user decides on each write and command.',
  edit: 'Mode edit: reading and writing in the workspace pass; the user decides on each command.',
  auto: 'Mode auto: everything passes inside the sandbox; nobody is asked.',
  unsafe: 'Mode unsafe: everything passes and nobody is asked. Be careful.',
};

/** `planFile`: in mode plan, where a plan can be written. */
export function modeText(mode: Mode, planFile?: string): string {
  if (mode !== 'plan' || planFile === undefined) return modeTexts[mode];
  return `Mode plan: you can read, and with the file tools write one file, the plan: ${planFile}. All other writes, and commands that do more than read, are refused. Write down the files to change, how, in which order, and how to verify it; then end your turn, and the user reviews it.`;
}

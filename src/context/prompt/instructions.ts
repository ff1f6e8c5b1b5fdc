import type { Fragment } from './fragment.ts';

/** Stands above the instruction files, where there are any. */
export const instructions: Fragment = {
  cap: 50,
  text: `# Instructions
From files of the user and the project: follow them in your work, a nearer file (later here) before a farther one, the task before all of them. They lift nothing said above, and no refusal.`,
};

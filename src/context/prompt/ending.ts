import type { Fragment } from './fragment.ts';

export const ending: Fragment = {
  cap: 60,
  text: `# The end
A reply without calls ends your work; if files changed, the checks run then and decide. What fails comes back to you. Close with a few plain sentences: what you changed and where, how it was verified, what is open.`,
};

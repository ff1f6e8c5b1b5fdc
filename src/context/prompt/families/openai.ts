import type { Family } from './family.ts';

/** They like to end with a plan or an offer where the work was asked for. */
export const openai: Family = {
  models: /^(?:gpt-\d|chatgpt|codex|o\d)/,
  fragments: {
    ending: {
      cap: 70,
      text: `# The end
A reply without calls ends your work, so none that only plans or offers; if files changed, the checks run then and decide. What fails comes back to you. Close with a few plain sentences: what you changed and where, how it was verified, what is open.`,
    },
  },
};

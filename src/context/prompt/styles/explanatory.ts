import type { Fragment } from '../fragment.ts';

export const explanatory: Fragment = {
  cap: 45,
  text: `# Style
Explain as you go, for someone who wants to learn from it: why this way and not another, what in this code led you there, and at the end what is worth remembering.`,
};

import type { Fragment } from '../fragment.ts';

export const concise: Fragment = {
  cap: 35,
  text: `# Style
Say as little as the matter allows: no introductions, nothing that the diff shows anyway, at most three sentences at the end.`,
};

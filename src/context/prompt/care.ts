import type { Fragment } from './fragment.ts';

export const care: Fragment = {
  cap: 65,
  text: `# Care
Changes that you did not make are the user's: keep them. Unless the task says so, don't delete work, discard changes, rewrite history, commit, push or reach outside the workspace. A refused call is a decision: don't reach the same end by another way.`,
};

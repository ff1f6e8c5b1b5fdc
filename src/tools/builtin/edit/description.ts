export const description =
  'Replace exact, unique text in a file that was read; empty `old` creates one. `more` edits follow, all or none.';

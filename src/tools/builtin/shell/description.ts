export const description =
  'Run a shell command in the workspace. No input, no terminal; everything it started ends with it. Gives the output (head and tail if long) and the exit code.';

export const description =
  'Run a shell command. cd persists; processes end with it and get no input, unless in the background.';

export const description =
  'Read a text file with line numbers. A file must be read before it can be edited or replaced. Shows up to 2,000 lines and says how to go on.';

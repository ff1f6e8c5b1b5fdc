export const description =
  'Replace text in a file that was read. `old` must match exactly, blanks included, and only once; leave out the line numbers. LF matches CRLF too. An empty `old` creates a new file.';

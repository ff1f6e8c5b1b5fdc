/** Where compiled code is kept for the length of a run of the tests: each command line has a home of its own, and would compile all anew. */
export function compiledCode(): { NODE_COMPILE_CACHE?: string } {
  const folder = process.env['NODE_COMPILE_CACHE'];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

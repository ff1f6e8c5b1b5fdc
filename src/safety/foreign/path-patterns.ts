/** Path patterns as .gitignore has them, as globs of ours. */

/**
 * The globs that a pattern stands for: what it names, and all that is below it. `x` and `./x` begin at the workspace, `/x` at `root`,
 * `//x` at the root of the file system, `~/x` at the home.
 */
export function pathPatterns(pattern: string, root: string | undefined): string[] | { why: string } {
  if (pattern.startsWith('!')) return { why: 'a pattern that takes back another has no counterpart here' };
  if (/[[\]{}\\]/.test(pattern))
    return { why: 'it has signs (brackets, braces, a backslash) without a counterpart here' };
  const body = pattern.replace(/\/+$/, '');
  if (body === '') return { why: 'it names nothing' };
  const begun = begin(body, root);
  if (typeof begun !== 'string') return begun;
  return begun.endsWith('/**') || begun === '**' ? [begun] : [begun, `${begun}/**`];
}

function begin(pattern: string, root: string | undefined): string | { why: string } {
  if (pattern.startsWith('//')) return pattern.slice(1);
  if (pattern.startsWith('~/')) return pattern;
  if (pattern.startsWith('/')) {
    if (root === undefined) return { why: 'a leading slash stands for no place in this file' };
    return root === '' ? pattern.slice(1) : `${root}${pattern}`;
  }
  const relative = pattern.replace(/^(?:\.\/)+/, '');
  if (relative.split('/').includes('..')) return { why: 'it leads out of the workspace' };
  // Without a slash inside, a name is meant at any depth.
  return relative.includes('/') || relative === '**' || pattern.startsWith('./') ? relative : `**/${relative}`;
}

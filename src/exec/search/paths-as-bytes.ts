/** Paths as strings of bytes: how they are ordered, opened and shown. */
import type { BytePath } from './engine.ts';

const isPlain = /^[\0-\x7f]*$/;

/** The path as text; bytes that are no UTF-8 become replacement marks. */
export function textOf(path: BytePath): string {
  // Most paths are the same either way, and there are many of them.
  if (isPlain.test(path)) return path;
  return Buffer.from(path, 'latin1').toString('utf8');
}

export function bytePath(text: string): BytePath {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** The path to open it by. */
export function pathIn(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(root === '/' ? '/' : `${root}/`, 'utf8'), Buffer.from(path, 'latin1')]);
}

/** Order of paths: folder by folder, each name by its bytes. */
export function comparePaths(a: BytePath, b: BytePath): number {
  const [first, second] = [orderKey(a), orderKey(b)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

/** In that order. */
export function sortedPaths(paths: readonly BytePath[]): BytePath[] {
  const keyed = paths.map((path) => ({ path, key: orderKey(path) }));
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ path }) => path);
}

/** A slash comes before every character of a name, so that what is in a folder stays together. */
function orderKey(path: BytePath): string {
  return path.replaceAll('/', '\0');
}

/** As people read it: what would break the line is shown as its picture. */
export function shownPath(text: string): string {
  return text.replaceAll(/[\n\r]/g, (character) => (character === '\n' ? '\u240a' : '\u240d'));
}

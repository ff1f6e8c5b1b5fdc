/** Whether two calls could get in each other's way, by what they declare to touch. */
import type { Resource } from '../core/index.ts';

export type Resources = Resource[] | 'unknown';

/** Whether the order of two calls could matter. */
export function conflict(a: Resources, b: Resources): boolean {
  if (a === 'unknown' || b === 'unknown') return true;
  return a.some((one) => b.some((other) => touches(one, other)));
}

function touches(a: Resource, b: Resource): boolean {
  if (a.access === 'read' && b.access === 'read') return false;
  const [one, other] = [regionOf(a.path), regionOf(b.path)];
  if (one.isName !== other.isName) return false;
  return contains(one, other) || contains(other, one);
}

/** What a resource covers: all that begins with `start`, or only what is called so. */
interface Region {
  isName: boolean;
  start: string;
  isOpen: boolean;
}

/** A named thing (`job:3`, `process:*`) as against a path. */
const named = /^[a-z][a-z0-9+.-]*:/i;
const globbed = /[*?[{]/;

/** A path stands for all below it too. Of a glob the part counts that is written out: more may conflict then, never less. */
function regionOf(path: string): Region {
  const glob = path.search(globbed);
  if (named.test(path)) {
    return glob < 0
      ? { isName: true, start: path, isOpen: false }
      : { isName: true, start: path.slice(0, glob), isOpen: true };
  }
  const folder = glob < 0 ? path : path.slice(0, path.lastIndexOf('/', glob) + 1);
  return { isName: false, start: folder.replace(/\/+$/, ''), isOpen: true };
}

function contains(outer: Region, inner: Region): boolean {
  if (outer.start === inner.start) return true;
  if (outer.isName) return outer.isOpen && inner.start.startsWith(outer.start);
  return outer.start === '' || inner.start.startsWith(`${outer.start}/`);
}

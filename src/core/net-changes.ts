/** What is left of all that changed: a path that is again as it was before its first change doesn't differ. */
import type { Change } from './events.ts';

export class NetChanges {
  /** What each path was before its first change. */
  private readonly first = new Map<string, string | null>();
  private readonly differing = new Set<string>();
  /** Paths of which a state is not known. */
  private readonly unknown = new Set<string>();

  take(changes: readonly Change[]): void {
    for (const { path, before, after } of changes) {
      if (!this.first.has(path)) this.first.set(path, before);
      this.compare(path, after);
    }
  }

  /** What a scan saw of paths that differ from the scan before; one that is as committed is not among its files. */
  takeScan(changed: readonly string[], files: { readonly [path: string]: string | null }): void {
    for (const path of changed) {
      const now = files[path];
      if (now !== undefined && this.first.has(path)) this.compare(path, now);
      else this.unknown.add(path);
    }
  }

  private compare(path: string, now: string | null): void {
    if (this.first.get(path) === now) this.differing.delete(path);
    else this.differing.add(path);
  }

  get isNone(): boolean {
    return this.differing.size + this.unknown.size === 0;
  }
}

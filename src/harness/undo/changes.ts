/** What differs between two snapshots, as changes of files with the SHA-256 of their bytes. */
import { createHash } from 'node:crypto';
import type { Change } from '../../core/index.ts';
import type { CheckpointStore } from '../../exec/index.ts';

export async function changesBetween(store: CheckpointStore, before: string, after: string): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { path } of await store.compare(before, after)) {
    const [old, made] = [await hashIn(store, before, path), await hashIn(store, after, path)];
    if (old !== null || made !== null) changes.push({ path, before: old, after: made });
  }
  return changes;
}

/** SHA-256 of a file's bytes or a link's target; null where there is none, or it wasn't kept. */
export async function hashIn(store: CheckpointStore, snapshot: string, path: string): Promise<string | null> {
  const content = await store.content(snapshot, path);
  return content === null ? null : hashOf(content);
}

export function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

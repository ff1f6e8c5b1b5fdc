/** Looks whether all that snapshots name is there and whole. */
import { rmSync } from 'node:fs';
import { isWhole } from './copy-object.ts';
import type { OpenStore } from './open-store.ts';
import { Pace } from './pace.ts';
import { decodeTree, types, typeOf } from './trees.ts';

export interface Verified {
  snapshots: number;
  objects: number;
  /** Ids of objects that are missing or damaged. */
  damaged: string[];
}

/** What is damaged is taken out, so that the same content is written anew when it is seen again. */
export async function verifyStore(store: OpenStore): Promise<Verified> {
  const pace = new Pace();
  const seen = new Set<string>();
  const damaged: string[] = [];
  let snapshots = 0;
  for (const session of store.records.sessions()) {
    for (const { root, known } of store.records.of(session).values()) {
      snapshots += 1;
      const ids = Object.values(known ?? {}).flatMap((entry) => (entry === null ? [] : [entry[1]]));
      await verifyAll(store, root === undefined ? ids : [root], seen, damaged, pace);
    }
  }
  if (damaged.length > 0) {
    for (const id of damaged) store.objects.removeLoose(id);
    rmSync(store.folder.manifest, { force: true });
  }
  return { snapshots, objects: seen.size, damaged };
}

async function verifyAll(
  store: OpenStore,
  ids: string[],
  seen: Set<string>,
  damaged: string[],
  pace: Pace,
): Promise<void> {
  const waiting = ids.map((id) => ({ id, isTree: store.objects.header(id)?.type === 'tree' }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, isTree } = next;
    if (seen.has(id)) continue;
    seen.add(id);
    if (pace.isDue()) await pace.rest();
    const entries = isTree ? treeOf(store, id) : [];
    if (entries === undefined || (!isTree && !(await isWhole(store.objects, id, pace)))) damaged.push(id);
    for (const entry of entries ?? []) {
      if (typeOf(entry.mode) !== types.unkept)
        waiting.push({ id: entry.id, isTree: typeOf(entry.mode) === types.folder });
    }
  }
}

function treeOf({ objects }: OpenStore, id: string) {
  const found = objects.read(id);
  return found?.type === 'tree' ? decodeTree(found.bytes) : undefined;
}

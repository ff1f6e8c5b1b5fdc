/** What commands changed: no tool says it, so the snapshots right before and right after each are compared. */
import { existsSync } from 'node:fs';
import { placesOf } from '../../config/index.ts';
import { ReinsError } from '../../core/index.ts';
import type { CheckpointStore } from '../../exec/index.ts';
import { storeFor, storeFolder } from '../checkpoints.ts';
import type { SessionReader } from '../types.ts';
import { hashIn, historyIn, type Operation } from '../undo/index.ts';
import type { AuditedChange, AuditEntry, CallEntry } from './entry.ts';

type Variables = { readonly [name: string]: string | undefined };

/** Files of one call that are hashed; what a build makes by the thousand says no more than that. */
const mostCompared = 1_000;

/** Completes the calls whose changes nobody reported; each says why where that can't be done. */
export async function compareCalls(
  env: Variables | undefined,
  reader: SessionReader,
  workspace: string,
  entries: readonly AuditEntry[],
): Promise<void> {
  const open = entries.filter((entry) => entry.type === 'call' && isOpen(entry)) as CallEntry[];
  if (open.length === 0) return;
  const operations = new Map(historyIn(reader.items()).operations.map((operation) => [operation.id, operation]));
  const comparable = open.filter(({ id }) => operations.get(id)?.after !== undefined);
  if (comparable.length === 0) return;
  if (!existsSync(storeFolder(placesOf(env).state, workspace)) || !existsSync(workspace)) {
    for (const call of comparable) call.changesUnknown = 'the workspace or its snapshots are gone';
    return;
  }
  const store = await storeFor(env, workspace, reader.id);
  try {
    for (const call of comparable) await compare(store, call, operations.get(call.id));
  } finally {
    await store.close();
  }
}

/** It was started, and no tool said all that it changed. */
function isOpen({ startedAt, changes, changesUnknown, outcome }: CallEntry): boolean {
  return startedAt !== undefined && (changesUnknown !== undefined || (changes.length === 0 && outcome !== 'ok'));
}

async function compare(store: CheckpointStore, call: CallEntry, operation: Operation | undefined): Promise<void> {
  if (operation?.after === undefined) return;
  const { before, after, paths } = operation;
  try {
    const differences = (await store.compare(before, after)).filter(
      ({ path, ...sides }) => (paths?.includes(path) ?? true) && (isContent(sides.before) || isContent(sides.after)),
    );
    const changes: AuditedChange[] = [];
    const unkept: string[] = [];
    for (const { path, ...sides } of differences.slice(0, mostCompared)) {
      const isKept = sides.before?.kept !== false && sides.after?.kept !== false;
      if (!isKept) unkept.push(path);
      const [old, made] = [await hashIn(store, before, path), await hashIn(store, after, path)];
      if (isKept) changes.push({ path, before: old, after: made, how: 'compared' });
    }
    call.changes = changes;
    delete call.changesUnknown;
    const more = differences.length - mostCompared;
    if (more > 0) call.changesUnknown = `${more} more files differ`;
    else if (unkept.length > 0) call.changesUnknown = `not kept, but changed: ${unkept.slice(0, 20).join(', ')}`;
  } catch (error) {
    if (!(error instanceof ReinsError)) throw error;
    call.changesUnknown = error.detail;
  }
}

/** Folders have no content. */
function isContent(entry: { kind: string } | null): boolean {
  return entry?.kind === 'file' || entry?.kind === 'link';
}

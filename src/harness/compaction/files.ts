/** The files that older turns read and changed, told from the log. */
import { relative } from 'node:path';
import type { CallState, Gist, Json, View } from '../../core/index.ts';

/** Paths of each kind that are named. */
const mostNamed = 100;

export function filesOf({ transcript, session }: View, calls: readonly CallState[]): Gist['files'] {
  const before = transcript.gist?.files ?? { read: [], changed: [] };
  const read = new Set(before.read);
  const changed = new Set(before.changed);
  for (const { result } of calls) {
    for (const { path } of result?.changes ?? []) changed.add(path);
    const path = pathIn(result?.facts?.['read']);
    if (path !== undefined) read.add(session === undefined ? path : within(session.workspace, path));
  }
  // What was written is known to have been touched.
  for (const path of changed) read.delete(path);
  const more = (before.more ?? 0) + Math.max(0, read.size - mostNamed) + Math.max(0, changed.size - mostNamed);
  const newest = (paths: Set<string>) => [...paths].slice(-mostNamed);
  return { read: newest(read), changed: newest(changed), ...(more > 0 && { more }) };
}

/** A log of another version can hold anything as a fact. */
function pathIn(fact: Json | undefined): string | undefined {
  if (typeof fact !== 'object' || fact === null || Array.isArray(fact)) return undefined;
  return typeof fact['path'] === 'string' ? fact['path'] : undefined;
}

function within(workspace: string, path: string): string {
  const inside = relative(workspace, path);
  return inside.startsWith('..') ? path : inside;
}

/** What is at a path now, held against what somebody believes to be there. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type BigIntStats } from 'node:fs';
import { systemPath, type ByteText } from './names.ts';
import { looseHeader, objectId } from './objects.ts';
import type { Pace } from './pace.ts';
import type { Entry } from './snapshot.ts';
import { fingerprintOf } from './state.ts';
import { look, reasonFor } from './status.ts';
import { permissions, unkeptIgnored } from './trees.ts';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const chunkBytes = 512 * 1024;

export type Present = { status: BigIntStats | undefined } | { why: string };

/** Why something else is there than expected; else its status, undefined where nothing is, as expected. Throws the system's error when it can't be read. */
export async function expectAt(path: ByteText, expected: Entry | null, pace: Pace): Promise<Present> {
  const status = look(path);
  if (typeof status === 'string') return { why: reasonFor(status) };
  if (expected === null) return status === undefined ? { status } : { why: 'it exists by now' };
  if (status === undefined) return { why: 'it is gone by now' };
  const kind = kindOf(status);
  if (kind !== (expected.kind === 'repository' ? 'folder' : expected.kind)) return { why: `it is a ${kind} by now` };
  if (kind === 'link') {
    const id = objectId('blob', readlinkSync(systemPath(path), 'buffer'));
    return id === expected.hash ? { status } : { why: 'it leads elsewhere by now' };
  }
  if ((Number(status.mode) & permissions) !== expected.mode) return { why: 'its mode has changed meanwhile' };
  if (kind === 'folder' || (await isContent(path, status, expected, pace))) return { status };
  return { why: 'its content has changed meanwhile' };
}

function kindOf(status: BigIntStats): string {
  if (status.isFile()) return 'file';
  if (status.isSymbolicLink()) return 'link';
  return status.isDirectory() ? 'folder' : 'special file';
}

async function isContent(path: ByteText, status: BigIntStats, expected: Entry, pace: Pace): Promise<boolean> {
  if (!expected.kept) return expected.hash === unkeptIgnored || expected.hash === fingerprintOf(status);
  if (expected.size !== undefined && expected.size !== Number(status.size)) return false;
  return (await idOfFile(path, pace)) === expected.hash;
}

/** The id of a file's present content; undefined when it is no file any more, or changes while it is read. */
async function idOfFile(path: ByteText, pace: Pace): Promise<string | undefined> {
  const file = openSync(systemPath(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const status = fstatSync(file);
    if (!status.isFile()) return undefined;
    const hash = createHash('sha256').update(looseHeader('blob', status.size));
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, status.size + 1));
    let total = 0;
    for (;;) {
      const count = readSync(file, chunk, 0, chunk.length, total);
      if (count === 0) return total === status.size ? hash.digest('hex') : undefined;
      hash.update(chunk.subarray(0, count));
      total += count;
      if (pace.isDue()) await pace.rest();
    }
  } finally {
    closeSync(file);
  }
}

/** Checks a session's record against itself. */
import { ReinsError, type EventId } from '../core/index.ts';
import { blobsOf, Blobs } from './blobs.ts';
import { Decoder, type Entry } from './decoder.ts';
import { logFile } from './folders.ts';
import { physicalLines } from './physical-lines.ts';
import { rebuildRequest } from './requests.ts';
import { scan } from './skeleton.ts';

/** What an event says of bytes that stand elsewhere. */
interface Reference {
  line: number;
  request?: EventId;
  blob?: string;
}

export interface Finding {
  /** Number of the physical line, from 1. */
  line: number;
  what: string;
}

export interface Verification {
  lines: number;
  findings: Finding[];
  /** SHA-256 of the last line; null for an empty log. Kept elsewhere, it is what a later check can be held against. */
  head: string | null;
  /** Where the line with the given hash stands and how many lines came after it; null when no line of the log has it. */
  given?: { line: number; after: number } | null;
}

/**
 * Checks the chain over every physical line, the fingerprint of every request, and every blob that an event names.
 *
 * What it proves: each line carries the SHA-256 of the line before it, so damage and edits of single lines show, and where. Who can
 * rewrite the whole file can chain it anew, so by itself the chain proves nothing against them, and nothing about lines that were
 * cut off at the end. Held against a head hash that was kept elsewhere (`given`), it proves that everything up to that line is what
 * it was when the hash was taken. It never proves that what was recorded was true, only that it is what was recorded. The last
 * line has no follower yet: only a head hash covers it.
 */
export async function verify(folder: string, given?: string): Promise<Verification> {
  const decoder = new Decoder();
  const findings: Finding[] = [];
  const references: Reference[] = [];
  let head: string | null = null;
  let lines = 0;
  let givenLine: number | undefined;
  for (const physical of physicalLines(logFile(folder))) {
    for (const entry of decoder.decode(physical)) {
      findings.push(...checkEntry(entry, head));
      references.push(...referencesOf(entry));
    }
    if (!physical.ended)
      findings.push({ line: physical.line, what: 'no newline at its end: torn, or being written now' });
    head = physical.hash();
    lines = physical.line;
    if (head === given) givenLine = lines;
  }
  findings.push(...(await checkReferences(folder, references)));
  findings.sort((a, b) => a.line - b.line);
  const verification: Verification = { lines, findings, head };
  if (given === undefined) return verification;
  return { ...verification, given: givenLine === undefined ? null : { line: givenLine, after: lines - givenLine } };
}

/** `before` is the hash of the physical line before; a salvaged record stands in a line of which nothing can be proved. */
function checkEntry({ item, line, prev, salvaged }: Entry, before: string | null): Finding[] {
  const findings: Finding[] = [];
  if ('damage' in item) findings.push({ line, what: item.damage });
  if (salvaged === true) findings.push({ line, what: 'a record behind the damage, used but not chained' });
  else if (prev !== undefined && prev !== before) {
    const what =
      before === null
        ? 'it was chained to a line before it, and is the first'
        : `line ${line - 1} isn’t the one it was chained to`;
    findings.push({ line, what });
  }
  return findings;
}

function referencesOf({ item, line }: Entry): Reference[] {
  if ('damage' in item) return [];
  if (item.kind === 'request') return [{ line, request: item.id }];
  return blobsOf(item).map((blob) => ({ line, blob }));
}

/** Requests mostly build on the one just before: that many bodies are kept at hand. */
const bodiesAtHand = 4;

async function checkReferences(folder: string, references: Reference[]): Promise<Finding[]> {
  const skeleton = scan(folder);
  const blobs = new Blobs(folder);
  const bodies = new Map<EventId, Buffer>();
  const findings: Finding[] = [];
  for (const { line, request, blob } of references) {
    try {
      if (blob !== undefined) await blobs.get(blob);
      if (request === undefined) continue;
      bodies.set(request, (await rebuildRequest(folder, request, skeleton, bodies)).body);
      const [oldest] = bodies.keys();
      if (bodies.size > bodiesAtHand && oldest !== undefined) bodies.delete(oldest);
    } catch (error) {
      if (!(error instanceof ReinsError)) throw error;
      findings.push({ line, what: error.detail });
    }
  }
  return findings;
}

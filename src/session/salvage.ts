/** What is left in a damaged line: whole records that stand before, behind or between the damage. */
import { parseLine, type Head, type Line } from './line.ts';

export interface Salvaged {
  line: Line;
  /** Where the record stands in the damaged line. */
  start: number;
  end: number;
}

const recordStart = /\{"id":"([A-Za-z0-9_-]{1,64})","parent":(?:null|"([A-Za-z0-9_-]{1,64})"),"at":/g;
const recordEnd = /,"prev":(?:null|"[0-9a-f]{64}")\}/g;
/** A line is made of few records; more beginnings than this are content that looks like one, and are not worth the time. */
const mostBoundaries = 16;
/** Content can't begin sooner in a record: what looks like a record before this byte of a line isn't the content of another. */
const earliestContent = 60;

/**
 * The whole records in a line that isn't one, and what the halves between them were. Half a record may hold content (the arguments
 * of a call, say) that was made to look like a record; so one is taken only where it hangs on an event that is `known` or on another
 * before it in the line. Content can't do that: it doesn't know the ids of events.
 */
export function salvage(bytes: Buffer, known: (parent: string) => boolean): { records: Salvaged[]; halves: Head[] } {
  const text = bytes.toString('latin1'); // One character a byte, so that places in the text are places in the line.
  const starts = [...text.matchAll(recordStart)].slice(0, mostBoundaries);
  const ends = [...text.matchAll(recordEnd)].slice(-mostBoundaries).map(({ index, 0: { length } }) => index + length);
  const records: Salvaged[] = [];
  const halves: Head[] = [];
  const here = new Set<string>();
  let from = 0;
  for (const { index: start, 1: id = '', 2: parent = null } of starts) {
    if (start < from) continue;
    const hangs = parent !== null && (here.has(parent) || known(parent));
    if (start >= earliestContent && !hangs) continue;
    here.add(id);
    const record = recordAt(bytes, start, ends);
    if (record === undefined) {
      halves.push({ id, parent });
      continue;
    }
    records.push(record);
    from = record.end;
  }
  return { records, halves };
}

function recordAt(bytes: Buffer, start: number, ends: number[]): Salvaged | undefined {
  for (const end of ends) {
    if (end <= start) continue;
    const line = parseLine(bytes.subarray(start, end));
    if (!('damage' in line)) return { line, start, end };
  }
  return undefined;
}

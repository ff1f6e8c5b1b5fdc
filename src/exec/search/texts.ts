/** The text that is shown of each line. */
import type { ShownFile, ShownRecord } from './answer.ts';
import type { BytePath, Engine, FileLines, LineRecord, Place, Query, Watch } from './engine.ts';
import { cutLong, isLong, readLineStart, textOf, type LineStart } from './long-lines.ts';
import { pathIn } from './paths-as-bytes.ts';

/** Bytes of long lines that are looked through for the place of their match. */
const mostLocated = 16 * 1024 * 1024;
const unreadable = '[a long line, not shown]';

/** Adds the texts; long lines are cut around their match. */
export async function withTexts(
  engine: Engine,
  query: Query,
  place: Place,
  files: readonly FileLines[],
  watch: Watch,
): Promise<ShownFile[]> {
  const starts = new Map<LineRecord, LineStart>();
  for (const { path, records } of files)
    for (const record of records) {
      const start = isLong(record.bytes) ? startOf(place, path, record) : undefined;
      if (start !== undefined) starts.set(record, start);
    }
  const columns = await locate(engine, query, starts, watch);
  const shown = (record: LineRecord): ShownRecord => ({ ...record, text: textFor(record, starts, columns) });
  return files.map((file) => ({ ...file, records: file.records.map(shown) }));
}

function startOf(place: Place, path: BytePath, { bytes, offset }: LineRecord): LineStart | undefined {
  return bytes === undefined ? readLineStart(pathIn(place.root, path), offset) : { bytes, whole: true };
}

/** Where the first match in each long line begins. */
async function locate(
  engine: Engine,
  query: Query,
  starts: ReadonlyMap<LineRecord, LineStart>,
  watch: Watch,
): Promise<Map<LineRecord, number>> {
  const records: LineRecord[] = [];
  const lines: Buffer[] = [];
  let bytes = 0;
  for (const [record, start] of starts) {
    bytes += start.bytes.length;
    if (!record.matched || bytes > mostLocated) continue;
    records.push(record);
    lines.push(start.bytes);
  }
  if (lines.length === 0) return new Map();
  // A match over several lines isn't found in one: then the beginning of the line is shown.
  const columns = await engine.locate({ ...query, multiline: false }, lines, watch);
  return new Map(records.map((record, index) => [record, columns[index] ?? 0]));
}

function textFor(
  record: LineRecord,
  starts: ReadonlyMap<LineRecord, LineStart>,
  columns: ReadonlyMap<LineRecord, number>,
): string {
  const start = starts.get(record);
  if (start !== undefined) return cutLong(start, columns.get(record) ?? 0);
  return record.bytes === undefined ? unreadable : textOf(record.bytes);
}

/** The text that is shown of each line. */
import type { ShownFile, ShownRecord } from './answer.ts';
import type { Engine, FileLines, LineRecord, Place, Query, Watch } from './engine.ts';
import { cutLong, enoughBytes, isLong, readLineStart, textOf, type LineStart } from './long-lines.ts';
import type { ByteFilter } from '../needs.ts';
import { pathIn } from './paths-as-bytes.ts';

/** Bytes of one line, and of all long ones, that are looked through for the place of their match. */
const mostOfLine = 1024 * 1024;
const mostOfAll = 16 * 1024 * 1024;
const unreadable = '[a long line, not shown]';

/** Adds the texts; long lines are cut around their match. */
export async function withTexts(
  engine: Engine,
  query: Query,
  place: Place,
  files: readonly FileLines[],
  watch: Watch,
  hide?: () => ByteFilter,
): Promise<ShownFile[]> {
  const starts = startsOf(place, files);
  const columns = await locate(engine, query, starts, watch);
  const shown = (record: LineRecord): ShownRecord => ({ ...record, text: textFor(record, starts, columns, hide) });
  return files.map((file) => ({ ...file, records: file.records.map(shown) }));
}

/** The beginnings of all long lines. What is looked through is bounded; of the rest, only what may be shown is held. */
function startsOf(place: Place, files: readonly FileLines[]): Map<LineRecord, LineStart> {
  const starts = new Map<LineRecord, LineStart>();
  let left = mostOfAll;
  for (const { path, records } of files) {
    for (const record of records) {
      if (!isLong(record.bytes)) continue;
      const most = record.matched ? Math.max(enoughBytes, Math.min(mostOfLine, left)) : enoughBytes;
      const start = startOf(pathIn(place.root, path), record, most);
      if (start === undefined) continue;
      starts.set(record, start);
      if (record.matched) left -= start.bytes.length;
    }
  }
  return starts;
}

function startOf(path: Buffer, { bytes, offset }: LineRecord, most: number): LineStart | undefined {
  return bytes === undefined ? readLineStart(path, offset, most) : { bytes, whole: true };
}

/** Where the first match in each long line begins. */
async function locate(
  engine: Engine,
  query: Query,
  starts: ReadonlyMap<LineRecord, LineStart>,
  watch: Watch,
): Promise<Map<LineRecord, number>> {
  const matched = [...starts].filter(([record]) => record.matched);
  if (matched.length === 0) return new Map();
  // A match over several lines isn't found in one: then the beginning of the line is shown.
  const lines = matched.map(([, { bytes }]) => bytes);
  const columns = await engine.locate({ ...query, multiline: false }, lines, watch);
  return new Map(matched.map(([record], index) => [record, columns[index] ?? 0]));
}

function textFor(
  record: LineRecord,
  starts: ReadonlyMap<LineRecord, LineStart>,
  columns: ReadonlyMap<LineRecord, number>,
  hide: (() => ByteFilter) | undefined,
): string {
  const start = starts.get(record);
  if (start !== undefined) return cutLong(hidden(start, hide), columns.get(record) ?? 0);
  return record.bytes === undefined ? unreadable : textOf(record.bytes);
}

/** What is replaced before the match moves it; then what is shown is only near it. */
function hidden(start: LineStart, hide: (() => ByteFilter) | undefined): LineStart {
  if (hide === undefined) return start;
  const filter = hide();
  return { ...start, bytes: Buffer.concat([filter.write(start.bytes), filter.end()]) };
}

/** Brings the words of all sessions into the index: of each log only what came since the last time. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ReinsError } from '../../core/index.ts';
import { inTransaction } from '../catalogue.ts';
import type { Entry } from '../decoder.ts';
import { sessionFolder } from '../folders.ts';
import { beginning, readTail, type Position } from '../tail.ts';
import { searchedIn } from './texts.ts';

/** Bytes of logs that one transaction takes in, more or less. */
const atOnce = 8 * 1024 * 1024;

interface Row {
  key: number;
  id: string;
  workspace: string | null;
  offset: number;
  indexedLine: number;
  indexedOffset: number;
  indexedFormat: number;
}

const columns = 'key, id, workspace, offset, indexedLine, indexedOffset, indexedFormat';

/** `progress` is told the bytes of logs that are in and those that there are to be taken in. */
export function fillWords(index: DatabaseSync, state: string, progress: (done: number, all: number) => void): void {
  const behind = index.prepare(`SELECT ${columns} FROM session WHERE indexedOffset < offset ORDER BY id`).all();
  const rows = behind as unknown as Row[];
  if (rows.length === 0) return;
  const filling = new Filling(index, state);
  const all = rows.reduce((sum, row) => sum + row.offset - row.indexedOffset, 0);
  let done = 0;
  for (let from = 0; from < rows.length;) {
    let bytes = 0;
    inTransaction(index, () => {
      for (; from < rows.length && bytes < atOnce; from += 1) {
        const { key = 0, offset = 0, indexedOffset = 0 } = rows[from] ?? {};
        filling.fill(key);
        bytes += offset - indexedOffset;
      }
    });
    done += bytes;
    progress(done, all);
  }
}

class Filling {
  readonly #state: string;
  readonly #row: StatementSync;
  readonly #entry: StatementSync;
  readonly #word: StatementSync;
  readonly #path: StatementSync;
  readonly #position: StatementSync;

  constructor(index: DatabaseSync, state: string) {
    this.#state = state;
    this.#row = index.prepare(`SELECT ${columns} FROM session WHERE key = ?`);
    this.#entry = index.prepare(
      'INSERT INTO entry (session, event, kind, at, tool, outcome, offset, bytes, format) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#word = index.prepare('INSERT INTO word (rowid, text) VALUES (?, ?)');
    this.#path = index.prepare('INSERT OR IGNORE INTO path (path, entry) VALUES (?, ?)');
    this.#position = index.prepare(
      'UPDATE session SET indexedLine = ?, indexedOffset = ?, indexedFormat = ? WHERE key = ?',
    );
  }

  /** Read anew inside of the transaction: another process may have taken it in meanwhile. */
  fill(key: number): void {
    const row = this.#row.get(key) as unknown as Row | undefined;
    if (row === undefined || row.indexedOffset >= row.offset) return;
    let position: Position =
      row.indexedOffset === 0
        ? beginning
        : { line: row.indexedLine, offset: row.indexedOffset, format: row.indexedFormat };
    try {
      for (const tail of readTail(sessionFolder(this.#state, row.id), position)) {
        for (const entry of tail.entries) this.#take(row, entry);
        position = tail.position;
        // No further than what is known of the log: what came since is looked at with all else next time.
        if (position.offset >= row.offset) break;
      }
    } catch (error) {
      if (!(error instanceof ReinsError)) throw error; // It went away meanwhile; the list notices that next time.
    }
    this.#position.run(position.line, position.offset, position.format, key);
  }

  #take({ key: session, workspace }: Row, { item, offset, bytes, format }: Entry): void {
    if ('damage' in item) return;
    const searched = searchedIn(item, workspace ?? undefined);
    if (searched === undefined) return;
    const { text, tool = null, outcome = null, paths = [] } = searched;
    const { id, kind, at } = item;
    const { lastInsertRowid } = this.#entry.run(session, id, kind, at, tool, outcome, offset, bytes, format);
    this.#word.run(lastInsertRowid, text);
    for (const path of paths) this.#path.run(path, lastInsertRowid);
  }
}

/** What a thread is asked to do, and what it tells. */
import type { BytePath, Counted, FileLines, NameGlobs, Place, Query, Trouble } from '../engine.ts';

export type Job =
  | { do: 'count'; query: Query; place: Place; names?: NameGlobs; filesOnly: boolean; withoutBinary: boolean }
  | { do: 'lines'; query: Query; place: Place; files: BytePath[]; context: number; limit: number }
  | { do: 'locate'; query: Query; lines: Uint8Array[] }
  | { do: 'list'; place: Place; names?: NameGlobs };

export type Told =
  | { tells: 'counted'; files: Counted[] }
  | { tells: 'paths'; paths: BytePath[] }
  | { tells: 'lines'; file: FileLines }
  | { tells: 'located'; columns: (number | undefined)[] }
  | { tells: 'trouble'; trouble: Trouble }
  | { tells: 'refused'; reason: string }
  | { tells: 'done' };

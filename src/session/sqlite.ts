/** SQLite, loaded when it is first needed. */
import type * as Sqlite from 'node:sqlite';

/** Result codes of SQLite (https://www.sqlite.org/rescode.html). */
export const sqliteBusy = 5;
export const sqliteCorrupt = 11;
export const sqliteNoDatabase = 26;

export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined;
}

/** Node 22 warns that its SQLite is experimental: that one warning is kept back, while it loads, and no other. */
export function loadSqlite(): typeof Sqlite {
  const emit = process.emitWarning.bind(process);
  const original = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  const quiet = (warning: string | Error, ...rest: unknown[]): void => {
    if (!String(warning).includes('SQLite is an experimental feature'))
      Reflect.apply(emit, process, [warning, ...rest]);
  };
  process.emitWarning = quiet;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    if (original !== undefined) Object.defineProperty(process, 'emitWarning', original);
  }
}

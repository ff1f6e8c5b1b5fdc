/** The snapshots of sessions, a line each, in the order in which they were taken. */
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { unwritable, type StoreFolder } from './store-folder.ts';

export interface Recorded {
  id: string;
  session: string;
  /** ISO 8601. */
  at: string;
  /** Id of its tree; undefined as long as, or because, it is partial. */
  root: string | undefined;
  /** Of a partial one, what is known: mode and id by key, null for what isn't there. */
  known: { [key: string]: [mode: number, id: string] | null } | undefined;
}

const suffix = '.jsonl';
const sessionName = /^[A-Za-z0-9_][\w.-]{0,127}$/;

/** Whether this can be the id of a session: it becomes part of file names. */
export function isSession(name: string): boolean {
  return sessionName.test(name);
}

export class Records {
  readonly #folder: StoreFolder;

  constructor(folder: StoreFolder) {
    this.#folder = folder;
  }

  /** A later record of the same snapshot replaces an earlier one. */
  append({ session, ...record }: Recorded): void {
    const path = this.#file(session);
    try {
      const file = openSync(path, 'a+', 0o600);
      try {
        // One that was killed while it wrote may have left half a line.
        writeSync(file, `${endsLine(file) ? '' : '\n'}${JSON.stringify(record)}\n`);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  find(id: string, first: string): Recorded | undefined {
    const others = this.sessions().filter((session) => session !== first);
    for (const session of [first, ...others]) {
      const found = this.of(session).get(id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  of(session: string): Map<string, Recorded> {
    const found = new Map<string, Recorded>();
    for (const line of this.#read(session).split('\n')) {
      const record = parse(line);
      if (record !== undefined) found.set(record.id, { ...record, session });
    }
    return found;
  }

  sessions(): string[] {
    const names = readdirSync(this.#folder.sessions).filter((name) => name.endsWith(suffix));
    return names.map((name) => name.slice(0, -suffix.length)).filter(isSession);
  }

  /** When a session took its last snapshot, in milliseconds since 1970. */
  lastUse(session: string): number {
    return statSync(this.#file(session), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }

  remove(session: string): void {
    rmSync(this.#file(session), { force: true });
  }

  #read(session: string): string {
    try {
      return readFileSync(this.#file(session), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw unwritable(this.#file(session), error);
    }
  }

  #file(session: string): string {
    return join(this.#folder.sessions, session + suffix);
  }
}

function endsLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

function parse(line: string): Omit<Recorded, 'session'> | undefined {
  if (line === '') return undefined;
  try {
    const { id, at, root, known } = JSON.parse(line) as Recorded;
    return typeof id === 'string' && typeof at === 'string' ? { id, at, root, known } : undefined;
  } catch {
    return undefined; // half a line: that snapshot was never given to anybody
  }
}

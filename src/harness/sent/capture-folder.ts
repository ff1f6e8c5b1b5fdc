/** The joint for captures on disk: `requests.jsonl` with a line for each request, and their bodies beside it. For their owner alone. */
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ReinsError, systemReason } from '../../core/index.ts';
import { systemClock } from '../clock.ts';

const indexName = 'requests.jsonl';
/** Names of bodies never lead out of the folder. */
const bodyName = /^\d{1,12}\.json$/;
const folderMode = 0o700;
const fileMode = 0o600;

/** One request of a capture. Headers are never kept, nor the query of its address: there are keys in both. */
export interface StoredRequest {
  number: number;
  /** Milliseconds since the epoch. */
  at: number;
  path: string;
  file: string;
  bytes: number;
}

/** The folder of a capture that is made. */
export interface CaptureFolder {
  folder: string;
  store(request: { number: number; at: number; path: string; bytes: Uint8Array }): void;
  /** Removes the folder where nothing has come. */
  dispose(): void;
}

/** Makes the folder, by default a new one in the state folder. Throws `usage-arguments` for one with a capture, and `state-unwritable`. */
export function makeCaptureFolder(state: string, out: string | undefined): CaptureFolder {
  const folder = writing(out ?? state, () => {
    if (out === undefined) return newFolder(join(state, 'captures'));
    mkdirSync(out, { recursive: true, mode: folderMode });
    return out;
  });
  const index = join(folder, indexName);
  if (readdirSync(folder).includes(indexName)) {
    throw new ReinsError('usage-arguments', `${folder} has a capture already; give another folder with --out.`);
  }
  return {
    folder,
    store: ({ number, at, path, bytes }) => {
      const file = `${String(number).padStart(4, '0')}.json`;
      const line: StoredRequest = { number, at, path, file, bytes: bytes.length };
      writing(folder, () => {
        writeFileSync(join(folder, file), bytes, { mode: fileMode, flag: 'wx' });
        appendFileSync(index, `${JSON.stringify(line)}\n`, { mode: fileMode });
      });
    },
    dispose: () => {
      if (out === undefined && readdirSync(folder).length === 0) rmdirSync(folder);
    },
  };
}

function newFolder(captures: string): string {
  mkdirSync(captures, { recursive: true, mode: folderMode });
  const time = new Date(systemClock.now()).toISOString().slice(0, 19).replaceAll(':', '');
  return mkdtempSync(join(captures, `${time}-`));
}

function writing<T>(place: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new ReinsError('state-unwritable', `${place} can’t be written: ${systemReason(error)}.`, { cause: error });
  }
}

/** A line of a capture: a request with its body, or what is wrong with it. */
export type ReadRequest = { number: number } & ({ stored: StoredRequest; body: Buffer } | { problem: string });

/** The requests of a capture in the order in which they came, one after the other. Throws `usage-arguments` where there is none. */
export function* readCapture(folder: string): Generator<ReadRequest> {
  const lines = indexOf(folder).split('\n');
  let number = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    number += 1;
    const stored = storedIn(line);
    if (stored === undefined) {
      yield { number, problem: `line ${number} of ${indexName} is damaged` };
      continue;
    }
    try {
      yield { number, stored, body: readPlain(join(folder, stored.file)) };
    } catch (error) {
      yield { number, problem: `${stored.file} can’t be read: ${systemReason(error)}` };
    }
  }
}

function indexOf(folder: string): string {
  try {
    return readPlain(join(folder, indexName)).toString('utf8');
  } catch (error) {
    throw new ReinsError('usage-arguments', `${folder} holds no capture: ${systemReason(error)}.`, { cause: error });
  }
}

/** Bytes of a file that are read: more is no request. */
const largest = 256 * 1024 * 1024;

/** A folder may come from anybody: a name may lead elsewhere, to what never ends, or never begins. */
function readPlain(path: string): Buffer {
  const status = lstatSync(path);
  if (!status.isFile()) throw new Error('it is no file');
  if (status.size > largest) throw new Error(`it has more than ${largest / 1024 / 1024} MB`);
  return readFileSync(path);
}

/** A folder may come from anybody: a line is what it should be, or nothing. */
function storedIn(line: string): StoredRequest | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    const { number, at, path, file, bytes } = value as { [key: string]: unknown };
    if (typeof number !== 'number' || typeof at !== 'number' || typeof bytes !== 'number') return undefined;
    if (typeof path !== 'string' || typeof file !== 'string' || !bodyName.test(file)) return undefined;
    return { number, at, path, file, bytes };
  } catch {
    return undefined;
  }
}

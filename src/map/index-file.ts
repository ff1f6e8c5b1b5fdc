/**
 * What is known of all files of a workspace, as one file of the user’s: columns of texts and numbers, which are read at once, below a
 * line with their hash. What is damaged, or of another version, is no index: it is made anew.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { MappedDefinition, MappedFile } from './graph.ts';
import { unreads, type Stamp, type Unread } from './read-source.ts';
import { kinds } from './symbols.ts';

export interface IndexedFile extends MappedFile {
  stamp: Stamp;
  /** SHA-256 of its bytes, where it was looked at so soon after it had changed that a stamp alone could lie; else empty. */
  hash: string;
  references: Uint32Array;
  /** Why it has no symbols. */
  unread?: Unread;
}

export interface Index {
  names: string[];
  files: IndexedFile[];
}

/** One more when what is known of a file, or how it is found, is another. */
const version = 1;
const largest = 128 * 1024 * 1024;
/** Indexes of other workspaces that are kept, the last used. */
const mostIndexes = 20;
const suffix = '.map';

interface Columns {
  version: number;
  names: string;
  paths: string;
  hashes: string;
  signatures: string;
  definedNames: string;
  /** Three a file. */
  stamps: Float64Array;
  /** Three a file: how many definitions, how many references, and why it has neither. */
  counts: Uint32Array;
  /** Four a definition: kind, line, depth, place. */
  definitions: Uint32Array;
  references: Uint32Array;
}

/** Undefined where there is none that can be used. */
export function readIndex(file: string): Index | undefined {
  try {
    if (statSync(file).size > largest) return undefined;
    const bytes = readFileSync(file);
    const end = bytes.indexOf('\n');
    const body = bytes.subarray(end + 1);
    if (bytes.toString('latin1', 0, end) !== headOf(body)) return undefined;
    const columns = deserialize(body) as Columns;
    return columns.version === version ? indexOf(columns) : undefined;
  } catch {
    return undefined; // None yet, or one that another version of Node wrote.
  }
}

/** Replaces it in one step; what can’t be written is made anew the next time. Gives whether it is kept. */
export function writeIndex(file: string, index: Index): boolean {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  let isLeft = false;
  try {
    const body = serialize(columnsOf(index));
    if (body.length > largest) return false;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    isLeft = true;
    writeFileSync(temporary, Buffer.concat([Buffer.from(`${headOf(body)}\n`), body]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
    isLeft = false;
    removeOld(file);
    return true;
  } catch {
    return false; // A full disk, a folder that is closed.
  } finally {
    if (isLeft) rmSync(temporary, { force: true });
  }
}

function headOf(body: Uint8Array): string {
  return `reins-map ${version} ${createHash('sha256').update(body).digest('hex')}`;
}

/** Also what a writer left that was ended. */
function removeOld(file: string): void {
  const folder = dirname(file);
  const others = readdirSync(folder).filter((name) => name.includes(suffix) && name !== basename(file));
  const aged = others.map((name) => ({
    name,
    at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  const kept = aged.toSorted((a, b) => b.at - a.at).slice(mostIndexes - 1);
  for (const { name } of kept) rmSync(join(folder, name), { force: true });
}

/** The index file of a workspace, in a folder of the user’s. */
export function indexPath(folder: string, workspace: string): string {
  return join(folder, `${createHash('sha256').update(workspace).digest('hex').slice(0, 32)}${suffix}`);
}

function indexOf(columns: Columns): Index {
  const names = listOf(columns.names);
  const [hashes, signatures, definedNames] = [columns.hashes, columns.signatures, columns.definedNames].map(listOf);
  let definition = 0;
  let reference = 0;
  const files = listOf(columns.paths).map((path, file): IndexedFile => {
    const [definitionCount = 0, referenceCount = 0, why = 0] = columns.counts.subarray(file * 3);
    const [size = 0, modified = 0, changed = 0] = columns.stamps.subarray(file * 3);
    const definitions = Array.from({ length: definitionCount }, (): MappedDefinition => {
      const at = definition;
      definition += 1;
      return {
        name: definedNames?.[at] ?? '',
        signature: signatures?.[at] ?? '',
        kind: kinds[columns.definitions[at * 4] ?? 0] ?? 'function',
        line: columns.definitions[at * 4 + 1] ?? 0,
        depth: columns.definitions[at * 4 + 2] ?? 0,
        place: columns.definitions[at * 4 + 3] ?? 0,
      };
    });
    const references = columns.references.subarray(reference, reference + referenceCount);
    reference += referenceCount;
    const known = { path, stamp: { size, modified, changed }, hash: hashes?.[file] ?? '', definitions, references };
    const unread = unreads[why - 1];
    return unread === undefined ? known : { ...known, unread };
  });
  return { names, files };
}

function columnsOf({ names, files }: Index): Columns {
  const definitions = files.flatMap((file) => file.definitions);
  const references = new Uint32Array(files.reduce((sum, file) => sum + file.references.length, 0));
  let at = 0;
  for (const file of files) {
    references.set(file.references, at);
    at += file.references.length;
  }
  return {
    version,
    names: textOf(names),
    paths: textOf(files.map(({ path }) => path)),
    hashes: textOf(files.map(({ hash }) => hash)),
    signatures: textOf(definitions.map(({ signature }) => signature)),
    definedNames: textOf(definitions.map(({ name }) => name)),
    stamps: Float64Array.from(files.flatMap(({ stamp }) => [stamp.size, stamp.modified, stamp.changed])),
    counts: Uint32Array.from(
      files.flatMap(({ definitions: defined, references: mentioned, unread }) => {
        return [defined.length, mentioned.length, unread === undefined ? 0 : unreads.indexOf(unread) + 1];
      }),
    ),
    definitions: Uint32Array.from(
      definitions.flatMap(({ kind, line, depth, place }) => [kinds.indexOf(kind), line, depth, place]),
    ),
    references,
  };
}

/** None of the texts has a line feed in it. */
function textOf(list: readonly string[]): string {
  return list.map((each) => `${each}\n`).join('');
}

function listOf(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

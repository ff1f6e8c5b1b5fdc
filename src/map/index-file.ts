/**
 * What is known of all files of a workspace, as one file of the user’s: columns of texts and numbers, which are read at once, below a
 * line with their hash. What is damaged, or of another version, is no index: it is made anew.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { IndexedFile, type Index } from './indexed-file.ts';
import { unreads } from './read-source.ts';

/** One more when what is known of a file, or how it is found, is another. */
const version = 4;
const largest = 32 * 1024 * 1024;
/** Indexes of other workspaces that are kept, the last used. */
const mostIndexes = 20;
const suffix = '.map';
/** Parts texts that may have line feeds in them: it is white space, of which they have no other. */
const between = '\f';

interface Columns {
  version: number;
  names: string;
  paths: string;
  hashes: string;
  texts: string;
  /** Three a file. */
  stamps: Float64Array;
  /** Three a file: how many definitions, how many references, and why it has neither. */
  counts: Uint32Array;
  mentioned: Uint32Array;
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
  const aged = others.map((name) => {
    return { name, at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const old = aged.toSorted((a, b) => b.at - a.at).slice(mostIndexes - 1);
  for (const { name } of old) rmSync(join(folder, name), { force: true });
}

/** The index file of a workspace, in a folder of the user’s. */
export function indexPath(folder: string, workspace: string): string {
  return join(folder, `${createHash('sha256').update(workspace).digest('hex').slice(0, 32)}${suffix}`);
}

function indexOf({ names, paths, hashes, texts, stamps, counts, mentioned, references }: Columns): Index {
  const [hash, text] = [listOf(hashes), listOf(texts)];
  let [definition, reference] = [0, 0];
  const files = listOf(paths).map((path, file) => {
    const [definitionCount, referenceCount] = [counts[file * 3] ?? 0, counts[file * 3 + 1] ?? 0];
    const unread = unreads[(counts[file * 3 + 2] ?? 0) - 1];
    const known = new IndexedFile({
      path,
      stamp: { size: stamps[file * 3] ?? 0, modified: stamps[file * 3 + 1] ?? 0, changed: stamps[file * 3 + 2] ?? 0 },
      hash: hash[file] ?? '',
      text: text[file] ?? '',
      mentioned: mentioned.subarray(definition, definition + definitionCount),
      references: references.subarray(reference, reference + referenceCount),
      ...(unread !== undefined && { unread }),
    });
    definition += definitionCount;
    reference += referenceCount;
    return known;
  });
  return { names: listOf(names), files };
}

function columnsOf({ names, files }: Index): Columns {
  return {
    version,
    names: textOf(names),
    paths: textOf(files.map(({ path }) => path)),
    hashes: textOf(files.map(({ hash }) => hash)),
    texts: textOf(files.map(({ text }) => text)),
    stamps: Float64Array.from(files.flatMap(({ stamp }) => [stamp.size, stamp.modified, stamp.changed])),
    counts: Uint32Array.from(
      files.flatMap(({ mentioned, references, unread }) => {
        return [mentioned.length, references.length, unread === undefined ? 0 : unreads.indexOf(unread) + 1];
      }),
    ),
    mentioned: joined(files.map(({ mentioned }) => mentioned)),
    references: joined(files.map(({ references }) => references)),
  };
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function textOf(list: readonly string[]): string {
  return list.map((each) => `${each}${between}`).join('');
}

function listOf(text: string): string[] {
  return text.split(between).slice(0, -1);
}

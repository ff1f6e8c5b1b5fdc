/** What a Git folder says, read from a snapshot of it. */
import { PackIndex } from './pack-format.ts';
import type { ByteText } from './names.ts';
import type { TreeReader } from './tree-reader.ts';
import { isTree, typeOf, types, type TreeEntry } from './trees.ts';

const value = /^(ref: [^\n]+|[0-9a-f]{40,64})$/;

/** References and what they point to, by full name; one in a file of its own beats one that is packed. */
export function readReferences(reader: TreeReader, folder: TreeEntry): Map<ByteText, string> {
  const found = parsePackedReferences(readText(reader, folder, ['packed-refs']) ?? '');
  const refs = reader.at(folder.id, ['refs']);
  if (refs === undefined) return found;
  for (const { path, entry } of filesBelow(reader, refs, 'refs')) {
    const content = parseReference(textOf(reader, entry));
    if (content !== undefined) found.set(path, content);
  }
  return found;
}

/** What a reference's own file says; undefined for what means nothing. */
export function parseReference(text: string | undefined): string | undefined {
  const content = text?.trim();
  return content !== undefined && value.test(content) ? content : undefined;
}

export function parsePackedReferences(text: string): Map<ByteText, string> {
  const lines = text.split('\n').map((line) => /^([0-9a-f]{40,64}) (refs\/.+)$/.exec(line));
  return new Map(lines.flatMap((line) => (line === null ? [] : [[line[2] ?? '', line[1] ?? ''] as const])));
}

/** How many stashes there are. */
export function countStashes(reader: TreeReader, folder: TreeEntry): number {
  const log = readText(reader, folder, ['logs', 'refs', 'stash']);
  return log === undefined ? 0 : log.split('\n').filter((line) => line !== '').length;
}

export function readText(reader: TreeReader, folder: TreeEntry, steps: ByteText[]): string | undefined {
  const entry = reader.at(folder.id, steps);
  return entry && textOf(reader, entry);
}

function textOf(reader: TreeReader, entry: TreeEntry): string | undefined {
  return typeOf(entry.mode) === types.file ? reader.objects.read(entry.id)?.bytes.toString('latin1') : undefined;
}

/** Everything below a folder that is none itself. */
export function* filesBelow(
  reader: TreeReader,
  folder: TreeEntry,
  prefix: ByteText,
): Generator<{ path: ByteText; entry: TreeEntry }> {
  if (!isTree(folder)) return;
  for (const entry of reader.entries(folder.id).values()) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (isTree(entry)) yield* filesBelow(reader, entry, path);
    else yield { path, entry };
  }
}

/** The files of objects that one Git folder has and another one can't do without. Paths are those in the Git folder. */
export function lostObjects(reader: TreeReader, before: TreeEntry, after: TreeEntry | undefined): ByteText[] {
  const one = new ObjectFiles(reader, before);
  const other = new ObjectFiles(reader, after, one);
  const lost = [...one.loose].filter(([id]) => !other.has(id)).map(([, path]) => path);
  const packs = [...one.packs].filter(([name]) => !other.packs.has(name) && needsPack(one, name, other));
  return [...lost, ...packs.flatMap(([, paths]) => paths)];
}

function needsPack(one: ObjectFiles, name: string, other: ObjectFiles): boolean {
  const index = one.index(name);
  // What can't be told apart may be needed.
  if (index === undefined) return true;
  for (let place = 0; place < index.count; place++) if (!other.has(index.idAt(place))) return true;
  return false;
}

class ObjectFiles {
  readonly #reader: TreeReader;
  readonly #folder: TreeEntry | undefined;
  /** Of their contents in the store, by path. */
  readonly #ids = new Map<ByteText, string>();
  readonly #indexes = new Map<string, PackIndex | undefined>();
  /** Path by id. */
  readonly loose = new Map<string, ByteText>();
  /** Paths of a pack's files by its name. */
  readonly packs = new Map<string, ByteText[]>();

  /** `former`: those that were there before; what isn't the same any more has been written over, and counts as missing. */
  constructor(reader: TreeReader, folder: TreeEntry | undefined, former?: ObjectFiles) {
    this.#reader = reader;
    this.#folder = folder;
    const objects = folder && reader.at(folder.id, ['objects']);
    if (objects === undefined) return;
    for (const { path, entry } of filesBelow(reader, objects, 'objects')) {
      this.#ids.set(path, entry.id);
      const known = former === undefined ? undefined : former.#ids.get(path);
      if (known !== undefined && known !== entry.id) continue;
      const [, prefix, rest] = /^objects\/([0-9a-f]{2})\/([0-9a-f]+)$/.exec(path) ?? [];
      if (prefix !== undefined) this.loose.set(`${prefix}${rest}`, path);
      const [, pack] = /^objects\/pack\/(pack-[0-9a-f]+)\./.exec(path) ?? [];
      if (pack !== undefined) this.packs.set(pack, [...(this.packs.get(pack) ?? []), path]);
    }
  }

  has(id: string): boolean {
    if (this.loose.has(id)) return true;
    return [...this.packs.keys()].some((name) => this.index(name)?.find(id) !== undefined);
  }

  /** Undefined when it isn't there, or none that can be read. */
  index(pack: string): PackIndex | undefined {
    if (!this.#indexes.has(pack)) this.#indexes.set(pack, this.#readIndex(pack));
    return this.#indexes.get(pack);
  }

  #readIndex(pack: string): PackIndex | undefined {
    const entry = this.#folder && this.#reader.at(this.#folder.id, ['objects', 'pack', `${pack}.idx`]);
    const bytes = entry && this.#reader.objects.read(entry.id)?.bytes;
    try {
      return bytes && new PackIndex(bytes, (pack.length - 'pack-'.length) / 2);
    } catch {
      return undefined; // a damaged one, or one of an old kind, tells nothing
    }
  }
}

/** What is too large for a line of the log: files named by the SHA-256 of their content. */
import { hash, randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ReinsError, type Event, type Excerpt, type ImagePart } from '../core/index.ts';
import { BlobWriter } from './blob-writer.ts';
import { blobsFolder, fileMode, makeFolder, reasonOf, syncFolder, unwritable } from './folders.ts';

const blobName = /^[0-9a-f]{64}$/;

export function isBlobName(name: string): boolean {
  return blobName.test(name);
}

export class Blobs {
  readonly #folder: string;

  constructor(sessionFolder: string) {
    this.#folder = blobsFolder(sessionFolder);
  }

  /** Keeps the bytes and gives their name, when they survive the end of the machine. Keeping them twice is the same as once. */
  async put(bytes: Uint8Array): Promise<string> {
    const name = hash('sha256', bytes, 'hex');
    if (await this.has(name)) return name;
    makeFolder(this.#folder);
    const temporary = join(this.#folder, `.${randomUUID()}`);
    try {
      await writeSynced(temporary, bytes);
      await rename(temporary, join(this.#folder, name));
      syncFolder(this.#folder);
    } catch (error) {
      await rm(temporary, { force: true });
      throw unwritable(join(this.#folder, name), error);
    }
    return name;
  }

  /** The bytes of a name; rejects with `blob-missing` when they aren't there or aren't those that were kept. */
  async get(name: string): Promise<Buffer> {
    if (!isBlobName(name)) throw new ReinsError('blob-missing', `“${name}” can’t be the name of a blob.`);
    let bytes: Buffer;
    try {
      bytes = await readFile(join(this.#folder, name));
    } catch (error) {
      throw new ReinsError('blob-missing', `The blob ${name} can’t be read: ${reasonOf(error)}.`, { cause: error });
    }
    if (hash('sha256', bytes, 'hex') === name) return bytes;
    throw new ReinsError('blob-missing', `The blob ${name} has other bytes than were kept.`);
  }

  /** Whether the bytes of this name are there, and are those. */
  async has(name: string): Promise<boolean> {
    try {
      await this.get(name);
      return true;
    } catch (error) {
      if (error instanceof ReinsError) return false;
      throw error;
    }
  }

  /** Removes what a process that was killed left half-made. Only for the holder of the session: nobody else makes blobs. */
  clearUnfinished(): void {
    for (const name of namesIn(this.#folder)) {
      if (name.startsWith('.')) rmSync(join(this.#folder, name), { force: true });
    }
  }

  /** Bytes of all blobs together. */
  async size(): Promise<number> {
    const names = await readdir(this.#folder).catch((): string[] => []); // No folder, no blobs.
    const sizes = await Promise.all(
      names.map((name) =>
        stat(join(this.#folder, name)).then(
          (found) => found.size,
          () => 0,
        ),
      ),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Keeps what comes piece by piece, without holding it in memory. */
  writer(): BlobWriter {
    makeFolder(this.#folder);
    return new BlobWriter(this.#folder);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Without a folder there are no blobs; the first one makes it, or says what is wrong.
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', fileMode);
  try {
    await file.chmod(fileMode);
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** The blobs that an event names. */
export function blobsOf(event: Event): string[] {
  const { tailBlob, blob, output, images = [] } = event.data as Naming;
  const single = { request: tailBlob, review: blob, aside: blob, result: blob, evidence: output?.blob };
  const named = [single[event.kind as keyof typeof single], ...images.map((image) => image.blob)];
  return [...new Set(named.filter((name) => name !== undefined))];
}

/** The fields of events that name blobs. */
interface Naming {
  tailBlob?: string;
  blob?: string;
  output?: Excerpt;
  images?: ImagePart[];
}

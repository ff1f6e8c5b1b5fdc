/** The large output of a kept job, in its own folder: the session that began it may be over. */
import { createHash, type Hash } from 'node:crypto';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobSink, BlobWriter } from '../needs.ts';

export class FolderBlobs implements BlobWriter {
  readonly #folder: string;
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async open(): Promise<BlobSink> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#count += 1;
    const path = join(this.#folder, `${process.pid}-${this.#count}.tmp`);
    return new FileSink(this.#folder, path, await open(path, 'wx', 0o600));
  }
}

class FileSink implements BlobSink {
  readonly #folder: string;
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #hash: Hash = createHash('sha256');

  constructor(folder: string, path: string, handle: FileHandle) {
    this.#folder = folder;
    this.#path = path;
    this.#handle = handle;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#hash.update(chunk);
    await this.#handle.writeFile(chunk);
  }

  async finish(): Promise<string> {
    const name = this.#hash.digest('hex');
    await this.#handle.close();
    await rename(this.#path, join(this.#folder, name));
    return name;
  }

  async abandon(): Promise<void> {
    await this.#handle.close();
    await rm(this.#path, { force: true });
  }
}

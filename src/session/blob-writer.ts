/** A blob in the making: pieces go to a file as they come, and the file gets its name when the last one is there. */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, fdatasync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileMode, syncFolder, unwritable } from './folders.ts';

export class BlobWriter {
  readonly #folder: string;
  readonly #temporary: string;
  readonly #fd: number;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #ended = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#temporary = join(folder, `.${randomUUID()}`);
    try {
      this.#fd = openSync(this.#temporary, 'wx', fileMode);
      fchmodSync(this.#fd, fileMode);
    } catch (error) {
      throw unwritable(this.#temporary, error);
    }
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Writes a piece at once. Throws `state-unwritable`; what was written before can still be kept. */
  write(piece: Uint8Array): void {
    for (let written = 0; written < piece.length;) {
      let more: number;
      try {
        more = writeSync(this.#fd, piece, written);
      } catch (error) {
        throw unwritable(this.#temporary, error);
      }
      this.#hash.update(piece.subarray(written, written + more));
      this.#bytes += more;
      written += more;
    }
  }

  /** Gives the blob its name, and the name, when its bytes survive the end of the machine. */
  async finish(): Promise<string> {
    this.#ended = true;
    const name = this.#hash.digest('hex');
    try {
      await promisify(fdatasync)(this.#fd);
      renameSync(this.#temporary, join(this.#folder, name));
      syncFolder(this.#folder);
    } catch (error) {
      rmSync(this.#temporary, { force: true });
      throw unwritable(join(this.#folder, name), error);
    } finally {
      closeSync(this.#fd);
    }
    return name;
  }

  /** Throws away what was written. */
  abandon(): void {
    if (this.#ended) return;
    this.#ended = true;
    closeSync(this.#fd);
    rmSync(this.#temporary, { force: true });
  }
}

/** What the hands need from elsewhere; the composition root meets it. */

/** Takes the bytes of one blob. A returned promise is waited for before more is written. */
export interface BlobSink {
  write(chunk: Uint8Array): void | Promise<void>;
  /** Gives the SHA-256 of what was written, which is then kept. */
  finish(): Promise<string>;
  /** Throws away what was written. */
  abandon(): void | Promise<void>;
}

/** Large output outside the log, written while it arrives. */
export interface BlobWriter {
  open(): BlobSink | Promise<BlobSink>;
}

/** Takes bytes as they come and gives them on, changed where they must be; some may wait for what follows them. */
export interface ByteFilter {
  write(chunk: Buffer): Buffer;
  /** The last of them. */
  end(): Buffer;
}

/** An environment as data: this part never reads the one of its own process. */
export type Environment = { readonly [name: string]: string | undefined };

/** What the model needs from elsewhere; the composition root meets it. */
import type { EventId } from '../core/index.ts';

export interface RequestBodies {
  /** The exact bytes of an earlier request, rebuilt from the log; undefined where they can't be. */
  previousBody(id: EventId): Promise<Uint8Array | undefined>;
  /** Keeps large content outside the log; gives its SHA-256. */
  putBlob(bytes: Uint8Array): Promise<string>;
  /** What was kept, by its SHA-256; undefined where it is lost. */
  getBlob(blob: string): Promise<Uint8Array | undefined>;
}

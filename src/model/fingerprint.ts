/** SHA-256 of bodies that mostly begin alike: what a body shares with the one before it isn't hashed again. */
import { createHash, type Hash } from 'node:crypto';
import { commonPrefix } from './difference.ts';

export class Fingerprints {
  private hash: Hash = createHash('sha256');
  /** The body before, and how much of its beginning is in the hash. */
  private known: Uint8Array = Buffer.alloc(0);
  private hashed = 0;

  of(body: Uint8Array): string {
    const shared = commonPrefix(this.known, body);
    if (shared < this.hashed) {
      this.hash = createHash('sha256');
      this.hashed = 0;
    }
    this.hash.update(body.subarray(this.hashed, shared));
    this.hashed = shared;
    this.known = body;
    return this.hash.copy().update(body.subarray(shared)).digest('hex');
  }
}

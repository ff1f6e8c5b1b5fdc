/** The images of a conversation as base64, at hand when it is encoded. */
import { imagesIn, type Message } from '../core/index.ts';
import type { RequestBodies } from './needs.ts';

export class ImageStore {
  private readonly getBlob: RequestBodies['getBlob'];
  private known = new Map<string, string>();

  constructor(getBlob: RequestBodies['getBlob']) {
    this.getBlob = getBlob;
  }

  /** Has the images of these messages, and lets go of all others. */
  async load(messages: readonly Message[]): Promise<void> {
    const wanted = new Set(messages.flatMap(imagesIn).map(({ blob }) => blob));
    const kept = new Map<string, string>();
    for (const blob of wanted) {
      const data = this.known.get(blob) ?? (await this.read(blob));
      if (data !== undefined) kept.set(blob, data);
    }
    this.known = kept;
  }

  /** The bytes as base64; undefined where they are lost. */
  get(blob: string): string | undefined {
    return this.known.get(blob);
  }

  private async read(blob: string): Promise<string | undefined> {
    const bytes = await this.getBlob(blob);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('base64');
  }
}

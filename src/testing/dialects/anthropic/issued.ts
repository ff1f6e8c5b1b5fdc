/** What the server issued, so that it knows its own again. Signatures prove themselves, also to a server that was started later. */
import type { JsonObject } from '../../../core/index.ts';
import { sign, unseal } from '../seals.ts';
import { asText } from './shape.ts';

export const isThinking = (block: JsonObject): boolean =>
  block['type'] === 'thinking' || block['type'] === 'redacted_thinking';

/** What one server issued. */
export class IssuedReplies {
  readonly #thinking = new Map<string, { model: string; blocks: string[] }>();
  readonly #seals = new Set<string>();

  remember(model: string, blocks: JsonObject[]): void {
    const thinking = { model, blocks: blocks.filter(isThinking).map(thinkingKey) };
    for (const block of blocks) {
      if (typeof block['id'] === 'string') this.#thinking.set(block['id'], thinking);
    }
  }

  /** Remembers signatures and sealed thinking in a stream that was given as it is. */
  rememberRaw(model: string, raw: (string | JsonObject)[]): void {
    for (const event of raw.flatMap((entry) => (typeof entry === 'string' ? dataOf(entry) : entry))) {
      const { delta, content_block: block } = event as { [key: string]: JsonObject | undefined };
      for (const proof of [delta?.['signature'], block?.['signature'], block?.['data']]) {
        if (typeof proof === 'string' && proof !== '') this.#seals.add(`${model} ${proof}`);
      }
    }
  }

  /** Whether a block of thinking is one that the server issued for this model, unchanged. */
  isIssued(model: string, block: JsonObject): boolean {
    const { thinking, signature, data } = block;
    if (this.#seals.has(`${model} ${asText(signature ?? data)}`)) return true;
    if (block['type'] === 'thinking') return typeof thinking === 'string' && signature === sign(model, thinking);
    if (typeof data !== 'string') return false;
    return unseal(model, data) !== undefined;
  }

  /** The thinking that came with a call, for the same model; undefined when this server doesn't know the call. */
  thinkingOf(model: string, callId: string): string[] | undefined {
    const known = this.#thinking.get(callId);
    return known?.model === model ? known.blocks : undefined;
  }
}

/** Events in the text of a stream; what isn't JSON is no event. */
function dataOf(text: string): JsonObject[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    if (!line.startsWith('data:')) return [];
    try {
      return [JSON.parse(line.slice(5)) as JsonObject];
    } catch {
      return []; // a stream may be broken on purpose
    }
  });
}

export const thinkingKey = ({ type, thinking, signature, data }: JsonObject): string =>
  JSON.stringify([type, thinking, signature, data]);

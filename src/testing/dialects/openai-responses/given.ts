/** What one server gave: responses and items that are stored, and the reasoning that belongs to its calls. */
import type { JsonObject } from '../../../core/index.ts';
import { asText } from '../openai/index.ts';
import { outputTypeFor, ownItems, typeOf } from './shape.ts';

/** The reasoning that came in one response before a call. */
export interface Thought {
  model: string;
  /** The reasoning items, as they were given. */
  items: JsonObject[];
}

export class GivenResponses {
  readonly #items = new Map<string, JsonObject>();
  readonly #conversations = new Map<string, JsonObject[]>();
  readonly #thoughts = new Map<string, Thought>();

  /** All items that a request is about: of the response it goes on from, and its own, references resolved where they can be. */
  inputOf(body: JsonObject): JsonObject[] {
    const before = this.#conversations.get(asText(body['previous_response_id'])) ?? [];
    const own = ownItems(body).map((item) =>
      typeOf(item) === 'item_reference' ? (this.#items.get(asText(item['id'])) ?? item) : item,
    );
    return [...before, ...own];
  }

  /** Remembers the reasoning that led to the calls in an output. */
  rememberThoughts(model: string, output: JsonObject[]): void {
    for (const [place, item] of output.entries()) {
      if (outputTypeFor(typeOf(item)) === undefined) continue;
      const items = output.slice(0, place).filter((before) => typeOf(before) === 'reasoning');
      this.#thoughts.set(asText(item['call_id']), { model, items });
    }
  }

  /** The reasoning that came with a call, for the same model; undefined when this server doesn't know the call. */
  thoughtOf(model: string, callId: string): JsonObject[] | undefined {
    const thought = this.#thoughts.get(callId);
    return thought?.model === model ? thought.items : undefined;
  }

  /** Stores a response with everything before it. */
  store(responseId: string, body: JsonObject, output: JsonObject[]): void {
    this.#conversations.set(responseId, [...this.inputOf(body), ...output]);
    for (const item of output) {
      const { id } = item;
      if (typeof id === 'string' && id !== '') this.#items.set(id, item);
    }
  }

  hasItem(id: string): boolean {
    return this.#items.has(id);
  }

  hasResponse(id: string): boolean {
    return this.#conversations.has(id);
  }
}

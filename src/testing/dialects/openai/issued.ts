/** What one server issued as reasoning, by model: texts, and proofs that came in a stream which was given as it is. */
import type { JsonObject } from '../../../core/index.ts';
import type { ScriptedReply } from '../../scenario/index.ts';
import { unseal } from '../seals.ts';
import { parseObject } from './shape.ts';

export class IssuedReasoning {
  readonly #known = new Set<string>();

  remember(model: string, reasoning: string): void {
    if (reasoning !== '') this.#known.add(key(model, reasoning));
  }

  has(model: string, reasoning: string): boolean {
    return this.#known.has(key(model, reasoning));
  }

  /** Whether sealed reasoning is of this model: a seal proves itself, also to a server that was started later. */
  isSealed(model: string, sealed: string): boolean {
    return this.has(model, sealed) || unseal(model, sealed) !== undefined;
  }
}

const key = (model: string, reasoning: string): string => JSON.stringify([model, reasoning]);

/** The events of a stream that is given as it is; what isn't a JSON object is no event. */
export function rawEvents(raw: NonNullable<ScriptedReply['raw']>): JsonObject[] {
  return raw.flatMap((entry) => (typeof entry === 'string' ? dataOf(entry) : [entry as JsonObject]));
}

function dataOf(text: string): JsonObject[] {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => parseObject(line.slice('data:'.length)) ?? {}); // a stream may be broken on purpose
}

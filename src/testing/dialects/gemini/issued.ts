/**
 * What the server issued, so that it knows its own again. A signature holds a digest of its part and of the thinking, under the
 * seal of its model: it proves itself without the thinking, also to a server that was started later.
 */
import type { Json, JsonObject } from '../../../core/index.ts';
import { idOf, seal, unseal } from '../seals.ts';
import { asText, callParts, isObject, objectsIn } from './shape.ts';

/** What the provider takes in place of a signature, for calls that no model of its own made. */
const unchecked = 'skip_thought_signature_validator';

/** The signature of a part that was thought about. */
export const signature = (model: string, part: JsonObject, thinking: string): string =>
  seal(model, `${partDigest(part)} ${idOf('', thinking)}`);

/** The models of which every call is signed, and must be sent back signed. */
export const signsAlways = (model: string): boolean => model.startsWith('gemini-3');

export class IssuedParts {
  readonly #foreign = new Map<string, Set<string>>();
  readonly #steps = new Map<string, boolean>();

  /** Remembers a reply to a conversation of so many messages (neighbours of one role joined). */
  remember(model: string, messages: number, parts: JsonObject[]): void {
    for (const part of parts) {
      const proof = part['thoughtSignature'];
      if (typeof proof !== 'string') continue;
      const key = `${model} ${proof}`;
      this.#foreign.set(key, (this.#foreign.get(key) ?? new Set()).add(partDigest(part)));
    }
    const [first] = callParts(parts);
    if (!first) return;
    // What was once issued without a signature may also come back without one.
    const step = stepKey(model, messages, first);
    this.#steps.set(step, (this.#steps.get(step) ?? true) && first['thoughtSignature'] !== undefined);
  }

  /** Whether a signature was issued for this model and for this very part: 'elsewhere' when it was for another part. */
  judge(model: string, part: JsonObject): 'issued' | 'elsewhere' | 'unknown' {
    const proof = asText(part['thoughtSignature']);
    if (proof === unchecked) return 'issued';
    const digest = partDigest(part);
    const foreign = this.#foreign.get(`${model} ${proof}`);
    if (foreign) return foreign.has(digest) ? 'issued' : 'elsewhere';
    const sealed = unseal(model, proof);
    if (sealed === undefined) return 'unknown';
    return sealed.startsWith(`${digest} `) ? 'issued' : 'elsewhere';
  }

  /** Whether a reply to a conversation of so many messages began its calls with this one, signed. */
  wasSigned(model: string, messages: number, part: JsonObject): boolean {
    return this.#steps.get(stepKey(model, messages, part)) === true;
  }
}

const stepKey = (model: string, messages: number, part: JsonObject): string =>
  `${model} ${messages} ${partDigest(part)}`;

/** The same for the same content, whatever the order of its keys; the signature itself and the id of a call don't count. */
function partDigest({ thoughtSignature: _, ...part }: JsonObject): string {
  const call = part['functionCall'];
  const content = isObject(call) ? { name: call['name'] ?? null, args: call['args'] ?? {} } : part;
  return idOf('', sortedJson(content));
}

function sortedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join()}]`;
  // Half a character that a script gives away can only come back as its replacement.
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${sortedJson(key)}:${sortedJson(inner)}`).join()}}`;
}

/** The parts in a stream that was given as it is; what isn't JSON holds none. */
export function partsInRaw(raw: (string | JsonObject)[]): JsonObject[] {
  return raw
    .flatMap((entry): JsonObject[] => (typeof entry === 'string' ? dataOf(entry) : [entry]))
    .flatMap((chunk) => objectsIn(chunk['candidates']))
    .flatMap(({ content }) => (isObject(content) ? objectsIn(content['parts']) : []));
}

function dataOf(text: string): JsonObject[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    if (!line.startsWith('data:')) return [];
    try {
      const value: Json = JSON.parse(line.slice('data:'.length)) as Json;
      return isObject(value) ? [value] : [];
    } catch {
      return []; // a stream may be broken on purpose
    }
  });
}

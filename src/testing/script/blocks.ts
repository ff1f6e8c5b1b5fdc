/** The blocks of a scripted reply, in their order, whichever way it was written. */
import type { Json, JsonObject } from '../../core/index.ts';
import type { ScriptedReply } from '../scenario/index.ts';

export type Block =
  | { kind: 'thinking'; text: string }
  | { kind: 'redacted'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'call'; name: string; arguments: JsonObject; id?: string; malformed?: string }
  | { kind: 'opaque'; block: JsonObject };

export function blocksOf(reply: ScriptedReply): Block[] {
  return (reply.blocks ?? simpleBlocks(reply)).map((block): Block => {
    if ('thinking' in block) return { kind: 'thinking', text: block.thinking };
    if ('redacted' in block) return { kind: 'redacted', text: block.redacted };
    if ('text' in block) return { kind: 'text', text: block.text };
    if ('opaque' in block) return { kind: 'opaque', block: block.opaque as JsonObject };
    return { kind: 'call', ...block.call, arguments: (block.call.arguments ?? {}) as JsonObject };
  });
}

function simpleBlocks(reply: ScriptedReply): NonNullable<ScriptedReply['blocks']> {
  const texts = typeof reply.text === 'string' ? [reply.text] : (reply.text ?? []);
  return [
    ...(reply.thinking === undefined ? [] : [{ thinking: reply.thinking }]),
    ...texts.map((text) => ({ text })),
    ...(reply.calls ?? []).map((call) => ({ call })),
  ];
}

/**
 * Puts the values in the place of their `${name}`, in every string of a reply; `$${name}` stays as `${name}`. Names without a
 * value stay as they are: scripts write code, and code has such marks of its own.
 */
export function fillIn<T>(part: T, values: { [name: string]: string }): T {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replace(/\$(\$)?\{(\w+)\}/g, (mark: string, escaped: string | undefined, name: string) => {
        const known = Object.hasOwn(values, name) ? values[name] : undefined;
        if (known === undefined) return mark;
        return escaped === undefined ? known : mark.slice(1);
      });
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
  };
  return fill(part) as T;
}

/** Whether a scenario asks for a value for `${workspace}`. */
export const needsWorkspace = (scenario: unknown): boolean => /(?<!\$)\$\{workspace\}/.test(JSON.stringify(scenario));

/** A rough count of tokens: a quarter of the characters. Used for usage that isn't given, and for the window. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / 4);

/** The text that a reply's output tokens are estimated by. */
export function outputText(reply: ScriptedReply): string {
  const texts = blocksOf(reply).map((block) => {
    if (block.kind === 'opaque') return JSON.stringify(block.block satisfies Json);
    return block.kind === 'call' ? block.name + (block.malformed ?? JSON.stringify(block.arguments)) : block.text;
  });
  return texts.join('');
}

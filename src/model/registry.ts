/** Wires by name; each is loaded when it is first used. */
import { ReinsError } from '../core/index.ts';
import type { Wire } from './wire.ts';

const wires: { [name: string]: () => Promise<Wire> } = {
  anthropic: async () => (await import('./wires/anthropic/index.ts')).anthropic,
  gemini: async () => (await import('./wires/gemini/index.ts')).gemini,
  'openai-chat': async () => (await import('./wires/openai-chat/index.ts')).openaiChat,
  'openai-responses': async () => (await import('./wires/openai-responses/index.ts')).openaiResponses,
};

export const wireNames: readonly string[] = Object.keys(wires);

/** Throws `model-unknown` for a wire that doesn't exist. */
export async function loadWire(name: string): Promise<Wire> {
  const load = Object.hasOwn(wires, name) ? wires[name] : undefined;
  if (load === undefined) throw new ReinsError('model-unknown', `There is no wire "${name}".`);
  return load();
}

/** One word for a whole line. */
import type { CommandAnalysis, Effect } from '../core/index.ts';

export type CommandClass = 'read' | 'write' | 'execute' | 'network' | 'destroy' | 'unknown';

/** From the worst. */
const order: readonly (readonly [Effect, CommandClass])[] = [
  ['cannot-tell', 'unknown'],
  ['destroy', 'destroy'],
  ['network', 'network'],
  ['execute', 'execute'],
  ['write', 'write'],
];

/** The worst that any part of a line does. */
export function classOf({ parts, unclear }: CommandAnalysis): CommandClass {
  if (unclear !== undefined) return 'unknown';
  const effects = new Set(parts.flatMap((part) => part.effects));
  return order.find(([effect]) => effects.has(effect))?.[1] ?? 'read';
}

/** What persons have granted for always in a session, as its log tells. */
import type { Event } from '../core/index.ts';

export function grantsOf(events: Iterable<Event>): Set<string> {
  const shapes = new Map<string, string>();
  const granted = new Set<string>();
  for (const event of events) {
    if (event.kind === 'ask' && event.data.shape !== undefined) shapes.set(event.id, event.data.shape);
    if (event.kind !== 'answer' || event.data.decision !== 'yes' || event.data.scope !== 'always') continue;
    const shape = shapes.get(event.data.ask);
    if (shape !== undefined) granted.add(shape);
  }
  return granted;
}

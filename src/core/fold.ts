/** A fold as a table: what each kind of event does to a state, in place. Kinds without an entry leave it as it is. */
import type { Event, EventData, EventOf, Kind } from './events.ts';

export type Folds<State> = { [K in Kind]?: (state: State, data: EventData[K], event: EventOf<K>) => void };

export function foldWith<State>(folds: Folds<State>, state: State, event: Event): void {
  const entry = folds[event.kind] as ((state: State, data: unknown, event: Event) => void) | undefined;
  entry?.(state, event.data, event);
}

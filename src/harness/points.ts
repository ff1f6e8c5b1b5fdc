/** A point in a session to go back to, or to go on from: before a turn, or an event. */
import { placesOf } from '../config/index.ts';
import { ReinsError, type EventId } from '../core/index.ts';
import { readLog, sessionFolder } from '../session/index.ts';

type Variables = { readonly [name: string]: string | undefined };

/** The turn before which it was, from 1; or the event that comes last, by its id or a beginning that no other has. */
export type Point = { turn: number } | { event: string };

/** The event that a point names, on whatever branch. Throws `event-missing`. */
export function eventAt(env: Variables | undefined, session: string, point: Point): EventId {
  const folder = sessionFolder(placesOf(env).state, session);
  return 'turn' in point ? beforeTurn(folder, session, point.turn) : eventNamed(folder, session, point.event);
}

/** The event behind which the first request of a turn was made. */
function beforeTurn(folder: string, session: string, turn: number): EventId {
  for (const item of readLog(folder)) {
    if ('damage' in item || item.kind !== 'request' || item.data.turn !== turn) continue;
    if (item.parent !== null) return item.parent;
  }
  throw new ReinsError('event-missing', `Session ${session} has no turn ${turn}.`);
}

function eventNamed(folder: string, session: string, words: string): EventId {
  const found: EventId[] = [];
  for (const item of readLog(folder)) {
    if ('damage' in item || words === '' || !item.id.startsWith(words)) continue;
    if (item.id === words) return words;
    found.push(item.id);
  }
  const [event] = found;
  if (event !== undefined && found.length === 1) return event;
  const what = found.length === 0 ? 'no event begins' : `${found.length} events begin`;
  throw new ReinsError('event-missing', `In session ${session} ${what} with “${words}”.`);
}

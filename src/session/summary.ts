/** What is told of a session in a list: a fold over its log that can be gone on with. */
import { titleFrom, type Damage, type Event, type EventData } from '../core/index.ts';

/** As far as the log tells it. */
export interface Told {
  /** Absent where the line that names it can't be read. */
  workspace?: string;
  parent?: EventData['session']['parent'];
  /** The beginning of the first thing that a person (or a parent agent) asked for. */
  input?: string;
  /** What a person calls it. */
  name?: string;
  /** Times of the first and the last event, in milliseconds since the epoch. */
  start?: number;
  last?: number;
  /** How the last run ended; absent while one is under way or was cut off. */
  stop?: Pick<EventData['stop'], 'reason' | 'code' | 'detail'>;
  /** A question was put that nothing has answered yet. */
  asks?: true;
  /** What can't be read, in words; empty for a whole log. */
  damage: string[];
}

export interface SessionSummary extends Told {
  id: string;
  folder: string;
  /** Somebody holds the session now. */
  running: boolean;
}

const longestInput = 200;
const mostDamage = 20;

/** Adds an item, in place. */
export function tell(told: Told, item: Event | Damage): void {
  if (!('damage' in item)) addEvent(told, item);
  else if (told.damage.length < mostDamage) told.damage.push(`line ${item.line}: ${item.damage}`);
}

/** What is told when the end of the log was reached. */
export function endOf(told: Told): Told {
  const isEmpty = told.workspace === undefined && told.damage.length === 0;
  return isEmpty ? { ...told, damage: ['the log is empty'] } : told;
}

/** What to call a session: its name, else the first line of its task. */
export function titleOf({ name, input = '' }: Pick<Told, 'name' | 'input'>): string {
  return name ?? titleFrom(input);
}

function addEvent(told: Told, event: Event): void {
  told.start ??= event.at;
  told.last = event.at;
  switch (event.kind) {
    case 'session':
      told.workspace ??= event.data.workspace;
      if (event.data.parent !== undefined) told.parent ??= event.data.parent;
      return;
    case 'setup':
      delete told.stop;
      return;
    case 'input':
      if (event.data.from === 'harness') return;
      told.input ??= event.data.text.slice(0, longestInput);
      delete told.stop;
      return;
    case 'title':
      if (event.data.text === '') delete told.name;
      else told.name = event.data.text;
      return;
    case 'ask':
      told.asks = true;
      return;
    case 'answer':
    case 'result':
    case 'head':
      delete told.asks;
      return;
    case 'stop': {
      const { reason, code, detail } = event.data;
      told.stop = { reason, ...(code !== undefined && { code }), detail };
      return;
    }
    default:
      return;
  }
}

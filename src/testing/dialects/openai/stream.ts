/** Puts the events of a stream in their order and notes where its stages are. */
import type { JsonObject } from '../../../core/index.ts';
import type { ScriptedReply } from '../../scenario/index.ts';
import type { Block } from '../../script/index.ts';
import type { StreamPlan } from '../dialect.ts';

const defaultChunk = 24;

export class EventList {
  readonly #events: string[] = [];
  readonly #stages: StreamPlan['stages'] = { 'after-headers': 0 };

  add(...events: string[]): void {
    this.#events.push(...events);
  }

  /** Adds the deltas of a block; the first of its kind has its stage in their middle. */
  addDeltas(kind: Block['kind'], deltas: string[]): void {
    const stage = stageOf(kind);
    if (stage) this.#stages[stage] ??= this.#events.length + Math.ceil(deltas.length / 2);
    for (const delta of deltas) this.#events.push(delta);
  }

  /** Says that the terminal events come next. */
  markEnd(): void {
    this.#stages['before-end'] = this.#events.length;
  }

  plan(): StreamPlan {
    return { events: this.#events, stages: this.#stages };
  }
}

function stageOf(kind: Block['kind']): 'in-thinking' | 'in-text' | 'in-call' | undefined {
  if (kind === 'thinking') return 'in-thinking';
  if (kind === 'text') return 'in-text';
  return kind === 'call' ? 'in-call' : undefined;
}

/** Pieces of a text, two at least, so that there is a middle to stop in. They end between characters, never inside one. */
export function piecesOf(text: string, size = defaultChunk): string[] {
  const characters = Array.from(text);
  const step = Math.max(1, Math.min(size, Math.ceil(characters.length / 2)));
  return Array.from({ length: Math.ceil(characters.length / step) }, (_, index) =>
    characters.slice(index * step, (index + 1) * step).join(''),
  );
}

/** Raw events have no stages of their own: every inner stage is their middle. `ends` tells the first of the terminal ones. */
export function rawPlan(
  raw: NonNullable<ScriptedReply['raw']>,
  write: (event: JsonObject) => string,
  ends: (event: string) => boolean,
): StreamPlan {
  const events = raw.map((event) => (typeof event === 'string' ? event : write(event as JsonObject)));
  const middle = Math.ceil(events.length / 2);
  const end = events.findIndex(ends);
  return {
    events,
    stages: {
      'after-headers': 0,
      'in-thinking': middle,
      'in-text': middle,
      'in-call': middle,
      'before-end': end < 0 ? Math.max(0, events.length - 1) : end,
    },
  };
}

/** Calls of one reply that ask for the same once more: of a tool for which once is enough they are run once. */
import { isDeepStrictEqual } from 'node:util';
import type { CallKey, CallOutcome, JsonObject, PreparedCall } from '../../core/index.ts';
import { conflict, type Resources } from '../overlap.ts';
import type { Tool } from '../tool.ts';

export interface Twin {
  call: PreparedCall;
  resources: Resources;
  /** What was recorded of it; undefined when that failed. */
  outcome: Promise<CallOutcome | undefined>;
}

export class Twins {
  #twins: Twin[] = [];

  /** The call that has done this already, or is at it, with nothing in between that could have changed its outcome. */
  find(tool: Tool, args: JsonObject): Twin | undefined {
    return this.#twins.find(({ call }) => call.tool === tool.name && isDeepStrictEqual(call.arguments, args));
  }

  started({ idempotent }: Tool, twin: Twin): void {
    this.#twins = this.#twins.filter(({ resources }) => !conflict(resources, twin.resources));
    if (idempotent) this.#twins.push(twin);
  }
}

/** The outcome for the second of two same calls: what the first changed is the first's. */
export function sameOutcome(first: CallKey, outcome: CallOutcome, limit: number): CallOutcome {
  const number = Number(first.slice(first.lastIndexOf('/') + 1)) + 1;
  const same = `The same call as call ${number} of this reply; it was run once for both.`;
  const { changes: _, mayHaveChanged: __, facts: ___, tries: ____, text, ...rest } = outcome;
  const whole = `${same} Its result:\n${text}`;
  return { ...rest, text: whole.length <= limit ? whole : `${same} Its result stands there.`, changes: [] };
}

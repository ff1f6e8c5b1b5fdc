/** Work that goes on although its call is over: what it changes now belongs to no call, and to none that runs meanwhile. */
import type { CallKey } from '../../core/index.ts';
import type { Effects } from '../needs.ts';
import { conflict } from '../overlap.ts';
import { onlyReads } from './analyse.ts';

export class LeftBehind {
  readonly #works = new Map<CallKey, { tool: string; effects: Effects }>();

  /** Work of a call that may do so much; it is forgotten when it ends. */
  add(call: CallKey, tool: string, effects: Effects, work: Promise<unknown>): void {
    if (onlyReads(effects)) return;
    this.#works.set(call, { tool, effects });
    const forget = (): void => void this.#works.delete(call);
    work.then(forget, forget);
  }

  /** The tools that may still be changing what a call with these effects touches. */
  beside({ resources }: Effects): string[] {
    const works = [...this.#works.values()].filter(({ effects }) => conflict(effects.resources, resources));
    return [...new Set(works.map(({ tool }) => tool))];
  }
}

/** Said where work that was left behind may have been at the same files. */
export function besideText(tools: readonly string[]): string {
  const who = tools.join(' and ');
  return `[${who} of an earlier call doesn’t stop and may still be at work: what changed meanwhile may be of that.]`;
}

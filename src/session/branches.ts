/** The named branches of a session: where each of them stands, and which one goes on. */
import type { Event, EventId } from '../core/index.ts';

/** What a session goes on as before any name is given. */
const firstBranch = 'main';

/** To be shown every event in the order of the file: whatever is recorded is the tip of the branch that goes on then. */
export class Branches {
  current = firstBranch;
  readonly tips = new Map<string, EventId>();

  take(event: Event): void {
    if (event.kind === 'head') this.#move(event.data);
    this.tips.set(this.current, event.id);
  }

  #move({ why, branch }: { why: string; branch?: string }): void {
    if (why === 'fork') {
      // A fork has the path only: the branches of the session that it came from aren't its own.
      this.tips.clear();
      this.current = firstBranch;
    }
    if (branch !== undefined) this.current = branch;
  }
}

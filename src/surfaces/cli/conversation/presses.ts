/** What a press of Esc or Ctrl-C means, by what goes on. Pure. */

export interface Situation {
  /** A run works. */
  works: boolean;
  /** Something is typed and not sent. */
  hasDraft: boolean;
}

export type Meaning = 'clear' | 'interrupt' | 'warn' | 'end' | 'end-at-once';

/** The first press interrupts what runs (or clears what is typed), the second ends the conversation, the third doesn't wait for it. */
export class Presses {
  #pressed: 'never' | 'once' | 'twice' = 'never';

  press({ works, hasDraft }: Situation): Meaning {
    if (this.#pressed === 'twice') return 'end-at-once';
    if (this.#pressed === 'once') {
      this.#pressed = 'twice';
      return 'end';
    }
    if (!works && hasDraft) return 'clear';
    this.#pressed = 'once';
    return works ? 'interrupt' : 'warn';
  }

  /** Something was said, or what was interrupted has ended: the next press is a first one. */
  forget(): void {
    if (this.#pressed === 'once') this.#pressed = 'never';
  }
}

/** Pages that were loaded a short while ago, by their address. */
import type { Page } from './page.ts';

/** Milliseconds. */
const kept = 5 * 60_000;
const mostPages = 50;
const mostCharacters = 16_000_000;

export class PageCache {
  readonly #pages = new Map<string, { page: Page; until: number }>();
  readonly #now: () => number;
  #characters = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get(address: string): Page | undefined {
    const found = this.#pages.get(address);
    if (found === undefined) return undefined;
    if (this.#now() < found.until) return found.page;
    this.#drop(address);
    return undefined;
  }

  put(address: string, page: Page): void {
    this.#drop(address);
    this.#pages.set(address, { page, until: this.#now() + kept });
    this.#characters += page.text.length;
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= mostPages && this.#characters <= mostCharacters) return;
      this.#drop(oldest);
    }
  }

  #drop(address: string): void {
    this.#characters -= this.#pages.get(address)?.page.text.length ?? 0;
    this.#pages.delete(address);
  }
}

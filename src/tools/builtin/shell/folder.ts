/** The folder in which commands start: calls at work at the same time start where their batch began. */
export class BatchFolder {
  #working = 0;
  #folder = '';

  /** Does the work in the folder of those that are at work, or else in the one that is the current one now. */
  async within<T>(current: () => string, work: (folder: string) => Promise<T>): Promise<T> {
    if (this.#working === 0) this.#folder = current();
    this.#working += 1;
    try {
      return await work(this.#folder);
    } finally {
      this.#working -= 1;
    }
  }
}

/** A piece of the prompt: one to a file, each with the most that it may ever cost. */
export interface Fragment {
  /** Tokens (o200k); a test holds the text to it. */
  cap: number;
  text: string;
}

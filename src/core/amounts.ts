/** Counts in the words of a sentence. */

/** A whole number with its thousands told apart: `12,345`. */
export function grouped(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 turn`, `0 turns`, `1,200 turns`; `many` for a noun that takes more than an s. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : many}`;
}

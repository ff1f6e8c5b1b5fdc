/** Sentences that don't run together. */

/** Two texts as sentences: the first gets its full stop where it ends without one. */
export function joinSentences(first: string, second: string): string {
  const begun = first.trim();
  if (begun === '' || second === '') return begun + second;
  return /[.!?…:;]["'”’)\]]?$/.test(begun) ? `${begun} ${second}` : `${begun}. ${second}`;
}

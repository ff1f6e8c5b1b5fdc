/** What was probably meant: the nearest of some names, the likeness of two lines. */

/** The names, nearest first. */
export function nearestFirst(names: readonly string[], wanted: string): string[] {
  const key = wanted.toLowerCase().slice(0, 200);
  const distances = new Map(names.map((name) => [name, distance(name.toLowerCase().slice(0, 200), key)]));
  return names.toSorted((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0));
}

/** Levenshtein's: the least number of letters to be put in, taken out or replaced. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
  }
  return row[b.length] ?? 0;
}

/** Dice's coefficient over pairs of letters: 0 for nothing in common, 1 for the same pairs. */
export function likeness(pairs: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (pairs.size === 0 || other.size === 0) return 0;
  let common = 0;
  for (const pair of pairs) if (other.has(pair)) common += 1;
  return (2 * common) / (pairs.size + other.size);
}

export function pairsOf(line: string): Set<string> {
  const pairs = new Set<string>();
  const text = line.trim().slice(0, 400);
  for (let index = 0; index + 1 < text.length; index++) pairs.add(text.slice(index, index + 2));
  return pairs;
}

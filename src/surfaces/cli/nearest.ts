/** "Did you mean": the known name that is nearest to one that isn't known. */

/** The nearest name within a third of its length (and at least one letter), if there is any. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const asked = name.toLowerCase().slice(0, 40);
  let best: string | undefined;
  let least = Infinity;
  for (const each of known) {
    const distance = distanceBetween(asked, each);
    if (distance > Math.max(1, Math.floor(each.length / 3)) || distance >= least) continue;
    best = each;
    least = distance;
  }
  return best;
}

/** Insertions, deletions and replacements of single characters; two neighbours that changed places count as one. */
function distanceBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const candidates = [replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1];
      if (swapped) candidates.push((before[j - 2] ?? 0) + 1);
      next.push(Math.min(...candidates));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}

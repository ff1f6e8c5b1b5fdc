/** The known name that is most like the given one, if any is alike: a third of its characters may differ. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const given = name.toLowerCase().slice(0, 40);
  const [best] = known
    .map((each) => ({
      each,
      distance: distance(given, each.toLowerCase()),
      length: Math.abs(each.length - given.length),
    }))
    .toSorted((a, b) => a.distance - b.distance || a.length - b.length);
  if (best === undefined || best.distance > Math.max(1, Math.floor(best.each.length / 3))) return undefined;
  return best.each;
}

/** Edits of single characters, where swapped neighbours are one edit (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1));
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

const at = (row: number[], index: number): number => row[index] ?? 0;

/** The known name that is most like the given one, if any is alike: a third of its characters may differ. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const asked = name.toLowerCase().slice(0, 40);
  const [best] = known
    .map((each) => ({ each, distance: distance(asked, each) }))
    .toSorted((one, other) => one.distance - other.distance);
  if (best === undefined || best.distance > Math.max(1, Math.floor(best.each.length / 3))) return undefined;
  return best.each;
}

/** Characters to insert, to drop or to replace. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index += 1) {
    const next = [index + 1];
    for (let place = 0; place < to.length; place += 1) {
      const replaced = (row[place] ?? 0) + (from[index] === to[place] ? 0 : 1);
      next.push(Math.min(replaced, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Puts two changes of one text together, line by line; what both changed differently is a conflict. */

interface Hunk {
  /** Lines of the base that it replaces: from (included) to (not included). */
  from: number;
  to: number;
  lines: readonly string[];
}

/** Milliseconds after which two texts count as too different to be compared. */
const longestComparison = 2_000;

/**
 * The text with both changes; undefined where they touch. Bytes in, bytes out: line ends and encodings stay whatever they are. Two
 * changes of neighbouring lines count as touching, since neither was made with the other in view.
 */
export async function mergeTexts(base: Buffer, ours: Buffer, theirs: Buffer): Promise<Buffer | undefined> {
  if (ours.equals(theirs) || theirs.equals(base)) return ours;
  if (ours.equals(base)) return theirs;
  if ([base, ours, theirs].some((text) => text.includes(0))) return undefined;
  const lines = linesOf(base);
  const own = await hunksOf(lines, linesOf(ours));
  const other = await hunksOf(lines, linesOf(theirs));
  if (own === undefined || other === undefined) return undefined;
  const hunks = joined(own, other);
  return hunks && Buffer.from(applied(lines, hunks), 'latin1');
}

/** Each with its line end; one character a byte. */
function linesOf(text: Buffer): string[] {
  return text.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

async function hunksOf(base: readonly string[], text: readonly string[]): Promise<Hunk[] | undefined> {
  const { diffArrays } = await import('diff');
  const parts = diffArrays([...base], [...text], { timeout: longestComparison });
  if (parts === undefined) return undefined;
  const hunks: Hunk[] = [];
  let at = 0;
  for (const { added, removed, value } of parts) {
    const last = hunks.at(-1);
    const isOpen = last !== undefined && last.to === at;
    if (added) {
      if (isOpen) last.lines = [...last.lines, ...value];
      else hunks.push({ from: at, to: at, lines: value });
      continue;
    }
    at += value.length;
    if (!removed) continue;
    if (isOpen) last.to = at;
    else hunks.push({ from: at - value.length, to: at, lines: [] });
  }
  return hunks;
}

/** The hunks of both in order; undefined where two touch and aren't the same. */
function joined(some: readonly Hunk[], others: readonly Hunk[]): Hunk[] | undefined {
  const hunks: Hunk[] = [];
  for (const hunk of [...some, ...others].toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = hunks.at(-1);
    if (last !== undefined && isSame(last, hunk)) continue;
    if (last !== undefined && hunk.from <= last.to) return undefined;
    hunks.push(hunk);
  }
  return hunks;
}

function isSame(a: Hunk, b: Hunk): boolean {
  return a.from === b.from && a.to === b.to && a.lines.join('') === b.lines.join('');
}

function applied(base: readonly string[], hunks: readonly Hunk[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, lines } of hunks) {
    parts.push(base.slice(at, from).join(''), lines.join(''));
    at = to;
  }
  return parts.join('') + base.slice(at).join('');
}

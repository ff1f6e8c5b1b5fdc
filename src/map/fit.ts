/** As much of a ranking as fits into a number of tokens, as text. */
import type { MappedFile } from './graph.ts';
import type { Ranked } from './rank.ts';
import { tokensOf } from './tokens.ts';

export interface Fitted {
  text: string;
  tokens: number;
  /** Paths that are shown, and how many symbols. */
  paths: string[];
  symbols: number;
}

/** Characters of a path that is shown. */
const longestPath = 300;

/** `mayShow`: whether a file may be told of at all; it is asked only for files that would be. */
export function fit(
  files: readonly MappedFile[],
  ranked: readonly Ranked[],
  budget: number,
  mayShow: (path: string) => boolean,
): Fitted {
  // A line has several tokens, so no more of them can fit.
  const candidates = shown(files, ranked, Math.ceil(budget / 4), mayShow);
  const most = mostThat(candidates.length, (count) => tokensOf(render(files, candidates.slice(0, count))) <= budget);
  const chosen = candidates.slice(0, most);
  const text = render(files, chosen);
  const paths = [...new Set(chosen.map(({ file }) => file))].map((file) => files[file]?.path ?? '');
  return { text, tokens: tokensOf(text), paths: paths.toSorted(), symbols: chosen.length };
}

function shown(
  files: readonly MappedFile[],
  ranked: readonly Ranked[],
  most: number,
  mayShow: (path: string) => boolean,
): Ranked[] {
  const asked = new Map<number, boolean>();
  const kept: Ranked[] = [];
  for (const each of ranked) {
    if (kept.length >= most) break;
    const path = files[each.file]?.path ?? '';
    const isShown = asked.get(each.file) ?? (path.length <= longestPath && mayShow(path));
    asked.set(each.file, isShown);
    if (isShown) kept.push(each);
  }
  return kept;
}

/** The largest number that does, where all smaller ones do. */
function mostThat(most: number, does: (count: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (does(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Each file with its symbols by line, the files by path; with each symbol go those that it stands in. */
function render(files: readonly MappedFile[], chosen: readonly Ranked[]): string {
  const byFile = new Map<number, Set<number>>();
  for (const { file, definition } of chosen) {
    const lines = byFile.get(file) ?? new Set<number>();
    byFile.set(file, lines);
    for (const each of withHolders(files[file]?.definitions ?? [], definition)) lines.add(each);
  }
  const parts = [...byFile].map(([file, lines]) => ({
    path: files[file]?.path ?? '',
    text: linesOf(files[file], lines),
  }));
  return parts
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, text }) => `${path}\n${text}`)
    .join('\n');
}

function withHolders(definitions: MappedFile['definitions'], index: number): number[] {
  const all = [index];
  let depth = definitions[index]?.depth ?? 0;
  for (let before = index - 1; before >= 0 && depth > 0; before -= 1) {
    const each = definitions[before];
    if (each === undefined || each.depth >= depth) continue;
    all.push(before);
    ({ depth } = each);
  }
  return all;
}

function linesOf(file: MappedFile | undefined, indexes: ReadonlySet<number>): string {
  const chosen = (file?.definitions ?? []).filter((_, index) => indexes.has(index));
  return chosen.map(({ line, depth, signature }) => ` ${line}: ${'  '.repeat(depth)}${signature}`).join('\n');
}

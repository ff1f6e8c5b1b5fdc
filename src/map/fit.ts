/** As much of a ranking as fits into a number of tokens, as text. */
import type { MappedFile } from './graph.ts';
import type { Ranked } from './rank.ts';
import type { Definition } from './symbols.ts';
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
  const candidates = candidatesOf(files, ranked, budget, mayShow);
  const most = mostThat(candidates.length, (count) => tokensOf(render(files, candidates.slice(0, count))) <= budget);
  const chosen = candidates.slice(0, most);
  const text = render(files, chosen);
  const paths = [...new Set(chosen.map(({ file }) => file))].map((file) => files[file]?.path ?? '');
  return { text, tokens: tokensOf(text), paths: paths.toSorted(), symbols: chosen.length };
}

/** As many as fit if none stood in another, or one more. */
function candidatesOf(
  files: readonly MappedFile[],
  ranked: readonly Ranked[],
  budget: number,
  mayShow: (path: string) => boolean,
): Ranked[] {
  const isShown = new Map<number, boolean>();
  const found: Ranked[] = [];
  let tokens = 0;
  for (const each of ranked) {
    if (tokens > budget) break;
    const { path = '', definitions = [] } = files[each.file] ?? {};
    const definition = definitions[each.definition];
    if (definition === undefined || definition.kind === 'block') continue;
    const known = isShown.get(each.file);
    const may = known ?? (path.length <= longestPath && mayShow(path));
    isShown.set(each.file, may);
    if (!may) continue;
    tokens += tokensOf(lineOf(definition)) + (known === undefined ? tokensOf(path) : 0);
    found.push(each);
  }
  return found;
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
  return chosen.map(lineOf).join('\n');
}

function lineOf({ line, depth, signature }: Definition): string {
  return ` ${line}: ${'  '.repeat(depth)}${signature}`;
}

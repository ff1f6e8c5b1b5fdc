/** What a call would change as a unified diff, for whoever is asked about it, or why it would fail. */
import { plural, type JsonObject } from '../../core/index.ts';
import { decode, detectEncoding, visible } from '../text/index.ts';
import type { AnalysisContext, PlannedChange, Tool } from '../tool.ts';

/** Characters of a diff in a question; what is more is cut at a line. */
const longestDiff = 20_000;
/** Bytes; a larger file is named without its lines. */
const largestFile = 1024 * 1024;
/** Files whose lines are compared. */
const mostFiles = 50;
/** Milliseconds that the comparison of one file may take; then it is named without its lines. */
const longestComparison = 200;

export interface Planned {
  diff?: string;
  /** What the model would be told. */
  fails?: string;
}

/** Empty where the tool can't say, where nothing would change, and where looking fails: the call says so by itself when it is run. */
export async function plannedBy(tool: Tool, args: JsonObject, context: AnalysisContext): Promise<Planned> {
  if (tool.preview === undefined) return {};
  try {
    const changes = await tool.preview(args, context);
    if ('fails' in changes) return changes;
    const shown: string[] = [];
    for (const change of changes.slice(0, mostFiles)) shown.push(await diffOf(change));
    if (changes.length > mostFiles) shown.push(`(${changes.length - mostFiles} more files)\n`);
    return shown.length === 0 ? {} : { diff: cut(shown.join('')) };
  } catch {
    return {};
  }
}

async function diffOf({ path, before, after }: PlannedChange): Promise<string> {
  // A line of its own in a name would pass for one of the diff.
  const name = visible(path).replaceAll('\n', '\u240a');
  const [from, to] = [before === null ? '/dev/null' : `a/${name}`, after === null ? '/dev/null' : `b/${name}`];
  const head = `diff --git a/${name} b/${name}\n`;
  const [old, made] = await Promise.all([textOf(before), textOf(after)]);
  const lines = old === undefined || made === undefined ? undefined : await hunksOf(old, made);
  if (lines === undefined)
    return `${head}--- ${from}\n+++ ${to}\n(${sizeOf(before)} bytes before, ${sizeOf(after)} after)\n`;
  return `${head}--- ${from}\n+++ ${to}\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** Undefined for what isn’t text, or is too large to be shown. */
async function textOf(bytes: Buffer | null): Promise<string | undefined> {
  if (bytes === null) return '';
  if (bytes.length > largestFile) return undefined;
  const encoded = await detectEncoding(bytes);
  return encoded === 'binary' ? undefined : decode(bytes, encoded);
}

async function hunksOf(before: string, after: string): Promise<string[] | undefined> {
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('a', 'b', before, after, '', '', { context: 3, timeout: longestComparison });
  return patch?.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`,
    ...lines.map(visible),
  ]);
}

/** A range without a line is named by the line before it. */
function rangeOf(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}

function sizeOf(bytes: Buffer | null): number {
  return bytes?.length ?? 0;
}

function cut(text: string): string {
  if (text.length <= longestDiff) return text;
  const end = text.lastIndexOf('\n', longestDiff - 1) + 1;
  const left = text.slice(end).replace(/\n$/, '').split('\n').length;
  return `${text.slice(0, end)}(${plural(left, 'more line')})\n`;
}

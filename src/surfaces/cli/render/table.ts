/** Rows of cells as lines: columns as wide as their longest cell, the first one cut so that a line fits; or lists, where no table would. */
import { clip, pad, widthOf } from '../printable.ts';

const gap = 2;
/** The first column keeps this much, whatever the others take. */
const leastFirst = 12;

/**
 * A line for each row, the first of which names the columns. Cells must be printable already. The first column is flush left, all
 * others flush right. Where the others leave no room for the first, each row is its first cell, and the others below it with the
 * names of their columns: a line with line feeds.
 */
export function tableLines(rows: readonly (readonly string[])[], width: number): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
  const [widest = 0, ...others] = widths;
  const taken = others.reduce((sum, each) => sum + each + gap, 0);
  if (taken + Math.min(widest, leastFirst) > width) return listLines(rows, width);
  const first = Math.min(widest, width - taken);
  return rows.map(([name = '', ...cells]) => {
    const figures = others.map((each, at) => ' '.repeat(gap) + padLeft(cells[at] ?? '', each));
    return `${pad(clip(name, first), first)}${figures.join('')}`.trimEnd();
  });
}

const indent = '      ';

/** The row that names the columns isn’t needed then. */
function listLines([header = [], ...rows]: readonly (readonly string[])[], width: number): string[] {
  const lists = rows.map(([name = '', ...cells]) => {
    const told = cells.map((cell, at) => (cell === '' ? '' : `${header[at + 1] ?? ''} ${cell}`.trim()));
    const below = flowed(
      told.filter((each) => each !== ''),
      ', ',
      width - indent.length,
    );
    return [name, ...below.map((line) => `${indent}${line}`)].map((line) => clip(line, width)).join('\n');
  });
  return [clip(header[0] ?? '', width), ...lists];
}

/** Words over as many lines as they need. */
export function wrapped(text: string, width: number): string[] {
  return flowed(text.split(' '), ' ', width);
}

/** One after the other, on as many lines as they need. */
function flowed(items: readonly string[], joint: string, width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const longer = lines.length === 0 ? item : `${lines.at(-1)}${joint}${item}`;
    if (lines.length === 0 || widthOf(longer) > width) lines.push(item);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function padLeft(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - widthOf(text))) + text;
}

/** What was not reported, or can't be known. */
export const nothing = '-';

/** 0.4567 -> `45.7%`. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

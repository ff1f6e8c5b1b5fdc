/** Rows of cells as lines: columns as wide as their longest cell, the first one cut so that a line fits. */
import { clip, pad, widthOf } from '../printable.ts';

const gap = 2;
/** The first column keeps this much, whatever the others take. */
const leastFirst = 12;

/** Cells must be printable already. The first column is flush left, all others flush right. */
export function tableLines(rows: readonly (readonly string[])[], width: number): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(0, ...rows.map((row) => widthOf(row[at] ?? ''))));
  const [widest = 0, ...others] = widths;
  const taken = others.reduce((sum, each) => sum + each + gap, 0);
  const first = Math.min(widest, Math.max(leastFirst, width - taken));
  return rows.map(([name = '', ...cells]) => {
    const figures = others.map((each, at) => ' '.repeat(gap) + padLeft(cells[at] ?? '', each));
    return `${pad(clip(name, first), first)}${figures.join('')}`.trimEnd();
  });
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

/** The results for people. */
import type { Line } from './bench.ts';
import type { Figure } from './statistics.ts';

export function printLine({ title, unit, figures, reference, verdicts, notes }: Line): string {
  const width = Math.max(...figures.map(({ of }) => of.length));
  const base = figures.find(({ of }) => of === reference)?.median;
  const lines = figures.map((figure) => {
    const multiple = base === undefined || figure.of === reference ? '' : `  ${(figure.median / base).toFixed(2)} x`;
    return `    ${figure.of.padEnd(width)}  ${amount(figure.median).padStart(8)}${range(figure)}${multiple}`;
  });
  const judged = verdicts.map(({ text, met }) => `    ${met ? 'met ' : 'OVER'}  ${text}`);
  return [`  ${title} (${unit})`, ...lines, ...judged, ...notes.map((note) => `    note  ${note}`)].join('\n');
}

function range({ min, max, samples }: Figure): string {
  if (samples.length === 1) return ' '.repeat(28);
  return `  (${amount(min)} to ${amount(max)}, n=${samples.length})`.padEnd(28);
}

function amount(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}

/** The failure ledger for people. */
import { plural, type Failure, type LedgerReport, type Proposal } from '../../../harness/index.ts';
import { oneLine, pad } from '../printable.ts';

const mostLines = 50;

export function failureLines(failures: readonly Failure[]): string[] {
  return failures.map(({ id, symptom, state, seen, fixes }) => {
    const last = fixes.at(-1);
    const fixed = state === 'fixed' ? 'fixed by' : 'came back after';
    const how = last === undefined ? 'open' : `${fixed} ${last.rung}`;
    return `${oneLine(id)}  ${oneLine(symptom)}  (seen ${plural(seen.length, 'time')}, ${how})`;
  });
}

export function proposalLines(proposals: readonly Proposal[]): string[] {
  return proposals.map(({ symptom, times, isKnown }, index) => {
    const often = times > 1 ? ` (${times} times)` : '';
    return `${pad(String(index + 1), 3)} ${oneLine(symptom)}${often}${isKnown ? '  is there already' : ''}`;
  });
}

export function ledgerReportLines({ rungs, open, recurred, unjustified, gone }: LedgerReport): string[] {
  const rows = rungs.map(({ rung, fixes, failed, recurrences }) => {
    return `${pad(rung, 14)}${pad(String(fixes), 8)}${pad(String(failed), 12)}${recurrences}`;
  });
  return [
    ...(rows.length === 0 ? [] : [`${pad('rung', 14)}${pad('fixes', 8)}${pad('didn’t hold', 12)}seen again`, ...rows]),
    ...titled('Open', failureLines(open)),
    ...titled(
      'Came back after a fix',
      recurred.map(({ id, symptom, rung, next }) => {
        const advice = next === undefined ? '' : `; try ${next} or higher`;
        return `${oneLine(id)}  ${oneLine(symptom)}: ${rung} didn’t hold${advice}`;
      }),
    ),
    ...titled(
      'Instructions that no failure stands behind',
      unjustified.map(({ file, line, text }) => `${oneLine(file)}:${line}  ${oneLine(text)}`),
    ),
    ...titled(
      'Fixes that aren’t in their file any more',
      gone.map(({ id, file, text }) => `${oneLine(id)}  ${oneLine(file)}: ${oneLine(text)}`),
    ),
  ];
}

function titled(title: string, lines: string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > mostLines ? [`  and ${lines.length - mostLines} more`] : [];
  return [`${title}:`, ...lines.slice(0, mostLines).map((line) => `  ${line}`), ...more];
}

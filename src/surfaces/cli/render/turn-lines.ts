/** What is said between the runs of a conversation. */
import { plural, type Limits, type RunReport } from '../../../harness/index.ts';
import { printable } from '../printable.ts';
import { dollars } from './amounts.ts';
import type { Style } from './style.ts';
import { callLines, checkLines, headline, labelled, unprovenLines, usedLines } from './summary.ts';

/** How a run ended, what isn't proven, and what it took so far. */
export function turnLines(report: RunReport, style: Style): string[] {
  return [
    headline(report, style),
    ...(report.wayOut === undefined ? [] : labelled('way out', [printable(report.wayOut)])),
    ...labelled('checks', checkLines(report, style)),
    ...labelled('unproven', unprovenLines(report, style)),
    ...labelled('denied', callLines(report, 'denials')),
    ...labelled('used', usedLines(report).slice(0, 1)),
    ...labelled('go on', goingOn(report)),
  ];
}

function goingOn({ outcome, code = '' }: RunReport): string[] {
  const limit = /^limit-(turns|calls|minutes|cost)$/.exec(code)?.[1];
  if (limit !== undefined) return [`/limit ${limit} VALUE (or none), then say something`];
  return outcome === 'waiting' ? ['say something, and you are asked again'] : [];
}

/** What a session has used so far, and what is left of its limits. */
export function costLines(report: RunReport, limits: Limits | undefined): string[] {
  const { turns = null, calls = null, cost = null } = limits ?? {};
  const left = [
    ...(turns === null ? [] : [plural(Math.max(0, turns - report.turns), 'turn')]),
    ...(calls === null ? [] : [plural(Math.max(0, calls - report.calls), 'call')]),
    ...(cost === null || report.cost === undefined ? [] : [dollars(Math.max(0, cost - report.cost))]),
  ];
  return [...labelled('used', usedLines(report)), ...labelled('left', left.length === 0 ? [] : [left.join(', ')])];
}

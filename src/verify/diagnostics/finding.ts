/** What a look at a file found, and what of it a change has brought. */

export interface Finding {
  /** Of the line, from 1. */
  line: number;
  /** From 1, where it is known. */
  column?: number;
  what: string;
  /** Who says it: `syntax`, or the first word of a command. */
  source: string;
}

const findingsShown = 10;
const linesAround = 2;
const lineShown = 200;
const whatShown = 300;

/** What is found now and was not before: the same words about the same text are the same finding, wherever the line has moved. */
export function newOnly(before: Found, after: Found): Finding[] {
  const known = new Map<string, number>();
  for (const finding of before.findings) count(known, keyOf(finding, before.lines), 1);
  return after.findings.filter((finding) => {
    const key = keyOf(finding, after.lines);
    if ((known.get(key) ?? 0) === 0) return true;
    count(known, key, -1);
    return false;
  });
}

export interface Found {
  lines: readonly string[];
  findings: readonly Finding[];
}

function keyOf({ source, what, line }: Finding, lines: readonly string[]): string {
  return JSON.stringify([source, what, lines[line - 1]?.trim()]);
}

function count(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

/** The findings in words for the model, each with the lines around it; empty without any. */
export function findingsText(name: string, findings: readonly Finding[], lines: readonly string[]): string {
  if (findings.length === 0) return '';
  const shown = findings.slice(0, findingsShown);
  const more = findings.length > shown.length ? [`and ${findings.length - shown.length} more`] : [];
  const parts = shown.flatMap((finding) => [headOf(finding), ...around(finding.line, lines)]);
  return [`New in ${name} since before this call:`, ...parts, ...more].join('\n');
}

function headOf({ line, column, what, source }: Finding): string {
  const place = column === undefined ? `${line}` : `${line}:${column}`;
  return `line ${place}, ${source}: ${plain(what, whatShown)}`;
}

function around(line: number, lines: readonly string[]): string[] {
  const from = Math.max(1, line - linesAround);
  // Behind the last line end there is no further line.
  const last = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const to = Math.min(Math.max(last, line), line + linesAround);
  return lines.slice(from - 1, to).map((text, index) => {
    const number = from + index;
    return `${number === line ? '>' : ' '} ${number}\t${plain(text, lineShown)}`;
  });
}

/** On one line, without what a terminal would obey, and bounded. */
function plain(text: string, most: number): string {
  const line = text.replaceAll(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/g, ' ').trimEnd();
  return line.length > most ? `${line.slice(0, most).toWellFormed()}...` : line;
}
